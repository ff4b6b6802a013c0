// What a game is worth: two choices of rulebook and paytables side by side, counted exactly.

import "./door.js";
import { facts as read, post } from "./link.js";
import { el, svg } from "./svg.js";

const books = read();
const percent = (value) => `${(100 * value).toFixed(4)} %`;

for (const section of document.querySelectorAll("[data-side]")) {
  const form = section.querySelector("form");
  const book = form.elements.rulebook;
  book.append(...Object.entries(books).map(([id, one]) => el("option", { value: id }, `${one.title} (${id})`)));
  const letters = () => section.querySelector(".letters").replaceChildren(...Object.entries(books[book.value].tables).map(([title, [name, known]]) => el("label", {}, `${title} `, el("select", { name: `table ${name}` }, ...known.map((letter) => el("option", {}, letter))))));
  book.addEventListener("change", letters);
  letters();
  form.addEventListener("submit", (event) => { event.preventDefault(); count(section, form); });
}

async function count(section, form) {
  const chosen = Object.fromEntries(new FormData(form));
  const paytables = Object.fromEntries(Object.entries(chosen).filter(([key]) => key.startsWith("table ")).map(([key, letter]) => [key.slice(6), letter]));
  const standing = section.querySelector(".standing");
  const asked = await post("/api/analysis", { rulebook: chosen.rulebook, paytables });
  if (!asked.id) { standing.textContent = asked.sentence; return; }
  const began = Date.now();
  for (;;) {
    const known = await (await fetch(`/api/analysis/${asked.id}`)).json();
    if (known.standing === "done") { standing.textContent = `Counted in ${((Date.now() - began) / 1000).toFixed(1)} s.`; shown(section, known.result, chosen.rulebook); return; }
    if (["failed", "canceled"].includes(known.standing)) { standing.textContent = known.sentence || known.standing; return; }
    standing.textContent = `${known.standing === "waiting" ? "Waits its turn" : "Counting every deal"}: ${Math.round((Date.now() - began) / 1000)} s`;
    await new Promise((wake) => setTimeout(wake, 400));
  }
}

function shown(section, result, book) {
  const rows = [["House edge", percent(result.house_edge)], ["Element of risk", percent(result.element_of_risk)], ["Expected value, in Antes", result.ev.toFixed(6)], ["Exactly", result.ev_exact], ["Average wager, in Antes", result.average_wager.toFixed(4)], ["Standard deviation", result.standard_deviation.toFixed(4)]];
  const actions = Object.entries(result.actions).map(([action, chance]) => [action, percent(chance)]);
  const side = Object.entries(result.side_wagers ?? {}).flatMap(([wager, tables]) => Object.entries(tables).map(([letter, one]) => [`${wager.replaceAll("_", " ")} ${letter}`, percent(-one.ev), percent(one.hit_frequency)]));
  section.querySelector(".result").replaceChildren(
    el("table", { class: "plain-table" }, el("tbody", {}, ...rows.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, value))))),
    el("h3", {}, "Result of a round, in Antes"), bars(result.distribution),
    el("h3", {}, "What the best player does"), el("table", { class: "plain-table" }, el("tbody", {}, ...actions.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", { class: "number" }, value))))),
    el("h3", {}, "Side wagers"), el("div", { class: "list", tabindex: 0 }, el("table", { class: "plain-table" }, el("thead", {}, el("tr", {}, ...["Wager", "Edge", "Hit"].map((head) => el("th", { scope: "col" }, head)))), el("tbody", {}, ...side.map((cells) => el("tr", {}, el("th", { scope: "row" }, cells[0]), el("td", { class: "number" }, cells[1]), el("td", { class: "number" }, cells[2])))))),
    exported(result, book));
}

function bars(distribution) {
  const ends = Object.entries(distribution).map(([net, chance]) => [Number(net), chance]).filter(([net]) => net >= -8 && net <= 12).sort((a, b) => a[0] - b[0]);
  const most = Math.max(...ends.map(([, chance]) => chance)), wide = 420, tall = 130, step = wide / 21;
  return svg("svg", { viewBox: `0 0 ${wide} ${tall + 18}`, class: "bars", role: "img", "aria-label": `Chance of each result from minus 8 to plus 12 Antes; the likeliest ${(100 * most).toFixed(1)} percent` },
    ...ends.map(([net, chance]) => svg("rect", { class: net < 0 ? "minus" : net > 0 ? "plus" : "even", x: (net + 8) * step + 1, y: tall - chance / most * (tall - 6), width: Math.max(1, step - 3), height: chance / most * (tall - 6) })),
    ...[-8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 12].map((net) => svg("text", { x: (net + 8) * step + step / 2, y: tall + 14, "text-anchor": "middle", "font-size": 10 }, String(net))));
}

function exported(result, book) {
  const save = (name, type, text) => {
    const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  };
  const json = el("button", { type: "button", class: "quiet" }, "JSON");
  json.addEventListener("click", () => save(`${book}.json`, "application/json", JSON.stringify(result, null, 1)));
  const csv = el("button", { type: "button", class: "quiet" }, "CSV");
  csv.addEventListener("click", () => save(`${book}.csv`, "text/csv", ["net,probability", ...Object.entries(result.distribution).map((pair) => pair.join(","))].join("\n")));
  return el("p", {}, "Export ", json, " ", csv);
}
