// An answer is given once: the buttons come back with the next question, or with a refusal.

import { $, all } from "../shared/dom.js";
import { no } from "../shared/clause_note.js";

/** @import { Choice, Seat } from "./seat.js" */
/** @import { Commands } from "./commands.js" */

export class Decision {
  /**
   * @param {Seat} seat
   * @param {Commands} commands
   * @param {() => void} paint
   */
  constructor(seat, commands, paint) {
    this.seat = seat;
    this.commands = commands;
    this.paint = paint;
    // The version that is being answered; 0 while nothing is.
    this.version = 0;
    /** @type {(() => void) | null} */
    this.onFrame = null;
  }

  // A newer view has come: whatever was answered, the question is another one.
  see() {
    if (this.seat.frame.version > this.version) this.version = 0;
  }

  /** @param {Choice} choice */
  async decide(choice) {
    if (this.version) return;
    for (const button of all("button", $("buttons"), HTMLButtonElement)) button.disabled = true;
    if (await this.answer(choice)) return;
    this.version = 0;
    this.paint();
  }

  // Where the table moved on meanwhile, an answer to the same question still counts.
  /** @param {Choice} choice */
  async answer(choice) {
    const asked = this.asks(choice);
    do {
      this.version = this.seat.frame.version;
      const told = await this.commands.request(choice.command, this.version);
      if (told.outcome !== "stale") return told.outcome === "done";
      await this.newer(this.version);
    } while (this.asks(choice) === asked);
    const { clause } = this.seat.view;
    no({ sentence: "the table moved on before your answer came", clause });
    return false;
  }

  /** @param {Choice} choice */
  asks({ action, cents }) {
    const offered = this.seat
      .choices()
      .some((choice) => choice.action === action && choice.cents === cents);
    return `${this.seat.asking()} ${offered}`;
  }

  /** @param {number} version */
  newer(version) {
    if (this.seat.frame.version > version) return null;
    return new Promise((go) => {
      this.onFrame = () => go(null);
    });
  }
}
