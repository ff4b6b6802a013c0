// A slider for each line of a paytable, and what the wager is worth as they move: how often a line
// is hit does not depend on what it pays, so one count serves every price.

import { el, first } from "../shared/dom.js";
import { percent, signed } from "../shared/words.js";

const ODDS = /^(\d+(?:\.\d+)?) (to|for) (\d+)$/;

/**
 * @typedef {{name: string, ways: number, pays: number, back: number}} Line
 * @typedef {{house_edge: number, standard_deviation: number, hit_frequency: number, total: number,
 *   outcomes: Record<string, {ways: number, odds: string | null}>, assumes?: Assumed,
 *   progressive?: Progressive}} SideWorth
 * @typedef {{stake: string, meters?: Record<string, string>}} Assumed stake and meters
 * @typedef {{break_even_meter: Record<string, number>,
 *   with_envy?: {break_even_meter: Record<string, number>, other_boxes: number},
 *   long_run_return?: {by_odds: number, by_resets: number}}} Progressive
 * @typedef {{edge: number, deviation: number, hits: number,
 *   effects: Record<string, {edge: number, deviation: number}>}} LiveFigures
 */

/**
 * How many for one, and whether the stake comes back with it; null for what is no such odds.
 * @param {string | null} odds
 */
export function price(odds) {
  const found = ODDS.exec(odds ?? "");
  if (!found || !Number(found[3])) return null;
  return { pays: Number(found[1]) / Number(found[3]), kind: found[2] };
}

/** @param {{ pays: number, kind: string }} price */
const net = ({ pays, kind }) => (kind === "to" ? pays : pays - 1);

/**
 * Odds as a paytable writes them.
 * @param {number} pays
 * @param {string} kind
 */
export function written(pays, kind) {
  return Number.isInteger(pays) ? `${pays} ${kind} 1` : `${2 * pays} ${kind} 2`;
}

/**
 * A counted wager at other prices, by the sums that `croupier design` makes; null where the lines
 * are not those that were counted.
 * @param {SideWorth} counted
 * @param {[string, string][]} lines
 * @returns {LiveFigures | null}
 */
export function repriced(counted, lines) {
  const names = Object.keys(counted.outcomes).filter((name) => counted.outcomes[name].odds);
  if (names.length !== lines.length || names.some((name, at) => name !== lines[at][0])) return null;
  const { total } = counted;
  let sum = -counted.house_edge * total,
    squares = (counted.standard_deviation ** 2 + counted.house_edge ** 2) * total;
  /** @type {Record<string, {ways: number, each: number}>} */
  const nets = {};
  for (const [name, odds] of lines) {
    const before = price(counted.outcomes[name].odds),
      after = price(odds);
    if (!before !== !after) return null;
    if (!before || !after) {
      if (counted.outcomes[name].odds !== odds) return null;
      continue;
    }
    const { ways } = counted.outcomes[name];
    sum += ways * (net(after) - net(before));
    squares += ways * (net(after) ** 2 - net(before) ** 2);
    nets[name] = { ways, each: net(after) };
  }
  /** @param {number} first @param {number} second */
  const deviation = (first, second) => Math.sqrt(second / total - (first / total) ** 2);
  const now = deviation(sum, squares);
  const effects = Object.fromEntries(
    Object.entries(nets).map(([name, { ways, each }]) => [
      name,
      {
        edge: -ways / total,
        deviation: deviation(sum + ways, squares + ways * (2 * each + 1)) - now,
      },
    ]),
  );
  return { edge: -sum / total, deviation: now, hits: counted.hit_frequency, effects };
}

/**
 * The slider of one line; nothing where it pays dollars or from a meter.
 * @param {string} name
 * @param {string} printed
 * @param {string} odds
 * @param {(odds: string) => void} onMove
 */
export function slider(name, printed, odds, onMove) {
  const began = price(printed) ?? price(odds),
    now = price(odds);
  if (!began || !now) return el("span", { class: "slider" });
  const step = Number.isInteger(began.pays) && Number.isInteger(now.pays) ? 1 : 0.5;
  const range = el("input", {
    type: "range",
    min: step,
    max: Math.max(10, Math.ceil(2 * began.pays), Math.ceil(now.pays)),
    step,
    value: now.pays,
    "aria-label": `${name} pays`,
    "aria-valuetext": odds,
  });
  range.addEventListener("input", () => {
    const moved = written(Number(range.value), now.kind);
    range.setAttribute("aria-valuetext", moved);
    onMove(moved);
  });
  return el("span", { class: "slider" }, range, el("small", { class: "effect" }));
}

/**
 * What a wager of the base game does to the edge at other prices, under the play that was counted:
 * who plays for the new ones does no worse. Null where lines were added, taken out or exchanged.
 * @param {number} edge
 * @param {Record<string, number>} paid how often each line is paid
 * @param {[string, string][]} before the lines that were counted
 * @param {[string, string][]} lines
 */
export function repricedBase(edge, paid, before, lines) {
  if (before.length !== lines.length) return null;
  let now = edge;
  for (const [at, [name, odds]] of lines.entries()) {
    if (before[at][0] !== name) return null;
    if (before[at][1] === odds) continue;
    const [was, is] = [price(before[at][1]), price(odds)];
    if (!was || !is || !(name in paid)) return null;
    now -= paid[name] * (net(is) - net(was));
  }
  return now;
}

/**
 * The same under the lines of a wager of the base game.
 * @param {HTMLElement} editor
 * @param {number | null} edge null: not known
 * @param {Record<string, number>} paid
 * @param {boolean} isCounted whether the lines are those that were counted
 */
export function tellBase(editor, edge, paid, isCounted) {
  editor.querySelector(".live").textContent = isCounted
    ? `Edge of the Ante ${percent(edge)}`
    : edge === null
      ? "Count to see what other lines are worth."
      : `Edge of the Ante at most ${percent(edge)}: so much under the play of the last count. ` +
        "What it is under its own is counted as soon as you rest.";
  for (const row of editor.querySelectorAll("[data-line]")) {
    const chance = paid[first("input.for", row, HTMLInputElement).value];
    row.querySelector(".effect")?.replaceChildren(
      edge !== null && chance !== undefined ? `one more: edge ${signed(-100 * chance, 4)} pp` : "");
  }
}

/**
 * Writes the figures under the lines, and what one more would do beside each.
 * @param {HTMLElement} editor
 * @param {SideWorth | undefined} counted
 * @param {[string, string][]} lines
 */
export function tell(editor, counted, lines) {
  const live = counted && repriced(counted, lines);
  const place = editor.querySelector(".live");
  if (place)
    place.textContent = live
      ? `Edge ${percent(live.edge)}, deviation ${live.deviation.toFixed(4)}, ` +
        `hits ${percent(live.hits)}`
      : counted
        ? "Count to see what other lines are worth."
        : "";
  lines.forEach(([name], at) => {
    const effect = live?.effects[name];
    const beside = editor.querySelector(`[data-line="${at + 1}"] .effect`);
    if (beside)
      beside.textContent = effect
        ? `one more: edge ${signed(100 * effect.edge, 4)} pp, ` +
          `deviation ${signed(effect.deviation, 4)}`
        : "";
  });
}
