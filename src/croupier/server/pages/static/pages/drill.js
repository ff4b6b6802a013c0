// Hard hands, one after the other: choose, then see what each choice was worth.

import { bars, chartAt, chartOf, reasons, rulesOf, verdict } from "../table/coach.js";
import { request } from "../shared/carrier.js";
import { facts as read, post } from "../shared/connection.js";
import { $, all, el } from "../shared/dom.js";
import { showColors } from "../shared/settings_menu.js";
import { cardRow, sortedHand } from "../shared/cards_and_chips.js";
import { sentence } from "../shared/clause_note.js";
import { actionWords, capital, percentRight } from "../shared/words.js";

/** @import { Answer } from "../shared/connection.js" */
/** @import { Told } from "../shared/clause_note.js" */

/** @type {Server.TableFacts} */
const facts = read();
const path = `/practice/${facts.table}/drill`;
const chart = chartAt(`/practice/${facts.table}`);
let street = 0;
let flashed = false;
showColors();
/** @type {Server.Drill | null} */
let drill = null;

$("flashed").addEventListener("click", () => {
  flashed = !flashed;
  $("flashed").setAttribute("aria-pressed", String(flashed));
  next();
});

const tabs = all("[data-street]", $("streets"));
for (const tab of tabs) {
  tab.addEventListener("click", () => {
    street = Number(tab.dataset.street);
    for (const other of tabs) other.setAttribute("aria-pressed", String(other === tab));
    next();
  });
}

async function next() {
  drill = null;
  $("buttons").replaceChildren();
  $("advice").replaceChildren();
  const wanted = `${street}?flashed=${flashed}`;
  /** @type {Server.Drill & Told} */
  const told = await request(`${path}/${wanted}`)
    .then((response) => response.json())
    .catch(() => ({ sentence: "the coach cannot be reached" }));
  if (wanted !== `${street}?flashed=${flashed}`) return;
  if (!told.position) {
    $("hand").replaceChildren(el("p", {}, ...sentence(told)));
    $("buttons").replaceChildren(onward("Ask again "));
    return;
  }
  drill = told;
  showScore(told);
  const { own, board, up } = told.position;
  const rows = [
    cardRow("The dealer flashed", told.position.known),
    cardRow("The dealer shows", up ? [up] : []),
    cardRow("The board", board),
    cardRow("You hold", sortedHand(own)),
  ];
  const again = told.again ? el("p", { class: "again" }, `Again: ${told.again}`) : null;
  $("hand").replaceChildren(...[again, ...rows].filter(Boolean));
  const asked = facts.streets[street];
  const { title } = facts.wagers.find(({ name }) => name === asked.wager);
  const actions = [...asked.sizes.map((size) => `${size}x`), asked.otherwise];
  $("buttons").replaceChildren(...actions.map((action) => button(action, title)));
}

/** @param {string} action */
const key = (action) => action[0];

/** @param {string} says */
function onward(says) {
  const made = el(
    "button",
    { type: "button", class: "main", "data-action": "next" },
    says,
    el("kbd", {}, "Enter"),
  );
  made.addEventListener("click", next);
  return made;
}

/** @param {string} action @param {string} title of the wager that a size is put on */
function button(action, title) {
  const kind = action.endsWith("x") ? "play" : action;
  const says = action.endsWith("x") ? `${title} ${actionWords(action)}` : capital(action);
  const made = el(
    "button",
    { type: "button", class: `choice choice-${kind}`, "data-action": action },
    el("b", {}, says),
    el("kbd", {}, key(action).toUpperCase()),
  );
  made.addEventListener("click", () => choose(action));
  return made;
}

/** @param {string} action */
async function choose(action) {
  if (!drill) return;
  const answered = drill;
  drill = null;
  /** @type {Server.DrillResult & Answer} */
  const told = await post(path, { id: answered.id, action });
  if (!told.worths) {
    $("advice").replaceChildren(el("p", {}, ...sentence(told)));
    drill = told.away ? answered : null;
    if (!drill) $("buttons").replaceChildren(onward("Next hand "));
    return;
  }
  const { worths, why } = told;
  const chosen = worths.find((worth) => worth.action === action);
  const cost = worths[0].antes - chosen.antes;
  showScore(told);
  $("advice").replaceChildren(
    bars({ worths, chosen: action }),
    el("p", {}, words(worths, action, cost)),
    ...reasons(why),
    ...rulesOf(why),
    ...chartOf(why?.cell ? await chart : null, why?.cell),
  );
  const again = onward("Next hand ");
  $("buttons").replaceChildren(again);
  again.focus();
}

/** @param {Pick<Server.Drill, "score" | "leaks">} told */
function showScore({ score, leaks }) {
  const { hands, right, seconds, cost_antes: cost, streak } = score;
  const pace = `${(seconds / hands).toFixed(1)} seconds each`;
  const costs = right < hands ? `, mistakes cost ${cost.toFixed(3)} Antes` : "";
  const row = streak > 2 ? `, ${streak} in a row` : "";
  const share = hands ? percentRight({ right, decisions: hands }) : "";
  $("tally").textContent = hands
    ? `${right} of ${hands} right (${share}), ${pace}${costs}${row}.`
    : "Answer as you would at the table.";
  $("leaks").textContent = leaks.length
    ? `Your leaks here, which come back until they are right: ${leaks.slice(0, 6).join("; ")}.`
    : "";
}

/** @param {Server.Worth[]} worths @param {string} action @param {number} cost */
function words(worths, action, cost) {
  return verdict({ worths, chosen: action, cost_antes: cost }).replace(" ($0)", "");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const wanted = event.key.toLowerCase();
  const found = all("[data-action]", $("buttons")).find(
    (one) => key(one.dataset.action) === wanted && one.dataset.action !== "next",
  );
  if (found) {
    event.preventDefault();
    found.click();
  }
});

next();
