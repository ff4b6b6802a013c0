// What cards known too early are worth: a game, its paytables and what is known; then the answer.

import "./login.js";
import { counted } from "../analysis/counting.js";
import { Choice } from "../analysis/paytable_choice.js";
import { facts as read, say } from "../shared/connection.js";
import { $, all, el, showProgress, tableParts } from "../shared/dom.js";
import { minus, percent } from "../shared/words.js";

/** @import { Books } from "../analysis/paytable_choice.js" */

/**
 * What is known, a hand, and what is best first with it and without, by action.
 * @typedef {object} ChangedHand
 * @property {string} known
 * @property {string} hand
 * @property {Record<string, number>} best
 * @property {Record<string, number>} honest
 * @property {number} gain
 */

/**
 * What known cards are worth, as the document of `croupier protect --json` has it.
 * @typedef {object} Protection
 * @property {number} player_edge
 * @property {number} honest_ev
 * @property {number} gain
 * @property {string} ev_exact
 * @property {number} element_of_risk
 * @property {number} standard_deviation
 * @property {Record<string, number>} actions
 * @property {Record<string, { first_decisions: number, rounds: number | null }>} shows
 * @property {string} shows_note
 * @property {Record<string, Record<string, { ev: number }>>} side_wagers
 * @property {ChangedHand[]} changes
 */

const MOST_CHANGES = 40;
/** @type {Books} */
const known = read();
const books = Object.fromEntries(
  Object.entries(known).filter(([, book]) => book.knows.length),
);
/** @param {number} value */
const decimal = (value) => minus(value.toFixed(4));
/** @param {Record<string, number>} done */
const shares = (done) =>
  Object.entries(done)
    .map(([action, share]) => (share === 1 ? action : `${action} ${Math.round(100 * share)} %`))
    .join(", ");

const [form] = all(".choice", document, HTMLFormElement);
const choice = new Choice(form, books, changed);
const knows = $("knows", HTMLSelectElement);
const start = $("count", HTMLButtonElement);
const cancel = $("cancel", HTMLButtonElement);
/** @type {AbortController | null} */
let stop = null;
/** @type {{ key: string, id: string, result: Protection } | null} */
let answer = null;

const asked = () => ({ ...choice.asked(), knows: knows.value });
const key = () => JSON.stringify(asked());

function changed() {
  const kept = knows.value;
  knows.replaceChildren(
    ...choice.book.knows.map(({ name, says }) => el("option", { value: name }, says)),
  );
  if (choice.book.knows.some(({ name }) => name === kept)) knows.value = kept;
  stale();
}

function stale() {
  const old = answer && answer.key !== key();
  document.querySelector(".analyst").classList.toggle("is-stale", Boolean(old));
  if (!stop && old) showProgress("Changed since it was counted; the figures below are of before.");
}

async function count() {
  stop = new AbortController();
  start.disabled = true;
  cancel.disabled = false;
  const mine = key();
  let why = "";
  try {
    answer = { key: mine, ...(await counted(JSON.parse(mine), stop.signal, showProgress)) };
    showProgress("Counted.", 1);
    say("Counted");
    show(answer.result);
  } catch (no) {
    why = /** @type {Error} */ (no).message;
  }
  stop = null;
  start.disabled = false;
  cancel.disabled = true;
  stale();
  if (!why) return;
  say(why);
  showProgress(why);
}

/** @param {string} place @param {string[]} titles @param {string[][]} rows */
function showTable(place, titles, rows) {
  const told = rows.map((cells) => ({ cells }));
  $(place).replaceChildren(...tableParts(titles, told, "number"));
}

/** @param {Protection} found */
function show(found) {
  $("answer").hidden = false;
  showTable(
    "worth",
    ["Measure", "Value"],
    [
      ["Player\u2019s edge, of the Ante", percent(found.player_edge)],
      ["Honest play, of the Ante", percent(found.honest_ev)],
      ["Gain over honest play", percent(found.gain)],
      ["Gain in a hundred rounds, in Antes", decimal(100 * found.gain)],
      ["Element of risk", percent(found.element_of_risk)],
      ["Standard deviation, in Antes", decimal(found.standard_deviation)],
      ...Object.entries(found.actions).map(([action, share]) => [action, percent(share)]),
    ],
  );
  $("exactly").textContent = `Exactly: ${minus(found.ev_exact).replace("/", "/\u200b")}`;
  showTable(
    "shows",
    ["Told from", "First decisions that differ", "Rounds"],
    Object.entries(found.shows).map(([other, { first_decisions, rounds }]) => [
      `${other} play`,
      percent(first_decisions),
      rounds ? rounds.toLocaleString("en-US") : "too many",
    ]),
  );
  $("shows-note").textContent = found.shows_note;
  $("shows-note").hidden = !found.shows_note;
  showTable(
    "sides",
    ["Side wager", "Paytable", "Value of $1, made always"],
    Object.entries(found.side_wagers).flatMap(([name, letters]) =>
      Object.entries(letters).map(([letter, { ev }]) => [title(name), letter, percent(ev)]),
    ),
  );
  const lines = found.changes
    .slice(0, MOST_CHANGES)
    .map(({ known, hand, best, honest, gain }) => [
      `${known}: ${hand}`,
      shares(best),
      shares(honest),
      percent(gain),
    ]);
  showTable("changes", ["Known and hand", "Best first", "Honest", "Adds to an Ante"], lines);
  $("how-many").textContent =
    `${Math.min(MOST_CHANGES, found.changes.length)} of ${found.changes.length} that change, ` +
    "the most costly first; the CSV has all.";
  for (const link of all("[data-form]"))
    link.setAttribute("href", `/api/analysis/${answer.id}/${link.dataset.form}`);
}

/** @param {string} wager */
const title = (wager) =>
  choice.book.wagers.find(({ name }) => name === wager)?.title ?? wager;

start.addEventListener("click", count);
cancel.addEventListener("click", () => stop?.abort());
knows.addEventListener("change", stale);
changed();
$("ready").hidden = false;
