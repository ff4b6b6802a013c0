// The practice table: a house that waits for you, your evening, and a coach if you want one.

import { antes, bars, curve, verdict } from "./coach.js";
import { post } from "./link.js";
import { el, money, written } from "./svg.js";
import { receiptTable } from "./receipt.js";
import { Table } from "./table.js";
import { contest, result } from "./told.js";

const $ = (id) => document.getElementById(id);
const KEYS = matchMedia("(hover: hover)").matches;

class PracticeTable extends Table {
  constructor() {
    const name = JSON.parse($("facts").textContent).table;
    super(`/practice/${name}/live`, "You");
    this.path = `/practice/${name}`;
    for (const id of ["pace", "company", "others", "coach"]) $(id).addEventListener("change", () => this.settle());
    this.welcome();
  }

  // Who sits at this game for the first time is told how it goes.
  welcome() {
    const seen = `told ${this.facts.game}`;
    if (!this.kept(seen)) $("how").showModal();
    $("how").addEventListener("close", () => { try { localStorage.setItem(seen, "yes"); } catch { /* Private windows keep nothing. */ } });
  }

  async settle() {
    const told = await post(`${this.path}/settings`, { pace: $("pace").value, seats: Number($("company").value), others: $("others").value, coach: $("coach").value });
    if (told.outcome !== "done") this.no(told);
  }

  async run(what) {
    const told = await post(`${this.path}/${what}`);
    this.no(told.outcome === "done" ? null : told);
  }

  // What lies on the felt is dealt; a chip refused only now has changed that, so one looks first.
  async deal() {
    if (this.dealing) return;
    this.dealing = true;
    const refused = this.refused;
    await this.busy;
    if (this.refused === refused) await this.run("deal");
    this.dealing = false;
  }

  async dealAgain() {
    if (this.dealing) return;
    if (await this.again()) await this.deal();
  }

  otherButtons() {
    const room = this.frame.room;
    const sum = (stakes) => Object.values(stakes ?? {}).reduce((all, cents) => all + cents, 0);
    if (room.waits === "wagers") {
      const stakes = this.stakes();
      const ready = this.opens(stakes);
      if (Object.keys(stakes).length) {
        const deal = this.button("deal", ready ? `Deal · ${money(sum(stakes))}` : "Deal", "Enter", () => this.deal(), "main");
        deal.disabled = !ready;
        return [deal, ...this.undoButton(), this.button("clear", "Clear", "X", () => this.clear())];
      }
      if (this.payable()) {
        return [
          this.button("deal", `Deal again · ${money(sum(this.lastStakes))}`, "Enter", () => this.dealAgain(), "main"),
          this.button("again", "Same wagers", "R", () => this.again()),
        ];
      }
      const first = this.wager(this.facts.opening[0]);
      return [this.button("first", `${money(first.least)} on the ${first.title}`, "Enter", () => this.put(first, first.least), "main")];
    }
    const skip = this.button("skip", room.skipping ? "Skipping…" : "Skip ahead", "Space", () => this.run("skip"));
    return [skip];
  }

  hintWords(choices) {
    const room = this.frame.room;
    if (room.waits === "wagers" && !choices.length) {
      const stakes = this.stakes();
      const { any_of: any, opening } = this.facts;
      const needed = any.length ? any.map((name) => this.wager(name).title).join(" or ") : opening.map((name) => this.wager(name).title).join(" and ");
      const brought = this.brought ? `Your chips were gone: ${money(this.brought)} more were brought. ` : "";
      if (!Object.keys(stakes).length) return brought + (this.payable() ? "Deal the same again, or put chips where you like." : `Put a chip on the ${needed} to be in the round: tap the circle${KEYS ? `, or press ${this.wager(this.facts.opening[0]).key.toUpperCase()}` : ""}.`);
      const ready = this.opens(stakes);
      return ready ? "Add optional wagers if you like; deal when you are ready." : `You need ${needed} to be in the round.`;
    }
    return super.hintWords(choices);
  }

  pressed(event) {
    if (super.pressed(event)) return true;
    const key = event.key.toLowerCase();
    const act = { enter: ["deal", "first"], d: ["deal", "first"], r: ["again"], x: ["clear"], " ": ["skip", "deal", "first"], k: ["skip"] }[key];
    if (!act || (event.target.closest("button") && ["enter", " "].includes(key))) return false;
    const button = act.map((name) => $("buttons").querySelector(`[data-act="${name}"]`)).find(Boolean);
    if (button && !button.disabled) { event.preventDefault(); button.click(); }
    return true;
  }

  // The same again is offered only to who can pay for it.
  payable() {
    const needed = Object.values(this.lastStakes ?? {}).reduce((sum, cents) => sum + cents, 0);
    return needed > 0 && needed <= (this.own()?.chips_cents ?? 0);
  }

  show(frame) {
    const had = this.view?.phase === "betting" && !this.inRound() ? this.own()?.chips_cents ?? 0 : null;
    super.show(frame);
    const { room } = frame;
    const more = had === null ? 0 : (this.own()?.chips_cents ?? 0) - had;
    if (more > 0 && room.evening.length && !this.inRound() && this.view.phase === "betting") this.broughtChips(more);
    else if (this.view.phase !== "betting") this.brought = 0;
    for (const [id, value] of [["pace", room.settings.pace], ["company", room.settings.seats], ["others", room.settings.others], ["coach", room.settings.coach]]) {
      if (document.activeElement !== $(id)) $(id).value = value;
    }
    $("call").textContent = [this.holding(room), this.called(room), this.ended()].filter(Boolean).join("  ·  ");
    this.showAdvice(room);
    this.showEvening(room.evening);
  }

  broughtChips(cents) {
    this.brought = cents;
    this.paintActions();
  }

  called(room) {
    if (this.placed || (this.view.phase === "betting" && this.inRound())) return "";
    const dealer = contest(this.own(), this.facts).at(1) ?? room.hands.dealer;
    if (dealer) return `Dealer: ${dealer}`;
    return this.view.phase === "betting" ? "" : room.heard.at(-1) ?? "";
  }

  ended() {
    const own = this.own();
    if (this.placed || !own?.lines?.length || own.net_cents === undefined) return "";
    const said = result(own, this.facts);
    return said[0].toUpperCase() + said.slice(1);
  }

  holding(room) {
    if (this.placed || (this.view.phase === "betting" && this.inRound())) return "";
    const hand = contest(this.own(), this.facts).at(0) ?? room.hands[String(this.seat)] ?? room.holds;
    return hand ? `You: ${hand}` : "";
  }

  // The coach

  choiceButton(choice) {
    const button = super.choiceButton(choice);
    const advice = this.frame.room.advice;
    if (this.frame.room.settings.coach === "before" && advice?.ready && !advice.chosen) {
      const worth = advice.worths.find((one) => one.action === choice.action);
      if (worth) button.append(el("i", {}, antes(worth.antes)));
      if (advice.worths[0].action === choice.action) button.classList.add("is-best");
    }
    return button;
  }

  showAdvice({ settings, advice, mistakes_cents: mistakes }) {
    $("coach-panel").hidden = settings.coach === "off";
    if (settings.coach !== this.coached) {
      this.coached = settings.coach;
      document.querySelector(".overview").open = settings.coach === "off";
    }
    if (settings.coach === "off") return;
    const as = JSON.stringify([settings, advice, mistakes]);
    if (as === this.advised) return;
    this.advised = as;
    const total = el("p", { class: "fine" }, Math.round(mistakes) ? `Your mistakes this evening cost ${money(Math.round(mistakes))} on average.` : "No mistake this evening so far.");
    $("advice").replaceChildren(...this.adviceWords(settings, advice), total);
  }

  adviceWords(settings, advice) {
    if (!advice) return [el("p", { class: "fine" }, "The exact value of each choice appears when you are asked, everything unseen counted.")];
    if (!advice.ready) return [el("p", { class: "fine" }, "The coach is counting. The first time takes a little longer.")];
    if (settings.coach === "after" && !advice.chosen) return [el("p", { class: "fine" }, "Choose first; the coach speaks after you.")];
    return [bars(advice), el("p", {}, verdict(advice))];
  }

  // The evening

  showEvening(evening) {
    if (evening.length === this.evened) return;
    this.evened = evening.length;
    if (!evening.length) return;
    $("curve").replaceChildren(curve(evening.map((round) => round.net_cents)));
    const net = evening.reduce((sum, round) => sum + round.net_cents, 0);
    const staked = evening.reduce((sum, round) => sum + round.staked_cents, 0);
    const rounds = evening.length === 1 ? "1 round" : `${evening.length} rounds`;
    const list = el("ol", { class: "rounds", reversed: true, start: evening.length }, ...evening.slice(-30).reverse().map((round) => this.roundItem(round)));
    $("evening").replaceChildren(
      el("p", {}, `${rounds}, ${money(staked)} wagered, result `, el("b", { class: net > 0 ? "won" : net < 0 ? "lost" : "" }, net ? money(net, { sign: true }) : "even"), "."), list);
  }

  roundItem(round) {
    const kind = round.net_cents > 0 ? "won" : round.net_cents < 0 ? "lost" : "";
    return el("li", {}, el("details", {},
      el("summary", {}, el("span", {}, `Round ${round.round}: ${round.hand || "folded"}`), el("b", { class: kind }, round.net_cents ? money(round.net_cents, { sign: true }) : "even")),
      el("p", { class: "fine" }, `You held ${round.cards.map(written).join(" ")}. Dealer: ${round.dealer || "not shown"}.`),
      receiptTable(round.lines, this.facts)));
  }

  loggedOut() {
    this.no({ sentence: "this evening has ended; start croupier play again for a new link" });
  }
}

new PracticeTable();
