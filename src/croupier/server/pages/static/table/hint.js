// The line above the chips: what can be done now, or what the wager is that somebody points at,
// with the clause behind it.

import { $, first } from "../shared/dom.js";
import { cite } from "../shared/clause_note.js";

/** @import { Seat } from "./seat.js" */
/** @import { Stage } from "./stage.js" */

const REST_MS = 150;
const KEPT_MS = 2000;

export class Hint {
  /**
   * @param {Seat} seat
   * @param {Stage} stage
   * @param {() => string} words what can be done now
   */
  constructor(seat, stage, words) {
    this.seat = seat;
    this.stage = stage;
    this.words = words;
    // What has just happened, said before what can be done.
    /** @type {{ words: string, clause?: string, ruling?: number } | null} */
    this.notice = null;
    /** @type {Server.WagerFacts | null} */
    this.pointed = null;
    this.timer = 0;
    this.shown = "";
    $("hint").addEventListener("keydown", (event) => {
      if (event.key === "Tab") this.fromClause(event);
    });
  }

  // What is said already stays, with the focus that may be in it.
  paint() {
    const parts = this.parts();
    const shown = parts.map((part) => (typeof part === "string" ? part : part.outerHTML)).join("");
    if (shown === this.shown) return;
    this.shown = shown;
    $("hint").replaceChildren(...parts);
  }

  parts() {
    const { view, facts } = this.seat;
    if (this.pointed && this.isOpen(this.pointed)) {
      return [`${this.seat.about(this.pointed)} `, cite(this.pointed.clause)];
    }
    const { words = "", clause = "", ruling: noticed } = this.notice ?? {};
    const notice = words ? [`${words} `, cite(clause, noticed), " "] : [];
    const ruling = facts.irregularities[view.waits_for]?.ruling;
    return [...notice, `${this.words()} `, cite(view.clause, ruling)];
  }

  /** @param {Server.WagerFacts} wager */
  isOpen(wager) {
    return this.seat.mayPlace().includes(wager.name);
  }

  // A wager is pointed at

  /** @param {SVGElement} spot @param {Server.WagerFacts} wager */
  listen(spot, wager) {
    spot.addEventListener("pointerenter", () => this.point(wager, this.pointed ? REST_MS : 0));
    spot.addEventListener("focus", () => this.point(wager));
    for (const goes of ["pointerleave", "blur"]) {
      spot.addEventListener(goes, () => this.point(null, KEPT_MS));
    }
    spot.addEventListener("keydown", (event) => {
      if (event.key === "Tab" && !event.shiftKey) this.toClause(wager, event);
    });
  }

  // What it is, is kept while somebody goes to its clause: what is only passed on the way there
  // does not take its place.
  /** @param {Server.WagerFacts | null} wager @param {number} [after] */
  point(wager, after = 0) {
    clearTimeout(this.timer);
    if (after) {
      const again = () => this.point(wager, !wager && this.isRead() ? KEPT_MS : 0);
      this.timer = setTimeout(again, after);
      return;
    }
    this.pointed = wager;
    if (this.seat.view) this.paint();
  }

  isRead() {
    return $("hint").matches(":hover, :focus-within") || document.querySelector("dialog[open]");
  }

  // Something was put there: what it is needs no saying any more.
  drop() {
    clearTimeout(this.timer);
    this.pointed = null;
  }

  // By Tab a wager's clause comes after the wager, and the next wager after its clause.
  /** @param {Server.WagerFacts} wager @param {KeyboardEvent} event */
  toClause(wager, event) {
    const isSaid = this.pointed === wager && this.isOpen(wager);
    const clause = isSaid ? first(".why", $("hint")) : null;
    clause?.focus();
    if (clause && document.activeElement === clause) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  fromClause(event) {
    const names = this.stage.touchable();
    const at = names.indexOf(this.pointed?.name);
    const to = at < 0 ? null : this.stage.spots.get(names[event.shiftKey ? at : at + 1]);
    if (!to) return;
    event.preventDefault();
    to.focus();
  }
}
