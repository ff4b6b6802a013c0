// The coach's kernel: with the cards in sight, every deal that can follow is dealt and added up.
//
// No rule is here: which hands are equal, what each ending pays and what starting hands are worth
// come from `compiled_coach.py`. All sums are whole numbers below 2^53, so every value is exact.

/**
 * @typedef {{ street: string, own: string[], board: string[], up: string, known: string[],
 *   dead: string[] }} Position
 * @typedef {{ own: number[], board: number[], dealer: number[], left: number[] }} Sight cards by
 *   their numbers: the dealer's that are known, face up or not, and those that may lie anywhere
 * @typedef {Record<string, [number, number]>} Values numerator and denominator by action
 * @typedef {[wins: number, ties: number, losses: number, opens: number]} Odds ways to end
 * @typedef {{ lowRanks: number, flush: number, rows: string, columns: string, classes: string,
 *   flushes: string }} Tables of a ranker
 */

/**
 * What `compiled_coach.py` says of a game; which of it there is depends on its shape.
 * @typedef {object} Rules
 * @property {string} shape
 * @property {number} unit
 * @property {string} startOf
 * @property {Record<string, string>[]} starts
 * @property {string} cells
 * @property {Record<string, number[][]>} nets by play and cell, by ending
 * @property {number} firstOpening
 * @property {{ sizes: string[], or: string } | null} before what is asked before the flop
 * @property {string[]} flop
 * @property {string[]} end
 * @property {string} otherwise
 * @property {string} folds
 * @property {number} fold
 * @property {Record<number, { sizes: string[], or: string }>} asked by cards on the board
 * @property {number} ties
 * @property {string} bonus
 * @property {[name: string, size: number]} most
 * @property {[name: string, size: number]} least
 * @property {string} classes
 * @property {string[]} actions
 */

/**
 * How a kind of game is counted: the numerator and the denominator of each action.
 * @typedef {(kernel: Kernel, rules: Rules, sight: Sight) => Record<string, number[]>} Shape
 */

const ENDS = 5; // won and lost, the dealer opening or not; tied
const NO_BOARD =
  "before the flop known cards are not counted in this game; once the flop lies there they are";
const DEAD_ALONE =
  "before the flop, cards out of play are counted here where one of the dealer's is known too; " +
  "alone they take the installed program: croupier advise with --dead";

/** @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
/** @param {string} text */
const words = (text) => new Uint16Array(bytes(text).buffer);

/** Ranks hands by tables: counts of ranks in base five, high ranks a row, low ranks a column. */
class Ranker {
  /** @param {Tables} tables */
  constructor({ lowRanks, flush, rows, columns, classes, flushes }) {
    this.shift = lowRanks === 7 ? 17 : 14;
    this.mask = (1 << this.shift) - 1;
    this.rows = words(rows);
    this.columns = words(columns);
    this.classes = words(classes);
    this.flushes = words(flushes);
    this.lift = 0x1111 * (8 - flush);
    this.cards = new Int32Array(52);
    this.suits = new Int32Array(52);
    for (let card = 0; card < 52; card++) {
      const rank = card >> 2;
      const low = rank < lowRanks;
      this.cards[card] = low ? 5 ** rank : 5 ** (rank - lowRanks) * 2 ** this.shift;
      this.suits[card] = 1 << (4 * (card & 3));
    }
  }

  /** @param {number} counts @param {number} suits @param {ArrayLike<number>} held */
  rank(counts, suits, held) {
    const plain = this.classes[this.rows[counts >>> this.shift] + this.columns[counts & this.mask]];
    const five = (suits + this.lift) & 0x8888;
    return five ? Math.max(plain, this.flush(five, held)) : plain;
  }

  /** @param {number[]} held */
  classOf(held) {
    return this.rank(sumOf(this.cards, held), sumOf(this.suits, held), held);
  }

  /** @param {number} five @param {ArrayLike<number>} held */
  flush(five, held) {
    const suit = (31 - Math.clz32(five)) >> 2;
    let ranks = 0;
    for (let at = 0; at < held.length; at++) {
      if ((held[at] & 3) === suit) ranks |= 1 << (held[at] >> 2);
    }
    return this.flushes[ranks];
  }
}

/** A player's hand against every hand that a dealer of whom some cards are known can have. */
class Showdown {
  /** @param {Ranker} ranker @param {number} firstOpening */
  constructor(ranker, firstOpening) {
    this.ranker = ranker;
    this.firstOpening = firstOpening;
    this.counts = new Float64Array(ENDS);
    this.player = 0;
    /** @type {number[]} */
    this.held = [];
    /** @type {number[]} */
    this.left = [];
  }

  /**
   * Counts by ending: the dealer's hand is made whole by so many cards of those left.
   * @param {number} player his class
   * @param {number[]} known of the dealer's hand
   * @param {number[]} left
   * @param {number} missing
   */
  meet(player, known, left, missing) {
    this.player = player;
    this.left = left;
    this.held = [...known, ...left.slice(0, missing)];
    this.counts.fill(0);
    const { cards, suits } = this.ranker;
    this.deal(missing, left.length, sumOf(cards, known), sumOf(suits, known));
  }

  /** @param {number} missing @param {number} most @param {number} sum @param {number} suits */
  deal(missing, most, sum, suits) {
    const { ranker, held, left, player, firstOpening, counts } = this;
    if (missing === 0) {
      counts[endOf(player, ranker.rank(sum, suits, held), firstOpening)]++;
      return;
    }
    const place = held.length - missing;
    for (let at = missing - 1; at < most; at++) {
      const card = left[at];
      held[place] = card;
      const [more, suited] = [sum + ranker.cards[card], suits + ranker.suits[card]];
      if (missing > 1) this.deal(missing - 1, at, more, suited);
      else counts[endOf(player, ranker.rank(more, suited, held), firstOpening)]++;
    }
  }
}

/**
 * Won and lost, the dealer opening or not; tied.
 * @param {number} player @param {number} dealer @param {number} firstOpening
 */
function endOf(player, dealer, firstOpening) {
  if (player === dealer) return 2;
  return (player > dealer ? 0 : 3) + (dealer >= firstOpening ? 0 : 1);
}

/** @param {number[]} seen */
function unseen(seen) {
  const gone = new Set(seen);
  return Array.from({ length: 52 }, (_, card) => card).filter((card) => !gone.has(card));
}

/**
 * Every way to deal so many of these cards.
 * @param {number[]} left @param {number} cards
 * @returns {number[][]}
 */
function waysToDeal(left, cards) {
  if (cards === 0) return [[]];
  return left.flatMap((high, place) =>
    waysToDeal(left.slice(0, place), cards - 1).map((low) => [...low, high]),
  );
}

/** @param {number[]} value numerator and denominator */
function reduced([above, below]) {
  let [a, b] = [Math.abs(above), below];
  while (b) [a, b] = [b, a % b];
  return below === a ? String(above / a) : `${above / a}/${below / a}`;
}

/**
 * The cards in sight under these Rules: the street follows.
 * @param {string} hash
 * @param {Position} position
 */
const keyOf = (hash, { own, board, up, known, dead }) =>
  [hash, own, board, up, known, dead].join("/");

export class Kernel {
  /**
   * @param {{ deck: string[], five: Tables, four: Tables, rules: Record<string, Rules>,
   *   categories: [string, number][] }} data
   */
  constructor(data) {
    this.numbers = new Map(data.deck.map((name, number) => [name, number]));
    this.five = new Ranker(data.five);
    this.four = new Ranker(data.four);
    this.rules = new Map(Object.entries(data.rules));
    /** @type {[string, number][]} categories of hands and the first class of each, lowest first */
    this.categories = data.categories;
    this.counted = "";
    /** @type {Odds | null} those of the position that was counted last */
    this.lastOdds = null;
  }

  /**
   * The value of each action in Antes, as text; an error where these Rules are not known here.
   * @param {string} hash @param {Position} position
   * @returns {Record<string, string>}
   */
  values(hash, position) {
    const rules = this.rules.get(hash);
    if (!rules) return { error: "only the rules that come with Croupier are counted here" };
    const sight = this.sight(position);
    this.counted = keyOf(hash, position);
    this.lastOdds = null;
    if (rules.startOf && !sight.board.length) {
      if (sight.left.length === 50) return rules.starts[this.start(rules, sight.own)];
      if (!rules.before) return { error: NO_BOARD };
      if (!sight.dealer.length) return { error: DEAD_ALONE };
    }
    const found = SHAPES[rules.shape](this, rules, sight);
    return Object.fromEntries(
      Object.entries(found).map(([action, value]) => [action, reduced(value)]),
    );
  }

  /** @param {Position} position @returns {Sight} */
  sight({ own, board, up, known, dead }) {
    /** @param {string[]} names */
    const read = (names) => names.map((name) => this.numbers.get(name));
    const sight = { own: read(own), board: read(board), dealer: read(up ? [up, ...known] : known) };
    return { ...sight, left: unseen([...Object.values(sight).flat(), ...read(dead)]) };
  }

  /**
   * In how many of all ways to go on one wins, ties and loses, and in how many the dealer opens.
   * @param {string} hash @param {Position} position
   */
  odds(hash, position) {
    if (this.counted !== keyOf(hash, position)) this.values(hash, position);
    return this.lastOdds;
  }

  /** @param {Float64Array} counts by ending @param {number} tiedOpen ties where the dealer opens */
  keepOdds(counts, tiedOpen) {
    const [won, wonClosed, tied, lost, lostClosed] = counts;
    this.lastOdds = [won + wonClosed, tied, lost + lostClosed, won + lost + tiedOpen];
  }

  /**
   * The dealer's hands that beat this one on a whole board, by category.
   * @param {Position} position
   * @returns {Record<string, number>}
   */
  beaten(position) {
    const { own, board, left } = this.sight(position);
    const player = this.five.classOf([...board, ...own]);
    /** @type {Record<string, number>} */
    const found = {};
    for (const pair of waysToDeal(left, 2)) {
      const dealer = this.five.classOf([...board, ...pair]);
      if (dealer <= player) continue;
      const [name] = this.categories.findLast(([, first]) => first <= dealer);
      found[name] = (found[name] ?? 0) + 1;
    }
    return found;
  }

  /** @param {Rules} rules @param {number[]} own */
  start(rules, own) {
    return words(rules.startOf)[pairs(Math.max(...own)) + Math.min(...own)];
  }

  /**
   * By board to come: what each play brings, in units, summed over the dealer's hands.
   * @param {Rules} rules
   * @param {Sight} sight
   * @returns {{ won: Record<string, Float64Array>, dealers: number, coming: number[][] }}
   */
  met(rules, { own, board, dealer, left }) {
    const { five } = this;
    const showdown = new Showdown(five, rules.firstOpening);
    const { counts } = showdown;
    const cells = bytes(rules.cells);
    const names = Object.keys(rules.nets);
    const coming = waysToDeal(left, 5 - board.length);
    const won = Object.fromEntries(names.map((name) => [name, new Float64Array(coming.length)]));
    const every = new Float64Array(ENDS);
    let tiedOpen = 0;
    for (let which = 0; which < coming.length; which++) {
      const whole = [...board, ...coming[which]];
      const rest = left.filter((card) => !coming[which].includes(card));
      const player = five.classOf([...whole, ...own]);
      showdown.meet(player, [...whole, ...dealer], rest, 2 - dealer.length);
      const cell = cells[player];
      for (let end = 0; end < ENDS; end++) every[end] += counts[end];
      if (player >= rules.firstOpening) tiedOpen += counts[2];
      for (const name of names) won[name][which] = dot(rules.nets[name][cell], counts);
    }
    this.keepOdds(every, tiedOpen);
    return { won, dealers: total(counts), coming };
  }
}

// How many pairs, and how many threes, there are of so many cards: the codes of sets of them.
/** @param {number} cards */
const pairs = (cards) => (cards * (cards - 1)) / 2;
/** @param {number} cards */
const threes = (cards) => (cards * (cards - 1) * (cards - 2)) / 6;
/** @param {ArrayLike<number>} table @param {number[]} held */
const sumOf = (table, held) => held.reduce((sum, card) => sum + table[card], 0);
/** @param {number[]} nets by ending @param {Float64Array} counts */
function dot(nets, counts) {
  let sum = 0;
  for (let end = 0; end < ENDS; end++) sum += nets[end] * counts[end];
  return sum;
}
/** @param {number[] | Float64Array} numbers */
function total(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/**
 * With some of the dealer's cards known: each board is dealt once, for each of the ten flops that
 * it can have begun with.
 * @type {Shape}
 */
function beforeFlop(kernel, rules, { own, dealer, left }) {
  const { five } = kernel;
  const { sizes, or } = rules.before;
  const showdown = new Showdown(five, rules.firstOpening);
  const { counts } = showdown;
  const cells = bytes(rules.cells);
  const won = new Float64Array(sizes.length);
  const byFlop = [...rules.flop, rules.otherwise].map(() => new Float64Array(threes(left.length)));
  const flops = waysToDeal([0, 1, 2, 3, 4], 3);
  const places = [...left.keys()];
  let boards = 0;
  /** @param {number[]} at where the cards of a board are among those left, the lowest first */
  function add(at) {
    const board = at.map((place) => left[place]);
    const rest = left.filter((card) => !board.includes(card));
    const player = five.classOf([...board, ...own]);
    showdown.meet(player, [...board, ...dealer], rest, 2 - dealer.length);
    const cell = cells[player];
    const nets = (/** @type {string} */ name) => dot(rules.nets[name][cell], counts);
    sizes.forEach((name, which) => (won[which] += nets(name)));
    const last = Math.max(rules.fold * total(counts), ...rules.end.map(nets));
    const later = [...rules.flop.map(nets), last];
    for (const [a, b, c] of flops) {
      const flop = threes(at[c]) + pairs(at[b]) + at[a];
      for (let which = 0; which < later.length; which++) byFlop[which][flop] += later[which];
    }
    boards++;
  }
  for (const fourth of places) {
    const lower = waysToDeal(places.slice(0, fourth), 3);
    for (const fifth of places.slice(fourth + 1)) {
      for (const three of lower) add([...three, fourth, fifth]);
    }
  }
  const whole = rules.unit * total(counts) * boards;
  const waited = byFlop[0].map((_, flop) => Math.max(...byFlop.map((each) => each[flop])));
  const raised = sizes.map((name, which) => [name, [won[which], whole]]);
  return { ...Object.fromEntries(raised), [or]: [total(waited), flops.length * whole] };
}

/** @type {Shape} */
function holdem(kernel, rules, sight) {
  if (!sight.board.length) return beforeFlop(kernel, rules, sight);
  const { won, dealers, coming } = kernel.met(rules, sight);
  const whole = rules.unit * dealers * coming.length;
  /** @param {string[]} names */
  const at = (names) => Object.fromEntries(names.map((name) => [name, [total(won[name]), whole]]));
  const folded = [rules.fold, rules.unit];
  if (sight.board.length === 5) return { ...at(rules.end), [rules.folds]: folded };
  let checked = 0;
  for (let which = 0; which < coming.length; which++) {
    checked += Math.max(rules.fold * dealers, ...rules.end.map((name) => won[name][which]));
  }
  return { ...at(rules.flop), [rules.otherwise]: [checked, whole] };
}

/** @type {Shape} */
function holdemBets(kernel, rules, sight) {
  const { won, dealers, coming } = kernel.met(rules, sight);
  const street = rules.asked[sight.board.length];
  /** @param {string} name */
  const more = (name) => won[name].map((value, which) => value - won.stays[which]);
  let kept = 2 * total(won.stays);
  let bet = more("turn");
  if (sight.board.length === 3) {
    const byTurn = new Float64Array(52);
    for (const [which, cards] of coming.entries()) {
      for (const card of cards) byTurn[card] += bet[which];
    }
    for (const value of byTurn) kept += Math.max(value, 0);
    bet = more("flop");
  }
  const whole = 2 * rules.unit * dealers * coming.length;
  const made = street.sizes.map((size) => [size, [kept + 2 * total(bet), whole]]);
  return Object.fromEntries([...made, [street.or, [kept, whole]]]);
}

/**
 * The dealer's best four of six cards, one of them up, against the player's of five.
 * @type {Shape}
 */
function fourCard(kernel, rules, { own, dealer, left }) {
  const player = kernel.four.classOf(own);
  const showdown = new Showdown(kernel.four, 0);
  showdown.meet(player, dealer, left, 6 - dealer.length);
  const [below, , equal, above] = showdown.counts;
  kernel.keepOdds(showdown.counts, equal);
  const deals = below + equal + above;
  const edge = rules.unit * (below + rules.ties * equal - above);
  const bonus = words(rules.bonus)[player] * deals;
  const whole = rules.unit * deals;
  const played = [rules.most, rules.least].map(([name, size]) => [
    name,
    [(1 + size) * edge + bonus, whole],
  ]);
  return { ...Object.fromEntries(played), [rules.folds]: [-whole, whole] };
}

/**
 * Three cards each, every hand of the dealer dealt.
 * @type {Shape}
 */
function ownCards(kernel, rules, { own, dealer, left }) {
  const classes = words(rules.classes);
  /** @param {number[]} cards */
  function classOf(cards) {
    const [a, b, c] = [...cards].sort((one, other) => one - other);
    return classes[threes(c) + pairs(b) + a];
  }
  const player = classOf(own);
  const counts = new Float64Array(ENDS);
  for (const drawn of waysToDeal(left, 3 - dealer.length)) {
    counts[endOf(player, classOf([...dealer, ...drawn]), rules.firstOpening)]++;
  }
  kernel.keepOdds(counts, player >= rules.firstOpening ? counts[2] : 0);
  const whole = rules.unit * total(counts);
  return Object.fromEntries(
    rules.actions.map((name) => [name, [dot(rules.nets[name][player], counts), whole]]),
  );
}

/** @type {Record<string, Shape>} */
const SHAPES = {
  holdem,
  "holdem-bets": holdemBets,
  "four-card": fourCard,
  "own-cards": ownCards,
};
