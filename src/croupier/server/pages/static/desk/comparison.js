// Two submissions side by side: what changes for the player, for the house, and by which clause.

import { $, el } from "../shared/dom.js";
import { cite } from "../shared/clause_note.js";
import { wideTable } from "./earnings.js";
import { capital } from "../shared/words.js";

/** @type {["player" | "house" | "rules" | "findings", string, string][]} */
const PARTS = [
  ["player", "For the player", "Nothing that a player meets is counted otherwise."],
  ["house", "For the house", "The house holds and risks the same."],
  ["rules", "By which clause", "No option differs."],
  ["findings", "What the check says", "The check says the same of both."],
];

/** @param {Server.Comparison & Partial<Server.Reply>} told a comparison, or why there is none */
export function showComparison(told) {
  if (told.outcome) {
    $("comparison").replaceChildren(el("p", { class: "no" }, `${capital(told.sentence)}.`));
    return;
  }
  const names = `First: ${told.first}. Second, as it stands here: ${told.second}.`;
  const parts = PARTS.flatMap(([part, title, same]) => [
    el("h3", { id: `compared-${part}` }, title),
    told[part].length ? rows(told[part], part) : el("p", { class: "fine" }, same),
  ]);
  $("comparison").replaceChildren(el("p", { class: "fine" }, names), ...parts);
}

/** @param {Server.ComparedRow[]} compared @param {string} part */
function rows(compared, part) {
  const cited = part === "rules" || part === "findings";
  const columns = [TITLES[part] ?? "Figure", "First", "Second", ...(cited ? ["Clause"] : [])];
  return wideTable(columns, compared.map((row) => [
    row.what, row.first, row.second,
    ...(cited ? [el("span", {}, ...row.clauses.flatMap((clause) => [cite(clause), " "]))] : []),
  ]));
}

/** @type {Record<string, string>} */
const TITLES = { rules: "Option", findings: "Finding" };
