// What the staff may do now, in words: one line for each command that a view can offer.

import { isOverdue, isStopped, isTooMany } from "./decks.js";
import { chipsAsked, disputeEnds } from "./requests.js";
import { el } from "../shared/dom.js";
import { hand } from "../shared/cards_and_chips.js";
import { money, netClass, netWords, spaced, titleOf } from "../shared/words.js";
import { cite } from "../shared/clause_note.js";

const REFUSED = {
  hand: [
    "the hand does not qualify",
    "The wager is lost, nothing leaves the meter, and no Envy is paid for it.",
  ],
  wager: [
    "the wager was not accepted",
    "The chip goes back, nothing leaves the meter, and Envy is as if no Progressive wager " +
      "had been made.",
  ],
};
const won = (box, view) =>
  (view.boxes ?? []).find((one) => one.seat === box)?.lines?.find((line) => line.pending)
    ?.paid_cents ?? 0;

/**
 * @typedef {{ name: string, label: string, min?: number, max?: number, value?: number,
 *   optional?: boolean, cents?: boolean, text?: boolean, check?: boolean }} Asked
 */

/**
 * What the staff may do: its words, what follows, by what ruling, and what has to be asked first.
 * @typedef {object} Duty
 * @property {string} says
 * @property {string | [string, string][]} then
 * @property {number} ruling
 * @property {Asked[] | null} asks
 * @property {boolean} urgent
 * @property {boolean} first
 * @property {boolean} rare
 * @property {import("../table/seat.js").Command} command
 */

const LEFT = {
  abandoned: "every wager is lost",
  default: "its default is played",
  back: "its player is back",
};
const ACTS = {
  abandon: "rule the hand abandoned",
  "buy-in": "sell chips",
  "cash-out": "cash out chips",
  "pay-kept": "pay out chips that are kept",
  "count-drop": "the count of the drop",
  unlock: "unlock the table",
  correct: "correct what was paid",
};

/** @param {Server.Option} option */
function seconded({ names = [], box = 0, cents = [], may_uphold: mayUphold = true }) {
  const [act, by] = names;
  const what = `${ACTS[act] ?? spaced(act)}${box ? `, box ${box}` : ""}`;
  const sum = cents.length ? `, ${money(cents[0])}` : "";
  const said = { act, box };
  return [
    ...(mayUphold
      ? [[`Second ${by}: ${what}${sum}`, { ...said, upheld: true }, "It happens at once.", 33]]
      : []),
    [`Do not second ${by}: ${what}`, { ...said, upheld: false }],
  ];
}

// Each gives the buttons for an option: what they say, the command they send, what follows, by what
// ruling, and what has to be asked first. What follows is a sentence, or several with their
// clauses.
const DUTIES = {
  "open-table": () => [["Open the table", {}]],
  "no-more-bets": () => [["No more bets", {}]],
  deal: (option, view, facts) => [[dealt(option, view, facts), {}]],
  reveal: () => [["Turn the dealer's cards", {}]],
  "settle-box": (option) => [[`Settle box ${option.box}`, { box: option.box }]],
  "clear-cards": () => [["Clear the cards", {}]],
  "time-out": (option) => [
    [
      `Box ${option.box} does not answer`,
      { box: option.box },
      "The disclosed default is played for it: check, and fold where it cannot check.",
      34,
    ],
  ],
  "withdraw-wagers": (option) => [
    [
      `Hand back ${spaced(option.wagers.join(", "))} at box ${option.box}`,
      { box: option.box, wagers: option.wagers },
    ],
  ],
  "receive-deck": (option) => [
    [`Receive the ${option.color} deck`, { color: option.color }],
    [
      `Receive the ${option.color} deck preshuffled`,
      { color: option.color, preshuffled: true },
      "It comes shuffled from its maker: nothing is inspected, spread, washed or stacked.",
      23,
    ],
  ],
  "inspect-deck": ({ color }) => [
    [
      `The ${color} deck is inspected`,
      { color },
      "",
      0,
      [{ name: "alike", label: "I looked at the cards: all are alike", check: true }],
    ],
  ],
  "verify-inspection": ({ color, names = [] }) => {
    const says = `Verify the inspection of the ${color} deck`;
    const place = { name: "shoe_in_place", label: "The shoe is in its approved place" };
    return names.includes("shoe")
      ? [[says, { color }, "", 0, [{ ...place, check: true }]]]
      : [[says, { color, shoe_in_place: false }]];
  },
  "spread-deck": (option) => [[`Spread the ${option.color} deck`, { color: option.color }]],
  "wash-deck": (option) => [[`Wash the ${option.color} deck`, { color: option.color }]],
  "stack-deck": (option) => [[`Stack the ${option.color} deck`, { color: option.color }]],
  shuffle: (option, view, facts) => shuffled(option, facts),
  cut: (option, view, facts) => [
    [
      "Cut the deck",
      {},
      [
        [
          `${facts.handling.cut.join(" to ")} cards from the top go to the bottom.`,
          facts.handling.cut_clause,
        ],
      ],
      23,
      [
        {
          name: "cards",
          label: "Cards from the top",
          min: facts.handling.cut[0],
          max: facts.handling.cut[1],
          value: 26,
        },
      ],
    ],
  ],
  "count-stub": (option, view, facts) => counted(option, view, facts),
  "go-idle": () => [
    [
      "Nobody plays: spread the cards face down",
      { face_up: false },
      "They lie so until somebody comes; then they are washed, stacked and shuffled again.",
    ],
    [
      "Nobody plays: spread the cards face up, as a player asked",
      { face_up: true },
      "They lie so until somebody comes; then they are washed, stacked and shuffled again.",
    ],
  ],
  "order-recut": () => [
    ["Order a recut", {}, "The dealer cuts the cards again before the first one is dealt.", 23],
  ],
  "order-shuffle": ({ color }) => [
    [
      color ? `Order the ${color} deck shuffled again` : "Order a new shuffle",
      color ? { color } : {},
      "Wagers that are down for it go back first; then it is a new order, committed to anew.",
      45,
    ],
  ],
  "remove-deck": (option) => [
    [
      `Take the ${option.color} deck away`,
      { color: option.color },
      "It leaves the table; a new one is received and inspected.",
      27,
    ],
  ],
  confirm: (option) => [
    ...(option.may_uphold === false ? [] : [["Uphold what was declared", { upheld: true }]]),
    ["Dismiss it", { upheld: false }],
  ],
  "answer-call": () => [["I am here", {}]],
  second: seconded,
  "decline-chips": chipsAsked,
  "open-dispute": ({ box }) => [
    [
      `Open a dispute of box ${box}`,
      { box },
      "Its wagers and its cards stay as they are until the floorperson has ended it.",
      0,
      [{ name: "reason", label: "What is said", text: true }],
    ],
  ],
  "end-dispute": disputeEnds,
  "pay-kept": (option) => [
    [
      `Pay out ${money(option.cents[0])} that are kept for ${option.names[0]}`,
      { player: option.names[0] },
      "A second person confirms it, where the policy asks for two.",
      33,
    ],
  ],
  "free-box": (option, view) => [
    [
      `Free box ${option.box}: its player is gone`,
      { box: option.box },
      "The chips are kept until the player comes back for them.",
    ],
  ],
  "count-drop": (option) => [
    [
      "Count the drop",
      {},
      "What is found is held against what was sold for it; a second person confirms the count, " +
        "where the policy asks for two.",
      33,
      option.names.map((taken) => ({
        name: `found.${taken}`,
        label: `Dollars in ${taken}`,
        min: 0,
        cents: true,
      })),
    ],
  ],
  "lock-table": () => [
    [
      "Lock the table for a dispute",
      { reason: "a dispute" },
      "Nothing moves until it is unlocked, by two people where the policy asks for two.",
      33,
    ],
  ],
  "unlock-table": () => [["Unlock the table", { reason: "the dispute is resolved" }]],
  "rule-on-absence": (option) =>
    option.names.map((way, n) => [
      `Box ${option.box} left: ${LEFT[way]}${n ? "" : ", as filed"}`,
      { box: option.box, outcome: way },
    ]),
  "return-chip": (option) => [
    [`Return the Progressive chip of box ${option.box}`, { box: option.box }],
  ],
  "cancel-acceptance": (option) => [
    [`Cancel the acceptance at box ${option.box}`, { box: option.box }],
  ],
  "validate-progressive": (option, view) => [
    [
      `Validate ${money(won(option.box, view))}, Progressive of box ${option.box}`,
      { box: option.box },
    ],
  ],
  "propose-refusal": (option) =>
    option.names.map((reason) => [
      `Propose to refuse it: ${REFUSED[reason][0]}`,
      { box: option.box, reason },
      `${REFUSED[reason][1]} A manager confirms it or sends it back.`,
      36,
    ]),
  "confirm-refusal": (option) => [
    ...(option.may_uphold === false
      ? []
      : [
          [
            `Confirm the refusal: ${REFUSED[option.names[0]][0]}`,
            { box: option.box, upheld: true },
            REFUSED[option.names[0]][1],
            36,
          ],
        ]),
    ["Send it back to the floor", { box: option.box, upheld: false }],
  ],
  "record-paperwork": (option) => [[`Papers for box ${option.box} are done`, { box: option.box }]],
  "report-absence": (option) => [
    [
      `The player of box ${option.box} left`,
      { box: option.box },
      "The floorperson rules: its hand is played by the default, " +
        "or abandoned with every wager lost.",
      34,
    ],
  ],
  "report-device": (option) =>
    option.names.map((device) => [
      `The ${spaced(device)} is out of order`,
      { device },
      "It must be covered or signed before the cards are dealt another way.",
      31,
    ]),
  "cover-device": (option) =>
    option.names.flatMap((device) =>
      [
        [`The ${spaced(device)} is covered`, "covered"],
        [`A sign on the ${spaced(device)} says that it is out of order`, "signed"],
      ].map(([says, how]) => [
        says,
        { device, how },
        "Then another way of dealing may be used.",
        31,
      ]),
    ),
  "restore-device": (option) =>
    option.names.map((device) => [
      `The ${spaced(device)} works again`,
      { device },
      "The filed way of dealing comes back.",
      31,
    ]),
  "change-way": (option) =>
    option.names.map((way) => [
      `Deal by ${spaced(way)}`,
      { way },
      "Where it deals no cards to the Six Card box, that wager is suspended.",
      31,
    ]),
};

const FIRST = [
  "open-table",
  "no-more-bets",
  "deal",
  "reveal",
  "settle-box",
  "clear-cards",
  "confirm",
  "answer-call",
  "validate-progressive",
  "confirm-refusal",
  "record-paperwork",
  "rule-on-absence",
  "second",
  "unlock-table",
];
const RARE = [
  "open-dispute",
  "count-drop",
  "free-box",
  "lock-table",
  "pay-kept",
  "report-absence",
  "report-device",
  "restore-device",
  "order-recut",
  "order-shuffle",
  "go-idle",
  "time-out",
];
// What else a command may be said for, and seldom is.
const SELDOM = ["shuffle", "receive-deck"];

/**
 * @param {Server.Option} option
 * @param {Server.TableFacts} facts
 */
function shuffled({ color, by_device: byDevice = false, cards = 0 }, facts) {
  if (!byDevice) return [[`Shuffle the ${color} deck`, { color }]];
  if (!cards) return [[`Put the ${color} deck through the shuffler`, { color, by_device: true }]];
  const then = [
    [
      "That deck leaves the table, and what was settled stays settled. " +
        "If this round is dealt from it, the round is void and every wager goes back.",
      facts.handling.finds,
    ],
  ];
  return [
    [
      `The ${color} deck is shuffled: ${cards} cards found`,
      { color, by_device: true, found: cards },
    ],
    [
      `The device finds another number of cards in the ${color} deck`,
      { color, by_device: true },
      then,
      26,
      [{ name: "found", label: "Cards found", min: 0, max: 99 }],
    ],
  ];
}

/**
 * Nothing is filled in: a count is what somebody counted. What a wrong one does is told first.
 * @param {Server.Option} option
 * @param {Server.View} view
 * @param {Server.TableFacts} facts
 */
function counted({ color }, view, facts) {
  const { cards, counts } = facts.handling;
  const { right, misdealt, wrong } = counts[view.way];
  const many = { min: 0, max: 99 };
  if (view.phase === "betting") {
    const then = [
      [`${cards} cards: play goes on.`, right],
      ["Any other number: the deck leaves the table.", wrong],
    ];
    return [
      [
        `Count the ${color} deck`,
        { on_table: 0 },
        then,
        26,
        [{ name: "stub", label: "Cards in the deck", ...many }],
      ],
    ];
  }
  const then = [
    [
      `${cards} together, with what was burnt or set aside, and all in place: the round goes on.`,
      right,
    ],
    [`${cards}, but dealt wrong: the round is void.`, misdealt],
    [`Not ${cards}: the round is void, and the deck leaves the table.`, wrong],
    ["Where the count is not right: write what each hand held as well.", misdealt],
  ];
  // Six cards at one box and four at another are a misdeal, though the sum is right.
  const held = (view.boxes ?? [])
    .filter((box) => box.cards?.length)
    .map(({ seat }) => ({
      name: `hands.${seat}`,
      label: `Box ${seat} held (dealt ${facts.hand})`,
      optional: true,
      ...many,
    }));
  const asks = [
    { name: "stub", label: "In the stub", ...many },
    { name: "on_table", label: "On the table", ...many },
  ];
  const dealers = view.places?.dealer?.length;
  const dealt = dealers
    ? [{ name: "hands.0", label: `The dealer held (dealt ${dealers})`, optional: true, ...many }]
    : [];
  return [["Count the stub", {}, then, 46, [...asks, ...held, ...dealt]]];
}

const OF_DECK = [
  "count-stub",
  "go-idle",
  "receive-deck",
  "remove-deck",
  "order-recut",
  "order-shuffle",
];
export const isOfDeck = (duty) => OF_DECK.includes(duty.command.do);

/**
 * What cannot wait stands before everything else; what may be done at any time, with the rare
 * things.
 * @param {Server.Option} option
 * @param {Server.View} view
 */
function isUrgent(option, view) {
  if (option.do === "remove-deck") return isOverdue(view, option.color) || isTooMany(view);
  return option.do === "cover-device" || Boolean(option.due);
}

/**
 * @param {Server.Option} option
 * @param {Server.View} view
 */
function isRare(option, view, n) {
  if (["remove-deck", "count-stub", "change-way"].includes(option.do))
    return !isUrgent(option, view) && !standsIn(option, view);
  return RARE.includes(option.do) || (n > 0 && SELDOM.includes(option.do));
}

// Another way of dealing is what comes next while a device is out of order.
const standsIn = (option, view) =>
  option.do === "change-way" && Object.keys(view.devices ?? {}).length > 0;

/**
 * The step that is due: the first of the way's steps whose cards do not lie there yet.
 * @param {Server.Option} option
 * @param {Server.View} view
 * @param {Server.TableFacts} facts
 */
function dealt(option, view, facts) {
  const boxes = (view.boxes ?? []).filter((box) => Object.keys(box.stakes ?? {}).length);
  const lie = { boxes: Math.max(0, ...boxes.map((box) => box.cards?.length ?? 0)) };
  const up = {};
  for (const [place, cards] of Object.entries(view.places ?? {}))
    [lie[place], up[place]] = [cards.length, cards.filter((name) => name !== "??").length];
  for (const { to, deal, turn, says } of facts.deals[view.way] ?? []) {
    const kind = turn ? up : lie;
    kind[to] = (kind[to] ?? 0) - (deal || turn);
    if (kind[to] >= 0) continue;
    if ((option.cards ?? 0) !== deal * (to === "boxes" ? boxes.length : 1)) break;
    return to === "boxes" ? says.replace("the boxes", each(boxes)) : says;
  }
  return option.cards
    ? `Deal ${option.cards} card${option.cards > 1 ? "s" : ""}`
    : "Next step of the deal";
}

function each(boxes) {
  const seats = boxes.map((box) => box.seat);
  return seats.length === 1
    ? `box ${seats[0]}`
    : `each of boxes ${seats.slice(0, -1).join(", ")} and ${seats.at(-1)}`;
}

/**
 * @param {Server.View} view
 * @param {Server.TableFacts} facts
 */
export function duties(view, facts) {
  const found = [];
  for (const option of view.may ?? []) {
    const said = DUTIES[option.do];
    if (!said || (option.do === "no-more-bets" && isStopped(view))) continue;
    said(option, view, facts).forEach(([says, fields, then = "", ruling = 0, asks = null], n) => {
      const urgent = n === 0 && isUrgent(option, view);
      found.push({
        says,
        then,
        ruling,
        asks,
        urgent,
        command: { do: option.do, ...fields },
        first: n === 0 && FIRST.includes(option.do),
        rare: isRare(option, view, n),
      });
    });
  }
  const next = found.find((duty) => !duty.rare);
  if (next && !found.some((duty) => duty.first)) next.first = true;
  if (!found.some((duty) => duty.urgent)) return found;
  return found
    .map((duty) => ({ ...duty, first: duty.urgent }))
    .sort((one, other) => other.urgent - one.urgent);
}

/**
 * What will happen, before anybody does it.
 * @param {Duty} duty
 */
export function follows(duty, clause) {
  if (duty.then.length === 1)
    return el("p", {}, `${duty.then[0][0]} `, cite(duty.then[0][1], duty.ruling));
  if (Array.isArray(duty.then))
    return el(
      "ul",
      { class: "follows" },
      ...duty.then.map(([says, by]) => el("li", {}, `${says} `, cite(by, duty.ruling))),
    );
  return duty.then
    ? el("p", {}, `${duty.then} `, duty.ruling ? cite(clause, duty.ruling) : "")
    : "";
}

/**
 * A number or two, or words, that only a person can give.
 * @param {Duty} duty
 * @param {(command: import("../table/seat.js").Command) => any} give
 */
export function dutyForm(duty, give) {
  const form = el(
    "form",
    { class: "asks", "data-do": duty.command.do },
    ...duty.asks.map((asked) =>
      asked.check
        ? el("label", { class: "check" }, checkInput(asked), asked.label)
        : el("label", {}, asked.label, asked.text ? wordsInput(asked) : numberInput(asked)),
    ),
    el("button", { class: duty.rare ? "risk" : duty.first ? "main" : "" }, duty.says),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    give({ ...duty.command, ...said(duty.asks, form) });
  });
  return form;
}

// What somebody attests is never ticked beforehand.
/** @param {Asked} asked */
const checkInput = ({ name }) => el("input", { name, type: "checkbox", required: true });

/** @param {Asked} asked */
const wordsInput = ({ name }) =>
  el("input", { name, maxlength: 100, autocomplete: "off", required: true });

/** @param {Asked} asked */
const numberInput = ({ name, min, max, value, optional = false, cents = false }) =>
  el("input", {
    name,
    type: "number",
    inputmode: cents ? "decimal" : "numeric",
    step: cents ? "0.01" : null,
    autocomplete: "off",
    required: optional ? null : true,
    min,
    max,
    value: value ?? "",
  });

// What was written, by name; "hands.3" is what stands under 3 among the hands.
function said(asks, form) {
  const found = {};
  for (const { name, optional, cents = false, text = false, check = false } of asks) {
    const { value, checked } = form.elements[name];
    if (check) {
      found[name] = checked;
      continue;
    }
    if (optional && value === "") continue;
    if (text) {
      found[name] = value.trim();
      continue;
    }
    const [field, key] = name.split(".");
    const number = cents ? Math.round(Number(value) * 100) : Number(value);
    if (key) found[field] = { ...found[field], [key]: number };
    else found[field] = number;
  }
  return found;
}

/**
 * @param {Duty} duty
 * @param {(command: import("../table/seat.js").Command) => any} give
 */
export function dutyButton(duty, give, key = "") {
  if (duty.asks) return el("div", { class: "asked-for" }, follows(duty), dutyForm(duty, give));
  const button = el(
    "button",
    {
      type: "button",
      class: `duty ${duty.first ? "main" : ""}`,
      "data-do": duty.command.do,
      "aria-keyshortcuts": key || null,
    },
    el("b", {}, duty.says),
    key ? el("kbd", {}, key) : "",
  );
  button.addEventListener("click", () => give(duty.command));
  return button;
}

export const PHASES = {
  betting: "betting",
  dealing: "the deal",
  acting: "decisions",
  revealing: "the reveal",
  settling: "settlement",
  clearing: "round over",
};

/**
 * @param {Server.BoxView} box
 * @param {Server.View} view
 * @param {Server.TableFacts} facts
 */
export function boxRow(box, view, facts) {
  const stakes = Object.entries(box.stakes ?? {})
    .map(([wager, cents]) => `${titleOf(facts, wager)} ${money(cents)}`)
    .join(", ");
  const cards = box.cards ?? [];
  const net = box.net_cents ?? null;
  return el(
    "tr",
    { class: view.turn === box.seat ? "is-asked" : "" },
    el("th", { scope: "row" }, String(box.seat)),
    el("td", {}, `${box.player || "–"}${box.away ? ` (${box.away})` : ""}`),
    el("td", {}, box.chips_cents ? money(box.chips_cents) : "–", chipWords(box)),
    el("td", {}, cards.length ? hand(cards, cards.length > 2 ? 34 : 66) : "–"),
    el("td", {}, stakes || "–"),
    el("td", { class: netClass(net) }, net === null ? standing(box, view) : netWords(net)),
  );
}

/** @param {Server.BoxView} box */
function chipWords({ asked_cents: asked = 0, bought_cents: bought = 0, cashed_cents: cashed = 0 }) {
  const words = [
    asked ? `asks for ${money(asked)}` : "",
    bought || cashed ? "not acknowledged yet" : "",
  ].filter(Boolean);
  return words.length ? el("small", { class: "asks-chips" }, ` ${words.join(", ")}`) : "";
}

/**
 * @param {Server.BoxView} box
 * @param {Server.View} view
 */
function standing(box, view) {
  if (box.folded) return "folded";
  if (view.turn !== box.seat) return "";
  return view.phase === "settling" ? "is next" : "is asked";
}
