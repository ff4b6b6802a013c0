// Drawings of a solution: how often each result comes, and what is best with each hand. Colors are
// attributes of the drawing itself, so that a saved one looks the same without our style sheet.

import { SVG, svg } from "../shared/dom.js";
import { minus, percent } from "../shared/words.js";

/** @import { BestPlay, Solution } from "./counting.js" */

/** @typedef {Record<string, string | null>} Look colors by what they are for */
/** @typedef {{ hand: string, label: string }} Cell of a chart */

/** @type {Record<string, string>} */
const PRINT = {
  ink: "#1c1b19",
  soft: "#55524b",
  grid: "#d9d4c6",
  minus: "#a63d31",
  plus: "#14703f",
  even: "#8a6a1f",
  mark: "#000000",
  paper: "#ffffff",
};
const NIGHT = {
  ink: "#e9e3d0",
  soft: "#b3bfb2",
  grid: "#2c4438",
  minus: "#d0786c",
  plus: "#4fb882",
  even: "#e3c27a",
  mark: "#f3d998",
};
// On the screen as the page around it is, light or dark; a saved one is for paper.
/** @type {Look} */
const SCREEN = {
  ...Object.fromEntries(
    Object.entries(NIGHT).map(([name, dark]) => [name, `light-dark(${PRINT[name]}, ${dark})`]),
  ),
  paper: null,
};
/** @type {Record<string, [fill: string, ink: string]>} */
const ACTIONS = {
  "4x": ["#1c7a58", "#ffffff"],
  "3x": ["#2b6c8f", "#ffffff"],
  "2x": ["#7d5a9e", "#ffffff"],
  "1x": ["#e3c27a", "#241803"],
  check: ["#39483f", "#e9e3d0"],
  fold: ["#5a3a3d", "#ffe9e4"],
};
const OTHER = ["#46685a", "#ffffff"];
const FONT = "system-ui, sans-serif";
const RANKS = [..."AKQJT98765432"];
const UPS = [
  "ace",
  "king",
  "queen",
  "jack",
  "ten",
  "nine",
  "eight",
  "seven",
  "six",
  "five",
  "four",
  "three",
  "two",
];
const MOST = 16;
export const BEYOND = `over ${MOST}`;

// A result such as 2.5 or -7/3 as a number to sort by.
/** @param {string} label */
export const amount = (label) => {
  const [over, under = "1"] = label.split("/");
  return Number(over) / Number(under);
};

// By result in order: the rare high ones are one bar, and stand by themselves in the table.
/** @param {Record<string, number>} distribution */
export function spreadOf(distribution) {
  /** @type {Map<string, number>} */
  const chances = new Map();
  for (const [label, chance] of Object.entries(distribution).sort(
    ([a], [b]) => amount(a) - amount(b),
  )) {
    const name = amount(label) > MOST ? BEYOND : label;
    chances.set(name, (chances.get(name) ?? 0) + chance);
  }
  return chances;
}

/**
 * @param {Solution} result
 * @param {string[]} names
 * @param {number} most
 * @param {string} title
 * @param {boolean} [print]
 */
export function spreadPlot(result, names, most, title, print = false) {
  const look = print ? PRINT : SCREEN,
    wide = 380,
    tall = 210,
    left = 34,
    low = 168,
    high = 10;
  const chances = spreadOf(result.distribution),
    step = (wide - left - 4) / names.length;
  const rung = most > 0.3 ? 0.1 : 0.05,
    top = rung * Math.ceil(most / rung),
    crowded = names.at(-1) === BEYOND;
  /** @param {number} chance */
  const y = (chance) => low - ((low - high) * chance) / top;
  const drawn = frame(wide, tall, title, look);
  for (let at = 0; at <= top + 1e-9; at += rung) {
    drawn.append(
      svg("line", { x1: left, x2: wide, y1: y(at), y2: y(at), stroke: look.grid }),
      word(left - 5, y(at) + 4, `${Math.round(100 * at)}%`, look.soft, "end"),
    );
  }
  let labeled = -99;
  names.forEach((name, n) => {
    const chance = chances.get(name) ?? 0,
      x = left + n * step,
      net = name === BEYOND ? MOST : amount(name);
    drawn.append(
      svg(
        "rect",
        {
          x: x + step * 0.12,
          y: y(chance),
          width: step * 0.76,
          height: low - y(chance),
          fill: net < 0 ? look.minus : net > 0 ? look.plus : look.even,
        },
        svg("title", {}, `${name}: ${percent(chance)}`),
      ),
    );
    const middle = x + step / 2,
      needs = 7 * name.length + 3;
    if (
      name !== BEYOND &&
      middle - labeled >= needs &&
      name.length < 4 &&
      !name.includes(".") &&
      (!crowded || wide - middle > 26)
    ) {
      drawn.append(word(middle, low + 14, minus(name), look.ink));
      labeled = middle;
    }
    if (name === BEYOND) drawn.append(word(wide, low + 14, `>${MOST}`, look.ink, "end"));
  });
  drawn.append(word((left + wide) / 2, tall - 8, "net result in Antes; % of all deals", look.soft));
  return drawn;
}

// What is best with each hand as rows and columns, or null where hands do not lie in such a grid.
/** @param {Solution["hands"]} hands */
export function gridOf(hands) {
  if ("AKs" in hands) {
    /** @param {number} row @param {number} column */
    const handName = (row, column) =>
      row === column
        ? RANKS[row] + RANKS[row]
        : row < column
          ? `${RANKS[row]}${RANKS[column]}s`
          : `${RANKS[column]}${RANKS[row]}o`;
    return {
      told: "Before the flop: suited hands above the diagonal, others below.",
      rows: RANKS.map((rank, row) => ({
        name: rank,
        cells: RANKS.map((_, column) => {
          const hand = handName(row, column);
          return { hand, label: hand };
        }),
      })),
    };
  }
  /** @type {Map<string, (Cell | null)[]>} */
  const rows = new Map();
  for (const hand of Object.keys(hands)) {
    const at = hand.lastIndexOf(", "),
      up = UPS.indexOf(hand.slice(at + 2).replace(/ up$/, ""));
    if (at < 0 || !hand.endsWith(" up") || up < 0) return null;
    const name = hand.slice(0, at);
    const row = rows.get(name) ?? new Array(RANKS.length).fill(null);
    row[up] = { hand, label: "" };
    rows.set(name, row);
  }
  if (!rows.size) return null;
  return {
    told: "Hands by the dealer’s up card; where kickers decide, what is best more often.",
    rows: [...rows].map(([name, cells]) => ({ name, cells })),
  };
}

/**
 * @param {Solution} result
 * @param {Solution["hands"] | undefined} beside what is best in the choice it is held against
 * @param {string} title
 * @param {boolean} [print]
 */
export function gridPlot(result, beside, title, print = false) {
  const look = print ? PRINT : SCREEN,
    grid = gridOf(result.hands);
  const starts = grid.rows.every(({ name }) => name.length === 1);
  const left = starts ? 18 : 104,
    side = 27,
    height = starts ? 27 : 19,
    top = 18;
  const actions = Object.keys(result.actions)
    .concat("check")
    .filter(
      (action, at, all) =>
        all.indexOf(action) === at &&
        Object.values(result.hands).some(({ best }) => best === action),
    );
  const wide = left + RANKS.length * side,
    tall = top + grid.rows.length * height + 26;
  const drawn = frame(wide, tall, title, look);
  if (!starts) drawn.setAttribute("class", "by-up");
  RANKS.forEach((rank, n) => drawn.append(word(left + (n + 0.5) * side, top - 6, rank, look.ink)));
  grid.rows.forEach(({ name, cells }, row) => {
    drawn.append(word(left - 5, top + (row + 0.5) * height + 4, name, look.ink, "end"));
    cells.forEach((cell, column) => {
      if (!cell) return;
      const place = { x: left + column * side, y: top + row * height, wide: side, tall: height };
      const [own, other] = [result.hands[cell.hand], beside?.[cell.hand]];
      drawn.append(square(cell, place, own, other, look));
    });
  });
  actions.forEach((action, n) => {
    const [fill] = ACTIONS[action] ?? OTHER,
      x = left + n * 66;
    drawn.append(
      svg("rect", { x, y: tall - 18, width: 13, height: 13, rx: 2, fill }),
      word(x + 18, tall - 7, action, look.ink, "start"),
    );
  });
  return drawn;
}

/**
 * @param {Cell} cell
 * @param {{ x: number, y: number, wide: number, tall: number }} place
 * @param {BestPlay} play
 * @param {BestPlay | undefined} beside
 * @param {Look} look
 */
function square({ hand, label }, { x, y, wide, tall }, { best, values }, beside, look) {
  const [fill, ink] = ACTIONS[best] ?? OTHER,
    differs = beside && beside.best !== best;
  const said = `${hand}: ${best}; ${Object.entries(values)
    .map(([action, value]) => `${action} ${value.toFixed(4)}`)
    .join(", ")}`;
  const made = svg(
    "g",
    {},
    svg("title", {}, said),
    svg("rect", {
      x: x + 0.75,
      y: y + 0.75,
      width: wide - 1.5,
      height: tall - 1.5,
      rx: 2,
      fill,
      stroke: differs ? look.mark : null,
      "stroke-width": differs ? 2.5 : null,
    }),
  );
  if (label) made.append(word(x + wide / 2, y + 12, label, ink, "middle", 9.5));
  made.append(
    word(x + wide / 2, y + (label ? 22 : tall / 2 + 3.5), best, ink, "middle", label ? 8 : 10),
  );
  return made;
}

/** @param {number} wide @param {number} tall @param {string} title @param {Look} look */
function frame(wide, tall, title, look) {
  const drawn = svg("svg", {
    viewBox: `0 0 ${wide} ${tall}`,
    role: "img",
    "aria-label": title,
    "font-family": FONT,
  });
  if (look.paper)
    drawn.append(
      svg("title", {}, title),
      svg("rect", { width: wide, height: tall, fill: look.paper }),
    );
  return drawn;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {string} fill
 * @param {string} [anchor]
 * @param {number} [size]
 */
function word(x, y, text, fill, anchor = "middle", size = 11) {
  return svg("text", { x, y, fill, "text-anchor": anchor, "font-size": size }, text);
}

// A drawing as a file of its own.
/** @param {SVGSVGElement} drawn */
export function saved(drawn) {
  const [, , wide, tall] = drawn.getAttribute("viewBox").split(" ");
  drawn.setAttribute("width", String(2 * Number(wide)));
  drawn.setAttribute("height", String(2 * Number(tall)));
  drawn.setAttribute("xmlns", SVG);
  return new XMLSerializer().serializeToString(drawn);
}
