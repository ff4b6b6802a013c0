// Chips on the felt: they lie at once where they were put; if the table says no, they come back
// with its reason.

import { say } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";
import { sound } from "../shared/sound.js";
import { money } from "../shared/words.js";

/** @import { Command } from "../shared/connection.js" */
/** @import { Seat, Stakes } from "./seat.js" */
/** @import { Numbers } from "./numbers.js" */

export class Wagers {
  /**
   * @param {Seat} seat
   * @param {Numbers} numbers
   * @param {() => void} onHope what lies there has changed, before the table knows
   * @param {() => void} paint
   */
  constructor(seat, numbers, onHope, paint) {
    this.seat = seat;
    this.numbers = numbers;
    this.commands = numbers.commands;
    this.onHope = onHope;
    this.paint = paint;
    // How many answers are waited for, and the last of them.
    this.waiting = 0;
    this.busy = Promise.resolve(true);
    // What lay there before each change since the betting opened.
    /** @type {Stakes[]} */
    this.undos = [];
  }

  /**
   * @param {Server.WagerFacts} wager
   * @param {number} chip
   * @param {boolean} less
   */
  touch(wager, chip, less) {
    if (!this.seat.mayPlace().includes(wager.name)) {
      no({ sentence: this.closedWords(wager), clause: this.seat.view.clause });
      return;
    }
    const leads = wager.equals ? this.seat.wager(wager.equals) : wager;
    const now = this.seat.stakes()[leads.name] ?? 0;
    const then = changed(leads, now, less ? -chip : chip);
    if (then !== now) {
      this.put(leads, then);
    } else if (!less) {
      no({ sentence: mostWords(leads, now), clause: leads.clause });
    }
  }

  /** @param {Server.WagerFacts} wager */
  closedWords(wager) {
    return this.seat.view.phase === "betting"
      ? `${wager.title} is not open now`
      : "No more bets: wagers are closed for this round";
  }

  /**
   * @param {Server.WagerFacts} wager
   * @param {number} cents
   */
  put(wager, cents) {
    const { facts, box } = this.seat;
    const followers = facts.wagers.filter((other) => other.equals === wager.name);
    const names = [wager, ...followers].map((one) => one.name);
    const stakes = { ...this.seat.stakes() };
    for (const name of names) {
      if (cents) stakes[name] = cents;
      else delete stakes[name];
    }
    const placed = Object.fromEntries(names.map((name) => [name, cents]));
    say(liesWords(wager, cents));
    this.hope(
      stakes,
      cents
        ? { do: "place-wagers", box, stakes: placed }
        : { do: "withdraw-wagers", box, wagers: names },
    );
  }

  /**
   * @param {Stakes} stakes
   * @param {...Command} commands
   */
  hope(stakes, ...commands) {
    const before = this.seat.stakes();
    this.undos.push(before);
    const busy = this.send(stakes, commands);
    // What was refused never lay there.
    busy.then((done) => {
      if (!done) this.undos = this.undos.filter((one) => one !== before);
    });
    return busy;
  }

  /**
   * @param {Stakes} stakes
   * @param {Command[]} commands
   */
  send(stakes, commands) {
    this.seat.hoped = stakes;
    sound("chip");
    no(null);
    this.onHope();
    this.waiting += 1;
    this.busy = this.busy.then(async () => {
      let done = true;
      for (const command of commands) {
        const committed = await this.numbers.committed(command);
        done = (await this.commands.give(committed)) && done;
      }
      this.waiting -= 1;
      if (this.see()) this.paint();
      return done;
    });
    return this.busy;
  }

  // Chips are hoped for until the view is as new as the last answer: other people's news do not
  // take them back meanwhile. Whether that was so just now.
  see() {
    const isOld = this.seat.frame.version < this.commands.version;
    if (!this.seat.hoped || this.waiting || isOld) return false;
    this.seat.hoped = null;
    return true;
  }

  // The last change is taken back, whatever it was, until the cards are dealt.
  undo() {
    const then = this.undos.pop();
    if (!then) return;
    const { box } = this.seat;
    const now = this.seat.stakes();
    const gone = Object.keys(now).filter((name) => !then[name]);
    const stakes = Object.fromEntries(
      Object.entries(then).filter(([name, cents]) => cents && now[name] !== cents),
    );
    /** @type {Command[]} */
    const commands = [];
    if (gone.length) commands.push({ do: "withdraw-wagers", box, wagers: gone });
    if (Object.keys(stakes).length) commands.push({ do: "place-wagers", box, stakes });
    if (!commands.length) return;
    const changed = [...gone, ...Object.keys(stakes)].map((name) => this.seat.wager(name));
    const leads = changed.filter((wager) => !wager.equals);
    say(leads.map((wager) => liesWords(wager, then[wager.name] ?? 0)).join(" "));
    this.send(then, commands);
  }

  clear() {
    if (this.seat.hoped || this.seat.inRound()) {
      this.hope({}, { do: "withdraw-wagers", box: this.seat.box });
    }
  }

  again() {
    const { lastStakes: stakes, box } = this.seat;
    if (!stakes) return Promise.resolve(false);
    return this.hope(stakes, { do: "place-wagers", box, stakes });
  }
}

// What would lie there with this chip more or less, as far as limits go, and the steps from the
// least.
/** @param {Server.WagerFacts} wager @param {number} now @param {number} chip */
function changed({ least, most, step }, now, chip) {
  if (least === most) return now ? 0 : least;
  let then = now + chip;
  if (chip > 0) then = Math.min(Math.max(then, least), most);
  else if (then < least) then = 0;
  return then && step ? then - ((then - least) % step) : then;
}

/** @param {Server.WagerFacts} wager @param {number} cents */
const liesWords = ({ title }, cents) => `${cents ? money(cents) : "Nothing"} on ${title}.`;

/** @param {Server.WagerFacts} wager @param {number} now */
function mostWords({ title, most, step }, now) {
  return now >= most
    ? `The most on ${title} is ${money(most)}`
    : `${title} goes in steps of ${money(step)}; take a larger chip`;
}
