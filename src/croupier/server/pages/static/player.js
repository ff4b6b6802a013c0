// A player at a live table: take a box, wager when the betting is open, answer in turn.
// Nothing here advises: a live round shows what the rules show, and no more.

import "./door.js";
import { Clock } from "./clock.js";
import { el, money } from "./svg.js";
import { Table } from "./table.js";
import { ended, heard } from "./told.js";

const $ = (id) => document.getElementById(id);

class PlayerTable extends Table {
  constructor() {
    const { table } = JSON.parse($("facts").textContent);
    super(`/api/tables/${encodeURIComponent(table)}/live`, document.querySelector("meta[name=me]").content);
    this.clock = new Clock($("clock"));
    $("cash").addEventListener("click", () => this.cashOut());
    for (const [id, command] of [["tip", "tip"], ["part", "cash-out"]]) {
      $(id).addEventListener("submit", (event) => {
        event.preventDefault();
        const cents = Math.round(Number(event.target.elements.dollars.value) * 100);
        this.over(command, cents);
      });
    }
  }

  show(frame) {
    const before = this.view;
    const late = this.outOfTime(frame);
    if (late) this.notice = late;
    super.show(frame);
    this.call(before);
    $("shuffle").textContent = frame.commitment ? `Round ${frame.view.round} is dealt from the shuffle ${frame.commitment}` : "";
    this.clock.show(frame, this.choices().length ? "You have" : "");
  }

  // The clock answered, not this page: what was played for you, and by which rule.
  outOfTime(frame) {
    const { clock, view } = this;
    const other = view && this.choices().find((choice) => choice.command.do !== "play");
    const moved = ["phase", "turn", "clause"].some((what) => frame.view[what] !== view?.[what]);
    if (!other || !moved || this.deciding || !clock.question || frame.view.waits_for || performance.now() < clock.until - 1000) return null;
    return { words: `You ran out of time: ${other.action} was played.`, clause: view.clause };
  }

  call(before) {
    const said = heard(this, before);
    if (said) this.heard = said;
    if (this.view.phase === "betting" && (this.inRound() || this.placed)) this.heard = "";
    const floor = this.view.call && !this.view.waits_for ? "The floorperson is called" : "";
    $("call").textContent = [ended(this) || this.heard, floor].filter(Boolean).join("  ·  ");
  }

  paint() {
    super.paint();
    this.paintChips();
  }

  may(what, box = null) {
    return (this.view.may ?? []).find((option) => option.do === what && (box === null || option.box === box));
  }

  // Chips of a box move between rounds, not during one.
  paintChips() {
    const own = this.own();
    if (own && !this.sat && this.receiptOfChips === "left") this.receiptOfChips = false;
    this.sat = Boolean(own);
    const free = Boolean(own && this.may("tip", own.seat));
    for (const form of [$("tip"), $("part")]) form.querySelector("button").disabled = !free || !own.chips_cents;
    const several = this.mine().length > 1;
    $("purse-title").textContent = several ? `Your chips at box ${own.seat}` : "Your chips";
    $("cash").textContent = several ? `Cash out box ${own.seat} and leave it` : "Cash out everything and leave";
    $("cash").disabled = !own || !(free || this.may("leave-box", own.seat));
    const words = !own ? "Take a box first; the dealer sells chips for cash."
      : !own.chips_cents ? "None yet: the dealer sells you chips for cash."
      : free ? "Chips leave as a voucher, or as a tip." : "While the round is played, your chips stay at the box.";
    if ($("purse-words").textContent !== words && !this.receiptOfChips) $("purse-words").textContent = words;
  }

  async over(what, cents) {
    const own = this.own();
    if (!own || !await this.give({ do: what, box: own.seat, cents })) return;
    this.receiptOfChips = true;
    $("purse-words").textContent = what === "tip" ? `You tipped the dealers ${money(cents)}. Thank you!` : `A voucher for ${money(cents)}.`;
    setTimeout(() => { this.receiptOfChips = false; }, 6000);
  }

  otherButtons() {
    const own = this.own();
    const options = this.view.may ?? [];
    const take = (says) => options.filter((option) => option.do === "take-box").map((option) => this.button(`sit-${option.box}`, says(option.box), "", () => this.give({ do: "take-box", box: option.box }), "sit"));
    if (!own) {
      const behind = options.filter((option) => option.do === "cash-out").map((option) => this.button(`cash-${option.box}`, `Take your ${money(option.cents[0])} from box ${option.box}`, "", () => this.fetchChips(option), "main"));
      return [...behind, ...take((box) => `Box ${box}`)];
    }
    const seats = this.mine().map((box) => box.seat);
    const next = [...seats.filter((seat) => seat > this.seat), ...seats.filter((seat) => seat < this.seat)];
    const turns = next.map((seat, n) => this.button(`box-${seat}`, `To your box ${seat}`, n ? "" : "B", () => this.turnTo(seat), "sit"));
    return [...this.wagerButtons(own), ...turns, ...take((box) => `Take box ${box} too`)];
  }

  wagerButtons(own) {
    if (!this.mayPlace().length) return [];
    if (Object.keys(this.stakes()).length) return [...this.undoButton(), this.button("clear", "Take all back", "X", () => this.clear())];
    return this.lastStakes && own.chips_cents ? [this.button("again", "Same wagers", "R", () => this.again(), "main")] : [];
  }

  pressed(event) {
    if (super.pressed(event)) return true;
    const act = { r: "[data-act=again]", b: "[data-act^=box-]" }[event.key.toLowerCase()];
    if (act) $("buttons").querySelector(act)?.click();
    return true;
  }

  hintWords(choices) {
    const own = this.own();
    if (!own) return this.may("cash-out") ? "Your chips still lie at the box you left." : this.may("take-box") ? "Take a box to play; you can change your mind before you wager." : "Every box is taken; one may come free.";
    if (this.view.phase === "betting" && !own.chips_cents && !Object.keys(this.stakes()).length) return "Ask the dealer for chips: you have none at this box yet.";
    if (this.view.phase === "betting" && !this.mayPlace().length) return "The dealer has not opened the table yet.";
    return super.hintWords(choices);
  }

  async fetchChips({ box, cents: [cents] }) {
    if (!await this.give({ do: "cash-out", box })) return;
    this.notice = { words: `You have a voucher for ${money(cents)}.` };
    this.paintActions();
  }

  async cashOut() {
    const own = this.own();
    const cents = own?.chips_cents ?? 0;
    if (!own || (cents && !await this.give({ do: "cash-out", box: own.seat }))) return;
    if (await this.give({ do: "leave-box", box: own.seat })) {
      this.receiptOfChips = "left";
      if (this.mine().length) setTimeout(() => { this.receiptOfChips = false; }, 6000);
      $("purse-words").replaceChildren(`You leave with a voucher for ${money(cents)}. `, el("a", { href: "/" }, "To the pit"));
    }
  }
}

new PlayerTable();
