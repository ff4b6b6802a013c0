// Chips on the felt: they lie at once where they were put; if the table says no, they come back
// with its reason.

import { say } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";
import { money } from "../shared/words.js";

export class Wagers {
  /**
   * @param {import("./seat.js").Seat} seat
   * @param {import("./commands.js").Commands} commands
   * @param {() => void} onHope what lies there has changed, before the table knows
   * @param {() => void} paint
   */
  constructor(seat, commands, onHope, paint) {
    this.seat = seat;
    this.commands = commands;
    this.onHope = onHope;
    this.paint = paint;
    // How many answers are waited for, and the last of them.
    this.waiting = 0;
    this.busy = Promise.resolve(true);
    /** @type {[Server.WagerFacts, number][]} */
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
      this.undos.push([leads, now]);
      this.put(leads, then);
    } else if (!less) {
      no({ sentence: mostWords(leads, now), clause: leads.clause });
    }
  }

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
    say(cents ? `${money(cents)} on ${wager.title}.` : `Nothing on ${wager.title}.`);
    this.hope(
      stakes,
      cents
        ? { do: "place-wagers", box, stakes: placed }
        : { do: "withdraw-wagers", box, wagers: names },
    );
  }

  /**
   * @param {import("./seat.js").Stakes} stakes
   * @param {import("./seat.js").Command} command
   */
  hope(stakes, command) {
    this.seat.hoped = stakes;
    no(null);
    this.onHope();
    this.waiting += 1;
    this.busy = this.busy.then(async () => {
      const done = await this.commands.give(command);
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

  // The last chip put down comes back; a touch screen has no Shift.
  undo() {
    const [wager, cents] = this.undos.pop() ?? [];
    if (wager && (this.seat.stakes()[wager.name] ?? 0) !== cents) this.put(wager, cents);
  }

  clear() {
    this.undos = [];
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

// What would lie there with this chip more or less, as far as limits and steps go.
function changed({ least, most, step }, now, chip) {
  if (least === most) return now ? 0 : least;
  let then = now + chip;
  if (chip > 0) then = Math.min(Math.max(then, least), most);
  else if (then < least) then = 0;
  return then - (step ? then % step : 0);
}

function mostWords({ title, most, step }, now) {
  return now >= most
    ? `The most on ${title} is ${money(most)}`
    : `${title} goes in steps of ${money(step)}; take a larger chip`;
}
