// The floorperson is called: said with the time, and with the reason where the view has it.

import { fieldOf, first, onSubmit } from "../shared/dom.js";
import { isOffered } from "../shared/offers.js";
import { timeOfDay } from "../shared/words.js";

/** @import { Command } from "../shared/connection.js" */
/** @import { Duty } from "./duties.js" */

/** @param {Server.View} view */
export const callWords = ({ call }) =>
  call ? `Floor called, ${timeOfDay(call.at_s)}${call.reason ? `: ${call.reason}` : ""}` : "";

// What the floor has the next word in; everything else can wait for whoever looks.
export const WAITS = [
  "answer-call",
  "confirm",
  "second",
  "unlock-table",
  "end-dispute",
  "validate-progressive",
  "propose-refusal",
  "confirm-refusal",
  "record-paperwork",
  "rule-on-absence",
  "return-chip",
  "cancel-acceptance",
  "verify-inspection",
];

/**
 * What the floor is called for at a table.
 * @param {Server.View} view
 * @param {Duty[]} duties
 */
export const floorCalls = (view, duties) => [
  ...(view.call ? [callWords(view)] : []),
  ...(view.disputes ?? []).map(({ number }) => `Dispute ${number} is open`),
  ...(duties.some(({ command }) => COUNTED.includes(command.do))
    ? ["Your word is waited for"]
    : []),
];

const COUNTED = WAITS.filter((name) => !["answer-call", "end-dispute"].includes(name));

// The form of who may call, and in its place, once that is done, what was called.
export class Calling {
  /**
   * @param {HTMLElement} target
   * @param {(command: Command) => Promise<boolean>} give
   */
  constructor(target, give) {
    this.said = first(".called", target);
    this.form = first("form", target, HTMLFormElement);
    onSubmit(this.form, async (form) => {
      const reason = fieldOf(form, "reason").value.trim();
      if (await give({ do: "call-floor", reason })) form.reset();
    });
  }

  /** @param {Server.View} view */
  show(view) {
    this.said.textContent = callWords(view);
    this.form?.toggleAttribute("hidden", !isOffered(view, "call-floor"));
  }
}
