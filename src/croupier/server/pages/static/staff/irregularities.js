// When something goes wrong: each thing the rules know of now, what will happen, and the word for
// it.

import { dutyForm, follows } from "./duties.js";
import { all, el } from "../shared/dom.js";
import { cite } from "../shared/clause_note.js";
import { isOffered, offered } from "../shared/offers.js";
import { capital } from "../shared/words.js";

/** @import { Command } from "../shared/connection.js" */
/** @import { Duty } from "./duties.js" */

/**
 * What becomes of what was declared, and by whose word; nothing for who has none in it.
 * @param {Server.View} view
 * @param {string} remedy
 */
export function whenUpheld(view, remedy) {
  const [word] = offered(view, "confirm");
  if (!word) return "";
  const who = word.may_uphold ?? true ? "you uphold" : "somebody else upholds";
  return `If ${who} it: ${remedy}.`;
}

const NOTHING = "Nothing can go wrong at this moment that the rules know of.";

export class Irregularities {
  /**
   * @param {HTMLElement} target
   * @param {Server.TableFacts} facts
   * @param {(command: Command) => Promise<boolean>} give
   * @param {string} [none]
   */
  constructor(target, facts, give, none = NOTHING) {
    this.target = target;
    this.facts = facts;
    this.give = give;
    this.none = none;
    /** @type {Map<string, HTMLDetailsElement>} */
    this.rows = new Map();
    this.shown = "";
    /** @type {Server.View | null} */
    this.view = null;
  }

  /**
   * A row that stays keeps what was opened and chosen in it.
   * @param {Server.View} view
   * @param {Duty[]} rare
   */
  show(view, rare) {
    this.view = view;
    /** @type {Map<string, () => HTMLDetailsElement>} */
    const wanted = new Map();
    for (const { names, again: seconds = [] } of offered(view, "declare"))
      for (const name of names) {
        const again = seconds.includes(name);
        wanted.set(`${name} ${again}`, () => this.irregularity(name, again));
      }
    for (const duty of rare) wanted.set(JSON.stringify(duty.command), () => this.duty(duty));
    if (isOffered(view, "void-round")) wanted.set("void", () => this.voiding());
    for (const key of [...this.rows.keys()]) if (!wanted.has(key)) this.rows.delete(key);
    for (const [key, made] of wanted) if (!this.rows.has(key)) this.rows.set(key, made());
    const as = [...wanted.keys()].join();
    if (as !== this.shown) {
      this.shown = as;
      const rows = [...wanted.keys()].map((key) => this.rows.get(key));
      this.target.replaceChildren(
        ...(rows.length ? rows : this.none ? [el("p", { class: "fine" }, this.none)] : []),
      );
    }
    for (const row of this.rows.values()) if (row.open) row.dispatchEvent(new Event("look"));
  }

  /** @param {string} name @param {boolean} again */
  irregularity(name, again) {
    const {
      happens,
      remedy,
      clause,
      ruling,
      finds,
      calls,
      again: seconds,
    } = this.facts.irregularities[name];
    const choice = el("div", { class: "lying" });
    const button = el(
      "button",
      { type: "button", class: "risk", "data-declare": name },
      "Declare it",
    );
    const then =
      again
        ? seconds.map(([what, follows]) => `${what}: ${follows}.`).join(" ")
        : `${capital(remedy)}.`;
    const floor =
      calls || again
        ? " The floorperson is called before any money moves."
        : "";
    const found = finds ? " The card is the next one of the shoe; it is turned for everybody." : "";
    const row = el(
      "details",
      { "data-irregularity": name },
      el("summary", {}, happens),
      el("p", {}, `${then}${found}${floor} `, cite(clause, ruling)),
      choice,
      button,
    );
    button.addEventListener("click", () => this.declare(name, finds, row, choice));
    row.addEventListener("toggle", () => row.open && row.dispatchEvent(new Event("look")));
    row.addEventListener("look", () => this.look(name, choice, button));
    return row;
  }

  /**
   * @param {string} name
   * @param {boolean} finds
   * @param {HTMLDetailsElement} row
   * @param {HTMLElement} choice
   */
  async declare(name, finds, row, choice) {
    const exposed = all("input:checked", choice, HTMLInputElement).map((box) => box.value);
    const done = await this.give({
      do: "declare",
      name,
      ...(finds ? { cards: ["?"] } : {}),
      ...(exposed.length ? { exposed } : {}),
    });
    if (done) row.open = false;
  }

  /**
   * The cards that may have been seen lie face down: they are pointed at, never named.
   * @param {string} name
   * @param {HTMLElement} choice
   * @param {HTMLButtonElement} button
   */
  async look(name, choice, button) {
    const response = await fetch(`/tables/${encodeURIComponent(this.facts.table)}/accidents`);
    if (!response.ok) return;
    /** @type {Server.Accident[]} */
    const accidents = await response.json();
    const shows = accidents.find((one) => one.name === name)?.shows ?? [];
    const as = JSON.stringify(shows);
    if (as !== choice.dataset.as) {
      choice.dataset.as = as;
      /** @type {Map<string, Server.Lying[]>} */
      const rows = new Map();
      for (const lie of shows)
        rows.set(this.where(lie), [...(rows.get(this.where(lie)) ?? []), lie]);
      choice.replaceChildren(
        ...(rows.size ? [el("p", {}, "Which card was seen?")] : []),
        ...[...rows].map(([where, lies]) =>
          el("fieldset", {}, el("legend", {}, where), ...lies.map((lie) => this.box(lie, where))),
        ),
      );
    }
    const ready = () => {
      button.disabled = shows.length > 0 && !choice.querySelector("input:checked");
    };
    choice.onchange = ready;
    ready();
  }

  /** @param {Server.Lying} lie */
  where({ place, box }) {
    return box ? `Box ${box}` : (this.facts.places[place] ?? place);
  }

  /** @param {Server.Lying} lie @param {string} where */
  box(lie, where) {
    return el(
      "label",
      {},
      el("input", { type: "checkbox", value: lie.at, "aria-label": `${where}, card ${lie.nth}` }),
      String(lie.nth),
    );
  }

  /** @param {Duty} duty */
  duty(duty) {
    if (duty.asks)
      return el(
        "details",
        {},
        el("summary", {}, duty.says),
        follows(duty),
        dutyForm(duty, this.give),
      );
    const button = el(
      "button",
      { type: "button", class: "risk", "data-do": duty.command.do },
      "Do it",
    );
    button.addEventListener("click", () => this.give(duty.command));
    return el("details", {}, el("summary", {}, duty.says), follows(duty, this.view.clause), button);
  }

  voiding() {
    const causes = Object.entries(this.facts.causes).map(([name, words]) =>
      el("option", { value: name }, capital(words)),
    );
    const cause = el("select", { name: "cause", required: true }, ...causes);
    const reason = el("input", { name: "reason", maxlength: 100 });
    // What no list has is said in words.
    cause.addEventListener("change", () => {
      reason.required = cause.value === "other-cause";
    });
    const form = el(
      "form",
      { class: "inline" },
      el("label", {}, "Cause ", cause),
      el("label", {}, "In words ", reason),
      el("button", { class: "risk" }, "Void the round"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.give({ do: "void-round", cause: cause.value, reason: reason.value });
    });
    const words =
      "The round is void: every wager goes back, and what was paid is reversed. " +
      "A manager who did not ask for it confirms it first.";
    return el("details", {}, el("summary", {}, "The round cannot go on"), el("p", {}, words), form);
  }
}
