// A player's number for the shuffle: made in this browser, committed to with the first wager, and
// shown when betting is closed. Without it the order of the cards is the house's alone.

import { forThisTab, store, stored } from "../shared/dom.js";

/** @import { Command } from "../shared/connection.js" */
/** @import { Seat } from "./seat.js" */
/** @import { Commands } from "./commands.js" */

const BYTES = 32;

export class Numbers {
  /**
   * @param {Seat} seat
   * @param {Commands} commands
   */
  constructor(seat, commands) {
    this.seat = seat;
    this.commands = commands;
    // The numbers that were shown, each once.
    /** @type {Set<string>} */
    this.shown = new Set();
  }

  /**
   * Wagers with what commits to a number, where the table takes one and the box has given none.
   * A browser that cannot hash here (no https) gives none.
   * @param {Command} command
   */
  async committed(command) {
    const { view } = this.seat;
    const given = view.boxes.find(({ seat }) => seat === command.box)?.number;
    if (command.do !== "place-wagers" || !view.takes_numbers || given || !crypto.subtle) {
      return command;
    }
    const key = this.key(command.box);
    const number = stored(forThisTab, key) ?? hex(crypto.getRandomValues(new Uint8Array(BYTES)));
    store(forThisTab, key, number);
    const hash = await digest("croupier number 1", view.round, command.box, unhex(number));
    return { ...command, number_hash: hex(hash) };
  }

  /** Betting is closed: every number of yours that is waited for is shown. */
  show() {
    for (const { box } of this.seat.offered("show-number")) {
      const key = this.key(box);
      const number = stored(forThisTab, key);
      if (number && !this.shown.has(key)) {
        this.shown.add(key);
        this.send(key, { do: "show-number", box, number });
      }
    }
  }

  /**
   * What the house answered stays beside the number: who is called missing has it to show.
   * @param {string} key
   * @param {Command} command
   */
  async send(key, command) {
    const at = new Date().toISOString();
    store(forThisTab, `${key} sent`, `sent ${at}, not answered`);
    const told = await this.commands.request(command);
    store(forThisTab, `${key} sent`, `sent ${at}, answered "${told.outcome}"`);
  }

  /** @param {number} box */
  key(box) {
    return keyOf(this.seat.facts.table, this.seat.view.round, box);
  }
}

/**
 * @param {string} table
 * @param {number} round
 * @param {number} box
 */
const keyOf = (table, round, box) => `number ${table} ${round} ${box}`;

/**
 * The number that this tab gave for a round, and what became of it; null where it gave none.
 * @param {string} table
 * @param {number} round
 * @param {number} box
 */
export function numberGiven(table, round, box) {
  const key = keyOf(table, round, box);
  const number = stored(forThisTab, key);
  return number && { number, sent: stored(forThisTab, `${key} sent`) ?? "never sent" };
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} digits */
const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/**
 * SHA-256 over the parts, each with its length before it in eight bytes.
 * @param {...(string | number | Uint8Array)} parts
 */
async function digest(...parts) {
  const whole = parts.flatMap((part) => {
    const raw = part instanceof Uint8Array ? part : new TextEncoder().encode(String(part));
    return [0, 0, 0, 0, 0, 0, raw.length >> 8, raw.length & 255, ...raw];
  });
  return new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(whole)));
}
