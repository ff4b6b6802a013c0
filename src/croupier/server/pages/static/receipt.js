// What each wager of a box did: stake, odds, outcome and the clause behind it.

import { outcomeWords } from "./felt.js";
import { el, money } from "./svg.js";
import { cite } from "./why.js";

export function receiptTable(lines, facts) {
  const title = (name) => facts.wagers.find((wager) => wager.name === name)?.title ?? name.replaceAll("_", " ");
  const total = lines.reduce((sum, line) => sum + (line.pending ? 0 : (line.paid_cents ?? 0) + (line.returned_cents ?? 0)) - line.stake_cents, 0);
  const rows = lines.map((line) => el("tr", { class: `is-${line.outcome}` },
    el("th", { scope: "row" }, title(line.wager), el("small", {}, line.shows || "")),
    el("td", {}, money(line.stake_cents)),
    el("td", {}, line.odds ?? ""),
    el("td", { class: "outcome" }, outcomeWords(line), cite(line.clause))));
  return el("table", { class: "lines" },
    el("thead", {}, el("tr", {}, ...["Wager", "Stake", "Odds", "Outcome"].map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows),
    el("tfoot", {}, el("tr", {}, el("th", { scope: "row", colspan: 3 }, "Together"), el("td", { class: total > 0 ? "won" : total < 0 ? "lost" : "" }, total ? money(total, { sign: true }) : "even"))));
}
