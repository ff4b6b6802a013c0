// The floor: every table at once, and at each what waits for a floorperson's word.

import { Cases } from "../staff/cases.js";
import { callWords, floorCalls, WAITS } from "../staff/floor_call.js";
import { whenUpheld } from "../staff/irregularities.js";
import "./login.js";
import { duties, dutyButton, PHASES } from "../staff/duties.js";
import { ask, facts as read, Connection, livePath, say, toLogin } from "../shared/connection.js";
import { $, around, el, first } from "../shared/dom.js";
import { hand } from "../shared/cards_and_chips.js";
import { money, sumOf } from "../shared/words.js";
import { called } from "../shared/attention.js";
import { openMenu } from "../shared/settings_menu.js";
import { turnSound } from "../shared/sound.js";
import { cite, no } from "../shared/clause_note.js";

/** @import { Command } from "../shared/connection.js" */
/** @import { Duty } from "../staff/duties.js" */

/** @type {Map<string, string[]>} */
const calls = new Map();
openMenu();

/** @type {Server.TableFacts[]} */
const tables = read();
tables.forEach((facts, n) => {
  const tile = $(`tile-${n}`);
  const cases = new Cases(first(".cases", tile), facts.table);
  new Connection(
    livePath(facts.table),
    (frame) => {
      show(tile, facts, frame.view);
      cases.show(frame.view);
    },
    (state) => {
      tile.dataset.link = state;
      if (state === "login") toLogin();
    },
  );
});

/**
 * @param {HTMLElement} tile
 * @param {Server.TableFacts} facts
 * @param {Server.View} view
 */
function show(tile, facts, view) {
  const waits = duties(view, facts).filter(
    (duty) => WAITS.includes(duty.command.do) || duty.urgent,
  );
  if (tile.classList.contains("waits") !== waits.length > 0) {
    tile.classList.toggle("waits", waits.length > 0);
    order();
  }
  tile.querySelector(".called").textContent = callWords(view);
  const words = floorCalls(view, waits).map((said) => `${facts.table}: ${said}`);
  calls.set(facts.table, words);
  called([...calls.values()].flat());
  const wrong = view.waits_for ? facts.irregularities[view.waits_for] : null;
  const deck = view.deck_waits;
  tile
    .querySelector(".tile-now")
    .replaceChildren(
      `Round ${view.round}: ${wrong?.happens ?? PHASES[view.phase]}${deck ? `. ${deck[0]}.` : ""} `,
      cite(deck?.[1] ?? view.clause, wrong?.ruling),
      ...(wrong ? [el("br"), el("small", {}, whenUpheld(view, wrong.remedy))] : []),
    );
  const cards = Object.entries(view.places ?? {}).flatMap(([, held]) => held);
  const lying = `${cards.length} cards before the dealer`;
  tile
    .querySelector(".tile-cards")
    .replaceChildren(...(cards.length ? [hand(cards, 66, lying)] : []));
  const boxes = view.boxes ?? [];
  tile.querySelector(".tile-boxes").replaceChildren(...boxes.map(boxItem));
  if (!boxes.length)
    tile.querySelector(".tile-boxes").append(el("li", { class: "fine" }, "Nobody sits here."));
  showWaits(first(".steps", tile), waits, facts.table);
  const said = [callWords(view), ...waits.map((duty) => duty.says)].filter(Boolean);
  if (waits.length) say(`Table ${facts.table} waits: ${said.join(", ")}`);
}

/** @param {Server.BoxView} box */
function boxItem({ seat, player, stakes }) {
  const staked = Object.keys(stakes ?? {}).length ? money(sumOf(stakes)) : "–";
  return el("li", {}, el("b", {}, `${seat} ${player}`), el("span", {}, staked));
}

/** @param {HTMLElement} target @param {Duty[]} waits @param {string} table */
function showWaits(target, waits, table) {
  const as = JSON.stringify(waits);
  if (target.dataset.as === as) return;
  target.dataset.as = as;
  target.replaceChildren(
    ...waits.map((duty) => dutyButton(duty, (command) => give(table, command))),
  );
}

// Tables that wait come first; the others keep their places, and the focus stays where it is.
function order() {
  const focused = document.activeElement;
  const tiles = [...$("tiles").children].sort(
    (one, other) =>
      Number(other.classList.contains("waits")) - Number(one.classList.contains("waits")) ||
      Number(one.id.slice(5)) - Number(other.id.slice(5)),
  );
  $("tiles").append(...tiles);
  if (focused instanceof HTMLElement) focused.focus();
}

/** @param {string} table @param {Command} command */
async function give(table, command) {
  const told = await ask(table, command);
  no(told.outcome === "done" ? null : told);
}

document.addEventListener("keydown", (event) => {
  const isFree = !event.ctrlKey && !event.metaKey && !around(event, "input, select, textarea");
  if (event.key === "m" && isFree) turnSound();
});
