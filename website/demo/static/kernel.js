// The coach's kernel: with the cards in sight, every deal that can follow is dealt and added up.
//
// No rule is here: which hands are equal, what each ending pays and what starting hands are worth
// come from `compiled_coach.py`. All sums are whole numbers below 2^53, so every value is exact.

/**
 * @typedef {{ street: string, own: string[], board: string[], up: string }} Position
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
 * @typedef {(kernel: Kernel, rules: Rules, own: number[], board: number[], up: number | null) =>
 *   Record<string, number[]>} Shape
 */

const ENDS = 5; // won and lost, the dealer opening or not; tied

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

/** @param {number[]} seen */
function unseen(seen) {
  const gone = new Set(seen);
  return Array.from({ length: 52 }, (_, card) => card).filter((card) => !gone.has(card));
}

/**
 * What can still come on the board, in the order of the solver: pairs, single cards, or nothing.
 * @param {number[]} left @param {number} missing
 */
function toCome(left, missing) {
  if (missing === 0) return [[]];
  if (missing === 1) return left.map((card) => [card]);
  return left.flatMap((high, place) => left.slice(0, place).map((low) => [low, high]));
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
const keyOf = (hash, { own, board, up }) => [hash, own, board, up].join("/");

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
    const [own, board] = [position.own, position.board].map((names) =>
      names.map((name) => this.numbers.get(name)),
    );
    this.counted = keyOf(hash, position);
    this.lastOdds = null;
    if (rules.startOf && !board.length) return rules.starts[this.start(rules, own)];
    const up = position.up ? this.numbers.get(position.up) : null;
    const found = SHAPES[rules.shape](this, rules, own, board, up);
    return Object.fromEntries(
      Object.entries(found).map(([action, value]) => [action, reduced(value)]),
    );
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
  beaten({ own, board }) {
    const { five } = this;
    const [held, shown] = [own, board].map((names) => names.map((name) => this.numbers.get(name)));
    /** @param {number[]} cards */
    const classOf = (cards) =>
      five.rank(sumOf(five.cards, cards), sumOf(five.suits, cards), cards);
    const player = classOf([...shown, ...held]);
    /** @type {Record<string, number>} */
    const found = {};
    for (const pair of toCome(unseen([...held, ...shown]), 2)) {
      const dealer = classOf([...shown, ...pair]);
      if (dealer <= player) continue;
      const [name] = this.categories.findLast(([, first]) => first <= dealer);
      found[name] = (found[name] ?? 0) + 1;
    }
    return found;
  }

  /** @param {Rules} rules @param {number[]} own */
  start(rules, own) {
    const [low, high] = [Math.min(...own), Math.max(...own)];
    return words(rules.startOf)[(high * (high - 1)) / 2 + low];
  }

  /**
   * By board to come: what each play brings, in units, summed over the dealer's hands.
   * @param {Rules} rules
   * @param {number[]} own
   * @param {number[]} board
   * @returns {{ won: Record<string, Float64Array>, dealers: number, coming: number[][] }}
   */
  met(rules, own, board) {
    const { five } = this;
    const cells = bytes(rules.cells);
    const names = Object.keys(rules.nets);
    const left = unseen([...own, ...board]);
    const coming = toCome(left, 5 - board.length);
    const won = Object.fromEntries(names.map((name) => [name, new Float64Array(coming.length)]));
    const counts = new Float64Array(ENDS);
    const every = new Float64Array(ENDS);
    let tiedOpen = 0;
    let dealers = 0;
    for (let which = 0; which < coming.length; which++) {
      const whole = [...board, ...coming[which]];
      const rest = left.filter((card) => !coming[which].includes(card));
      const player = this.showdowns(five, own, whole, rest, rules.firstOpening, counts);
      const cell = cells[player];
      for (let end = 0; end < ENDS; end++) every[end] += counts[end];
      if (player >= rules.firstOpening) tiedOpen += counts[2];
      dealers = (rest.length * (rest.length - 1)) / 2;
      for (const name of names) {
        const nets = rules.nets[name][cell];
        let sum = 0;
        for (let end = 0; end < ENDS; end++) sum += nets[end] * counts[end];
        won[name][which] = sum;
      }
    }
    this.keepOdds(every, tiedOpen);
    return { won, dealers, coming };
  }

  /**
   * Counts by ending over the dealer's pairs; the player's class.
   * @param {Ranker} five
   * @param {number[]} own
   * @param {number[]} board
   * @param {number[]} rest
   * @param {number} firstOpening
   * @param {Float64Array} counts
   */
  showdowns(five, own, board, rest, firstOpening, counts) {
    let [sum, suits] = [0, 0];
    for (const card of board) {
      sum += five.cards[card];
      suits += five.suits[card];
    }
    const seven = [...board, ...own];
    const [a, b] = own;
    const player = five.rank(
      sum + five.cards[a] + five.cards[b],
      suits + five.suits[a] + five.suits[b],
      seven,
    );
    counts.fill(0);
    const { rows, columns, classes, shift, mask, lift, cards, suits: ofSuit } = five;
    const held = [...board, 0, 0];
    for (let high = 1; high < rest.length; high++) {
      const second = rest[high];
      const withHigh = sum + cards[second];
      const suitsHigh = suits + ofSuit[second] + lift;
      for (let low = 0; low < high; low++) {
        const first = rest[low];
        const total = withHigh + cards[first];
        let dealer = classes[rows[total >>> shift] + columns[total & mask]];
        const flush = (suitsHigh + ofSuit[first]) & 0x8888;
        if (flush) {
          held[5] = first;
          held[6] = second;
          dealer = Math.max(dealer, five.flush(flush, held));
        }
        if (player === dealer) counts[2]++;
        else counts[(player > dealer ? 0 : 3) + (dealer >= firstOpening ? 0 : 1)]++;
      }
    }
    return player;
  }
}

/** @param {ArrayLike<number>} table @param {number[]} held */
const sumOf = (table, held) => held.reduce((sum, card) => sum + table[card], 0);
/** @param {number[] | Float64Array} numbers */
function total(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return sum;
}

/** @type {Shape} */
function holdem(kernel, rules, own, board) {
  const { won, dealers, coming } = kernel.met(rules, own, board);
  const whole = rules.unit * dealers * coming.length;
  /** @param {string[]} names */
  const at = (names) => Object.fromEntries(names.map((name) => [name, [total(won[name]), whole]]));
  if (board.length === 5) return { ...at(rules.end), [rules.folds]: [rules.fold, rules.unit] };
  let checked = 0;
  for (let which = 0; which < coming.length; which++) {
    checked += Math.max(rules.fold * dealers, ...rules.end.map((name) => won[name][which]));
  }
  return { ...at(rules.flop), [rules.otherwise]: [checked, whole] };
}

/** @type {Shape} */
function holdemBets(kernel, rules, own, board) {
  const { won, dealers, coming } = kernel.met(rules, own, board);
  const street = rules.asked[board.length];
  /** @param {string} name */
  const more = (name) => won[name].map((value, which) => value - won.stays[which]);
  let kept = 2 * total(won.stays);
  let bet = more("turn");
  if (board.length === 3) {
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
 * The dealer's best four of the up card and any five unseen, against the player's of five.
 * @type {Shape}
 */
function fourCard(kernel, rules, own, _board, up) {
  const { four } = kernel;
  const player = four.rank(sumOf(four.cards, own), sumOf(four.suits, own), own);
  const left = unseen([...own, up]);
  const { rows, columns, classes, shift, mask, lift, cards, suits } = four;
  const held = [up, 0, 0, 0, 0, 0];
  let [below, equal, above] = [0, 0, 0];
  const n = left.length;
  for (let e = 4; e < n; e++) {
    held[5] = left[e];
    const [ce, se] = [cards[up] + cards[left[e]], suits[up] + suits[left[e]] + lift];
    for (let d = 3; d < e; d++) {
      held[4] = left[d];
      const [cd, sd] = [ce + cards[left[d]], se + suits[left[d]]];
      for (let c = 2; c < d; c++) {
        held[3] = left[c];
        const [cc, sc] = [cd + cards[left[c]], sd + suits[left[c]]];
        for (let b = 1; b < c; b++) {
          held[2] = left[b];
          const cb = cc + cards[left[b]];
          const sb = sc + suits[left[b]];
          for (let a = 0; a < b; a++) {
            const sum = cb + cards[left[a]];
            let dealer = classes[rows[sum >>> shift] + columns[sum & mask]];
            const flush = (sb + suits[left[a]]) & 0x8888;
            if (flush) {
              held[1] = left[a];
              dealer = Math.max(dealer, four.flush(flush, held));
            }
            if (dealer < player) below++;
            else if (dealer === player) equal++;
            else above++;
          }
        }
      }
    }
  }
  const deals = below + equal + above;
  kernel.lastOdds = [below, equal, above, deals];
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
function ownCards(kernel, rules, own) {
  const classes = words(rules.classes);
  /** @param {number} card */
  const pairs = (card) => (card * (card - 1)) / 2;
  /** @param {number} card */
  const threes = (card) => (card * (card - 1) * (card - 2)) / 6;
  const [first, second, third] = [...own].sort((one, other) => one - other);
  const player = classes[threes(third) + pairs(second) + first];
  const left = unseen(own);
  const counts = new Float64Array(ENDS);
  for (let c = 2; c < left.length; c++) {
    for (let b = 1; b < c; b++) {
      const code = threes(left[c]) + pairs(left[b]);
      for (let a = 0; a < b; a++) {
        const dealer = classes[code + left[a]];
        const opens = dealer >= rules.firstOpening;
        if (player === dealer) counts[2]++;
        else counts[(player > dealer ? 0 : 3) + (opens ? 0 : 1)]++;
      }
    }
  }
  kernel.keepOdds(counts, player >= rules.firstOpening ? counts[2] : 0);
  const whole = rules.unit * total(counts);
  return Object.fromEntries(
    rules.actions.map((name) => {
      const nets = rules.nets[name][player];
      return [name, [nets.reduce((sum, net, end) => sum + net * counts[end], 0), whole]];
    }),
  );
}

/** @type {Record<string, Shape>} */
const SHAPES = {
  holdem,
  "holdem-bets": holdemBets,
  "four-card": fourCard,
  "own-cards": ownCards,
};
