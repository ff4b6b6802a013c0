// What the coach says and how an evening went, drawn.

import { el, money, svg } from "./svg.js";

export function antes(value) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

export function bars({ worths, chosen }) {
  const most = Math.max(1, ...worths.map((worth) => Math.abs(worth.antes)));
  const list = el("ul", { class: "worths" });
  worths.forEach((worth, n) => {
    const wide = Math.abs(worth.antes) / most * 50;
    const bar = svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("line", { x1: 50, x2: 50, y1: 0, y2: 8, class: "zero" }),
      svg("rect", { x: worth.antes < 0 ? 50 - wide : 50, y: 1, width: wide, height: 6, class: worth.antes < 0 ? "minus" : "plus" }));
    list.append(el("li", { class: [n === 0 ? "is-best" : "", worth.action === chosen ? "is-chosen" : ""].join(" ") },
      el("span", {}, named(worth.action)), bar, el("b", { title: `exactly ${worth.exact} Antes` }, `${antes(worth.antes)} Antes`)));
  });
  return list;
}

const named = (action) => action.replace("x", "×");
const capital = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

export function verdict({ worths, chosen, cost_antes: cost = 0, cost_cents: cents = 0 }) {
  const best = named(worths[0].action);
  if (!chosen) return `Best: ${best}. Values are in Antes, everything unseen counted.`;
  if (cost < 1e-9) return `${capital(named(chosen))} was the best choice.`;
  return `${capital(best)} was better: your ${named(chosen)} costs ${cost.toFixed(3)} Antes (${money(Math.round(cents))}) on average.`;
}

export function curve(nets) {
  const sums = nets.reduce((all, net) => [...all, all.at(-1) + net], [0]);
  const top = Math.max(0, ...sums), low = Math.min(0, ...sums), range = top - low || 1;
  const wide = 300, tall = 96, step = (wide - 44) / Math.max(1, sums.length - 1);
  const y = (value) => 6 + (top - value) / range * (tall - 12);
  const points = sums.map((value, n) => `${(n * step).toFixed(1)} ${y(value).toFixed(1)}`);
  const words = `Result after each round; now ${money(sums.at(-1), { sign: true })}, at best ${money(top, { sign: true })}, at worst ${money(low, { sign: true })}`;
  return svg("svg", { class: "curve", viewBox: `0 0 ${wide} ${tall}`, role: "img", "aria-label": words },
    svg("path", { class: "curve-area", d: `M0 ${y(0)}L${points.join("L")}L${(sums.length - 1) * step} ${y(0)}Z` }),
    svg("line", { class: "curve-zero", x1: 0, x2: wide - 44, y1: y(0), y2: y(0) }),
    ...[...new Set([top, 0, low])].map((value) => svg("text", { class: "curve-scale", x: wide, y: y(value) + 3.5, "text-anchor": "end" }, money(value, { sign: true }))),
    svg("path", { class: "curve-line", d: `M${points.join("L")}` }),
    svg("circle", { class: "curve-now", cx: (sums.length - 1) * step, cy: y(sums.at(-1)), r: 3.5 }));
}
