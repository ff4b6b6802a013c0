// What the coach says and how an evening went, drawn.

import { request } from "../shared/carrier.js";
import { orNull } from "../shared/connection.js";
import { el, svg } from "../shared/dom.js";
import { actionWords, capital, money, signed } from "../shared/words.js";

/** @param {number} value */
export const antes = (value) => signed(value, 3);

/** @param {Pick<Server.Advice, "worths" | "chosen">} advice */
export function bars({ worths, chosen }) {
  const most = Math.max(1, ...worths.map((worth) => Math.abs(worth.antes)));
  const list = el("ul", { class: "worths" });
  worths.forEach((worth, n) => {
    const wide = (Math.abs(worth.antes) / most) * 50;
    const bar = svg(
      "svg",
      { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("line", { x1: 50, x2: 50, y1: 0, y2: 8, class: "zero" }),
      svg("rect", {
        x: worth.antes < 0 ? 50 - wide : 50,
        y: 1,
        width: wide,
        height: 6,
        class: worth.antes < 0 ? "minus" : "plus",
      }),
    );
    list.append(
      el(
        "li",
        { class: [n === 0 ? "is-best" : "", worth.action === chosen ? "is-chosen" : ""].join(" ") },
        el("span", {}, actionWords(worth.action)),
        bar,
        el("b", { title: `exactly ${worth.exact} Antes` }, `${antes(worth.antes)} Antes`),
      ),
    );
  });
  return list;
}

/** @param {Omit<Server.Advice, "street">} advice */
export function verdict({ worths, chosen, cost_antes: cost = 0, cost_cents: cents = 0 }) {
  const best = actionWords(worths[0].action);
  if (!chosen) return `${bestWords(worths)} Values are in Antes, everything unseen counted.`;
  if (cost < 1e-9) return `${capital(actionWords(chosen))} was the best choice.`;
  const costs = `${cost.toFixed(3)} Antes (${money(Math.round(cents))})`;
  return `${capital(best)} was better: your ${actionWords(chosen)} costs ${costs} on average.`;
}

/** @param {Server.Worth[]} worths the best first */
export const bestWords = (worths) => `Best: ${actionWords(worths[0].action)}.`;

/**
 * Where one thing alone was offered, nothing was chosen: nothing is counted, and nothing charged.
 * @param {Server.Advice} advice
 * @param {string} play the wager's title
 */
export function onlyWords({ only, chosen }, play) {
  const open = `only ${only} ${chosen ? "was" : "is"} open to you`;
  return `Your chips cover no ${play}: ${open}, so there is nothing to judge.`;
}

/**
 * Why, in words: the first few, or all.
 * @param {Server.Explanation | null | undefined} why
 * @param {number} [most]
 */
export function reasons(why, most = Infinity) {
  if (!why?.words.length) return [];
  const said = why.words.slice(0, most).map((words) => el("li", {}, actionWords(words)));
  return [el("ul", { class: "reasons" }, ...said)];
}

/**
 * The rules of the simple strategy for this question, the one that decides marked.
 * @param {Server.Explanation | null | undefined} why
 */
export function rulesOf(why) {
  if (!why?.rules.length) return [];
  const lit = { class: "is-lit", "aria-current": "true" };
  const told = why.rules.map((rule, n) =>
    el("li", n === why.deciding ? lit : {}, actionWords(rule)),
  );
  const title = el("h3", {}, why.strategy);
  return [el("div", { class: "rule-list" }, title, el("ol", {}, ...told))];
}

/**
 * The chart of a practice table's game; null where it has none, or nobody answers.
 * @param {string} path of the table
 * @returns {Promise<Server.StrategyChart | null>}
 */
export const chartAt = (path) =>
  orNull(request(`${path}/chart`).then((answer) => (answer.ok ? answer.json() : null)));

/**
 * The chart of a game with one hand lit; nothing where this question is not in it.
 * @param {Server.StrategyChart | null} chart
 * @param {string | undefined} lit
 */
export function chartOf(chart, lit) {
  if (!chart || !lit || !chart.rows.some(({ cells }) => cells.some(([name]) => name === lit))) {
    return [];
  }
  const heads = chart.columns.map((says) => el("th", { scope: "col" }, says));
  const rows = chart.rows.map(({ name, cells }) =>
    el("tr", {}, el("th", { scope: "row" }, name), ...cells.map((cell) => chartCell(cell, lit))),
  );
  const table = el(
    "table",
    { class: "chart" },
    el("caption", {}, chart.title, el("small", {}, ` ${chart.says}`)),
    el("thead", {}, el("tr", {}, el("td"), ...heads)),
    el("tbody", {}, ...rows),
  );
  const held = { class: "chart-holder", tabindex: 0, role: "group", "aria-label": "Chart" };
  return [el("div", held, table)];
}

/**
 * @param {[string, string]} cell
 * @param {string} lit
 */
function chartCell([name, best], lit) {
  const kind = best.endsWith("x") ? `plays-${best}` : best ? "passes" : "";
  const isLit = name === lit;
  const says = best.endsWith("x") ? best[0] : best ? "·" : "";
  const words = isLit ? `your hand, ${name}: ${best}` : null;
  const made = el("td", { class: `${kind}${isLit ? " is-lit" : ""}`, title: name || null }, says);
  if (words) made.append(el("span", { class: "unseen" }, words));
  return made;
}

// How an evening went. The scale beside it takes the room that its longest amount needs.
const SCALE_PX = 10.5,
  DIGIT = 0.62;

/** @param {number[]} nets in cents, round by round */
export const curve = (nets) =>
  chart(nets.reduce((all, net) => [...all, all.at(-1) + net], [0]), { wide: 300, tall: 96 });

/**
 * @param {number[]} sums the result after each round, in cents
 * @param {{ wide: number, tall: number }} size
 */
export function chart(sums, { wide, tall }) {
  const top = Math.max(0, ...sums),
    low = Math.min(0, ...sums),
    range = top - low || 1;
  const scale = [...new Set([top, low, 0])].map((value) => ({
    value,
    says: money(value, { sign: true }),
  }));
  const dot = 3.5;
  const right =
    wide - 3 * dot - Math.max(...scale.map(({ says }) => says.length)) * SCALE_PX * DIGIT;
  const step = right / Math.max(1, sums.length - 1);
  /** @param {number} value */
  const y = (value) => 6 + ((top - value) / range) * (tall - 12);
  const points = sums.map((value, n) => `${(n * step).toFixed(1)} ${y(value).toFixed(1)}`);
  const [now, best, worst] = [sums.at(-1), top, low].map((value) => money(value, { sign: true }));
  const words = `Result after each round; now ${now}, at best ${best}, at worst ${worst}`;
  // Where the best or the worst lies close to even, the line of dots says where even is.
  const apart = scale.filter(({ value }, n) =>
    scale.slice(0, n).every((other) => Math.abs(y(value) - y(other.value)) >= SCALE_PX),
  );
  return svg(
    "svg",
    { class: "curve", viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": words },
    svg("path", {
      class: "curve-area",
      d: `M0 ${y(0)}L${points.join("L")}L${(sums.length - 1) * step} ${y(0)}Z`,
    }),
    svg("line", { class: "curve-zero", x1: 0, x2: right, y1: y(0), y2: y(0) }),
    ...apart.map(({ value, says }) =>
      svg("text", { class: "curve-scale", x: wide, y: y(value) + 3.5, "text-anchor": "end" }, says),
    ),
    svg("path", { class: "curve-line", d: `M${points.join("L")}` }),
    svg("circle", { class: "curve-now", cx: (sums.length - 1) * step, cy: y(sums.at(-1)), r: dot }),
  );
}
