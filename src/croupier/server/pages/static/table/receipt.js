// What each wager of a box did: stake, odds, outcome and the clause behind it.

import { outcomeWords } from "./felt.js";
import { numberGiven } from "./numbers.js";
import { el } from "../shared/dom.js";
import { money, netClass, netWords, titleOf } from "../shared/words.js";
import { cite } from "../shared/clause_note.js";

/**
 * What the cards were; beside a loss the least that pays, and where odds are "for 1" that they take
 * the stake.
 * @param {Server.LineView} line
 * @param {Server.TableFacts} facts
 */
function shown(line, { wagers, pays }) {
  const least =
    line.outcome === "lose" &&
    line.shows !== "a tie" &&
    wagers.find((wager) => wager.name === line.wager)?.looks &&
    pays.find((table) => table.wager === line.wager)?.lines.at(-1)[0];
  const kept = line.paid_cents && line.stake_cents && !line.returned_cents;
  return [
    line.shows,
    least && `pays from: ${least[0].toLowerCase()}${least.slice(1)}`,
    kept && "the stake is not returned",
  ]
    .filter(Boolean)
    .join("; ");
}

/**
 * @param {Server.LineView[]} lines
 * @param {Server.TableFacts} facts
 */
export function receiptTable(lines, facts) {
  const total = lines.reduce(
    (sum, line) =>
      sum +
      (line.pending ? 0 : (line.paid_cents ?? 0) + (line.returned_cents ?? 0)) -
      line.stake_cents,
    0,
  );
  const rows = lines.map((line) =>
    el(
      "tr",
      { class: `is-${line.outcome}` },
      el("th", { scope: "row" }, titleOf(facts, line.wager), el("small", {}, shown(line, facts))),
      el("td", {}, money(line.stake_cents)),
      el("td", {}, line.odds ?? ""),
      el("td", { class: "outcome" }, outcomeWords(line), cite(line.clause)),
    ),
  );
  return el(
    "table",
    { class: "lines" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        ...["Wager", "Stake", "Odds", "Outcome"].map((head) => el("th", { scope: "col" }, head)),
      ),
    ),
    el("tbody", {}, ...rows),
    el(
      "tfoot",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "row", colspan: 3 }, "Together"),
        el("td", { class: netClass(total) }, netWords(total)),
      ),
    ),
  );
}

/**
 * The number that a box gave to the shuffle, for its player to keep.
 * @param {string} table
 * @param {number} round
 * @param {number} box
 */
export function numberNote(table, round, box) {
  const given = numberGiven(table, round, box);
  if (!given) return "";
  return el(
    "details",
    { class: "number" },
    el("summary", {}, "Your number for the shuffle"),
    el("code", {}, given.number),
    ` ${given.sent}`,
  );
}

/**
 * A round that is over as one file, which anybody can check without this house.
 * @param {string} table
 * @param {number} round
 */
export function proofLinks(table, round) {
  const href = `/api/tables/${encodeURIComponent(table)}/rounds/${round}/proof`;
  const check = { class: "check-proof", href: "/static/check.html", target: "_blank" };
  return el(
    "p",
    { class: "proofs" },
    el("a", { class: "proof", href, download: "" }, "Save the proof of this round"),
    " ",
    el("a", check, "Check a proof"),
  );
}
