// The player's record: what was played, what it brought, and which decisions cost most.

import { antes, chart } from "../table/coach.js";
import { $, el, svg, tableParts } from "../shared/dom.js";
import { hand, sortedHand } from "../shared/cards_and_chips.js";
import { request } from "../shared/carrier.js";
import { sentence } from "../shared/clause_note.js";
import { showColors } from "../shared/settings_menu.js";
import {
  actionWords,
  capital,
  counted,
  day,
  money,
  netClass,
  netWords,
  percentRight,
  timeOfDay,
} from "../shared/words.js";

/** @import { Told } from "../shared/clause_note.js" */

const AGAIN_MS = 1500;
const MICROS = 1_000_000;

/** @param {number} micros */
const when = (micros) => `${day(micros / MICROS)}, ${timeOfDay(micros / MICROS)}`;
/** @param {string[]} cards */
const small = (cards) => hand(sortedHand(cards), cards.length > 2 ? 24 : 67);
/** @param {{ table: string, round: number }} played */
const roundPath = ({ table, round }) => `/record/${encodeURIComponent(table)}/${round}`;

// Lists begin with as many lines as are read at once; who asks for more is shown all of them.
let isWhole = false;

async function look() {
  /** @type {Server.RecordSummary & Told} */
  const told = await request(`/record/summary${isWhole ? "?whole=true" : ""}`)
    .then((response) => response.json())
    .catch(() => ({ sentence: "your record is out of reach: does croupier play still run" }));
  if (told.rounds === undefined) {
    $("standing").replaceChildren(...sentence(told));
    return;
  }
  show(told);
  if (told.uncounted) setTimeout(look, AGAIN_MS);
}

// As wide as it will be, so that its amounts are letters of their own size on a phone too.
const drawnSize = () => {
  const wide = Math.min(900, Math.max(280, $("figures").clientWidth - 34));
  return { wide, tall: wide < 600 ? 120 : 200 };
};

/** @param {Server.RecordSummary} told */
function show(told) {
  const left = counted(told.uncounted, "decision");
  $("standing").textContent = !told.rounds
    ? "Nothing is played yet. Sit down at a table, and every round is kept here."
    : told.uncounted
      ? `The coach still counts ${left}; this page follows.`
      : "Every decision is counted.";
  if (!told.rounds) return;
  const { tally } = told;
  $("figures").replaceChildren(
    figure("Rounds", told.rounds.toLocaleString("en-US")),
    figure("Wagered", money(told.staked_cents)),
    figure("Result", netWords(told.net_cents), netClass(told.net_cents)),
    figure("Best choices", tally.decisions ? percentRight(tally) : "–"),
    figure("Mistakes cost, on average", money(Math.round(tally.cost_cents))),
  );
  const drawBankroll = () => part("bankroll", chart(told.bankroll, drawnSize()));
  drawBankroll();
  onresize = drawBankroll;
  part("sessions", sessions(told));
  if (told.streets.length) part("streets", streets(told.streets));
  const none = el("p", {}, "None: every decision so far was the best there is.");
  const wrong = tally.decisions - tally.right;
  const listed = wrong ? rows(told.mistakes.map(mistake), wrong, "mistakes") : none;
  if (tally.decisions) part("mistakes", listed);
  if (told.best.length || told.worst.length) {
    const extremes = [...told.best, ...told.worst.toReversed()];
    part("highlights", rows(extremes.map(roundRow), extremes.length));
  }
  part("latest", rows(told.latest.map(roundRow), told.rounds, "rounds"));
  $("files-panel").hidden = false;
}

/** @param {string} title @param {string} value @param {string} [kind] */
function figure(title, value, kind = "") {
  return el("div", {}, el("dt", {}, title), el("dd", { class: kind }, value));
}

/** @param {string} id @param {Node} inside */
function part(id, inside) {
  $(`${id}-panel`).hidden = false;
  $(id).replaceChildren(inside);
}

/** @param {Node[]} made @param {number} count how many there are @param {string} [what] */
function rows(made, count, what = "") {
  const items = made.map((one) => el("li", {}, one));
  if (count > made.length) items.push(el("li", {}, whole(count, what)));
  return el("ul", { class: "rows" }, ...items);
}

/** @param {number} count @param {string} what */
function whole(count, what) {
  const says = `Show all ${count.toLocaleString("en-US")} ${what}`;
  const button = el("button", { type: "button", class: "whole" }, says);
  button.addEventListener("click", () => {
    isWhole = true;
    look();
  });
  return button;
}

/** @param {Parameters<typeof tableParts>} parts */
function scrollingTable(...parts) {
  const [heads] = parts;
  const made = el("table", {}, ...tableParts(...parts));
  return el("div", { class: "scrolls", tabindex: 0, role: "group", "aria-label": heads[0] }, made);
}

/** @param {Server.RecordSummary} told */
function sessions({ sessions: played, sessions_before: before }) {
  const lines = played.toReversed().map((session) => ({
    cells: [
      when(session.began_us),
      String(session.rounds),
      money(session.staked_cents),
      el("span", { class: netClass(session.net_cents) }, netWords(session.net_cents)),
      session.tally.decisions ? percentRight(session.tally) : "–",
      money(Math.round(session.tally.cost_cents)),
    ],
  }));
  const heads = ["Began", "Rounds", "Wagered", "Result", "Best", "Mistakes"];
  const made = scrollingTable(heads, lines);
  if (before) made.append(whole(before + played.length, "sessions"));
  return made;
}

/** @param {Server.StreetTally[]} asked */
function streets(asked) {
  const lines = asked.flatMap(({ title, street, tally, trend, kinds }) => [
    tallyRow(`${capital(street)} `, title, tally, trend),
    ...kinds.map((kind) => tallyRow(`best: ${actionWords(kind.best)}`, "", kind.tally, kind.trend)),
  ]);
  return scrollingTable(["Question", "Asked", "Best", "Cost", "Sessions"], lines);
}

/**
 * @param {string} says
 * @param {string} title
 * @param {Server.DecisionTally} tally
 * @param {Server.DecisionTally[]} trend
 */
function tallyRow(says, title, tally, trend) {
  return {
    kind: title ? "" : "kind",
    cells: [
      [says, title ? el("small", {}, title) : ""],
      String(tally.decisions),
      percentRight(tally),
      money(Math.round(tally.cost_cents)),
      bars(trend),
    ],
  };
}

// One bar a session; a session without such a question has a dot.
/** @param {Server.DecisionTally[]} trend */
function bars(trend) {
  const says = trend.map((tally) => (tally.decisions ? percentRight(tally) : "none")).join(", ");
  const step = 84 / Math.max(trend.length, 6);
  const made = trend.map(({ decisions, right }, n) => {
    const tall = decisions ? 2 + (18 * right) / decisions : 2;
    const kind = decisions ? "" : "trend-none";
    const at = { x: n * step, y: 22 - tall, width: step - 2, height: tall, class: kind };
    return svg("rect", at);
  });
  return svg(
    "svg",
    { class: "trend", viewBox: "0 0 84 22", role: "img", "aria-label": `By session: ${says}` },
    ...made,
  );
}

/** @param {number} cost */
const costInAntes = (cost) => el("small", { class: "in-antes" }, `${antes(-cost)} Antes`);

/** @param {Server.Mistake} mistake */
function mistake(mistake) {
  const { seen, chosen, best, cost_antes: cost, cost_cents: cents } = mistake;
  const could = `${capital(actionWords(chosen))} where ${actionWords(best)} was best`;
  return el(
    "a",
    { class: "row", href: `${roundPath(mistake)}#decision-${mistake.decision}` },
    small(seen.own),
    el("b", {}, could),
    el("span", { class: "cost lost" }, money(-Math.round(cents)), costInAntes(cost)),
    el("small", {}, `${mistake.title}, ${seen.street} · ${when(mistake.at_us)}`),
  );
}

/** @param {Server.RoundSum} played */
function roundRow(played) {
  const against = played.dealer_hand ? ` against ${played.dealer_hand}` : "";
  return el(
    "a",
    { class: "row", href: roundPath(played) },
    small(played.cards),
    el("b", {}, capital(`${played.hand || "folded"}${against}`)),
    el("span", { class: `cost ${netClass(played.net_cents)}` }, netWords(played.net_cents)),
    el("small", {}, `${played.title}, round ${played.round} · ${when(played.at_us)}`),
  );
}

showColors();
$("print").addEventListener("click", () => print());
look();
