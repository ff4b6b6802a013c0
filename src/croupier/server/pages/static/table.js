// A player at the table: place wagers, answer when asked, be told. The practice table and the live
// one are this page; the practice table adds a house of its own.

import { ask, Link, say } from "./link.js";
import { RACK, Seat } from "./seat.js";
import { el, money } from "./svg.js";
import { listened, voided } from "./told.js";
import { cite, sentence } from "./why.js";

const $ = (id) => document.getElementById(id);

export class Table extends Seat {
  constructor(live, you) {
    super(you);
    this.hopes = this.hoped = 0;
    this.deciding = 0;
    this.busy = Promise.resolve();
    this.refused = 0;
    this.undos = [];
    this.keys();
    this.link = new Link(live, (frame) => this.show(frame), (state, why) => this.connection(state, why));
  }

  // What the server says

  show(frame) {
    const before = this.view;
    this.frame = frame;
    this.view = frame.view;
    this.seeWhatLies();
    if (frame.version > this.deciding) this.deciding = 0;
    if (before && ["round", "phase", "turn"].some((what) => before[what] !== this.view[what])) this.no(null);
    if (before?.phase === "betting" && this.view.phase !== "betting") { this.notice = null; this.undos = []; }
    this.notice = voided(this, before) ?? this.notice;
    const own = this.own();
    if (own) this.sitAt(own.seat);
    else if (!this.seat) this.sitAt(Math.ceil(this.facts.boxes / 2));
    if (own?.stakes && Object.keys(own.stakes).length) this.remember(own);
    this.paint();
    this.tell(before);
    this.came?.();
  }

  paint() {
    super.paint();
    this.paintActions();
  }

  // Wagers

  spot(root, area) {
    const drawn = super.spot(root, area);
    const wager = this.wager(area.wager);
    if (wager.decides) return drawn;
    drawn.setAttribute("role", "button");
    drawn.setAttribute("tabindex", "0");
    for (const [comes, goes] of [["pointerenter", "pointerleave"], ["focus", "blur"]]) {
      drawn.addEventListener(comes, () => this.point(wager));
      drawn.addEventListener(goes, () => this.point(null));
    }
    drawn.addEventListener("click", (event) => { if (event.detail) drawn.blur(); this.touch(wager, event.shiftKey); });
    drawn.addEventListener("contextmenu", (event) => { event.preventDefault(); this.touch(wager, true); });
    drawn.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && !this.advertised(event.key)) { event.preventDefault(); event.stopPropagation(); this.touch(wager, event.shiftKey); }
      if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); this.touch(wager, true); }
    });
    return drawn;
  }

  // A key that a button names is that button's, whatever has the focus.
  advertised(key) { return $("buttons").querySelector(`[aria-keyshortcuts="${key === " " ? "Space" : key}"]:not(:disabled)`); }

  // What a wager is, said while somebody points at it.
  point(wager) {
    this.pointed = wager;
    if (this.view) $("hint").replaceChildren(...this.hint(this.choices()));
  }

  touch(wager, less) {
    this.pointed = null;
    if (!this.mayPlace().includes(wager.name)) {
      this.no({ sentence: this.view.phase === "betting" ? `${wager.title} is not open now` : "No more bets: wagers are closed for this round", clause: this.view.clause });
      return;
    }
    const leads = wager.equals ? this.wager(wager.equals) : wager;
    const now = this.stakes()[leads.name] ?? 0;
    let then = less ? now - this.chip : now + this.chip;
    if (leads.least === leads.most) then = now ? 0 : leads.least;
    else if (!less) then = Math.min(Math.max(then, leads.least), leads.most);
    else if (then < leads.least) then = 0;
    then -= leads.step ? then % leads.step : 0;
    if (then !== now) { this.undos.push([leads, now]); this.put(leads, then); }
    else if (!less) this.no({ sentence: now >= leads.most ? `The most on ${leads.title} is ${money(leads.most)}` : `${leads.title} goes in steps of ${money(leads.step)}; take a larger chip`, clause: leads.clause });
  }

  put(wager, cents) {
    const followers = this.facts.wagers.filter((other) => other.equals === wager.name).map((other) => other.name);
    const names = [wager.name, ...followers];
    const stakes = { ...this.stakes() };
    for (const name of names) { if (cents) stakes[name] = cents; else delete stakes[name]; }
    const command = cents
      ? { do: "place-wagers", box: this.seat, stakes: Object.fromEntries(names.map((name) => [name, cents])) }
      : { do: "withdraw-wagers", box: this.seat, wagers: names };
    say(cents ? `${money(cents)} on ${wager.title}.` : `Nothing on ${wager.title}.`);
    this.hope(stakes, command);
  }

  // Chips lie at once where they were put; if the table says no, they come back with its reason.
  hope(stakes, ...commands) {
    this.placed = stakes;
    this.notice = null;
    this.no(null);
    this.paint();
    this.hopes += 1;
    this.busy = this.busy.then(async () => {
      let done = true;
      for (const command of commands) done = done && await this.give(command);
      this.hopes -= 1;
      if (this.seeWhatLies()) this.paint();
      return done;
    });
    return this.busy;
  }

  // Chips are hoped for until the view is as new as the last answer: other people's news do not
  // take them back meanwhile.
  seeWhatLies() {
    if (!this.placed || this.hopes || this.frame.version < this.hoped) return false;
    this.placed = null;
    return true;
  }

  // The last chip put down comes back; a touch screen has no Shift.
  undo() {
    const [wager, cents] = this.undos.pop() ?? [];
    if (wager && (this.stakes()[wager.name] ?? 0) !== cents) this.put(wager, cents);
  }

  undoButton() {
    return this.undos.length ? [this.button("undo", "Undo", "Z", () => this.undo())] : [];
  }

  clear() {
    this.undos = [];
    if (this.placed || this.inRound()) this.hope({}, { do: "withdraw-wagers", box: this.seat });
  }

  again() {
    const stakes = this.lastStakes;
    if (!stakes) return Promise.resolve(false);
    return this.hope(stakes, { do: "place-wagers", box: this.seat, stakes });
  }

  // Decisions

  choices() {
    const options = this.view.may ?? [];
    const own = this.own();
    const play = this.facts.wagers.find((wager) => wager.decides);
    const found = [];
    for (const option of options.filter((o) => o.box === this.seat)) {
      if (option.do === "play") {
        const ante = own.stakes[play.decides];
        const ends = option.cents.map((cents) => Math.round(cents / ante));
        const street = this.facts.streets.find((s) => s.sizes.includes(ends[0]) && s.sizes.includes(ends.at(-1)));
        const sizes = (street?.sizes ?? ends).filter((size) => size * ante >= Math.min(...option.cents) && size * ante <= Math.max(...option.cents));
        for (const size of sizes) found.push({ key: String(size), action: `${size}x`, says: `${play.title} ${size}×`, cents: size * ante, command: { do: "play", box: this.seat, cents: size * ante } });
      } else if (option.do === "check" || option.do === "fold") {
        found.push({ key: option.do[0], action: option.do, says: option.do === "check" ? "Check" : "Fold", command: { do: option.do, box: this.seat } });
      }
    }
    return found;
  }

  // An answer is given once: the buttons come back with the next question, or with a refusal.
  async decide(choice) {
    if (this.deciding) return;
    this.notice = null;
    this.buttoned = null;
    for (const button of $("buttons").querySelectorAll("button")) button.disabled = true;
    if (await this.answer(choice)) return;
    this.deciding = 0;
    this.paintActions();
  }

  // Where the table moved on meanwhile, an answer to the same question still counts.
  async answer(choice) {
    const asked = this.asks(choice);
    do {
      this.deciding = this.frame.version;
      const told = await this.request(choice.command, this.deciding);
      if (told.outcome !== "stale") return told.outcome === "done";
      await this.newer(this.deciding);
    } while (this.asks(choice) === asked);
    this.no({ sentence: "the table moved on before your answer came", clause: this.view.clause });
    return false;
  }

  asks({ action, cents }) {
    const offered = this.choices().some((choice) => choice.action === action && choice.cents === cents);
    return JSON.stringify([this.view.round, this.view.clause, this.seat, offered]);
  }

  newer(version) {
    return this.frame.version > version ? null : new Promise((go) => { this.came = go; });
  }

  async give(command) { return (await this.request(command)).outcome === "done"; }

  async request(command, seen) {
    const told = await ask(this.facts.table, command, seen);
    if (told.outcome === "done") { this.hoped = Math.max(this.hoped, told.version); this.no(null); return told; }
    if (told.outcome === "stale") return told;
    this.placed = null;
    this.refused += 1;
    if (told.outcome === "not admitted") this.connection("login", told.sentence);
    this.no(told);
    this.paint();
    return told;
  }

  no(told) {
    const shown = $("no");
    if (!told) { shown.replaceChildren(); return; }
    shown.replaceChildren(...sentence(told));
  }

  // Buttons: what can be done now, never anything else; the practice table says more.

  paintActions() {
    const choices = this.choices();
    const buttons = choices.length ? choices.map((choice) => this.choiceButton(choice)) : this.otherButtons();
    const as = JSON.stringify([choices.map((c) => [c.action, c.cents]), buttons.map((b) => b.textContent + b.className + b.disabled), this.deciding]);
    if (as !== this.buttoned) {
      this.buttoned = as;
      const focused = document.activeElement?.dataset?.act;
      $("buttons").replaceChildren(...buttons);
      const again = focused && $("buttons").querySelector(`[data-act="${focused}"]`);
      if (again) again.focus();
      else if (focused) $("buttons").querySelector("button:not(:disabled)")?.focus();
    }
    document.body.dataset.turn = choices.length ? "you" : this.mayPlace().length ? "wagers" : "house";
    $("hint").replaceChildren(...this.hint(choices));
  }

  choiceButton(choice) {
    const button = el("button", { type: "button", disabled: Boolean(this.deciding), class: `choice choice-${choice.command.do}`, "data-act": choice.action, "aria-keyshortcuts": choice.key },
      el("b", {}, choice.says), el("span", {}, choice.cents ? money(choice.cents) : ""), el("kbd", {}, choice.key.toUpperCase()));
    button.addEventListener("click", () => this.decide(choice));
    return button;
  }

  button(act, says, key, run, kind = "") {
    const button = el("button", { type: "button", class: `act ${kind}`, "data-act": act, "aria-keyshortcuts": key }, el("b", {}, says), el("kbd", {}, key));
    button.addEventListener("click", run);
    return button;
  }

  otherButtons() { return []; }

  hint(choices) {
    if (this.pointed && this.mayPlace().includes(this.pointed.name)) return [`${this.about(this.pointed)} `, cite(this.pointed.clause)];
    const notice = this.notice ? [`${this.notice.words} `, cite(this.notice.clause), " "] : [];
    return [...notice, `${this.hintWords(choices)} `, cite(this.view.clause, this.facts.mishaps[this.view.waits_for]?.ruling)];
  }

  hintWords(choices) {
    const { view } = this;
    if (choices.length) return this.question(choices);
    if (view.waits_for) return `The floorperson is called: ${this.facts.mishaps[view.waits_for]?.happens ?? view.waits_for.replaceAll("-", " ")}. The round waits.`;
    if (view.phase === "betting") return this.inRound() ? "Your wagers are down. The dealer closes the betting." : "Place your wagers.";
    if (view.phase === "acting") {
      const asked = view.boxes.find((box) => box.seat === view.turn);
      return asked && asked.player !== this.you ? `${asked.player} is asked.` : "";
    }
    return { dealing: "The cards are dealt.", revealing: "The dealer turns the cards.", settling: "The boxes are settled.", clearing: "The round is over." }[view.phase] ?? "";
  }

  question(choices) {
    const play = choices.filter((choice) => choice.command.do === "play");
    const other = choices.find((choice) => choice.command.do !== "play");
    const gives = other?.action === "fold" ? "or fold and give your hand up" : "or check and see more cards";
    const turn = this.mine().length > 1 ? `Your turn at box ${this.seat}` : "Your turn";
    if (!play.length) return `${turn}: you lack the chips to play, so ${other.action}.`;
    const sizes = play.map((choice) => choice.action.replace("x", "×")).join(" or ");
    return `${turn}: play ${sizes} your ${this.wager(this.facts.wagers.find((wager) => wager.decides).decides).title}, ${gives}.`;
  }

  keys() {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const taken = ["Enter", " "].includes(event.key) ? "input, select, textarea, dialog, summary, a, .why" : "input, select, textarea, dialog";
      if (event.target.closest(taken)) return;
      if (this.view) this.pressed(event);
    });
  }

  pressed(event) {
    const key = event.key.toLowerCase();
    const choice = this.choices().find((one) => one.key === key);
    if (choice) { event.preventDefault(); this.decide(choice); return true; }
    if (this.mayPlace().length) {
      const wager = this.facts.wagers.find((one) => one.key === key);
      if (wager) { event.preventDefault(); this.touch(wager, event.shiftKey); return true; }
      if (RACK["12345".indexOf(key)]) { this.choose(RACK["12345".indexOf(key)]); return true; }
      if (key === "x") { this.clear(); return true; }
      if (key === "z") { this.undo(); return true; }
    }
    return false;
  }

  // Words for who listens

  tell(before) {
    const notice = this.notice && this.notice !== this.noticed ? [this.notice.words] : [];
    this.noticed = this.notice;
    say([...notice, ...listened(this, before)].join(" "));
  }

  connection(state, why) {
    document.body.dataset.link = state;
    if (state === "away") this.no({ sentence: "the table is out of reach; your page comes back by itself", clause: "" });
    else if (state === "login") this.loggedOut(why);
    else this.no(null);
  }

  loggedOut(why) {
    location.assign(`/login?to=${encodeURIComponent(location.pathname)}`);
  }
}
