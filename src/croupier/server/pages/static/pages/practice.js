// The practice table: a driver that waits for you, your evening, and a coach if you want one.

import { actButton } from "../table/buttons.js";
import {
  antes,
  bars,
  chartAt,
  chartOf,
  curve,
  onlyWords,
  reasons,
  rulesOf,
  verdict,
} from "../table/coach.js";
import { $, all, around, el, first, forThisBrowser, store, stored } from "../shared/dom.js";
import { facts, post } from "../shared/connection.js";
import { Care } from "../table/care.js";
import { Guide } from "../table/guide.js";
import { receiptTable } from "../table/receipt.js";
import { cardText } from "../shared/cards_and_chips.js";
import { Table } from "../table/table.js";
import { contest, headline, result } from "../table/announcements.js";
import {
  actionWords,
  capital,
  choiceWords,
  counted,
  money,
  netClass,
  netWords,
  playOf,
  sumOf,
} from "../shared/words.js";
import { no } from "../shared/clause_note.js";

/** @import { Frame, LinkState } from "../shared/connection.js" */
/** @import { Choice, Seat } from "../table/seat.js" */
/** @import { TableHost } from "../table/table.js" */

const HAS_KEYS = matchMedia("(hover: hover)").matches;
/** @type {Record<string, string[]>} */
const ACTS = {
  enter: ["deal", "first"],
  d: ["deal", "first"],
  r: ["again"],
  "+": ["top-up"],
  x: ["clear"],
  " ": ["skip", "deal", "first"],
  k: ["skip"],
};

/** @implements {TableHost} */
class PracticeRoom {
  constructor() {
    this.path = `/practice/${facts().table}`;
    this.table = new Table(`${this.path}/live`, "You", this);
    /** @type {Seat} */
    this.seat = this.table.seat;
    this.coach = new Coach(this.path);
    this.evening = new Evening(this.seat.facts);
    this.care = new Care("/practice/limits", this.table.hint);
    // Chips that were brought because the old ones were gone, in cents.
    this.brought = 0;
    this.isDealing = false;
    for (const id of ["pace", "company", "others", "coach", "level"]) {
      $(id).addEventListener("change", () => this.choose());
    }
    this.guide = new Guide(this.seat);
    $("guide-again").addEventListener("click", () => {
      $("how", HTMLDialogElement).close();
      this.guide.start();
    });
    this.welcome();
  }

  /** @returns {Server.PracticeRoom} */
  get room() {
    return this.seat.frame.room;
  }

  // Who sits at this game for the first time is told how it goes.
  welcome() {
    const seen = `told ${this.seat.facts.game}`;
    const how = $("how", HTMLDialogElement);
    if (!stored(forThisBrowser, seen)) {
      how.showModal();
      how.addEventListener("close", () => this.guide.begin(), { once: true });
    }
    how.addEventListener("close", () => store(forThisBrowser, seen, "yes"));
  }

  async choose() {
    const told = await post(`${this.path}/settings`, {
      pace: chosen("pace").value,
      seats: Number(chosen("company").value),
      others: chosen("others").value,
      coach: chosen("coach").value,
      level: chosen("level").value,
    });
    if (told.outcome !== "done") no(told);
  }

  // Dealing

  /** @param {string} what */
  async run(what) {
    const told = await post(`${this.path}/${what}`);
    no(told.outcome === "done" ? null : told);
  }

  // What lies on the felt is dealt; a chip refused only now has changed that, so one looks first.
  async deal() {
    if (this.isDealing) return;
    this.isDealing = true;
    const { refused } = this.table.commands;
    await this.table.wagers.busy;
    if (this.table.commands.refused === refused) await this.run("deal");
    this.isDealing = false;
  }

  async dealAgain() {
    if (this.isDealing) return;
    if (await this.table.wagers.again()) await this.deal();
  }

  // The same again is offered only to who can pay for it.
  isPayable() {
    const needed = sumOf(this.seat.lastStakes);
    return needed > 0 && needed <= (this.seat.own()?.chips_cents ?? 0);
  }

  buttons() {
    if (this.room.waits !== "wagers") {
      const says = this.room.skipping ? "Skipping…" : "Skip ahead";
      return [actButton("skip", says, "Space", () => this.run("skip"))];
    }
    const { wagers } = this.table;
    const stakes = this.seat.stakes();
    if (Object.keys(stakes).length) {
      const ready = this.seat.opens(stakes);
      const says = ready ? `Deal · ${money(sumOf(stakes))}` : "Deal";
      const deal = actButton("deal", says, "Enter", () => this.deal(), "main");
      deal.disabled = !ready;
      const clear = actButton("clear", "Clear", "X", () => wagers.clear());
      return [deal, ...this.topUpButtons(), ...this.table.undoButtons(), clear];
    }
    const undo = this.table.undoButtons();
    if (this.isPayable()) {
      const says = `Deal again · ${money(sumOf(this.seat.lastStakes))}`;
      return [
        actButton("deal", says, "Enter", () => this.dealAgain(), "main"),
        actButton("again", "Same wagers", "R", () => wagers.again()),
        ...undo,
      ];
    }
    const first = this.seat.wager(this.seat.opening[0]);
    const says = `${money(first.least)} on the ${first.title}`;
    const begin = () => wagers.put(first, first.least);
    return [actButton("first", says, "Enter", begin, "main"), ...undo];
  }

  // Offered before it is missed: what lies there would leave too little for the largest decision.
  topUpButtons() {
    if (!this.room.short_cents) return [];
    return [actButton("top-up", "Bring chips", "+", () => this.run("top-up"))];
  }

  /** @param {KeyboardEvent} event @param {string} key */
  pressed(event, key) {
    const acts = ACTS[key];
    if (!acts || (around(event, "button") && ["enter", " "].includes(key))) return;
    const named = acts.map((act) =>
      first(`[data-act="${act}"]`, $("buttons"), HTMLButtonElement),
    );
    const button = named.find(Boolean);
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  }

  // Words

  /** @param {Choice[]} choices @returns {string | undefined} */
  hint(choices) {
    if (this.room.waits !== "wagers" || choices.length) return undefined;
    const { opens } = this.seat.facts;
    const stakes = this.seat.stakes();
    /** @param {string[]} names */
    const titles = (names) => names.map((name) => this.seat.wager(name).title);
    const needed = opens.map((names) => titles(names).join(" and ")).join(" or ");
    if (Object.keys(stakes).length) {
      const short = this.room.short_cents;
      if (short && this.seat.opens(stakes)) {
        const free = "Practice chips are free: bring more, or wager less.";
        const play = playOf(this.seat.facts).title;
        return `Your chips lack ${money(short)} for the largest ${play} wager. ${free}`;
      }
      return this.seat.opens(stakes)
        ? "Add optional wagers if you like; deal when you are ready."
        : `You need ${needed} to be in the round.`;
    }
    const brought = this.brought
      ? `Your chips were gone: ${money(this.brought)} more were brought. `
      : "";
    if (this.isPayable()) return `${brought}Deal the same again, or put chips where you like.`;
    const { key } = this.seat.wager(this.seat.opening[0]);
    const tap = `tap the circle${HAS_KEYS ? `, or press ${key.toUpperCase()}` : ""}`;
    return `${brought}Put a chip on the ${needed} to be in the round: ${tap}.`;
  }

  // A room of one's own ends with the program that opened it, and only a person starts that again.
  /** @param {LinkState} state */
  lost(state) {
    return state === "closed"
      ? "this table was closed where croupier play ran; start croupier play again to play on"
      : "the table is out of reach: this page comes back if croupier play still runs; " +
          "if not, start it again";
  }

  loggedOut() {
    const again = "open its new link in this browser, and this page goes on";
    no({ sentence: `croupier play was started again: ${again}` });
    return true;
  }

  painted() {
    this.guide?.paint();
  }

  // What is new

  /** @param {Frame} frame @param {() => void} draw */
  show(frame, draw) {
    const had = this.spare();
    draw();
    const { room } = frame;
    const more = had === null ? 0 : (this.spare() ?? had) - had;
    if (more > 0 && room.evening.length) {
      this.brought = more;
      this.table.paintActions();
    } else if (this.seat.view.phase !== "betting") {
      this.brought = 0;
    }
    this.showSettings(room.settings);
    $("shuffle").textContent = `The shuffle: ${choiceWords(frame.view)}`;
    const said = [this.holding(), this.dealerWords(), this.ended()];
    headline(said.filter(Boolean));
    this.coach.show(room);
    markCards(this.isBetting() ? [] : room.winning);
    this.evening.show(room.evening);
    this.care.show(room.care);
  }

  // Chips in hand while nothing lies on the felt; null in a round.
  spare() {
    if (this.seat.view?.phase !== "betting" || this.seat.inRound()) return null;
    return this.seat.own()?.chips_cents ?? 0;
  }

  /** @param {Server.PracticeSettings} settings */
  showSettings({ pace, seats, others, coach, level }) {
    for (const [id, value] of Object.entries({ pace, company: seats, others, coach, level })) {
      if (document.activeElement !== $(id)) chosen(id).value = String(value);
    }
  }

  // New chips are down: what was before is over.
  isBetting() {
    return this.seat.hoped || (this.seat.view.phase === "betting" && this.seat.inRound());
  }

  holding() {
    if (this.isBetting()) return "";
    const hand =
      contest(this.seat.own(), this.seat.facts).at(0) ??
      this.room.hands[String(this.seat.box)] ??
      this.room.holds;
    return hand ? `You: ${hand}` : "";
  }

  dealerWords() {
    if (this.isBetting()) return "";
    const dealer = contest(this.seat.own(), this.seat.facts).at(1) ?? this.room.hands.dealer;
    if (dealer) return `Dealer: ${dealer}`;
    return this.seat.view.phase === "betting" ? "" : (this.room.heard.at(-1) ?? "");
  }

  ended() {
    const own = this.seat.own();
    if (this.seat.hoped || !own?.lines?.length || own.net_cents === undefined) return "";
    return capital(result(own, this.seat.facts));
  }

  /** @param {HTMLButtonElement} button @param {Choice} choice */
  advise(button, choice) {
    const { settings, advice } = this.room;
    if (settings.coach !== "before" || !advice?.worths || advice.chosen) return;
    const worth = advice.worths.find((one) => one.action === choice.action);
    if (worth) button.append(el("i", {}, antes(worth.antes)));
    if (advice.worths[0].action === choice.action) button.classList.add("is-best");
  }
}

/** @param {string} id of a setting */
const chosen = (id) => $(id, HTMLSelectElement);

// The cards of the higher hand stand out, wherever they lie.
/** @param {string[]} winning */
function markCards(winning) {
  for (const card of all("[data-card]", document, SVGElement)) {
    card.classList.toggle("is-winning", winning.includes(card.dataset.card));
  }
}

class Coach {
  /** @param {string} path */
  constructor(path) {
    this.path = path;
    // When he speaks, and what he said last.
    this.mode = "";
    this.said = "";
    // The level and the width that its height was kept for.
    this.keptAs = "";
    /** @type {Server.StrategyChart | null | undefined} */
    this.chart = undefined;
  }

  /** @param {Server.PracticeRoom} room */
  show(room) {
    const { settings, advice, mistakes_cents: mistakes, mattered } = room;
    const isOff = settings.coach === "off";
    $("coach-panel").hidden = isOff;
    $("coach-panel").dataset.level = settings.level;
    if (settings.coach !== this.mode) {
      this.mode = settings.coach;
      document.querySelector(".overview").toggleAttribute("open", isOff);
    }
    const said = JSON.stringify([settings, advice, mistakes, mattered, this.chart === undefined]);
    if (isOff || said === this.said) return;
    this.said = said;
    if (settings.level === "everything" && this.chart === undefined) this.bringChart(room);
    const total = Math.round(mistakes)
      ? `Your mistakes this evening cost ${money(Math.round(mistakes))} on average.`
      : "No mistake this evening so far.";
    const words = this.words(room);
    $("advice").replaceChildren(...words, el("p", { class: "fine" }, total));
    this.keepRoom(settings.level);
  }

  // As tall as it ever was at this level and width: what lies below does not move with a question.
  /** @param {string} level */
  keepRoom(level) {
    const advice = $("advice");
    const as = `${level} ${advice.offsetWidth}`;
    if (as !== this.keptAs) advice.style.minHeight = "";
    this.keptAs = as;
    advice.style.minHeight = `${advice.offsetHeight}px`;
  }

  /** @param {Server.PracticeRoom} room */
  async bringChart(room) {
    this.chart = null;
    this.chart = await chartAt(this.path);
    if (!this.chart) return;
    this.said = "";
    this.show(room);
  }

  /** @param {Server.PracticeRoom} room */
  words({ settings, advice, mattered }) {
    /** @param {string} words */
    const fine = (words) => [el("p", { class: "fine" }, words)];
    if (!advice) {
      return fine(
        "The exact value of each choice appears when you are asked, everything unseen counted.",
      );
    }
    if (!advice.ready) return fine("The coach is counting. The first time takes a little longer.");
    if (advice.only) return [el("p", {}, onlyWords(advice, playOf(facts()).title))];
    if (settings.coach === "after" && !advice.chosen) {
      return fine("Choose first; the coach speaks after you.");
    }
    const { why } = advice;
    const judged = el("p", {}, verdict(advice));
    if (settings.level === "brief") {
      if (!advice.chosen) return [el("p", {}, verdict(advice)), ...reasons(why, 1)];
      return mattered ? [el("p", {}, actionWords(mattered))] : [];
    }
    if (settings.level === "reasons") return [bars(advice), judged, ...reasons(why)];
    const lit = chartOf(this.chart ?? null, why?.cell);
    return [bars(advice), judged, ...reasons(why), ...rulesOf(why), ...lit];
  }
}

class Evening {
  /** @param {Server.TableFacts} facts */
  constructor(facts) {
    this.facts = facts;
    this.rounds = 0;
  }

  /** @param {Server.RoundResult[]} played */
  show(played) {
    if (played.length === this.rounds) return;
    this.rounds = played.length;
    if (!played.length) return;
    $("curve").replaceChildren(curve(played.map((round) => round.net_cents)));
    const net = played.reduce((sum, round) => sum + round.net_cents, 0);
    const staked = played.reduce((sum, round) => sum + round.staked_cents, 0);
    const rounds = counted(played.length, "round");
    const last = played.slice(-30).reverse();
    const list = { class: "rounds", reversed: true, start: played.length };
    $("evening").replaceChildren(
      el("p", {}, `${rounds}, ${money(staked)} wagered, result `, netElement(net), "."),
      el("ol", list, ...last.map((round) => this.round(round))),
    );
  }

  /** @param {number} round */
  pathOf(round) {
    return `/record/${encodeURIComponent(this.facts.table)}/${round}`;
  }

  /** @param {Server.RoundResult} round */
  round({ round, hand, cards, dealer, lines, net_cents: net }) {
    const held = `You held ${cards.map(cardText).join(" ")}. Dealer: ${dealer || "not shown"}.`;
    const title = el("span", {}, `Round ${round}: ${hand || "folded"}`);
    return el(
      "li",
      {},
      el(
        "details",
        {},
        el("summary", {}, title, netElement(net)),
        el("p", { class: "fine" }, held),
        receiptTable(lines, this.facts),
        el(
          "p",
          { class: "fine row-links" },
          el("a", { href: this.pathOf(round) }, "The whole round"),
          el("a", { href: `/practice/${this.facts.table}/ask?round=${round}` }, "Ask about it"),
        ),
      ),
    );
  }
}

/** @param {number} net */
const netElement = (net) => el("b", { class: netClass(net) }, netWords(net));

new PracticeRoom();
