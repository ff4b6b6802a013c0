// The floor: every table at once, and at each what waits for a floorperson's word.

import { called } from "./calling.js";
import { deckHint } from "./decks.js";
import "./door.js";
import { duties, dutyButton, PHASES } from "./duties.js";
import { ask, facts as read, Link, say } from "./link.js";
import { card, el, money, svg } from "./svg.js";
import { cite, sentence } from "./why.js";

const $ = (id) => document.getElementById(id);
const WAITS = ["answer-call", "confirm", "validate-progressive", "propose-refusal", "confirm-refusal", "record-paperwork", "rule-on-absence", "return-chip", "cancel-acceptance", "verify-inspection"];

read().forEach((facts, n) => {
  const tile = $(`tile-${n}`);
  new Link(`/api/tables/${encodeURIComponent(facts.table)}/live`, (frame) => show(tile, facts, frame.view), (state, why) => {
    tile.dataset.link = state;
    if (state === "login") location.assign(`/login?to=${encodeURIComponent(location.pathname)}`);
  });
});

function show(tile, facts, view) {
  const waits = duties(view, facts).filter((duty) => WAITS.includes(duty.command.do) || duty.urgent);
  if (tile.classList.contains("waits") !== waits.length > 0) {
    tile.classList.toggle("waits", waits.length > 0);
    order();
  }
  tile.querySelector(".called").textContent = called(view);
  const mishap = view.waits_for ? facts.mishaps[view.waits_for] : null;
  const deck = facts.handling && !view.waits_for ? deckHint(view, facts, "floorperson") : null;
  tile.querySelector(".tile-now").replaceChildren(`Round ${view.round}: ${mishap ? mishap.happens : PHASES[view.phase]}${deck ? `. ${deck[0]}` : ""} `, cite(deck?.[1] ?? view.clause, mishap?.ruling), ...(mishap ? [el("br"), el("small", {}, `If you uphold it: ${mishap.remedy}.`)] : []));
  const cards = Object.entries(view.places ?? {}).flatMap(([, held]) => held);
  tile.querySelector(".tile-cards").replaceChildren(...(cards.length ? [svg("svg", { viewBox: `-33 -45 ${cards.length * 66} 90`, role: "img", "aria-label": `${cards.length} cards before the dealer` }, ...cards.map((name, n) => svg("g", { transform: `translate(${n * 66} 0)` }, card(name))))] : []));
  const boxes = view.boxes ?? [];
  tile.querySelector(".tile-boxes").replaceChildren(...boxes.map((box) => el("li", {}, el("b", {}, `${box.seat} ${box.player}`), el("span", {}, Object.keys(box.stakes ?? {}).length ? money(Object.values(box.stakes).reduce((sum, cents) => sum + cents, 0)) : "–"))));
  if (!boxes.length) tile.querySelector(".tile-boxes").append(el("li", { class: "fine" }, "Nobody sits here."));
  tile.querySelector(".steps").replaceChildren(...waits.map((duty) => dutyButton(duty, (command) => give(facts.table, command))));
  if (waits.length) say(`Table ${facts.table} waits: ${[called(view), ...waits.map((duty) => duty.says)].filter(Boolean).join(", ")}`);
}

// Tables that wait come first; the others keep their places, and the focus stays where it is.
function order() {
  const focused = document.activeElement;
  const tiles = [...$("tiles").children].sort((one, other) => other.classList.contains("waits") - one.classList.contains("waits") || one.id.slice(5) - other.id.slice(5));
  $("tiles").append(...tiles);
  focused?.focus();
}

async function give(table, command) {
  const told = await ask(table, command);
  $("no").replaceChildren(...(told.outcome === "done" ? [] : sentence(told)));
}
