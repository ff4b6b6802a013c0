// Ask about any hand: put cards where they lie, and read what each choice is worth.

import { bars, bestWords, chartAt, chartOf, reasons, rulesOf, verdict } from "../table/coach.js";
import { facts as read, orNull, post } from "../shared/connection.js";
import { card, hand, spoken } from "../shared/cards_and_chips.js";
import { request } from "../shared/carrier.js";
import { sentence } from "../shared/clause_note.js";
import { $, all, el, svg } from "../shared/dom.js";
import { showColors } from "../shared/settings_menu.js";
import { capital } from "../shared/words.js";

/** @import { Answer } from "../shared/connection.js" */

/** @type {Server.TableFacts} */
const facts = read();
const path = `/practice/${facts.table}`;
/** @type {Server.CardPlace[]} */
const places = JSON.parse($("places").textContent);
/** @type {Record<string, string[]>} */
const lying = {};
const chart = chartAt(path);
let chosen = places[0].name;
let asked = "";

const cardsAt = (/** @type {string} */ name) => lying[name] ?? [];
const mostOf = (/** @type {Server.CardPlace} */ place) => place.counts.at(-1);
const isTaken = (/** @type {string} */ name) =>
  Object.values(lying).some((cards) => cards.includes(name));

function paint() {
  $("slots").replaceChildren(...places.map(slot));
  for (const button of all("button", $("deck"))) {
    const name = button.dataset.card;
    button.setAttribute("aria-pressed", String(isTaken(name)));
  }
  ask();
}

// How many cards lie well there: "2", "0, 3 or 5", "up to 12".
/** @param {Server.CardPlace} place */
function wantedWords({ counts }) {
  if (counts.length > 3) return `up to ${counts.at(-1)}`;
  const before = counts.slice(0, -1).join(", ");
  return before ? `${before} or ${counts.at(-1)}` : `${counts.at(-1)}`;
}

/** @param {Server.CardPlace} place */
function slot(place) {
  const cards = cardsAt(place.name);
  const isChosen = place.name === chosen;
  const made = el(
    "button",
    {
      type: "button",
      role: "radio",
      class: "slot",
      "data-place": place.name,
      "aria-checked": String(isChosen),
    },
    el("b", {}, place.title),
    el("small", {}, wantedWords(place)),
    cards.length ? hand(cards, cards.length > 5 ? 30 : 66) : el("span", { class: "empty" }),
  );
  made.addEventListener("click", () => {
    chosen = place.name;
    paint();
  });
  return made;
}

// A card that lies somewhere comes back; another goes to the place that is chosen, which is the
// next one as soon as it is full.
/** @param {string} name */
function touch(name) {
  if (isTaken(name)) {
    for (const [place, cards] of Object.entries(lying)) {
      lying[place] = cards.filter((other) => other !== name);
    }
  } else {
    const place = places.find((one) => one.name === chosen);
    if (cardsAt(chosen).length >= mostOf(place)) return;
    lying[chosen] = [...cardsAt(chosen), name];
    if (lying[chosen].length === mostOf(place)) {
      const next = places.find((one) => cardsAt(one.name).length < mostOf(one));
      chosen = next?.name ?? chosen;
    }
  }
  paint();
}

const isWhole = () => places.every(({ name, counts }) => counts.includes(cardsAt(name).length));

async function ask() {
  const now = JSON.stringify(lying);
  if (now === asked) return;
  asked = now;
  if (!isWhole()) {
    const lacking = places.find(({ name, counts }) => !counts.includes(cardsAt(name).length));
    const words = `${lacking.title}: ${wantedWords(lacking)} cards are needed.`;
    $("answer").replaceChildren(el("p", { class: "fine" }, words));
    $("brief").textContent = words;
    return;
  }
  $("answer").replaceChildren(el("p", { class: "fine" }, "The coach is counting."));
  $("brief").textContent = "The coach is counting.";
  const sent = Object.fromEntries(places.map(({ name }) => [name, cardsAt(name)]));
  /** @type {Server.HandAnswer & Answer} */
  const told = await post(`${path}/ask`, sent);
  if (asked !== now) return;
  if (!told.worths) {
    $("answer").replaceChildren(el("p", {}, ...sentence(told)));
    $("brief").textContent = "";
    return;
  }
  const { street, worths, why } = told;
  $("brief").replaceChildren(bestWords(worths), " ", el("a", { href: "#answer" }, "Why"));
  $("answer").replaceChildren(
    el("h3", {}, capital(street)),
    bars({ worths, chosen: "" }),
    el("p", {}, verdict({ worths, chosen: "", ready: true })),
    ...reasons(why),
    ...rulesOf(why),
    ...chartOf(why?.cell ? await chart : null, why?.cell),
  );
}

// With a round in the address, its cards lie there.
async function begin() {
  if (!new URLSearchParams(location.search).has("round")) return;
  const told = await orNull(request(`${path}/ask/cards${location.search}`));
  if (told?.ok) Object.assign(lying, await told.json());
}

function deck() {
  return ["s", "h", "d", "c"].flatMap((suit) =>
    [..."AKQJT98765432"].map((rank) => {
      const name = rank + suit;
      const face = svg("svg", { viewBox: "-33 -45 66 90", "aria-hidden": "true" }, card(name));
      const label = spoken(name);
      const made = el("button", { type: "button", "data-card": name, "aria-label": label }, face);
      made.addEventListener("click", () => touch(name));
      return made;
    }),
  );
}

showColors();
$("deck").append(...deck());
$("clear").addEventListener("click", () => {
  for (const { name } of places) lying[name] = [];
  chosen = places[0].name;
  paint();
});
paint();
$("main").hidden = false;
await begin();
paint();
