// Hard hands, one after the other: choose, then see what each choice was worth.

import { bars, verdict } from "../table/coach.js";
import { facts as read, post } from "../shared/connection.js";
import { $, el } from "../shared/dom.js";
import { showColors } from "../shared/settings_menu.js";
import { hand } from "../shared/cards_and_chips.js";
import { sentence } from "../shared/clause_note.js";
import { capital } from "../shared/words.js";

const facts = read();
const path = `/practice/${facts.table}/drill`;
const tally = { hands: 0, right: 0, cost: 0 };
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
  const told = await fetch(`${path}/${wanted}`)
    .then((response) => response.json())
    .catch(() => ({ sentence: "the coach cannot be reached" }));
  if (wanted !== `${street}?flashed=${flashed}`) return;
  if (!told.position) {
    $("hand").replaceChildren(el("p", {}, ...sentence(told)));
    $("buttons").replaceChildren(onward("Ask again "));
    return;
  }
  drill = told;
  const { own, board, up } = told.position;
  const rows = [];
  if (told.position.flashed) rows.push(row("The dealer flashed", [told.position.flashed]));
  if (up) rows.push(row("The dealer shows", [up]));
  if (board.length) rows.push(row("The board", board));
  rows.push(row("You hold", own));
  $("hand").replaceChildren(...rows);
  const asked = facts.streets[street];
  const actions = [...asked.sizes.map((size) => `${size}x`), asked.otherwise];
  $("buttons").replaceChildren(...actions.map((action) => button(action)));
}

function row(title, cards) {
  return el("div", { class: "drill-row" }, title, hand(cards, 68));
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
  const says = action.endsWith("x") ? `Play ${action.replace("x", "×")}` : capital(action);
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
  const worths = await post(path, { id: answered.id, action });
  if (!Array.isArray(worths)) {
    $("advice").replaceChildren(el("p", {}, ...sentence(worths)));
    drill = worths.away ? answered : null;
    if (!drill) $("buttons").replaceChildren(onward("Next hand "));
    return;
  }
  const chosen = worths.find((worth) => worth.action === action);
  const cost = worths[0].antes - chosen.antes;
  tally.hands += 1;
  tally.right += cost < 1e-9 ? 1 : 0;
  tally.cost += cost;
  const costs = `; mistakes cost ${tally.cost.toFixed(3)} Antes`;
  $("tally").textContent =
    `${tally.right} of ${tally.hands} right${tally.right < tally.hands ? costs : ""}.`;
  $("advice").replaceChildren(
    bars({ worths, chosen: action }),
    el("p", {}, words(worths, action, cost)),
  );
  const again = onward("Next hand ");
  $("buttons").replaceChildren(again);
  again.focus();
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
