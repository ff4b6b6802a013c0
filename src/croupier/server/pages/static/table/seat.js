// A player's place at the table, as the last frame has it: whose boxes, what lies there, and what
// may be done. Nothing is drawn here.

import { forThisTab, store, stored } from "../shared/dom.js";
import { offered } from "../shared/offers.js";
import { money, wagerOf } from "../shared/words.js";

/** @import { Command, Frame } from "../shared/connection.js" */

/**
 * @typedef {Record<string, number>} Stakes
 * @typedef {{ key: string, action: string, says: string, cents?: number, command: Command }} Choice
 */

/**
 * Which question is put, to whom and in which round; nothing where nobody decides.
 * @param {Frame | null} frame
 */
export function questionOf(frame) {
  const { role, box, street } = frame?.due ?? {};
  return role === "player" ? JSON.stringify([frame.view.round, box, street]) : "";
}

export class Seat {
  /**
   * @param {Server.TableFacts} facts
   * @param {string} you
   */
  constructor(facts, you) {
    this.facts = facts;
    this.you = you;
    /** @type {Frame | null} */
    this.frame = null;
    // The box in front of the player; 0 before the first frame.
    this.box = 0;
    // Chips that were put down and that no frame has yet.
    /** @type {Stakes | null} */
    this.hoped = null;
    /** @type {Stakes | null} */
    this.lastStakes = this.remembered();
  }

  get view() {
    return this.frame?.view ?? null;
  }

  // Wagers

  /** @param {string} name */
  wager(name) {
    return wagerOf(this.facts, name);
  }

  // The wagers that a hand usually begins with.
  get opening() {
    return this.facts.opens[0];
  }

  /** @param {Stakes} stakes */
  opens(stakes) {
    return this.facts.opens.some((names) => names.every((name) => stakes[name]));
  }

  /** @param {Server.WagerFacts} wager */
  limits(wager) {
    if (wager.equals) return `Equal to the ${this.wager(wager.equals).title}`;
    if (wager.least === wager.most) return money(wager.least);
    return `${money(wager.least)} to ${money(wager.most)}`;
  }

  /** @param {Server.WagerFacts} wager */
  about(wager) {
    const beats = wager.looks
      ? `It looks at ${wager.looks}`
      : wager.equals
        ? `It goes with the ${this.wager(wager.equals).title}`
        : "Your hand against the dealer's";
    return `${wager.title}, ${this.limits(wager).replace(/^Equal/, "equal")}. ${beats}.`;
  }

  // Boxes

  /** @param {...string} what */
  offered(...what) {
    return offered(this.view, ...what);
  }

  // Every box of yours; one you left still shows whose it was in the round before.
  mine() {
    return (this.view?.boxes ?? []).filter(({ player, left }) => player === this.you && !left);
  }

  // The box in front of you: the one that is asked, else the one you turned to.
  own() {
    const mine = this.mine();
    const asked = this.view?.phase === "acting" && mine.find((box) => box.seat === this.view.turn);
    return asked || mine.find((box) => box.seat === this.box) || mine[0];
  }

  inRound() {
    return this.offered("withdraw-wagers").some((option) => option.box === this.box);
  }

  /** @returns {Stakes} */
  stakes() {
    if (this.hoped) return this.hoped;
    return this.view.over ? {} : (this.own()?.stakes ?? {});
  }

  mayPlace() {
    return this.offered("place-wagers").find((option) => option.box === this.box)?.wagers ?? [];
  }

  // Decisions

  /** @returns {Choice[]} */
  choices() {
    return this.offered("play", "check", "fold")
      .filter((option) => option.box === this.box)
      .flatMap((option) => (option.do === "play" ? this.plays(option) : [this.other(option)]));
  }

  /**
   * @param {Server.Option} option
   * @returns {Choice[]}
   */
  plays({ cents }) {
    const asked = this.asked();
    const play = this.wager(asked.wager);
    const ante = this.own().stakes[play.beside];
    const [least, most] = [Math.min(...cents), Math.max(...cents)];
    return asked.sizes
      .filter((size) => size * ante >= least && size * ante <= most)
      .map((size) => ({
        key: String(size),
        action: `${size}x`,
        says: `${play.title} ${size}×`,
        cents: size * ante,
        command: { do: "play", box: this.box, cents: size * ante },
      }));
  }

  /**
   * @param {Server.Option} option
   * @returns {Choice}
   */
  other({ do: action }) {
    const says = action === "check" ? "Check" : "Fold";
    return { key: action[0], action, says, command: { do: action, box: this.box } };
  }

  // The street whose question is put now, and the wager that answers it.
  asked() {
    return this.facts.streets.find(({ name }) => name === this.frame.due.street);
  }

  // Which question is put now: the same buttons may belong to the next one.
  asking() {
    return questionOf(this.frame);
  }

  // What was wagered last, for the same again

  remember() {
    const own = this.own();
    if (!own?.stakes || !Object.keys(own.stakes).length) return;
    if (this.view.phase === "betting" || !this.opens(own.stakes) || own.folded) return;
    this.lastStakes = Object.fromEntries(
      Object.entries(own.stakes).filter(([name]) => this.wager(name)?.offered),
    );
    store(forThisTab, this.memory, JSON.stringify(this.lastStakes));
  }

  /** @returns {Stakes | null} */
  remembered() {
    return JSON.parse(stored(forThisTab, this.memory) ?? "null");
  }

  get memory() {
    return `stakes ${this.facts.table}`;
  }
}
