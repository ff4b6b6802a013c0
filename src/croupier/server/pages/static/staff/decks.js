// The deck of a training table: how far its opening is, when it is counted, and when it is changed.

import { el } from "../shared/dom.js";
import { cite } from "../shared/clause_note.js";
import { timeOfDay } from "../shared/words.js";

const STAGES = [
  "received",
  "inspected",
  "verified",
  "spread",
  "washed",
  "stacked",
  "shuffled",
  "ready",
];
const HOUR_S = 3600;

export const now = () => Date.now() / 1000;
/** @param {Server.View} view */
export const isTooMany = (view) =>
  Object.keys(view.decks ?? {}).length > 1 && Boolean(view.devices?.shuffler);
/** @param {Server.View} view */
export const isStopped = (view) =>
  Object.keys(view.decks ?? {}).length > 0 &&
  Object.keys(view.decks).every((color) => isOverdue(view, color));
/** @param {Server.View} view */
export const isOverdue = (view, color) => now() >= (view.change_at_s?.[color] ?? Infinity);

/**
 * The decks that are being opened: until they are stacked, and before the first round until ready.
 * @param {Server.View} view
 */
function opened(view) {
  if (view.phase !== "betting") return [];
  const held = Object.entries(view.decks ?? {});
  return held.length
    ? held.filter(
        ([, stage]) =>
          STAGES.indexOf(stage) < STAGES.indexOf(view.round === 1 ? "ready" : "stacked"),
      )
    : [["", ""]];
}

export class Decks {
  /**
   * @param {Record<string, any>} parts
   * @param {Server.TableFacts} facts
   * @param {() => void} again
   */
  constructor(parts, facts, again) {
    this.parts = parts;
    this.facts = facts;
    this.again = again;
    this.timer = 0;
  }

  /**
   * ``rare`` is what may be done to the deck at any time, and seldom is.
   * @param {Server.View} view
   */
  show(view, rare) {
    const { checklist, decks, counted, more } = this.parts;
    const handling = this.facts.handling;
    const held = Object.entries(view.decks ?? {});
    const opening = opened(view);
    checklist.hidden = !opening.length;
    checklist
      .querySelector("div")
      .replaceChildren(...opening.map(([color, stage]) => this.opening(color, stage)));
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
    this.wake(view);
  }

  /**
   * A deck that becomes overdue while nothing happens is told all the same.
   * @param {Server.View} view
   */
  wake(view) {
    clearTimeout(this.timer);
    const left = Object.values(view.change_at_s ?? {})
      .map((at) => at - now())
      .filter((seconds) => seconds > 0);
    if (left.length) this.timer = setTimeout(this.again, Math.min(...left, HOUR_S) * 1000 + 500);
  }

  opening(color, stage) {
    const reached = STAGES.indexOf(stage);
    const steps = this.facts.handling.opening;
    const isDone = (step) => STAGES.indexOf(step.stage) <= reached;
    const due = steps.find((step) => !isDone(step));
    return el(
      "section",
      {},
      el("h4", {}, color ? `The ${color} deck` : "A new deck"),
      el(
        "ol",
        { class: "opening" },
        ...steps.map((step) =>
          el(
            "li",
            {
              class: isDone(step) ? "is-done" : step === due ? "is-next" : "",
              "aria-current": step === due ? "step" : null,
            },
            step.says,
            isDone(step) ? el("span", { class: "unseen" }, ", done") : "",
            " ",
            cite(step.clause),
          ),
        ),
      ),
    );
  }

  /** @param {Server.View} view */
  deck(view, color, stage) {
    const [hours, clause] = this.facts.handling.hours[view.way];
    const overdue = isOverdue(view, color);
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

/**
 * What the deck asks for before the next round can be closed, and by what clause; nothing where it
 * is ready.
 * @param {Server.View} view
 * @param {Server.TableFacts} facts
 */
export function deckHint(view, facts, role) {
  const { counts, hours, opening } = facts.handling;
  const [dealer, count] = [role === "dealer", counts[view.way]];
  const isDue = count.rounds && (view.uncounted ?? 0) >= count.rounds;
  if (view.phase === "revealing" && isDue)
    return [
      dealer ? "Count the stub before the boxes are settled." : "The dealer counts the stub.",
      count.clause,
    ];
  if (view.phase !== "betting") return null;
  const held = Object.entries(view.decks ?? {});
  const late = held.map(([color]) => color).find((color) => isOverdue(view, color));
  if (!held.length)
    return ["Receive a deck: a table opens with its inspection.", opening[0].clause];
  if (late)
    return [
      `The ${late} deck has been in use for ${hours[view.way][0]} hours. ` +
        `${dealer ? "The floorperson takes it away" : "Take it away"} before the next round.`,
      hours[view.way][1],
    ];
  if (isTooMany(view))
    return [
      "Two decks need a shuffler that works. " +
        `${dealer ? "The floorperson takes one away" : "Take one away"}.`,
      facts.handling.two_decks,
    ];
  const [color, stage] =
    held.find(([, at]) => at !== "ready" && STAGES.indexOf(at) < STAGES.indexOf("stacked")) ??
    held.find(([, at]) => at !== "ready") ??
    [];
  if (isDue && (!color || stage === "stacked" || stage === "shuffled"))
    return [
      `${view.uncounted} rounds were dealt since the last count: ` +
        `${dealer ? "count" : "the dealer counts"} the deck.`,
      count.clause,
    ];
  if (!color || (stage !== "inspected" && held.some(([, at]) => at === "ready"))) return null;
  const due = opening.find((step) => STAGES.indexOf(step.stage) > STAGES.indexOf(stage));
  if (stage === "inspected")
    return [
      dealer ? "The floorperson verifies the inspection." : "Verify the dealer's inspection.",
      due.clause,
    ];
  if (stage === "spread" && !(view.boxes ?? []).length)
    return ["The cards stay spread until the first player has come and seen them.", due.clause];
  return [
    dealer ? `Make the ${color} deck ready.` : `The dealer makes the ${color} deck ready.`,
    due.clause,
  ];
}
