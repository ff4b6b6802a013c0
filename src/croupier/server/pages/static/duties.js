// What the staff may do now, in words: one line for each command that a view can offer.

import { card, el, money, spoken, svg } from "./svg.js";

const named = (name) => name.replaceAll("_", " ");

// Each gives the buttons for an option: what they say, the command they send, and what follows.
const DUTIES = {
  "open-table": () => [["Open the table", {}]],
  "no-more-bets": () => [["No more bets", {}]],
  deal: (option, view, facts) => [[dealt(option, view, facts), {}]],
  reveal: () => [["Turn the dealer's cards", {}]],
  "settle-box": (option) => [[`Settle box ${option.box}`, { box: option.box }]],
  "clear-cards": () => [["Clear the cards", {}]],
  "time-out": (option) => [[`Box ${option.box} does not answer`, { box: option.box }, "The disclosed default is played for it: check, and fold where it cannot check.", 34]],
  "withdraw-wagers": (option) => [[`Hand back ${named(option.wagers.join(", "))} at box ${option.box}`, { box: option.box, wagers: option.wagers }]],
  "receive-deck": (option) => [[`Receive the ${option.color} deck`, { color: option.color }]],
  "inspect-deck": (option) => [[`Inspect the ${option.color} deck`, { color: option.color }]],
  "verify-inspection": (option) => [[`Verify the inspection of the ${option.color} deck`, { color: option.color }]],
  "spread-deck": (option) => [[`Spread the ${option.color} deck`, { color: option.color }]],
  "wash-deck": (option) => [[`Wash the ${option.color} deck`, { color: option.color }]],
  "stack-deck": (option) => [[`Stack the ${option.color} deck`, { color: option.color }]],
  shuffle: (option) => [[
    `Shuffle the ${option.color} deck`,
    { color: option.color, by_device: option.by_device || false, found: option.cards || null },
  ]],
  cut: () => [["Cut the deck", { cards: 26 }]],
  "order-recut": () => [["Order a recut", {}, "The dealer cuts the cards again before the first one is dealt.", 23]],
  "order-shuffle": (option) => [[`Order the ${option.color} deck shuffled again`, { color: option.color }, "The dealer shuffles it again before it is dealt."]],
  "remove-deck": (option) => [[`Remove the ${option.color} deck`, { color: option.color }, "It leaves the table; a new one is received and inspected.", 27]],
  confirm: () => [["Uphold what was declared", { upheld: true }], ["Dismiss it", { upheld: false }]],
  "rule-on-absence": (option) => [[`Box ${option.box} left: rule as filed`, { box: option.box }], [`Box ${option.box}: play its default`, { box: option.box, outcome: "default" }], [`Box ${option.box}: abandoned, every wager lost`, { box: option.box, outcome: "abandoned" }]],
  "return-chip": (option) => [[`Return the Progressive chip of box ${option.box}`, { box: option.box }]],
  "cancel-acceptance": (option) => [[`Cancel the acceptance at box ${option.box}`, { box: option.box }]],
  "validate-progressive": (option) => [[`Approve ${money(option.cents?.[0] ?? 0)}, Progressive of box ${option.box}`, { box: option.box, approved: true }], [`Refuse it: back to the meter`, { box: option.box, approved: false }]],
  "record-paperwork": (option) => [[`Papers for box ${option.box} are done`, { box: option.box }]],
  "report-absence": (option) => [[`The player of box ${option.box} left`, { box: option.box }, "The floorperson rules: its hand is played by the default, or abandoned with every wager lost.", 34]],
  "report-device": (option) => option.names.map((device) => [`The ${named(device)} is out of order`, { device }, "It must be covered or signed before the cards are dealt another way.", 31]),
  "cover-device": (option) => option.names.map((device) => [`Cover the ${named(device)}`, { device }, "Then another way of dealing may be used.", 31]),
  "restore-device": (option) => option.names.map((device) => [`The ${named(device)} works again`, { device }, "The filed way of dealing comes back.", 31]),
  "change-way": (option) => option.names.map((way) => [`Deal by ${named(way)}`, { way }, "Where it deals no cards to the Six Card box, that wager is suspended.", 31]),
};

const FIRST = ["open-table", "no-more-bets", "deal", "reveal", "settle-box", "clear-cards", "confirm", "validate-progressive", "record-paperwork", "rule-on-absence"];
const RARE = ["report-absence", "report-device", "cover-device", "restore-device", "change-way", "order-recut", "order-shuffle", "remove-deck", "time-out"];

// The step that is due: the first of the way's steps whose cards do not lie there yet.
function dealt(option, view, facts) {
  const boxes = (view.boxes ?? []).filter((box) => Object.keys(box.stakes ?? {}).length);
  const lie = { boxes: Math.max(0, ...boxes.map((box) => box.cards?.length ?? 0)) };
  const up = {};
  for (const [place, cards] of Object.entries(view.places ?? {})) [lie[place], up[place]] = [cards.length, cards.filter((name) => name !== "??").length];
  for (const { to, deal, turn, says } of facts.deals[view.way] ?? []) {
    const kind = turn ? up : lie;
    kind[to] = (kind[to] ?? 0) - (deal || turn);
    if (kind[to] >= 0) continue;
    if ((option.cards ?? 0) !== deal * (to === "boxes" ? boxes.length : 1)) break;
    return to === "boxes" ? says.replace("the boxes", each(boxes)) : says;
  }
  return option.cards ? `Deal ${option.cards} card${option.cards > 1 ? "s" : ""}` : "Next step of the deal";
}

function each(boxes) {
  const seats = boxes.map((box) => box.seat);
  return seats.length === 1 ? `box ${seats[0]}` : `each of boxes ${seats.slice(0, -1).join(", ")} and ${seats.at(-1)}`;
}

export function duties(view, facts) {
  const found = [];
  for (const option of view.may ?? []) {
    const said = DUTIES[option.do];
    if (!said) continue;
    said(option, view, facts).forEach(([says, fields, then = "", ruling = 0], n) => found.push({ says, then, ruling, command: { do: option.do, ...fields }, first: n === 0 && FIRST.includes(option.do), rare: RARE.includes(option.do) }));
  }
  return found;
}

export function dutyButton(duty, give, key = "") {
  const button = el("button", { type: "button", class: `duty ${duty.first ? "main" : ""}`, "data-do": duty.command.do, "aria-keyshortcuts": key || null }, el("b", {}, duty.says), key ? el("kbd", {}, key) : "");
  button.addEventListener("click", () => give(duty.command));
  return button;
}

export const PHASES = { betting: "betting", dealing: "the deal", acting: "decisions", revealing: "the reveal", settling: "settlement", clearing: "round over" };

export function boxRow(box, view, titles) {
  const stakes = Object.entries(box.stakes ?? {}).map(([wager, cents]) => `${titles[wager] ?? wager} ${money(cents)}`).join(", ");
  const net = box.net_cents ?? null;
  const ends = net === null ? (box.folded ? "folded" : view.turn === box.seat ? (view.phase === "settling" ? "is next" : "is asked") : "") : net ? money(net, { sign: true }) : "even";
  return el("tr", { class: view.turn === box.seat ? "is-asked" : "" }, el("th", { scope: "row" }, String(box.seat)), el("td", {}, `${box.player || "–"}${box.away ? ` (${box.away})` : ""}`),
    el("td", {}, box.chips_cents ? money(box.chips_cents) : "–"), el("td", {}, hand(box.cards ?? [])), el("td", {}, stakes || "–"), el("td", { class: net > 0 ? "won" : net < 0 ? "lost" : "" }, ends));
}

export function hand(cards) {
  if (!cards.length) return "–";
  const step = cards.length > 2 ? 34 : 66;
  return svg("svg", { viewBox: `-33 -45 ${(cards.length - 1) * step + 66} 90`, role: "img", "aria-label": cards.map(spoken).join(", ") }, ...cards.map((name, n) => svg("g", { transform: `translate(${n * step} 0)` }, card(name))));
}
