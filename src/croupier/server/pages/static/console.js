// The dealer's console, and the floorperson's: what may be done now, as buttons with their clause.

import "./door.js";
import { boxRow, duties, dutyButton, PHASES } from "./duties.js";
import { CloseUp, Layer } from "./felt.js";
import { ask, facts as read, Link, post, say } from "./link.js";
import { el, money } from "./svg.js";

const $ = (id) => document.getElementById(id);
const facts = read();
const titles = Object.fromEntries(facts.wagers.map((wager) => [wager.name, wager.title]));
const role = document.querySelector("meta[name=role]").content;
const layer = new Layer($("felt"), facts.areas, facts.hand);
const closeUp = new CloseUp($("far"), $("felt"), facts);
let frame = null;
let busy = false;

const link = new Link(`/api/tables/${encodeURIComponent(facts.table)}/live`, show, connection);

function show(told) {
  const before = frame;
  frame = told;
  const { view } = told;
  layer.show(view);
  closeUp.show(view);
  $("round").textContent = view.round;
  $("phase").textContent = view.waits_for ? "floor called" : PHASES[view.phase];
  $("hint").replaceChildren(hint(view), " ", el("small", { class: "clause" }, view.clause));
  showNext(view);
  showWrong(view);
  $("boxes").tBodies[0].replaceChildren(...(view.boxes ?? []).map((box) => boxRow(box, view, titles)));
  $("meters").replaceChildren(...Object.entries(view.meters ?? {}).map(([name, micros]) => el("span", {}, el("small", {}, name === "main" ? "Progressive" : name), el("b", {}, money(Math.floor(micros / 10000))))));
  showBuyers(view);
  for (const area of $("felt").querySelectorAll("g.felt-area[data-place=box]")) area.classList.toggle("is-asked", area.dataset.box === String(view.turn ?? 0));
  for (const box of view.boxes ?? []) {
    for (const area of $("felt").querySelectorAll(`g.felt-area[data-wager=progressive][data-box="${box.seat}"]`)) area.classList.toggle("is-lit", Boolean(box.light));
  }
  if (["settling", "clearing", "betting"].includes(view.phase)) showPaid(view, before);
  say(hint(view));
}

function hint(view) {
  if (view.waits_for) return role === "dealer" ? `The floorperson is called: ${words(view.waits_for)}.` : `Declared: ${words(view.waits_for)}. Your word decides.`;
  if (view.phase === "betting") return (view.boxes ?? []).some((box) => Object.keys(box.stakes ?? {}).length) ? "Wagers are coming in." : "Waiting for wagers.";
  if (view.phase === "acting") {
    const asked = view.boxes.find((box) => box.seat === view.turn);
    return `Box ${view.turn}${asked?.player ? `, ${asked.player},` : ""} is asked.`;
  }
  return { dealing: "Deal the next step.", revealing: "All have answered.", settling: "Settle box by box.", clearing: "Everything is settled." }[view.phase];
}

function words(name) { return facts.mishaps[name]?.[0] ?? name.replaceAll("-", " "); }

async function give(command, seen) {
  if (busy) return false;
  busy = true;
  const told = await ask(facts.table, command, seen);
  busy = false;
  $("no").replaceChildren();
  if (told.outcome === "done") return true;
  const sentence = told.sentence ?? "that did not work";
  $("no").replaceChildren(`${sentence[0].toUpperCase()}${sentence.slice(1)}.`, told.clause ? el("small", {}, ` ${told.clause}`) : "");
  return false;
}

function showNext(view) {
  const found = duties(view.may ?? []).filter((duty) => !duty.rare);
  const as = JSON.stringify(found);
  if (as === showNext.as) return;
  showNext.as = as;
  const focused = document.activeElement?.closest(".duty") !== null;
  const ordered = [...found.filter((duty) => duty.first), ...found.filter((duty) => !duty.first)];
  $("next").replaceChildren(...(ordered.length ? ordered.map((duty, n) => dutyButton(duty, give, n === 0 ? "Enter" : "")) : [el("p", { class: "fine" }, "Nothing for you now.")]));
  if (focused) $("next").querySelector("button")?.focus();
}

function showWrong(view) {
  const as = JSON.stringify((view.may ?? []).filter((option) => ["declare", "void-round"].includes(option.do)).concat(duties(view.may ?? []).filter((duty) => duty.rare)));
  if (as === showWrong.as) return;
  showWrong.as = as;
  const rows = [];
  const declared = (view.may ?? []).find((option) => option.do === "declare");
  for (const name of declared?.names ?? []) rows.push(mishap(name));
  for (const duty of duties(view.may ?? []).filter((one) => one.rare)) rows.push(dutyButton(duty, give));
  if ((view.may ?? []).some((option) => option.do === "void-round")) rows.push(voidForm());
  $("wrong").replaceChildren(...(rows.length ? rows : [el("p", { class: "fine" }, "Nothing can go wrong at this moment that the rules know.")]));
}

function mishap(name) {
  const [happens, remedy, clause] = facts.mishaps[name];
  const button = el("button", { type: "button", class: "risk" }, "Declare");
  button.addEventListener("click", () => give({ do: "declare", name, ...(/set aside|set it aside/.test(remedy) ? { cards: ["??"] } : {}) }));
  return el("details", {}, el("summary", {}, happens), el("p", {}, `${remedy[0].toUpperCase()}${remedy.slice(1)}. `, el("small", {}, clause)), button);
}

function voidForm() {
  const form = el("form", { class: "inline" }, el("label", {}, "Why the system cannot go on ", el("input", { name: "reason", required: true, maxlength: 100 })), el("button", { class: "risk" }, "Void the round"));
  form.addEventListener("submit", (event) => { event.preventDefault(); give({ do: "void-round", reason: form.elements.reason.value }); });
  return el("details", {}, el("summary", {}, "The system itself cannot go on"), form);
}

function showBuyers(view) {
  const boxes = (view.may ?? []).filter((option) => option.do === "buy-in").map((option) => option.box);
  const choice = $("buy").elements.box;
  const as = boxes.join();
  $("buy").closest("section").hidden = !boxes.length;
  if (choice.dataset.as === as) return;
  choice.dataset.as = as;
  choice.replaceChildren(...boxes.map((box) => el("option", { value: box }, `${box} · ${view.boxes.find((one) => one.seat === box)?.player ?? ""}`)));
}

$("buy").addEventListener("submit", (event) => {
  event.preventDefault();
  give({ do: "buy-in", box: Number(event.target.elements.box.value), cents: Math.round(Number(event.target.elements.dollars.value) * 100) });
});

// What was settled, told again from the ledger: each wager with its amount and clause.
async function showPaid(view, before) {
  const number = (view.boxes ?? []).some((box) => box.net_cents !== undefined) ? (view.phase === "betting" ? view.round - 1 : view.round) : 0;
  const as = `${number} ${(view.boxes ?? []).filter((box) => box.net_cents !== undefined).length}`;
  if (!number || as === showPaid.as) return;
  showPaid.as = as;
  const response = await fetch(`/api/tables/${encodeURIComponent(facts.table)}/rounds/${number}`);
  if (!response.ok) return;
  const replay = await response.json();
  const lines = replay.events.filter((event) => event.event === "wager-settled");
  const boxes = [...new Set(lines.map((line) => line.data.box))];
  $("paid-title").textContent = `Settled in round ${number}`;
  $("paid").replaceChildren(...boxes.reverse().map((box) => paidBox(box, lines.filter((line) => line.data.box === box))));
}

function paidBox(box, lines) {
  const rows = lines.map(({ data, clauses }) => el("tr", { class: `is-${data.outcome}` }, el("th", { scope: "row" }, titles[data.wager] ?? data.wager.replaceAll("_", " "), el("small", {}, data.shows ?? "")),
    el("td", {}, money(data.stake_cents)), el("td", {}, data.odds ?? ""), el("td", { class: "outcome" }, data.paid_cents ? `pay ${money(data.paid_cents)}` : { lose: "take", forfeit: "take", push: "leave", returned: "return" }[data.outcome] ?? data.outcome, el("small", {}, clauses[0] ?? ""))));
  return el("table", { class: "lines" }, el("caption", {}, `Box ${box}`), el("tbody", {}, ...rows));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.closest("button, input, select, summary, a, dialog, textarea")) return;
  $("next").querySelector("button.main")?.click();
});

function connection(state, why) {
  document.body.dataset.link = state;
  if (state === "login" && /locked/.test(why ?? "")) $("locked").showModal();
  else if (state === "login") location.assign(`/login?to=${encodeURIComponent(location.pathname)}`);
}

$("unlock").addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await post("/api/unlock", { password: event.target.elements.password.value });
  if (!told.token) { $("lock-no").textContent = `${told.sentence}.`; return; }
  event.target.reset();
  $("locked").close();
  link.connect();
});
