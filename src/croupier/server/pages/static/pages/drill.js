// Hard hands, one after the other: choose, then see what each choice was worth.

import { bars, chartOf, reasons, rulesOf, verdict } from "../table/coach.js";
import { request } from "../shared/carrier.js";
import { facts as read, post } from "../shared/connection.js";
import { $, el } from "../shared/dom.js";
import { showColors } from "../shared/settings_menu.js";
import { cardRow, sortedHand } from "../shared/cards_and_chips.js";
import { sentence } from "../shared/clause_note.js";
import { actionWords, capital, percentRight } from "../shared/words.js";

const facts = read();
const path = `/practice/${facts.table}/drill`;
const chart = request(`/practice/${facts.table}/chart`)
  .then((response) => (response.ok ? response.json() : null))
  .catch(() => null);
let street = 0;
let flashed = false;
showColors();
let drill = null;

$("flashed").addEventListener("click", () => {
  flashed = !flashed;
  $("flashed").setAttribute("aria-pressed", String(flashed));
  next();
});

for (const tab of $("streets").children) {
  tab.addEventListener("click", () => {
    street = Number(tab.dataset.street);
    for (const other of $("streets").children)
      other.setAttribute("aria-pressed", String(other === tab));
    next();
  });
}

async function next() {
  drill = null;
  $("buttons").replaceChildren();
  $("advice").replaceChildren();
  const wanted = `${street}?flashed=${flashed}`;
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
  const actions = [...asked.sizes.map((size) => `${size}x`), asked.otherwise];
  $("buttons").replaceChildren(...actions.map((action) => button(action)));
}

const key = (action) => action[0];

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

function button(action) {
  const kind = action.endsWith("x") ? "play" : action;
  const says = action.endsWith("x") ? `Play ${actionWords(action)}` : capital(action);
  const made = el(
    "button",
    { type: "button", class: `choice choice-${kind}`, "data-action": action },
    el("b", {}, says),
    el("kbd", {}, key(action).toUpperCase()),
  );
  made.addEventListener("click", () => choose(action));
  return made;
}

async function choose(action) {
  if (!drill) return;
  const answered = drill;
  drill = null;
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

function words(worths, action, cost) {
  return verdict({ worths, chosen: action, cost_antes: cost }).replace(" ($0)", "");
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const wanted = event.key.toLowerCase();
  const found = [...$("buttons").querySelectorAll("[data-action]")].find(
    (one) => key(one.dataset.action) === wanted && one.dataset.action !== "next",
  );
  if (found) {
    event.preventDefault();
    found.click();
  }
});

next();
