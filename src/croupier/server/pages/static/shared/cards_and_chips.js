// The little that the pages draw themselves: cards and chips.

import { all, el, svg } from "./dom.js";

// Cards, drawn at 63 by 88 millimeters around their middle.

/** @type {Record<string, string>} */
const SUITS = {
  s:
    "M0-10C4-5 9-2 9 3A4.6 4.6 0 0 1 1.2 5.8C1.5 8 2.2 9.3 3.4 10.5H-3.4" +
    "C-2.2 9.3-1.5 8-1.2 5.8A4.6 4.6 0 0 1-9 3C-9-2-4-5 0-10Z",
  h: "M0 10C-4 5-9.5 1-9.5-4A5 5 0 0 1 0-6.2 5 5 0 0 1 9.5-4C9.5 1 4 5 0 10Z",
  d: "M0-10.5 8 0 0 10.5-8 0Z",
  c:
    "M0-10A4.5 4.5 0 0 1 3.6-2.8 4.6 4.6 0 1 1 1.3 4.6C1.5 7.5 2.2 9.2 3.4 10.5H-3.4" +
    "C-2.2 9.2-1.5 7.5-1.3 4.6A4.6 4.6 0 1 1-3.6-2.8 4.5 4.5 0 0 1 0-10Z",
};
/** @type {Record<string, string>} */
const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
/** @type {Record<string, string>} */
const SUIT_SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** @type {Record<string, string>} */
const RANK_NAMES = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
  6: "six",
  5: "five",
  4: "four",
  3: "three",
  2: "two",
};

/** @type {Record<string, string>} */
const CROWNS = {
  K:
    "M-10 10H10V6H-10ZM-10 5-12-7-5.5-1 0-11 5.5-1 12-7 10 5Z" +
    "M-1-17H1V-15H3V-13H1V-11H-1V-13H-3V-15H-1Z",
  Q:
    "M-9 10H9V6H-9ZM-9 5-12-5-6 0-4-9 0-2 4-9 6 0 12-5 9 5Z" +
    "M-12-9A2 2 0 1 1-12-5 2 2 0 1 1-12-9ZM-4-13A2 2 0 1 1-4-9 2 2 0 1 1-4-13Z" +
    "M4-13A2 2 0 1 1 4-9 2 2 0 1 1 4-13ZM12-9A2 2 0 1 1 12-5 2 2 0 1 1 12-9Z",
  J: "M-10 10H10V5H-10ZM-10 4C-10-6-4-9 3-9 1-5 10-4 10 4ZM3-9C5-15 9-16 12-15 11-11 8-8 5-7Z",
};

export const BACK = "??";

/** @param {string} name */
export function spoken(name) {
  return name === BACK ? "a card face down" : `${RANK_NAMES[name[0]]} of ${SUIT_NAMES[name[1]]}`;
}

/** @param {string} name */
export function cardText(name) {
  return `${name[0] === "T" ? "10" : name[0]}${SUIT_SIGNS[name[1]]}`;
}

/** @param {string} name */
export function card(name) {
  return name === BACK ? cardBack() : cardFace(name);
}

/** @param {string} name */
function cardFace(name) {
  const [rank, suit] = name;
  const shown = rank === "T" ? "10" : rank;
  const court = "KQJ".includes(rank);
  return svg(
    "g",
    { class: `card suit-${suit}`, "data-card": name },
    svg("rect", { class: "card-paper", x: -31.5, y: -44, width: 63, height: 88, rx: 5.5 }),
    svg(
      "text",
      {
        class: "card-rank",
        x: shown === "10" ? -19.5 : -18.5,
        y: -17.5,
        "text-anchor": "middle",
        "font-size": 29,
        textLength: shown === "10" ? 20 : null,
        lengthAdjust: "spacingAndGlyphs",
      },
      shown,
    ),
    svg("path", {
      class: "card-suit",
      d: SUITS[suit],
      transform: "translate(-18.5 -4) scale(.82)",
    }),
    court ? svg("rect", { class: "card-court", x: -4, y: -37, width: 29, height: 74, rx: 3 }) : "",
    court
      ? svg("path", { class: "card-crown", d: CROWNS[rank], transform: "translate(10.5 -14)" })
      : "",
    svg("path", {
      class: "card-suit",
      d: SUITS[suit],
      transform: court ? "translate(10.5 15) scale(1.15)" : "translate(9 16) scale(1.9)",
    }),
  );
}

function cardBack() {
  return svg(
    "g",
    { class: "card card-down" },
    svg("rect", { class: "card-paper", x: -31.5, y: -44, width: 63, height: 88, rx: 5.5 }),
    svg("rect", { class: "card-back", x: -27.5, y: -40, width: 55, height: 80, rx: 3.5 }),
    svg("path", {
      class: "card-lattice",
      d:
        "M-27 -12 0 -39 27 -12M-27 12 0 39 27 12M-27 -12 0 15 27 -12" +
        "M-27 12 0 -15 27 12M-27 36 27 -36M27 36-27 -36",
    }),
    svg("circle", { class: "card-seal", r: 9 }),
    svg("path", { class: "card-seal-suit", d: SUITS.s, transform: "scale(.55)" }),
  );
}

const RANKS = "23456789TJQKA";

/**
 * A hand as a player holds it: what is there more than once first, then by rank; two cards and
 * cards that lie face down stay as they were dealt.
 * @param {string[]} cards
 */
export function sortedHand(cards) {
  if (cards.length < 3 || cards.includes(BACK)) return cards;
  const place = (/** @type {string} */ name) =>
    100 * cards.filter((other) => other[0] === name[0]).length + RANKS.indexOf(name[0]);
  return cards.toSorted((a, b) => place(b) - place(a));
}

/**
 * Cards side by side, or over one another where the step is smaller than a card.
 * @param {string[]} cards
 * @param {number} step
 * @param {string} [words]
 */
export function hand(cards, step, words = cards.map(spoken).join(", ")) {
  const wide = Math.max(0, cards.length - 1) * step + 66;
  return svg(
    "svg",
    { viewBox: `-33 -45 ${wide} 90`, role: "img", "aria-label": words },
    ...cards.map((name, n) => svg("g", { transform: `translate(${n * step} 0)` }, card(name))),
  );
}

/**
 * Cards with what they are above them; nothing where there are none. Those of the winning hand are
 * marked.
 * @param {string} title
 * @param {string[]} cards
 * @param {string[]} [winning]
 */
export function cardRow(title, cards, winning = []) {
  if (!cards.length) return null;
  const drawn = hand(cards, 68);
  for (const one of all("[data-card]", drawn, SVGElement)) {
    one.classList.toggle("is-winning", winning.includes(one.dataset.card));
  }
  return el("div", { class: "drill-row" }, title, drawn);
}

// Chips, by value in cents, the largest first.

export const CHIPS = [100_00_00, 10_00_00, 5_00_00, 1_00_00, 25_00, 5_00, 1_00];

/** @param {number} cents */
export function stack(cents) {
  const drawn = svg("g", { class: "stack" });
  const pieces = [];
  let rest = cents;
  for (const value of CHIPS) {
    while (rest >= value && pieces.length < 60) {
      pieces.push(value);
      rest -= value;
    }
  }
  if (!pieces.length) pieces.push(CHIPS.at(-1));
  const shown = pieces.slice(0, 7);
  shown.forEach((value, n) => drawn.append(chip(value, 0, -n * 5.2)));
  return drawn;
}

/** @param {number} value @param {number} [x] @param {number} [y] @param {number} [radius] */
export function chip(value, x = 0, y = 0, radius = 21) {
  const kind = `chip chip-${value / 100}`;
  return svg(
    "g",
    { class: kind, transform: `translate(${x} ${y})` },
    svg("circle", { class: "chip-shade", cy: 3.2, r: radius }),
    svg("circle", { class: "chip-body", r: radius }),
    svg("circle", { class: "chip-edge", r: radius - 2.6, pathLength: 12 }),
    svg("circle", { class: "chip-face", r: radius - 6 }),
    svg(
      "text",
      {
        class: "chip-value",
        y: 4.2,
        "text-anchor": "middle",
        "font-size": value >= 1000_00 ? 8.5 : 11.5,
      },
      short(value),
    ),
  );
}

/** @param {number} cents */
function short(cents) {
  const dollars = cents / 100;
  return dollars >= 1000 ? `${dollars / 1000}k` : String(dollars);
}
