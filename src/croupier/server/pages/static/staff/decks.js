// The deck of a training table: how far its opening is, when it is counted, and when it is changed.

import { el } from "../shared/dom.js";
import { cite } from "../shared/clause_note.js";
import { timeOfDay } from "../shared/words.js";

/** @import { Duty } from "./duties.js" */
/** @import { Irregularities } from "./irregularities.js" */

export class Decks {
  /**
   * @param {{ checklist: HTMLElement, decks: HTMLElement, counted: HTMLElement,
   *   more: Irregularities }} parts
   * @param {Server.TableFacts} facts
   */
  constructor(parts, facts) {
    this.parts = parts;
    this.facts = facts;
  }

  /**
   * @param {Server.View} view
   * @param {Duty[]} rare what may be done to the deck at any time, and seldom is
   */
  show(view, rare) {
    const { checklist, decks, counted, more } = this.parts;
    const handling = this.facts.handling;
    const held = Object.entries(view.decks ?? {});
    const opening = Object.entries(view.opening ?? {});
    checklist.hidden = !opening.length;
    checklist
      .querySelector("div")
      .replaceChildren(...opening.map(([color, behind]) => this.opening(color, behind)));
    decks.replaceChildren(
      ...(held.length
        ? held.map(([color, stage]) => this.deck(view, color, stage))
        : [el("li", { class: "fine" }, "No deck is on the table.")]),
    );
    const { rounds, clause } = handling.counts[view.way];
    const dealt = view.uncounted ?? 0;
    const says = rounds
      ? `${dealt || "None"} of ${rounds} rounds dealt since the last count. `
      : "No count falls due here; one may be made. ";
    counted.replaceChildren(says, cite(clause, 26));
    more.show({ ...view, may: [] }, rare);
  }

  /** @param {string} color @param {number} behind how many steps are done */
  opening(color, behind) {
    return el(
      "section",
      {},
      el("h4", {}, color ? `The ${color} deck` : "A new deck"),
      el(
        "ol",
        { class: "opening" },
        ...this.facts.handling.opening.map((step, n) =>
          el(
            "li",
            {
              class: n < behind ? "is-done" : n === behind ? "is-next" : "",
              "aria-current": n === behind ? "step" : null,
            },
            step.says,
            n < behind ? el("span", { class: "unseen" }, ", done") : "",
            " ",
            cite(step.clause),
          ),
        ),
      ),
    );
  }

  /** @param {Server.View} view @param {string} color @param {string} stage */
  deck(view, color, stage) {
    const [hours, clause] = this.facts.handling.hours[view.way];
    const overdue = (view.overdue ?? []).includes(color);
    return el(
      "li",
      { class: overdue ? "is-overdue" : "" },
      el("i", { class: "back", "data-color": color }),
      el("b", {}, `${color} deck`),
      el("span", {}, stage),
      el(
        "small",
        {},
        overdue
          ? `in use for ${hours} hours: change it `
          : `change by ${timeOfDay(view.change_at_s[color])} `,
        cite(clause, 27),
      ),
    );
  }
}
