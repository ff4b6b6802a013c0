// What a game is worth, counted exactly: one choice of rulebook and paytables, or two side by side.

import "./login.js";
import { Choice, readable, strange, addressWords } from "../analysis/paytable_choice.js";
import { CANCELED, counted as countedBy } from "../analysis/counting.js";
import { facts as read, say } from "../shared/connection.js";
import {
  amount, BEYOND, gridOf, gridPlot, saved, spreadOf, spreadPlot,
} from "../analysis/plots.js";
import { $, all, around, el, first, showProgress, tableParts } from "../shared/dom.js";
import { minus, percent } from "../shared/words.js";

/** @import { BestPlay, Solution } from "../analysis/counting.js" */
/** @import { Books } from "../analysis/paytable_choice.js" */
/** @import { SideWorth } from "../analysis/line_sliders.js" */

/**
 * @typedef {(Solution | undefined)[]} Found by side; undefined where it is not counted yet
 * @typedef {{ name: string, fine?: string, kind?: string,
 *   cells: (Node | string | (Node | string)[])[] }} Row
 */

/** @type {Books} */
const books = read();
/** @type {Record<string, string>} */
const NAMES = { a: "First choice", b: "Second choice" };
const NONE = "–";
const REST_MS = 800;
/** @param {number} value */
const decimal = (value) => minus(value.toFixed(6));
/** @param {(value: number) => string} shown @param {number} value */
const difference = (shown, value) =>
  value ? `${value > 0 ? "+" : ""}${shown(value).replace("%", "pp")}` : "same";
/** @type {[string, string, (found: Solution) => number, (value: number) => string][]} */
const FIGURES = [
  ["House edge", "of the Ante", (found) => found.house_edge, percent],
  ["Element of risk", "of all money wagered", (found) => found.element_of_risk, percent],
  ["Standard deviation", "in Antes", (found) => found.standard_deviation, decimal],
  ["Average wager", "in Antes", (found) => found.average_wager, decimal],
  ["Expected value", "in Antes", (found) => found.ev, decimal],
  ["Skewness", "", (found) => found.skewness, decimal],
  [
    "Deals counted",
    "",
    (found) => found.deals,
    (value) => minus(value.toLocaleString("en-US")).replaceAll(",", ",\u200b"),
  ],
];

/** @type {typeof FIGURES[0]} */
const CUT = [
  "Cut by the payout limit",
  "of the Ante",
  (found) => found.payout_limit?.cut ?? 0,
  percent,
];

const forms = all(".choice", document, HTMLFormElement);
const choices = Object.fromEntries(
  forms.map((form) => [form.dataset.side, new Choice(form, books, changed)]),
);
let sides = ["a"],
  counting = false,
  resting = 0;
/** @type {AbortController | null} */
let stop = null;
const link = $("link", HTMLInputElement);
const start = $("count", HTMLButtonElement);
const cancel = $("cancel", HTMLButtonElement);

/** @param {string} side */
const counted = (side) => choices[side].answer?.result;
const both = () => sides.length === 2;

function changed() {
  const words = new URLSearchParams(sides.flatMap((side) => addressWords(choices[side], side)));
  history.replaceState(null, "", `?${words}`);
  link.value = location.href;
  if (!counting)
    showProgress(
      stale()
        ? "Changed since it was counted; the figures below are of before."
        : counted("a")
          ? "Counted."
          : "Not counted yet.",
    );
  show();
  countAtRest();
}

// The best play may be another at other prices of the base game: these are counted by themselves.
function countAtRest() {
  clearTimeout(resting);
  if (sides.some((side) => choices[side].isRepriced))
    resting = setTimeout(() => (counting ? countAtRest() : count()), REST_MS);
}

const stale = () =>
  sides.some((side) => choices[side].answer && choices[side].answer.key !== choices[side].key);

/** @param {boolean} yes */
function compare(yes) {
  sides = yes ? ["a", "b"] : ["a"];
  for (const one of all(".choice[data-side=b], [data-files=b]")) one.hidden = !yes;
  document.querySelector(".analyst").classList.toggle("is-two", yes);
  $("compare").textContent = yes ? "Only the first" : "Compare two";
}

// Counting: the service counts in a process of its own, one analysis at a time.

async function count() {
  counting = true;
  start.disabled = true;
  cancel.disabled = false;
  stop = new AbortController();
  const began = performance.now();
  try {
    for (const side of sides)
      if (choices[side].answer?.key !== choices[side].key) await countOne(choices[side]);
    say("Counted");
    showProgress(`Counted in ${((performance.now() - began) / 1000).toFixed(1)} s.`, 1);
  } catch (no) {
    const { message } = /** @type {Error} */ (no);
    say(message);
    showProgress(message);
  }
  counting = false;
  start.disabled = false;
  cancel.disabled = true;
  show();
}

/** @param {Choice} choice */
async function countOne(choice) {
  const key = choice.key,
    whose = both() ? `${NAMES[choice.side]}: ` : "";
  /** @param {string} doing @param {number} [done] */
  const tell = (doing, done) => showProgress(`${whose}${doing}`, done);
  try {
    choice.answer = { key, ...(await countedBy(JSON.parse(key), stop.signal, tell)) };
  } catch (no) {
    const { message } = /** @type {Error} */ (no);
    throw message === CANCELED ? no : new Error(`${whose}${message}`);
  }
  show();
}

// Tables: a measure, its value by each choice, and the difference.

/** @param {string} place @param {string} head @param {Row[]} rows */
function showTable(place, head, rows) {
  const titles = [head, ...sides.map((side) => NAMES[side]), ...(both() ? ["Difference"] : [])];
  const told = rows.map(({ name, fine = "", cells, kind }) => ({
    cells: [[name, " ", el("small", {}, fine)], ...cells],
    kind,
  }));
  $(place).replaceChildren(...tableParts(titles, told, "number"));
}

/**
 * @param {(number | undefined)[]} values
 * @param {(value: number) => string} shown
 */
function compared(values, shown) {
  const [a, b] = values;
  const told = values.map((value) => (value === undefined ? NONE : shown(value)));
  return both()
    ? [...told, a === undefined || b === undefined ? NONE : difference(shown, b - a)]
    : told;
}

function show() {
  const found = sides.map(counted);
  document.querySelector(".analyst").classList.toggle("is-stale", stale());
  showTable("base", "Measure", [
    ...[...FIGURES, ...(found.some((one) => one?.payout_limit) ? [CUT] : [])].map(
      ([name, fine, of, shown]) => ({
        name,
        fine,
        cells: compared(
          found.map((one) => one && of(one)),
          shown,
        ),
      }),
    ),
    {
      name: "Exactly",
      fine: "expected value",
      kind: "exact",
      cells: [
        ...found.map((one) => (one ? minus(one.ev_exact).replace("/", "/\u200b") : NONE)),
        ...(both() ? [""] : []),
      ],
    },
  ]);
  const limits = sides.map((side) => [NAMES[side], counted(side)?.payout_limit?.says]);
  $("limit").textContent = limits
    .filter(([, says]) => says)
    .map(([name, says]) => `${both() ? `${name}: ` : ""}${says}.`)
    .join(" ");
  showSpread(found);
  showSides(found);
  showStrategy(found);
  for (const side of sides) {
    offer(side);
    choices[side].live();
  }
}

/** @param {Found} found */
function spreadNames(found) {
  const names = new Set(
    found.flatMap((one) => (one ? [...spreadOf(one.distribution).keys()] : [])),
  );
  return [...names].sort(
    (a, b) => Number(a === BEYOND) - Number(b === BEYOND) || amount(a) - amount(b),
  );
}

/** @param {Found} found */
const most = (found) =>
  Math.max(...found.flatMap((one) => (one ? [...spreadOf(one.distribution).values()] : [0])));

/** @param {string} place @param {(SVGElement | null)[]} drawn */
function plots(place, drawn) {
  $(place).replaceChildren(
    ...sides.map((side, n) =>
      el(
        "figure",
        {
          tabindex: drawn[n] ? 0 : null,
          role: drawn[n] ? "region" : null,
          "aria-label": drawn[n] ? `${NAMES[side]}, drawing` : null,
        },
        both() ? el("figcaption", {}, NAMES[side]) : "",
        drawn[n] ?? el("div", { class: "blank" }),
      ),
    ),
  );
}

/** @param {string} side @param {boolean} [print] */
function spreadDrawing(side, print = false) {
  const found = sides.map(counted),
    result = counted(side);
  const likeliest = Object.entries(result.distribution).sort(([, a], [, b]) => b - a)[0];
  return spreadPlot(
    result,
    spreadNames(found),
    most(found),
    `${NAMES[side]}, ${result.rulebook}: chance of each net result of a round; ` +
      `the likeliest is ${likeliest[0]} Antes with ${percent(likeliest[1])}`,
    print,
  );
}

/** @param {Found} found */
function showSpread(found) {
  plots(
    "spread",
    sides.map((side) => (counted(side) ? spreadDrawing(side) : null)),
  );
  const labels = [
    ...new Set(found.flatMap((one) => (one ? Object.keys(one.distribution) : []))),
  ].sort((a, b) => amount(a) - amount(b));
  showTable(
    "spread-table",
    "Net, in Antes",
    labels.map((label) => ({
      name: minus(label),
      cells: compared(
        found.map((one) => one && (one.distribution[label] ?? 0)),
        (value) => percent(value, 6),
      ),
    })),
  );
}

// Wagers beside the base game: any paytable of the rulebook is counted with it, so another letter
// needs no other count.

/** @param {Found} found */
function showSides(found) {
  const wagers = new Map(
    sides
      .flatMap((side) => choices[side].book.wagers.filter((wager) => wager.side))
      .map((wager) => [wager.name, wager.title]),
  );
  /** @param {string} side @param {string} name */
  const of = (side, name) => counted(side)?.side_wagers[name]?.[choices[side].paytableName(name)];
  showTable(
    "sides",
    "Wager",
    [...wagers].map(([name, title]) => {
      const values = sides.map((side) => of(side, name));
      const edges = compared(
        values.map((value) => value?.house_edge),
        percent,
      );
      const cells = sides.map((side, n) => {
        const known = choices[side].letters[name] !== undefined;
        return [
          el("b", {}, known ? choices[side].paytableName(name) : ""),
          " ",
          edges[n],
          el("small", {}, values[n] ? hits(values[n]) : "\u00a0"),
        ];
      });
      return { name: title, fine: "edge", cells: [...cells, ...edges.slice(sides.length)] };
    }),
  );
  /** @type {Map<string, [name: string, letter: string]>} */
  const tables = new Map(
    found.flatMap((one) =>
      Object.entries(one?.side_wagers ?? {}).flatMap(([name, letters]) =>
        Object.keys(letters).map((letter) => [`${name} ${letter}`, [name, letter]]),
      ),
    ),
  );
  showTable("every", "Edge of", [
    ...baseRows(found),
    ...[...tables.values()].map(([name, letter]) => ({
      name: `${wagers.get(name) ?? name} ${letter}`,
      cells: compared(
        found.map((one) => one?.side_wagers[name]?.[letter]?.house_edge),
        percent,
      ),
    })),
  ]);
}

// The base game under each paytable that it may be played with, one of one's own among them.
/** @param {Found} found @returns {Row[]} */
function baseRows(found) {
  /** @type {Map<string, [name: string, letter: string]>} */
  const known = new Map(
    found
      .flatMap((one) => Object.entries(one?.base_paytables ?? {}))
      .flatMap(([name, letters]) =>
        Object.keys(letters).map((letter) => [`${name} ${letter}`, [name, letter]]),
      ),
  );
  const titles = new Map(
    sides.flatMap((side) => choices[side].book.wagers).map(({ name, title }) => [name, title]),
  );
  return [...known.values()].map(([name, letter]) => ({
    name: `Base game, ${titles.get(name) ?? name} ${letter}`,
    cells: compared(
      found.map((one) => one?.base_paytables[name]?.[letter]?.house_edge),
      percent,
    ),
  }));
}

/** @param {SideWorth} value */
function hits(value) {
  const often = percent(value.hit_frequency, 2);
  return `hits ${often}, deviation ${value.standard_deviation.toFixed(3)}${assumed(value)}`;
}

// The stake and the meters it was counted with, where they matter; when each would be even, without
// Envy and with it; and what comes back in the long run, whatever stands on a meter now.
/** @param {SideWorth} value */
function assumed({ assumes, progressive }) {
  if (!assumes) return "";
  /** @param {string} text */
  const whole = (text) => text.replace(/\.00$/, "");
  const envy = progressive?.with_envy;
  /** @param {number} amount */
  const dollars = (amount) =>
    amount <= 0 ? "always" : `$${Math.ceil(amount).toLocaleString("en-US")}`;
  /** @param {string} name */
  const even = (name) => {
    if (progressive?.break_even_meter[name] === undefined) return "";
    const others = envy
      ? `, ${dollars(envy.break_even_meter[name])} with Envy of ${envy.other_boxes} other boxes`
      : "";
    return ` (even at ${dollars(progressive.break_even_meter[name])} without Envy${others})`;
  };
  const run = progressive?.long_run_return;
  const back = run && percent(run.by_odds + run.by_resets);
  const long = run ? `; long run ${back} back, and what the wager adds to the meters` : "";
  const meters = Object.entries(assumes.meters ?? {}).map(
    ([name, held]) => `, ${name === "main" ? "meter" : name} ${whole(held)}${even(name)}`,
  );
  return `; stake ${whole(assumes.stake)}${meters.join("")}${long}`;
}

/** @param {string} side @param {boolean} [print] */
function gridDrawing(side, print = false) {
  const result = counted(side),
    other = side === "b" && both() ? counted("a")?.hands : undefined;
  const times = Object.groupBy
    ? Object.entries(Object.groupBy(Object.values(result.hands), ({ best }) => best))
        .map(([best, hands]) => `${best} with ${hands.length}`)
        .join(", ")
    : "";
  return gridPlot(
    result,
    other,
    `${NAMES[side]}, ${result.rulebook}: what is best with each hand. ${times}`,
    print,
  );
}

/** @param {Found} found */
function showStrategy(found) {
  $("strategy").hidden = !found.some((one) => one);
  const actions = [...new Set(found.flatMap((one) => Object.keys(one?.actions ?? {})))];
  showTable(
    "actions",
    "Ends with",
    actions.map((action) => ({
      name: action,
      fine: "of all deals",
      cells: compared(
        found.map((one) => one && (one.actions[action] ?? 0)),
        percent,
      ),
    })),
  );
  const grids = sides.map((side) =>
    counted(side) && gridOf(counted(side).hands) ? gridDrawing(side) : null,
  );
  plots("chart", grids);
  $("chart").hidden = !grids.some((grid) => grid);
  $("differs").textContent = [
    ...new Set(found.map((one) => one && gridOf(one.hands)?.told).filter(Boolean)),
  ]
    .concat(differs(found))
    .join(" ");
  const hands = [...new Set(found.flatMap((one) => Object.keys(one?.hands ?? {})))];
  /** @param {BestPlay | undefined} hand */
  const told = (hand) =>
    hand
      ? `${hand.best}: ${Object.entries(hand.values)
          .map(([action, value]) => `${action} ${minus(value.toFixed(4))}`)
          .join(", ")}`
      : NONE;
  showTable(
    "hands",
    "Hand",
    hands.map((name) => {
      const each = found.map((one) => one?.hands[name]);
      return {
        name,
        cells: [
          ...each.map(told),
          ...(both()
            ? [
                each[0] && each[1]
                  ? each[0].best === each[1].best
                    ? "same"
                    : `${each[0].best} → ${each[1].best}`
                  : NONE,
              ]
            : []),
        ],
      };
    }),
  );
}

/** @param {Found} found */
function differs([a, b]) {
  if (!a || !b || a.game !== b.game) return [];
  const hands = Object.keys(a.hands).filter(
    (name) => b.hands[name] && a.hands[name].best !== b.hands[name].best,
  );
  if (!hands.length) return ["Both are played the same way."];
  /** @param {string} name */
  const change = (name) => `${name} ${a.hands[name].best} → ${b.hands[name].best}`;
  return [
    `Played differently (outlined in the second): ${hands.map((name) => change(name)).join("; ")}.`,
  ];
}

// Files

/** @param {string} side */
function offer(side) {
  const place = first(`[data-files=${side}]`),
    answer = choices[side].answer;
  const current = answer && answer.key === choices[side].key;
  for (const link of all("[data-form]", place, HTMLAnchorElement)) {
    link.setAttribute("aria-disabled", String(!current));
    if (current) {
      link.href = `/api/analysis/${answer.id}/${link.dataset.form}`;
      link.download = `${answer.result.rulebook}.${link.dataset.form}`;
    } else link.removeAttribute("href");
  }
  for (const button of all("[data-svg]", place, HTMLButtonElement))
    button.disabled = !current || (button.dataset.svg === "chart" && !gridOf(answer.result.hands));
}

/** @type {Record<string, string>} */
const SAVED_AS = { spread: "results", chart: "strategy" };

for (const button of all("[data-svg]")) {
  button.addEventListener("click", (event) => {
    const side = around(event, "[data-files]").dataset.files;
    const drawn =
      button.dataset.svg === "spread" ? spreadDrawing(side, true) : gridDrawing(side, true);
    const link = el("a", {
      href: URL.createObjectURL(new Blob([saved(drawn)], { type: "image/svg+xml" })),
      download: `${counted(side).rulebook}-${SAVED_AS[button.dataset.svg]}.svg`,
    });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}

start.addEventListener("click", count);
cancel.addEventListener("click", () => stop?.abort());
$("compare").addEventListener("click", () => {
  if (!both()) choices.b.take(choices.a.copy());
  compare(!both());
  if (both() && !choices.b.answer) choices.b.answer = choices.a.answer;
  changed();
});
$("copy").addEventListener("click", async () => {
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    say("Link copied");
  } catch {
    document.execCommand("copy");
  }
});
for (const form of forms)
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target instanceof HTMLInputElement && !counting) count();
  });

function restore() {
  const words = new URLSearchParams(location.search);
  for (const side of ["a", "b"]) {
    if (!words.has(side)) continue;
    const wanted = readable(words, side, books);
    if (!wanted) {
      $("no").textContent =
        `The link names a rulebook that is not here: ${words.get(side).slice(0, 40)}.`;
      continue;
    }
    choices[side].take(wanted);
    for (const name of Object.keys(wanted.lines))
      first(`[data-wager="${name}"] details`, choices[side].form, HTMLDetailsElement).open = true;
    if (side === "b") compare(true);
  }
  const odd = strange(words, books);
  if (odd)
    $("no").textContent ||=
      `The link says ${odd.map((part) => part.slice(0, 40)).join("=")}, which means nothing here.`;
  link.value = location.href;
  show();
  $("ready").hidden = false;
  if (words.has("a") && !$("no").textContent) count();
}

restore();
