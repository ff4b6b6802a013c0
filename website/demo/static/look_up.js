// One question, asked of the worker, and its answer: a hand, a round, a submission, a proof.

import { request } from "../static/shared/carrier.js";
import { cite } from "../static/shared/clause_note.js";
import { $, el, onSubmit } from "../static/shared/dom.js";
import { capital, money } from "../static/shared/words.js";

const form = $("asked", HTMLFormElement);
const what = form.dataset.what;

/** @param {string[]} head @param {(Node | string)[][]} rows */
const table = (head, rows) =>
  el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...head.map((name) => el("th", {}, name)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell))))),
  );

/**
 * @typedef {{ wager: string, outcome: string, stake_cents: number, net_cents: number,
 *   clause: string }} SettledLine
 * @typedef {{ seat: number, player?: string, hand: string, lines: SettledLine[] }} SettledBox
 * @typedef {{ error?: string, clause?: string, dealer: string, boxes: SettledBox[],
 *   table_net_cents: number }} Settlement
 * @typedef {{ severity: string, sentence: string, line: number | null, clause: string }} Finding
 * @typedef {{ round: number, table: string, ledger: string, key: string, lines: number,
 *   cards_opened: number, boxes_settled: number, wagers_settled: number, differences: string[],
 *   fits: boolean }} Verification
 */

// Each is what the command of this name prints with --json, or the coach's answer.
/** @type {Record<string, (told: any) => Node[]>} */
const SHOWN = {
  /** @param {Server.HandAnswer & { clause: string }} told */
  hand({ street, clause, worths }) {
    const rows = worths.map(({ action, antes, exact }) => [action, antes.toFixed(6), exact]);
    return [
      el("p", {}, `${capital(street)}: ${worths[0].action} is best. `, cite(clause)),
      table(["Choice", "Worth, in Antes", "Exactly"], rows),
    ];
  },

  /** @param {Settlement} told */
  settle({ error, clause, dealer, boxes, table_net_cents: net }) {
    if (error) return [el("p", {}, `${capital(error)}. `, cite(clause))];
    const shown = boxes.map((box) => [
      el("h2", {}, `Box ${box.seat}${box.player ? `, ${box.player}` : ""}: ${box.hand}`),
      table(
        ["Wager", "Outcome", "Staked", "Net", "Why"],
        box.lines.map((line) => [
          line.wager,
          line.outcome,
          money(line.stake_cents),
          money(line.net_cents),
          cite(line.clause),
        ]),
      ),
    ]);
    return [el("p", {}, `Dealer: ${dealer}. The table's result: ${money(net)}.`), ...shown.flat()];
  },

  /** @param {{ valid: boolean, findings: Finding[] }} told */
  check({ valid, findings }) {
    const verdict = valid ? "The submission is valid" : "The submission cannot be used";
    const rows = findings.map(({ severity, sentence, line, clause }) => [
      severity,
      line ? `line ${line}` : "",
      sentence,
      clause ? cite(clause) : "",
    ]);
    const list = rows.length ? [table(["", "Where", "What", "Why"], rows)] : [];
    return [el("p", {}, `${verdict}; ${rows.length || "no"} findings.`), ...list];
  },

  /** @param {Verification} found */
  verify(found) {
    const facts = [
      ["Round", `${found.round} of table ${found.table}, ledger ${found.ledger}`],
      ["Signed with", found.key],
      ["Lines", `${found.lines}, each in the log`],
      ["Cards", `${found.cards_opened} where the commitment had them`],
      ["Money", `${found.boxes_settled} boxes settled again, ${found.wagers_settled} wagers`],
    ];
    const wrong = found.differences.map((each) => el("p", { class: "no" }, each));
    const verdict = found.fits ? "The proof holds." : "It does not fit.";
    return [el("p", {}, el("b", {}, verdict)), table(["", ""], facts), ...wrong];
  },
};

async function ask() {
  const given = new FormData(form);
  const file = /** @type {File | null} */ (given.get("file"));
  const text = file?.size ? await file.text() : given.get("text");
  const body = what === "hand" ? JSON.stringify(Object.fromEntries(given)) : String(text);
  $("told").replaceChildren(el("p", { class: "fine" }, "One moment."));
  const response = await request(`/look-up/${what}`, { method: "POST", body });
  const told = await response.json();
  const words = response.ok ? SHOWN[what](told) : [el("p", {}, `${capital(told.sentence)}.`)];
  $("told").replaceChildren(...words);
}

onSubmit(form, ask);
