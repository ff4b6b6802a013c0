// Cases that are open: what was wagered, dealt, decided, due and paid, by clause, and their file.

import { hand } from "../shared/cards_and_chips.js";
import { orNull } from "../shared/connection.js";
import { cite } from "../shared/clause_note.js";
import { el } from "../shared/dom.js";
import { money, spaced } from "../shared/words.js";

export class Cases {
  /**
   * @param {HTMLElement} target
   * @param {string} table
   */
  constructor(target, table) {
    this.target = target;
    this.path = `/api/tables/${encodeURIComponent(table)}/disputes`;
    /** @type {Map<number, HTMLElement>} */
    this.shown = new Map();
  }

  /** @param {Server.View} view */
  show(view) {
    const open = view.disputes ?? [];
    for (const [number, made] of this.shown) {
      if (open.some((one) => one.number === number)) continue;
      made.remove();
      this.shown.delete(number);
    }
    for (const one of open) {
      if (this.shown.has(one.number)) continue;
      const made = this.case(one);
      this.shown.set(one.number, made);
      this.target.append(made);
    }
  }

  /** @param {Server.Dispute} one */
  case({ number, round, box, player, wager, reason }) {
    const inside = el("div", {});
    const of = `${player}, box ${box}, round ${round}${wager ? `, ${spaced(wager)}` : ""}`;
    const about = `${of}: “${reason}”`;
    const says = `Look into dispute ${number}: ${about}`;
    const made = el("details", { class: "case" }, el("summary", {}, says), inside);
    made.addEventListener("toggle", () => made.open && this.look(inside, number));
    return made;
  }

  /** @param {HTMLElement} inside @param {number} number */
  async look(inside, number) {
    const response = await orNull(fetch(`${this.path}/${number}`));
    if (!response?.ok) {
      inside.textContent = "The case cannot be read now; close it and try again.";
      return;
    }
    /** @type {Server.DisputeEvidence} */
    const told = await response.json();
    const file = el("a", { href: `${this.path}/${number}`, download: "" }, "Evidence file");
    inside.replaceChildren(...cards(told), wagers(told), decisions(told), el("p", {}, file));
  }
}

/** @param {Server.DisputeEvidence} told */
function cards(told) {
  return Object.entries(told.cards).map(([where, held]) =>
    el("p", {}, `${spaced(where)} `, hand(held, 34, `${where}: ${held.join(" ")}`)),
  );
}

/** @param {number | null | undefined} cents */
const sum = (cents) => (cents === null || cents === undefined ? "–" : money(cents));

/** @param {Server.DisputeEvidence} told */
function wagers(told) {
  const rows = told.wagers.map((one) =>
    el(
      "tr",
      { class: (one.due_cents ?? null) !== (one.paid_cents ?? null) ? "differs" : "" },
      el("th", { scope: "row" }, spaced(one.wager), el("small", {}, one.shows)),
      el("td", {}, money(one.stake_cents)),
      el("td", {}, [one.outcome, one.odds].filter(Boolean).join(", ")),
      el("td", {}, sum(one.due_cents)),
      el("td", {}, sum(one.paid_cents)),
      el("td", {}, one.clause ? cite(one.clause) : ""),
    ),
  );
  const titles = ["Wager", "Wagered", "Outcome", "Due", "Paid", "Clause"];
  const head = el("tr", {}, ...titles.map((title) => el("th", { scope: "col" }, title)));
  return el("table", { class: "lines" }, el("thead", {}, head), el("tbody", {}, ...rows));
}

/** @param {Server.DisputeEvidence} told */
function decisions({ box }) {
  const made = (box?.decisions ?? []).map(({ action, cents }) =>
    cents ? `${action} ${money(cents)}` : action,
  );
  return el("p", { class: "fine" }, `Decided: ${made.join(", ") || "nothing yet"}.`);
}
