// Words that several pages use: amounts, times, names of wagers, and how a round ended.

// The time of day, by 24 hours: `21:05`.
export const timeOfDay = (/** @type {number} */ seconds) =>
  new Date(seconds * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

// The day, as people write it: `Nov 16`.
export const day = (/** @type {number} */ seconds) =>
  new Date(seconds * 1000).toLocaleDateString("en-US", { month: "short", day: "numeric" });

// A moment of the ledger, with its day and its zone: `Nov 16, 2026, 21:05:09 EST`.
export const moment = (/** @type {number} */ microseconds) =>
  new Date(microseconds / 1000).toLocaleString("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });

/** @param {string} text a number as the browser writes it */
export const minus = (text) => text.replace("-", "−");

/** @param {number} share */
export const percent = (share, digits = 4) => `${minus((100 * share).toFixed(digits))} %`;

/**
 * @param {number} value
 * @param {number} digits
 */
export const signed = (value, digits) => `${value < 0 ? "" : "+"}${minus(value.toFixed(digits))}`;

/** @param {string} words what is played, or a sentence about it: `4x` is `4×` */
export const actionWords = (words) => words.replace(/\b(\d+)x\b/g, "$1×");

/** @param {{ right: number, decisions: number }} tally */
export const percentRight = ({ right, decisions }) =>
  `${((100 * right) / decisions).toFixed(right === decisions ? 0 : 1)}%`;

/**
 * @param {number} cents
 * @param {{ sign?: boolean }} [how]
 */
export function money(cents, { sign = false } = {}) {
  const whole = Math.abs(cents) % 100 === 0;
  const text = (Math.abs(cents) / 100).toLocaleString("en-US", {
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: 2,
  });
  const before = cents < 0 ? "−" : sign && cents > 0 ? "+" : "";
  return `${before}$${text}`;
}

/**
 * So many of a thing: `1 round`, `2 rounds`.
 * @param {number} many
 * @param {string} thing
 */
export const counted = (many, thing) =>
  `${many.toLocaleString("en-US")} ${thing}${many === 1 ? "" : "s"}`;

/** @param {number} net */
export const netWords = (net) => (net ? money(net, { sign: true }) : "even");

/** @param {number | null | undefined} net */
export const netClass = (net) => (net > 0 ? "won" : net < 0 ? "lost" : "");

/** @param {Record<string, number>} [stakes] */
export const sumOf = (stakes) => Object.values(stakes ?? {}).reduce((sum, cents) => sum + cents, 0);

/** @param {string} words */
export const capital = (words) => `${words[0].toUpperCase()}${words.slice(1)}`;

/** @param {string} name */
export const spaced = (name) => name.replaceAll("_", " ");

/**
 * @param {Server.TableFacts} facts
 * @param {string} name
 */
export const wagerOf = (facts, name) => facts.wagers.find((wager) => wager.name === name);

/**
 * @param {Server.TableFacts} facts
 * @param {string} name
 */
export const titleOf = (facts, name) => wagerOf(facts, name)?.title ?? spaced(name);

/** @param {Server.TableFacts} facts */
export const playOf = (facts) => facts.wagers.find((wager) => wager.beside);

/** @param {Server.Frame} frame */
export const shuffleWords = ({ view, commitment }) =>
  commitment
    ? `Round ${view.round} is dealt from the shuffle ${commitment}. ${choiceWords(view)}`
    : "";

/**
 * Whether the house alone made the order of the cards, and how often it did not open its pack.
 * @param {Server.View} view
 */
export function choiceWords({ boxes, unopened }) {
  const given = (boxes ?? []).filter(({ number }) => number).map(({ seat }) => seat);
  const shut = unopened ? ` Rounds whose pack the house did not open: ${unopened}.` : "";
  return given.length
    ? `The numbers of box ${given.join(", ")} shuffle it once more.${shut}`
    : `Not protected from the house's choice.${shut}`;
}
