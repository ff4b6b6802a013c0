// The dealer's console, and the floorperson's: what may be done now, as buttons with their clause.

import "./login.js";
import { Cases } from "../staff/cases.js";
import { callWords, Calling, floorCalls } from "../staff/floor_call.js";
import { Clock } from "../table/decision_clock.js";
import { Decks } from "../staff/decks.js";
import { boxRow, duties, dutyButton, isOfDeck, PHASES } from "../staff/duties.js";
import { CloseUp, Layer, lightSensors, markAsked, meters } from "../table/felt.js";
import {
  ask, facts as read, Connection, livePath, metaOf, post, say, toLogin,
} from "../shared/connection.js";
import { Irregularities, whenUpheld } from "../staff/irregularities.js";
import { $, around, el, fieldOf, fieldsOf, first, letGo, onSubmit } from "../shared/dom.js";
import { spoken } from "../shared/cards_and_chips.js";
import { heard } from "../table/announcements.js";
import { called } from "../shared/attention.js";
import { isOffered, offered } from "../shared/offers.js";
import { openMenu } from "../shared/settings_menu.js";
import { turnSound } from "../shared/sound.js";
import { moment, money, netClass, netWords, titleOf } from "../shared/words.js";
import { cite, no } from "../shared/clause_note.js";

/** @import { Command, Frame, LinkState } from "../shared/connection.js" */

/** @import { Duty } from "../staff/duties.js" */

/** @type {Server.TableFacts} */
const facts = read();
const role = metaOf("role");
const felt = $("felt", SVGElement);
const layer = new Layer(felt, facts.areas, facts.hand);
const closeUp = new CloseUp($("far"), felt, facts);
const clock = new Clock($("clock"));
const irregularities = new Irregularities($("wrong"), facts, (command) => give(command));
const decks = facts.handling
  ? new Decks(
      {
        checklist: $("opening"),
        decks: $("decks"),
        counted: $("counted"),
        more: new Irregularities($("more"), facts, (command) => give(command), ""),
      },
      facts,
    )
  : null;
const buy = $("buy", HTMLFormElement);
const calling = new Calling($("floor"), (command) => give(command));
const cases = role === "dealer" ? null : new Cases($("cases"), facts.table);
let busy = Promise.resolve(true);
const asking = new Set();
const MOST_TOLD = 60;

const connection = new Connection(livePath(facts.table), show, connectionChanged);

/** @param {Frame} frame */
function show(frame) {
  const { view } = frame;
  layer.show(view);
  closeUp.show(view);
  $("round").textContent = String(view.round);
  $("phase").textContent = view.waits_for ? "floor called" : PHASES[view.phase];
  $("hint").replaceChildren(`${hint(view)} `, cite(view.deck_waits?.[1] ?? view.clause));
  const all = duties(view, facts);
  $("checklist")?.toggleAttribute("hidden", !all.some((duty) => duty.command.do === "open-table"));
  showNext(all.filter((duty) => !duty.rare));
  irregularities.show(
    view,
    all.filter((duty) => duty.rare && !(decks && isOfDeck(duty))),
  );
  decks?.show(
    view,
    all.filter((duty) => duty.rare && isOfDeck(duty)),
  );
  $("boxes", HTMLTableElement).tBodies[0].replaceChildren(
    ...(view.boxes ?? []).map((box) => boxRow(box, view, facts)),
  );
  $("meters").replaceChildren(...meters(view));
  showSales(view);
  markAsked(felt, view);
  lightSensors(felt, view);
  showPaid(view);
  calling.show(view);
  cases?.show(view);
  showLately(frame);
  called(role === "dealer" ? dealerCalls(view) : floorCalls(view, all));
  delete $("main").dataset.waits; // Seen once it is whole, so that nothing moves by itself.
  say([heard(frame, "", facts.wagers), callWords(view), hint(view)].filter(Boolean).join(". "));
  clock.show(frame, frame.due?.role === "player" ? `Box ${frame.due.box} has` : "");
}

/**
 * What players want of the dealer: chips, or the cards.
 * @param {Server.View} view
 */
function dealerCalls({ boxes = [] }) {
  const asked = boxes.filter((box) => box.asked_cents);
  const ready = boxes.filter((box) => box.ready);
  return [
    ...asked.map((box) => `Box ${box.seat} asks for ${money(box.asked_cents)}`),
    ...ready.map((box) => `Box ${box.seat} is ready`).toReversed(),
  ];
}

/** @param {Server.View} view */
function hint(view) {
  const aside = view.set_aside?.length
    ? ` Set aside: ${view.set_aside.map(spoken).join(", ")}.`
    : "";
  return `${now(view)}${aside}${penniless(view)}`;
}

/**
 * Who sits down may not know that chips come first: the dealer is told.
 * @param {Server.View} view
 */
function penniless(view) {
  const sold = new Set(offered(view, "buy-in").map((option) => option.box));
  const bare = (view.boxes ?? [])
    .filter(
      (box) =>
        sold.has(box.seat) &&
        !box.chips_cents &&
        (view.over || !Object.keys(box.stakes ?? {}).length),
    )
    .map((box) => box.seat);
  if (view.phase !== "betting" || !bare.length) return "";
  return bare.length === 1
    ? ` Box ${bare[0]} has no chips: sell chips.`
    : ` Boxes ${bare.slice(0, -1).join(", ")} and ${bare.at(-1)} have no chips: sell chips.`;
}

const OPENING =
  "Open the table. Each round is a fresh sealed shuffle: no cards to inspect, cut or count.";

/** @param {Server.View} view */
function now(view) {
  if (view.waits_for) return waiting(view);
  if (view.deck_waits) return `${view.deck_waits[0]}.`;
  if (view.phase === "betting") {
    if (isOffered(view, "open-table")) return OPENING;
    return isOffered(view, "no-more-bets")
      ? "Wagers are down. Close the betting when all are ready."
      : "Waiting for wagers.";
  }
  if (view.phase === "acting") {
    const asked = view.boxes.find((box) => box.seat === view.turn);
    return `Box ${view.turn}${asked?.player ? `, ${asked.player},` : ""} is asked.`;
  }
  if (view.refusal) return refused(view);
  if ((view.boxes ?? []).some((box) => box.lines?.some((line) => line.pending))) {
    const hasWord = isOffered(view, "validate-progressive", "propose-refusal");
    return (
      `The Progressive win of box ${view.turn} waits for ` +
      `${hasWord ? "your word" : "the floorperson"}; nothing else is settled.`
    );
  }
  return {
    dealing: "Deal the next step.",
    revealing: "All have answered.",
    settling: `Settle box by box; box ${view.turn} is next.`,
    clearing: "Everything is settled.",
  }[view.phase];
}

// Who proposed it has said his word, a manager too; somebody else has the next.
/** @param {Server.View} view */
function refused(view) {
  const { refusal: [reason, by] = ["", ""], turn } = view;
  const [word] = offered(view, "confirm-refusal");
  const why = reason === "hand" ? "the hand does not qualify" : "the wager was not accepted";
  const mayUphold = word && (word.may_uphold ?? true);
  const then = mayUphold ? "Confirm it, or send it back." : "A manager has the word.";
  return `${by} proposes to refuse the Progressive win of box ${turn}: ${why}. ${then}`;
}

/** @param {Server.View} view */
function waiting(view) {
  const cause = facts.causes[view.waits_for];
  if (cause) {
    const listed = view.waits_for === "other-cause" ? [] : [cause];
    const why = [...listed, ...(view.waits_reason ? [view.waits_reason] : [])].join(": ");
    return (
      `The round cannot go on: ${why}. ` +
      "A manager upholds it: the round is void, and every wager goes back."
    );
  }
  const known = facts.irregularities[view.waits_for];
  const what = known?.happens ?? view.waits_for.replaceAll("-", " ");
  const then = whenUpheld(view, known?.remedy ?? "every wager goes back");
  return then ? `Declared: ${what}. ${then}` : `The floorperson is called: ${what}.`;
}

/**
 * One after the other, and none is lost; only a double click, the same thing asked of the same
 * view, is one click.
 * @param {Command} command
 */
function give(command) {
  const same = `${connection.frame?.version} ${JSON.stringify(command)}`;
  if (asking.has(same)) return busy;
  asking.add(same);
  busy = busy.then(() => said(command)).finally(() => asking.delete(same));
  return busy;
}

/** @param {Command} command */
async function said(command) {
  const told = await ask(facts.table, command);
  const done = told.outcome === "done";
  no(done ? null : told);
  return done;
}

let next = "";
/** @param {Duty[]} found */
function showNext(found) {
  const as = JSON.stringify(found);
  if (as === next) return;
  next = as;
  const focused = document.activeElement?.closest("#next") !== null;
  const ordered = [...found.filter((duty) => duty.first), ...found.filter((duty) => !duty.first)];
  $("next").replaceChildren(
    ...(ordered.length
      ? ordered.map((duty, n) => dutyButton(duty, give, n === 0 ? "Enter" : ""))
      : [el("p", { class: "fine" }, "Your next button comes here.")]),
  );
  if (focused) first("button", $("next"))?.focus();
}

/**
 * Chips over the counter: who may buy some, and what is taken for them.
 * @param {Server.View} view
 */
function showSales(view) {
  const options = offered(view, "buy-in");
  const choice = fieldOf(buy, "box", HTMLSelectElement);
  const taken = fieldOf(buy, "taken", HTMLSelectElement);
  /** @param {number} box */
  const who = (box) => view.boxes.find((one) => one.seat === box)?.player ?? "";
  const as = options.map((option) => `${option.box} ${who(option.box)} ${option.names}`).join();
  buy.closest("section").hidden = !options.length;
  if (choice.dataset.as === as) return;
  choice.dataset.as = as;
  const [chosen, kind] = [choice.value, taken.value];
  choice.replaceChildren(
    ...options.map(({ box }) => el("option", { value: box }, `${box} · ${who(box)}`)),
  );
  const kinds = options[0]?.names ?? [];
  taken.replaceChildren(...kinds.map((one) => el("option", { value: one }, one)));
  if (options.some(({ box }) => String(box) === chosen)) choice.value = chosen;
  if (kinds.includes(kind)) taken.value = kind;
}

// Asked once, a form lets go of the focus: the next Enter is for what is next, never the same sale
// again.
onSubmit(buy, () => {
  letGo();
  const { box, dollars, taken } = fieldsOf(buy);
  give({ do: "buy-in", box: Number(box), cents: Math.round(Number(dollars) * 100), taken });
});

// What happened at this table since the page is open, with its day, time and zone.
/** @param {Frame} frame */
function showLately({ events }) {
  if (!events.length) return;
  $("lately").querySelector(".fine")?.remove();
  for (const told of events) {
    const where = "box" in told ? `, box ${told.box}` : "";
    const words = `${told.event.replaceAll("-", " ")}${where}`;
    const at = el("small", {}, moment(1e6 * (told.at_s ?? 0)));
    $("lately").prepend(el("li", {}, el("b", {}, words), at));
  }
  while ($("lately").children.length > MOST_TOLD) $("lately").lastElementChild.remove();
}

// What to pay and to take, box by box, the last one first.
/** @type {Map<number, string> | null} */
let settled = null;
/** @param {Server.View} view */
function showPaid(view) {
  const boxes = (view.boxes ?? []).filter((box) => box.lines?.length);
  const now = new Map(boxes.map((box) => [box.seat, JSON.stringify([box.player, box.lines])]));
  const changed = boxes
    .filter((box) => settled?.get(box.seat) !== now.get(box.seat))
    .map((box) => box.seat);
  if (!changed.length && now.size === settled?.size) return;
  const order = [
    ...changed,
    ...[...(settled?.keys() ?? [])].filter((seat) => now.has(seat) && !changed.includes(seat)),
  ];
  settled = new Map(order.map((seat) => [seat, now.get(seat)]));
  $("paid-title").textContent = boxes.length
    ? `Pay and take, round ${view.over ?? view.round}`
    : "Pay and take";
  $("paid").replaceChildren(
    ...(order.length
      ? order.map((seat) => paidBox(boxes.find((box) => box.seat === seat)))
      : [
          el(
            "p",
            { class: "fine" },
            "Box by box as you settle: the amount, the odds and the clause.",
          ),
        ]),
  );
  $("paid").scrollTop = 0;
}

/** @param {Server.BoxView} box */
function paidBox(box) {
  const rows = box.lines.map((line) =>
    el(
      "tr",
      { class: `is-${line.outcome}` },
      el("th", { scope: "row" }, titleOf(facts, line.wager), el("small", {}, line.shows ?? "")),
      el("td", {}, line.stake_cents ? money(line.stake_cents) : ""),
      el("td", {}, line.odds ?? ""),
      el("td", { class: "outcome" }, toDo(line), cite(line.clause)),
    ),
  );
  const net = box.net_cents ?? 0;
  return el(
    "table",
    { class: "lines" },
    el(
      "caption",
      {},
      `Box ${box.seat} · ${box.player}`,
      el("b", { class: netClass(net) }, netWords(net)),
    ),
    el("tbody", {}, ...rows),
  );
}

/** @type {Partial<Record<Server.LineView["outcome"], string>>} */
const TO_DO = { lose: "take", forfeit: "taken", push: "leave", returned: "return" };

/** @param {Server.LineView} line */
function toDo(line) {
  if (line.pending) return `${money(line.paid_cents ?? 0)}, waits for the floor`;
  if (line.paid_cents) return `pay ${money(line.paid_cents)}`;
  return TO_DO[line.outcome] ?? line.outcome;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "m" && !around(event, "input, select, textarea")) turnSound();
  // Enter is for what is next again.
  if (event.key === "Escape" && around(event, "main")) letGo();
  const taken = around(event, "button, input, select, summary, a, dialog, textarea");
  if (event.key !== "Enter" || taken) return;
  event.preventDefault();
  first("button.main", $("next"))?.click();
});

openMenu();

/** @type {Partial<Record<LinkState, string>>} */
const LOST = {
  away: "The table is out of reach; your page comes back by itself.",
  closed: "The pit was closed; your page comes back when it is open again.",
};

/** @param {LinkState} state @param {string} [why] */
function connectionChanged(state, why) {
  document.body.dataset.link = state;
  if (state in LOST) delete $("main").dataset.waits;
  $("no").textContent = LOST[state] ?? "";
  if (state === "login" && /locked/.test(why ?? "")) locked.showModal();
  else if (state === "login") toLogin();
}

const locked = $("locked", HTMLDialogElement);
onSubmit($("unlock", HTMLFormElement), async (form) => {
  const told = await post("/api/unlock", fieldsOf(form));
  if (!told.token) {
    $("lock-no").textContent = `${told.sentence}.`;
    return;
  }
  form.reset();
  locked.close();
  connection.connect();
});
