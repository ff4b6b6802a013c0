// What the staff may do now, in words: one line for each command that a view can offer.

import { chipsAsked, disputeEnds } from "./requests.js";
import { el, fieldOf, onSubmit } from "../shared/dom.js";
import { hand } from "../shared/cards_and_chips.js";
import { money, netClass, netWords, spaced, titleOf } from "../shared/words.js";
import { cite } from "../shared/clause_note.js";

/** @import { Command } from "../shared/connection.js" */

/** @type {Record<string, [why: string, then: string]>} */
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
/** @param {number} box @param {Server.View} view */
const won = (box, view) =>
  (view.boxes ?? []).find((one) => one.seat === box)?.lines?.find((line) => line.pending)
    ?.paid_cents ?? 0;

/**
 * A sentence, or several with their clauses.
 * @typedef {string | [says: string, clause: string][]} Follows
 */

/**
 * @typedef {{ name: string, label: string, min?: number, max?: number, value?: number,
 *   optional?: boolean, cents?: boolean, text?: boolean, check?: boolean,
 *   choices?: [value: string, says: string][] }} Asked
 */

/**
 * What the staff may do: its words, what follows, by what ruling, and what has to be asked first.
 * @typedef {object} Duty
 * @property {string} says
 * @property {Follows} then
 * @property {number} ruling
 * @property {Asked[] | null} asks
 * @property {boolean} urgent
 * @property {boolean} first
 * @property {boolean} rare
 * @property {Command} command
 */

/**
 * A button for an option: what it says, the command that it sends, what follows, by what ruling,
 * and what has to be asked first.
 * @typedef {[says: string, fields: Record<string, unknown>, then?: Follows, ruling?: number,
 *   asks?: Asked[]]} Row
 */

/** @type {Record<string, string>} */
const LEFT = {
  abandoned: "every wager is lost",
  default: "its default is played",
  back: "its player is back",
};
/** @type {Record<string, string>} */
const ACTS = {
  abandon: "rule the hand abandoned",
  "buy-in": "sell chips",
  "cash-out": "cash out chips",
  "pay-kept": "pay out chips that are kept",
  "count-drop": "the count of the drop",
  unlock: "unlock the table",
  correct: "correct what was paid",
};

/**
 * What somebody may say yes to, unless it is his own.
 * @param {Server.Option} option
 * @param {Row} row
 */
const upheld = ({ may_uphold: may = true }, row) => (may ? [row] : []);

/** @param {Server.Option} option @returns {Row[]} */
function seconded(option) {
  const { names: [act, by] = [], box = 0, cents = [] } = option;
  const what = `${ACTS[act] ?? spaced(act)}${box ? `, box ${box}` : ""}`;
  const sum = cents.length ? `, ${money(cents[0])}` : "";
  const said = { act, box };
  return [
    ...upheld(option, [
      `Second ${by}: ${what}${sum}`,
      { ...said, upheld: true },
      "It happens at once.",
      33,
    ]),
    [`Do not second ${by}: ${what}`, { ...said, upheld: false }],
  ];
}

/** @type {(says: string, device: string, how: string) => Row} */
const covered = (says, device, how) => [
  says,
  { device, how },
  "Then another way of dealing may be used.",
  31,
];

/** @param {number} count */
const coverCards = (count) =>
  count === 1 ? "One cover card is with them" : `${count} cover cards are with them`;

/**
 * @type {Record<string,
 *   (option: Server.Option, view: Server.View, facts: Server.TableFacts) => Row[]>}
 */
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
  "inspect-deck": ({ color, cards: covers }) => [
    [
      `The ${color} deck is inspected`,
      { color },
      "",
      0,
      [
        { name: "alike", label: "I looked at the cards: all are alike", check: true },
        { name: "cover_cards", label: coverCards(covers), check: true, value: covers },
      ],
    ],
  ],
  "verify-inspection": ({ color, names = [] }) => {
    const says = `Verify the inspection of the ${color} deck`;
    const place = { name: "shoe_in_place", label: "The shoe is in its approved place" };
    return names.includes("shoe")
      ? [[says, { color }, "", 0, [{ ...place, check: true }]]]
      : [[says, { color, shoe_in_place: false }]];
  },
  "spread-deck": ({ color }) => [
    [`Spread the ${color} deck: face up, by suit and rank`, { color }],
  ],
  "wash-deck": (option) => [[`Wash the ${option.color} deck`, { color: option.color }]],
  "stack-deck": (option) => [[`Stack the ${option.color} deck`, { color: option.color }]],
  shuffle: (option, view, facts) => shuffled(option, facts),
  cut: ({ cards }, view, facts) => [
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
          value: cards,
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
    ...upheld(option, ["Uphold what was declared", { upheld: true }]),
    ["Dismiss it", { upheld: false }],
  ],
  "answer-call": () => [["I am here", {}]],
  second: seconded,
  "decline-chips": chipsAsked,
  "open-dispute": ({ box }, view, facts) => [
    [
      `Open a dispute of box ${box}`,
      { box },
      "Its wagers and its cards stay as they are until the floorperson has ended it.",
      0,
      [
        { name: "wager", label: "Wager", choices: wagerChoices(facts) },
        { name: "reason", label: "What is said", text: true },
      ],
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
  "free-box": (option) => [
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
  "rule-on-absence": (option, _, facts) =>
    option.names.map((way) => [
      `Box ${option.box} left: ${LEFT[way]}${way === facts.absence ? ", as filed" : ""}`,
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
    ...upheld(option, [
      `Confirm the refusal: ${REFUSED[option.names[0]][0]}`,
      { box: option.box, upheld: true },
      REFUSED[option.names[0]][1],
      36,
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
    option.names.flatMap((device) => [
      covered(`The ${spaced(device)} is covered`, device, "covered"),
      covered(`A sign on the ${spaced(device)} says that it is out of order`, device, "signed"),
    ]),
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
 * @returns {Row[]}
 */
function shuffled({ color, by_device: byDevice = false, cards = 0 }, facts) {
  if (!byDevice) return [[`Shuffle the ${color} deck`, { color }]];
  if (!cards) return [[`Put the ${color} deck through the shuffler`, { color, by_device: true }]];
  /** @type {Follows} */
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
 * @returns {Row[]}
 */
function counted({ color, hands = {} }, view, facts) {
  const { cards, counts } = facts.handling;
  const { right, misdealt, wrong } = counts[view.way];
  const many = { min: 0, max: 99 };
  // The boxes first, and the dealer, 0, after them.
  const isDealer = (/** @type {string} */ box) => box === "0";
  const dealt = Object.entries(hands).sort(([one], [other]) => +isDealer(one) - +isDealer(other));
  if (!dealt.length) {
    /** @type {Follows} */
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
  /** @type {Follows} */
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
  const held = dealt.map(([box, n]) => ({
    name: `hands.${box}`,
    label: `${isDealer(box) ? "The dealer" : `Box ${box}`} held (dealt ${n})`,
    optional: true,
    ...many,
  }));
  const asks = [
    { name: "stub", label: "In the stub", ...many },
    { name: "on_table", label: "On the table", ...many },
  ];
  return [["Count the stub, face down", {}, then, 46, [...asks, ...held]]];
}

const OF_DECK = [
  "count-stub",
  "go-idle",
  "receive-deck",
  "remove-deck",
  "order-recut",
  "order-shuffle",
];
/** @param {Duty} duty */
export const isOfDeck = (duty) => OF_DECK.includes(duty.command.do);

// What cannot wait stands before everything else; what may be done at any time, with the rare
// things. Another way of dealing is what comes next while a device is out of order.
/** @param {Server.Option} option */
const isUrgent = (option) =>
  option.do === "cover-device" || (option.do !== "change-way" && Boolean(option.due));

/** @param {Server.Option} option @param {number} n */
function isRare(option, n) {
  if (["remove-deck", "count-stub", "change-way"].includes(option.do)) return !option.due;
  return RARE.includes(option.do) || (n > 0 && SELDOM.includes(option.do));
}

/** What a question may be about: all wagers of a box, or one. @param {Server.TableFacts} facts */
function wagerChoices({ wagers }) {
  /** @type {[string, string][]} */
  const choices = [["", "all of them"]];
  for (const { name, title, offered } of wagers) if (offered) choices.push([name, title]);
  return choices;
}

/**
 * The step of the deal, with the boxes that play.
 * @param {Server.Option} option
 * @param {Server.View} view
 * @param {Server.TableFacts} facts
 */
function dealt({ number = 0 }, view, facts) {
  const boxes = (view.boxes ?? []).filter((box) => Object.keys(box.stakes ?? {}).length);
  const { to, says } = facts.deals[view.way][number];
  return to === "boxes" ? says.replace("the boxes", each(boxes)) : says;
}

/** @param {Server.BoxView[]} boxes */
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
  /** @type {Duty[]} */
  const found = [];
  for (const option of view.may ?? []) {
    const said = DUTIES[option.do];
    if (!said) continue;
    said(option, view, facts).forEach(([says, fields, then = "", ruling = 0, asks = null], n) => {
      const urgent = n === 0 && isUrgent(option);
      found.push({
        says,
        then,
        ruling,
        asks,
        urgent,
        command: { do: option.do, ...fields },
        first: n === 0 && FIRST.includes(option.do),
        rare: isRare(option, n),
      });
    });
  }
  const next = found.find((duty) => !duty.rare);
  if (next && !found.some((duty) => duty.first)) next.first = true;
  if (!found.some((duty) => duty.urgent)) return found;
  return found
    .map((duty) => ({ ...duty, first: duty.urgent }))
    .sort((one, other) => Number(other.urgent) - Number(one.urgent));
}

/**
 * What will happen, before anybody does it.
 * @param {Duty} duty
 * @param {string} [clause]
 */
export function follows({ then, ruling }, clause) {
  if (!then) return "";
  if (!Array.isArray(then)) return el("p", {}, `${then} `, ruling ? cite(clause, ruling) : "");
  if (then.length === 1) return el("p", {}, `${then[0][0]} `, cite(then[0][1], ruling));
  const each = then.map(([says, by]) => el("li", {}, `${says} `, cite(by, ruling)));
  return el("ul", { class: "follows" }, ...each);
}

/**
 * A number or two, or words, that only a person can give.
 * @param {Duty} duty
 * @param {(command: Command) => void} give
 */
export function dutyForm(duty, give) {
  const form = el(
    "form",
    { class: "asks", "data-do": duty.command.do },
    ...duty.asks.map((asked) =>
      asked.check
        ? el("label", { class: "check" }, checkInput(asked), asked.label)
        : el("label", {}, asked.label, inputOf(asked)),
    ),
    el("button", { class: duty.rare ? "risk" : duty.first ? "main" : "" }, duty.says),
  );
  onSubmit(form, () => give({ ...duty.command, ...said(duty.asks, form) }));
  return form;
}

// What somebody attests is never ticked beforehand.
/** @param {Asked} asked */
const checkInput = ({ name }) => el("input", { name, type: "checkbox", required: true });

/** @param {Asked} asked */
function inputOf(asked) {
  if (asked.choices) return choiceInput(asked);
  return asked.text ? wordsInput(asked) : numberInput(asked);
}

/** @param {Asked} asked */
const choiceInput = ({ name, choices }) =>
  el("select", { name }, ...choices.map(([value, says]) => el("option", { value }, says)));

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

/**
 * What was written, by name; "hands.3" is what stands under 3 among the hands.
 * @param {Asked[]} asks
 * @param {HTMLFormElement} form
 */
function said(asks, form) {
  /** @type {Record<string, string | number | boolean>} */
  const found = {};
  /** @type {Record<string, Record<string, number>>} */
  const keyed = {};
  for (const asked of asks) {
    const { name, optional, cents = false, text = false, check = false, choices } = asked;
    if (choices) {
      found[name] = fieldOf(form, name, HTMLSelectElement).value;
      continue;
    }
    const { value, checked } = fieldOf(form, name);
    if (check) {
      found[name] = checked && (asked.value ?? true);
      continue;
    }
    if (optional && value === "") continue;
    if (text) {
      found[name] = value.trim();
      continue;
    }
    const [field, key] = name.split(".");
    const number = cents ? Math.round(Number(value) * 100) : Number(value);
    if (key) keyed[field] = { ...keyed[field], [key]: number };
    else found[field] = number;
  }
  return { ...found, ...keyed };
}

/**
 * @param {Duty} duty
 * @param {(command: Command) => void} give
 * @param {string} [key]
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
    el("td", {}, box.player || "–", box.away ? ` (${box.away})` : "", unshownWords(box, view)),
    el("td", {}, box.chips_cents ? money(box.chips_cents) : "–", chipWords(box)),
    el("td", {}, cards.length ? hand(cards, cards.length > 2 ? 34 : 66) : "–"),
    el("td", {}, stakes || "–"),
    el("td", { class: netClass(net) }, net === null ? standing(box, view) : netWords(net)),
  );
}

/**
 * @param {Server.BoxView} box
 * @param {Server.View} view
 */
function unshownWords({ player = "" }, { unshown = {} }) {
  return unshown[player] ? el("small", {}, ` numbers not shown: ${unshown[player]}`) : "";
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
