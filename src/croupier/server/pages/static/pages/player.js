// A player at a live table: take a box, wager when the betting is open, answer in turn.
// Nothing here advises: a live round shows what the rules show, and no more.

import "./login.js";
import { actButton } from "../table/buttons.js";
import { Care } from "../table/care.js";
import { Clock } from "../table/decision_clock.js";
import { $, around, el, fieldOf, fieldsOf, first, onSubmit } from "../shared/dom.js";
import { facts, livePath, metaOf, orNull, toLogin } from "../shared/connection.js";
import { request } from "../shared/carrier.js";
import { Table } from "../table/table.js";
import { ended, headline, heard, houseWords, outOfTime } from "../table/announcements.js";
import { told } from "../shared/attention.js";
import { money, shuffleWords, sumOf, titleOf } from "../shared/words.js";

/** @import { TableHost } from "../table/table.js" */
/** @import { Frame, LinkState } from "../shared/connection.js" */
/** @import { Seat, Stakes } from "../table/seat.js" */

const RECEIPT_MS = 6000;
const LOOK_MS = 300_000;
/** @type {Record<string, string>} */
const ACTS = {
  r: "[data-act=again]",
  b: "[data-act^=box-]",
  enter: "[data-act=ready], [data-act=first], [data-act=ask]",
};

/** @implements {TableHost} */
class LivePlay {
  constructor() {
    this.table = new Table(livePath(facts().table), metaOf("me"), this);
    /** @type {Seat} */
    this.seat = this.table.seat;
    this.clock = new Clock($("clock"));
    this.purse = new Purse(this.table);
    this.disputes = new Disputes(this.table);
    // What was called across the felt last.
    this.heard = "";
    this.care = new Care("/care", this.table.hint);
    /** @type {number | null} */
    this.looked = null;
    setInterval(() => this.look(), LOOK_MS);
  }

  // How long and for how much is no matter of the table: it is asked for when a round is over.
  async look() {
    const answer = await orNull(request("/care"));
    if (answer?.ok) this.care.show(await answer.json());
  }

  /** @param {Frame} frame @param {() => void} draw */
  show(frame, draw) {
    const late = outOfTime(frame, this.seat.you);
    const answer = houseWords(frame);
    if (late) this.table.hint.notice = late;
    if (answer) {
      this.table.hint.notice = { words: answer };
      told(answer);
    }
    draw();
    this.call(frame);
    $("shuffle").textContent = shuffleWords(frame);
    this.clock.show(frame, this.seat.choices().length ? "You have" : "");
    if (this.looked === frame.view.round) return;
    this.looked = frame.view.round;
    this.look();
  }

  /** @param {Frame} frame */
  call(frame) {
    const { view, hoped, you } = this.seat;
    this.heard = heard(frame, you, this.seat.facts.wagers) || (frame.gap ? "" : this.heard);
    if (view.phase === "betting" && (this.seat.inRound() || hoped)) this.heard = "";
    const floor = view.call && !view.waits_for ? "The floorperson is called" : "";
    const said = [ended(this.seat) || this.heard, floor].filter(Boolean);
    headline(said);
  }

  painted() {
    this.purse.paint();
    this.disputes.paint();
  }

  // Buttons

  buttons() {
    const own = this.seat.own();
    if (!own) return [...this.behind(), ...this.takeButtons((box) => `Box ${box}`)];
    const { box: now } = this.seat;
    const boxes = this.seat.mine().map((box) => box.seat);
    const next = [...boxes.filter((box) => box > now), ...boxes.filter((box) => box < now)];
    const turns = next.map((box, n) => {
      const turn = () => this.table.turnTo(box);
      return actButton(`box-${box}`, `To your box ${box}`, n ? "" : "B", turn, "sit");
    });
    const more = this.takeButtons((box) => `Take box ${box} too`);
    return [...this.wagerButtons(own), ...turns, ...more];
  }

  /** @param {(box: number) => string} says */
  takeButtons(says) {
    return this.seat.offered("take-box").map(({ box }) => {
      const take = () => this.table.commands.give({ do: "take-box", box });
      return actButton(`sit-${box}`, says(box), "", take, "sit");
    });
  }

  // Chips that are kept for somebody who left without them.
  behind() {
    return this.seat.offered("pay-kept").map(({ names: [player], cents: [cents] }) => {
      const fetched = () => this.fetchChips(player, cents);
      return actButton("fetch", `Take your ${money(cents)} with you`, "", fetched, "main");
    });
  }

  /** @param {string} player @param {number} cents */
  async fetchChips(player, cents) {
    if (!(await this.table.give({ do: "pay-kept", player }))) return;
    const words = voucherWaits(this.seat.view) || `You have a voucher for ${money(cents)}.`;
    this.table.hint.notice = { words };
    this.table.paintActions();
  }

  /** @param {Server.BoxView} own */
  wagerButtons(own) {
    const { wagers } = this.table;
    const asks = this.purse.mayAsk() && !own.chips_cents ? [this.purse.askButton()] : [];
    if (!this.seat.mayPlace().length) return asks;
    const stakes = this.seat.stakes();
    if (Object.keys(stakes).length) {
      const clear = actButton("clear", "Take all back", "X", () => wagers.clear());
      return [...this.readyButtons(stakes), ...this.table.undoButtons(), clear];
    }
    if (!own.chips_cents) return asks;
    if (this.seat.lastStakes)
      return [actButton("again", "Same wagers", "R", () => wagers.again(), "main")];
    const first = this.seat.wager(this.seat.opening[0]);
    const begin = () => wagers.put(first, first.least);
    const says = `${money(first.least)} on the ${first.title}`;
    return [actButton("first", says, "Enter", begin, "main")];
  }

  // Chips that no frame has yet are waited for: who is ready is so for what lies there.
  /** @param {Stakes} stakes */
  readyButtons(stakes) {
    const box = this.seat.box;
    if (!this.seat.opens(stakes) || !this.seat.offered("say-ready").some((one) => one.box === box))
      return [];
    const ready = async () => {
      await this.table.wagers.busy;
      this.table.commands.give({ do: "say-ready", box });
    };
    const says = `Ready · ${money(sumOf(stakes))}`;
    return [actButton("ready", says, "Enter", ready, "main")];
  }

  /** @param {KeyboardEvent} event @param {string} key */
  pressed(event, key) {
    const act = ACTS[key];
    if (!act || (around(event, "button") && key === "enter")) return;
    first(act, $("buttons"))?.click();
  }

  // Words

  /** @returns {string | undefined} */
  hint() {
    const { seat } = this;
    const own = seat.own();
    if (!own && seat.offered("pay-kept").length) {
      return "Your chips are kept for you: take a box again, or take them with you.";
    }
    if (!own) {
      return seat.offered("take-box").length
        ? "Take a box to play; you can change your mind before you wager."
        : "Every box is taken; one may come free.";
    }
    if (seat.view.phase !== "betting") return undefined;
    if (!own.chips_cents && !Object.keys(seat.stakes()).length) {
      return own.asked_cents
        ? `You asked for ${money(own.asked_cents)} in chips. The dealer is told.`
        : "Ask the dealer for chips: you have none at this box yet.";
    }
    if (own.ready) return "You are ready. The dealer closes the betting when the others are.";
    if (seat.inRound() && seat.opens(seat.stakes()))
      return "Your wagers are down: say that you are ready, or add to them.";
    return seat.mayPlace().length ? undefined : "The dealer has not opened the table yet.";
  }

  /** @param {LinkState} state */
  lost(state) {
    return state === "closed"
      ? "the pit was closed; your page comes back when it is open again"
      : "the table is out of reach; your page comes back by itself";
  }

  loggedOut() {
    toLogin();
    return false;
  }
}

// Chips of a box move between rounds, not during one.
class Purse {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.seat = table.seat;
    this.sat = false;
    // What was paid out is said for a while; "left", until one sits down again.
    /** @type {boolean | "left"} */
    this.paidOut = false;
    $("cash").addEventListener("click", () => this.cashOut());
    $("have").addEventListener("click", () => this.acknowledge());
    this.tip = $("tip", HTMLFormElement);
    this.part = $("part", HTMLFormElement);
    onSubmit($("ask", HTMLFormElement), (form) => this.ask(centsOf(form)));
    onSubmit(this.tip, (form) => this.payOut("tip", centsOf(form)));
    onSubmit(this.part, (form) => this.payOut("cash-out", centsOf(form)));
  }

  mayAsk() {
    const own = this.seat.own();
    return this.seat.offered("ask-chips").some((option) => option.box === own?.seat);
  }

  // One touch for who has none: a hundred times the least; the form has any other sum.
  askButton() {
    const cents = 100 * this.seat.wager(this.seat.opening[0]).least;
    const says = `Ask for ${money(cents)} in chips`;
    return actButton("ask", says, "Enter", () => this.ask(cents), "main");
  }

  /** @param {number} cents */
  ask(cents) {
    this.table.hint.notice = null;
    this.table.commands.give({ do: "ask-chips", box: this.seat.own().seat, cents });
  }

  paint() {
    const own = this.seat.own();
    /** @param {string} what */
    const may = (what) => this.seat.offered(what).some((option) => option.box === own?.seat);
    if (own && !this.sat && this.paidOut === "left") this.paidOut = false;
    this.sat = Boolean(own);
    const leaves = own?.chips_cents ? "cash-out" : "leave-box";
    this.tip.querySelector("button").disabled = !may("tip");
    this.part.querySelector("button").disabled = !may("cash-out");
    $("ask").hidden = !may("ask-chips");
    $("have").hidden = !may("acknowledge-chips");
    $("have").textContent = own ? haveWords(own) : "";
    const several = this.seat.mine().length > 1;
    $("purse-title").textContent = several ? `Your chips at box ${own.seat}` : "Your chips";
    $("cash").textContent = several
      ? `Cash out box ${own.seat} and leave it`
      : "Cash out everything and leave";
    $("cash", HTMLButtonElement).disabled = !may(leaves);
    const words = this.words(own, may("tip") || may("cash-out"));
    if ($("purse-words").textContent !== words && !this.paidOut) {
      $("purse-words").textContent = words;
    }
  }

  /** @param {Server.BoxView | undefined} own @param {boolean} free */
  words(own, free) {
    if (!own) return "Take a box first; then ask the dealer for chips.";
    const waits = voucherWaits(this.seat.view, own.seat);
    if (waits) return waits;
    if (own.asked_cents) return `You asked for ${money(own.asked_cents)}; the dealer is told.`;
    if (!own.chips_cents) return "None yet: ask for some, and pay the dealer.";
    return free
      ? "Chips leave as a voucher, or as a tip."
      : "While the round is played, your chips stay at the box.";
  }

  acknowledge() {
    this.table.commands.give({ do: "acknowledge-chips", box: this.seat.own().seat });
  }

  /** @param {string} what @param {number} cents */
  async payOut(what, cents) {
    const own = this.seat.own();
    if (!own || !(await this.table.give({ do: what, box: own.seat, cents }))) return;
    if (what === "cash-out" && voucherWaits(this.seat.view, own.seat)) return;
    $("purse-words").textContent =
      what === "tip"
        ? `You tipped the dealers ${money(cents)}. Thank you!`
        : `A voucher for ${money(cents)}.`;
    this.paidOut = true;
    this.forget();
  }

  forget() {
    setTimeout(() => {
      this.paidOut = false;
    }, RECEIPT_MS);
  }

  async cashOut() {
    const { table } = this;
    const own = this.seat.own();
    const cents = own?.chips_cents ?? 0;
    if (!own || (cents && !(await table.give({ do: "cash-out", box: own.seat })))) return;
    if (voucherWaits(this.seat.view, own.seat)) return;
    if (!(await table.give({ do: "leave-box", box: own.seat }))) return;
    this.paidOut = "left";
    if (this.seat.mine().length) this.forget();
    $("purse-words").replaceChildren(
      cents ? `You leave with a voucher for ${money(cents)}. ` : "You left the box. ",
      el("a", { href: "/" }, "To the pit"),
    );
  }
}

/** @param {HTMLFormElement} form */
const centsOf = (form) => Math.round(Number(fieldOf(form, "dollars").value) * 100);

/**
 * Above the sum of the policy a voucher comes with a second person's word, and not before it.
 * @param {Server.View} view
 * @param {number} [box] none for chips that are kept
 */
function voucherWaits({ requests = [] }, box = 0) {
  const asked = requests.find((one) => one.act === "cash-out" && (one.box ?? 0) === box);
  return asked ? `Your voucher for ${money(asked.cents)} waits for a second person's word.` : "";
}

/** @param {Server.BoxView} own */
function haveWords({ bought_cents: bought = 0, cashed_cents: cashed = 0 }) {
  const had = [
    bought ? `${money(bought)} in chips` : "",
    cashed ? `a voucher for ${money(cashed)}` : "",
  ].filter(Boolean);
  return `I have ${had.join(" and ")}`;
}

// A question about what was paid has a number until the floorperson has ended it.
class Disputes {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.form = $("dispute", HTMLFormElement);
    onSubmit(this.form, async (form) => {
      const { reason, wager } = fieldsOf(form);
      const about = { box: this.table.seat.own().seat, wager, reason: reason.trim() };
      if (await this.table.commands.give({ do: "open-dispute", ...about })) form.reset();
    });
  }

  paint() {
    const { seat } = this.table;
    const own = seat.own();
    this.form.hidden = !seat.offered("open-dispute").some((option) => option.box === own?.seat);
    const open = seat.view?.disputes ?? [];
    $("disputes").replaceChildren(
      ...open.map(({ number, round, wager, reason }) => {
        const about = wager ? `, ${titleOf(seat.facts, wager)}` : "";
        const says = `Dispute ${number}, round ${round}${about}: ${reason}.`;
        return el("li", {}, `${says} The floorperson has it.`);
      }),
    );
  }
}

new LivePlay();
