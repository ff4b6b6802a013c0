// The first round, step by step: what to do now and why, until it is over once.

import { $, el, forThisBrowser, store, stored } from "../shared/dom.js";

/** @import { Seat } from "./seat.js" */

export class Guide {
  /** @param {Seat} seat */
  constructor(seat) {
    this.seat = seat;
    this.memory = `guided ${seat.facts.game}`;
    this.isOn = false;
    this.wasDealt = false;
    this.shown = "";
  }

  // Who sits here for the first time is led through a round; anybody may ask for it again.
  begin() {
    if (!stored(forThisBrowser, this.memory)) this.start();
  }

  start() {
    this.isOn = true;
    this.wasDealt = false;
    if (this.seat.view) this.paint();
  }

  end() {
    this.isOn = false;
    store(forThisBrowser, this.memory, "yes");
    $("guide").hidden = true;
    this.shown = "";
  }

  paint() {
    if (!this.isOn) return;
    const words = this.words();
    const isOver = words === OVER;
    if (words === this.shown) return;
    this.shown = words;
    $("guide").hidden = false;
    const ranks = el("button", { type: "button", class: "quiet" }, "Hand ranks");
    ranks.addEventListener("click", () => $("how", HTMLDialogElement).showModal());
    const done = el("button", { type: "button", class: "quiet" }, isOver ? "Done" : "No guide");
    done.addEventListener("click", () => this.end());
    $("guide").replaceChildren(el("p", {}, words), ranks, done);
  }

  words() {
    const { seat } = this;
    const { phase } = seat.view;
    if (phase !== "betting") this.wasDealt = true;
    if (seat.choices().length) return this.question();
    if (phase === "betting" && this.wasDealt && !seat.inRound() && !seat.hoped) return OVER;
    if (phase !== "betting") {
      return "Step 3 of 4: cards are dealt and turned. You are asked when it is your turn.";
    }
    return seat.opens(seat.stakes())
      ? "Step 2 of 4: your wager lies there. Press Deal, the gold button."
      : `Step 1 of 4: choose a chip and put it on the ${this.openers()}, the ring that glows.`;
  }

  openers() {
    const { opening } = this.seat;
    const leads = opening.filter((name) => !this.seat.wager(name).equals);
    const follow = opening.filter((name) => this.seat.wager(name).equals);
    /** @param {string[]} names */
    const titles = (names) => names.map((name) => this.seat.wager(name).title).join(" and ");
    return follow.length ? `${titles(leads)} (the ${titles(follow)} follows)` : titles(leads);
  }

  question() {
    const holds = this.seat.frame.room?.holds;
    const have = holds ? `You have ${holds}.` : "Look at your cards.";
    const choices = this.seat.choices().map(({ says }) => says.toLowerCase());
    return `Step 3 of 4: one decision. ${have} You may ${choices.join(", or ")}.`;
  }
}

const OVER =
  "Step 4 of 4: the line above your cards says who won, the receipt what each wager did and why.";
