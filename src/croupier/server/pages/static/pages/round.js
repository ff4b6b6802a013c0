// A round told again: what was seen and chosen at each question, what was best, and the end.

import { bars, reasons, rulesOf, verdict } from "../table/coach.js";
import { receiptTable } from "../table/receipt.js";
import { facts as read, metaOf } from "../shared/connection.js";
import { request } from "../shared/carrier.js";
import { cardRow, sortedHand } from "../shared/cards_and_chips.js";
import { sentence } from "../shared/clause_note.js";
import { $, el } from "../shared/dom.js";
import { showColors } from "../shared/settings_menu.js";
import { actionWords, capital, money, netClass, netWords } from "../shared/words.js";

/** @import { Told } from "../shared/clause_note.js" */

/** @type {Server.TableFacts} */
const facts = read();
// The page of one round says which; one for all rounds is told by its address.
const round = Number(metaOf("round")) || Number(new URLSearchParams(location.search).get("round"));
const path = `/record/${encodeURIComponent(facts.table)}`;

async function tell() {
  $("number").textContent = String(round);
  /** @type {Server.RoundTold & Told} */
  const told = await request(`${path}/${round}/told`)
    .then((response) => response.json())
    .catch(() => ({ sentence: "your record is out of reach: does croupier play still run" }));
  if (!told.played) {
    $("standing").replaceChildren(...sentence(told));
    return;
  }
  show(told);
  // Only now is there anything to go to.
  if (location.hash) document.querySelector(location.hash)?.scrollIntoView();
}

/** @param {Server.RoundTold} told */
function show({ played, why, winning, before, after }) {
  const costs = played.decisions.map((decision) => cost(decision));
  const most = Math.max(...costs);
  $("decisions").replaceChildren(
    ...played.decisions.map((one, n) => step(one, n + 1, why[n], most > 0 && costs[n] === most)),
  );
  const total = costs.reduce((sum, one) => sum + one, 0);
  $("standing").textContent = !played.decisions.length
    ? "Nothing was asked in this round."
    : total
      ? `Your choices cost ${total.toFixed(3)} Antes on average.`
      : "Every choice was the best there was.";
  $("end").hidden = false;
  $("felt").replaceChildren(...cardsOf(played, winning));
  const hands = [played.hand, played.dealer_hand].filter(Boolean).join(" against ");
  $("result").replaceChildren(
    `${capital(hands || "folded")}: `,
    el("b", { class: netClass(played.net_cents) }, netWords(played.net_cents)),
  );
  $("lines").replaceChildren(receiptTable(played.lines, facts));
  $("beside").replaceChildren(
    ...(before ? [link(before, "Round before")] : []),
    ...(after ? [link(after, "Next round")] : []),
  );
}

/** @param {number} number @param {string} says */
const link = (number, says) => el("a", { class: "button", href: `${path}/${number}` }, says);

/**
 * @param {Server.PlayedRound} played
 * @param {string[]} winning
 */
function cardsOf({ cards, board, dealer }, winning) {
  const rows = Object.entries({ Dealer: dealer, Board: board, You: sortedHand(cards) });
  return rows.map(([title, lying]) => cardRow(title, lying, winning)).filter(Boolean);
}

/** @param {Server.PlayedDecision} decision */
function cost({ worths, chosen }) {
  const value = worths.find((worth) => worth.action === chosen)?.antes;
  const lost = value === undefined ? 0 : worths[0].antes - value;
  return lost > 1e-9 ? lost : 0;
}

/**
 * @param {Server.PlayedDecision} decision
 * @param {number} number
 * @param {Server.Explanation | null} why
 * @param {boolean} mattered
 */
function step(decision, number, why, mattered) {
  const { seen, chosen, offered, worths, ante_cents: ante } = decision;
  const lost = cost(decision);
  const advice = { worths, chosen, cost_antes: lost, cost_cents: lost * ante };
  const judged = worths.length
    ? [bars({ worths, chosen }), el("p", {}, verdict({ ...advice }))]
    : [el("p", {}, unjudged(offered))];
  const up = seen.up ? [seen.up] : [];
  const table = [cardRow("Dealer shows", up), cardRow("Board", seen.board)];
  return el(
    "section",
    { class: `panel step${mattered ? " mattered" : ""}`, id: `decision-${number}` },
    el(
      "h2",
      {},
      capital(seen.street),
      el("span", {}, `You chose ${actionWords(chosen)}, Ante ${money(ante)}`),
    ),
    el("div", { class: "drill-felt" }, ...table.filter(Boolean), held(seen)),
    ...judged,
    ...reasons(why),
    ...rulesOf(why),
    el("p", {}, el("a", { href: askPath(number) }, "Ask about this hand")),
  );
}

/** @param {number} decision */
const askPath = (decision) =>
  `/practice/${encodeURIComponent(facts.table)}/ask?round=${round}&decision=${decision}`;

/** @param {Server.Position} seen */
const held = (seen) => cardRow("You", sortedHand(seen.own));

/** @param {string[]} offered */
const unjudged = (offered) =>
  offered.length < 2
    ? "Nothing else was open to you, so there is nothing to judge."
    : "The coach cannot count this one.";

showColors();
tell();
