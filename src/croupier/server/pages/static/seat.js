// A player's place at the table: whose box it is, what lies there, and how all of it is drawn.

import { CloseUp, Layer, meters, uprightBox } from "./felt.js";
import { facts, say } from "./link.js";
import { receiptTable } from "./receipt.js";
import { card, chip, el, money, spoken, svg } from "./svg.js";

export const RACK = [1_00, 5_00, 25_00, 100_00, 500_00];
const $ = (id) => document.getElementById(id);

export class Seat {
  constructor(you) {
    this.facts = facts();
    this.you = you;
    this.chip = RACK.find((value) => value >= this.wager(this.facts.opening[0]).step) ?? RACK[0];
    this.view = null;
    this.seat = 0;
    this.placed = null;
    this.lastStakes = this.remembered();
    this.felt = $("felt");
    this.overview = new Layer(this.felt, this.facts.areas, this.facts.hand);
    this.far = new CloseUp($("far"), this.felt, this.facts);
    this.rack();
    this.tools();
    $("colors").checked = this.kept("colors") === "four";
    $("colors").addEventListener("change", () => this.colors());
    this.colors();
    $("help").addEventListener("click", () => $("how").showModal());
  }

  // The menu of settings closes as menus do.
  tools() {
    const menu = document.querySelector(".tools");
    document.addEventListener("pointerdown", (event) => { if (!menu.contains(event.target)) menu.open = false; });
    menu.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && menu.open) { menu.open = false; menu.querySelector("summary").focus(); }
    });
  }

  kept(key) { try { return localStorage.getItem(key); } catch { return null; } }

  colors() {
    document.body.classList.toggle("four-colors", $("colors").checked);
    try { localStorage.setItem("colors", $("colors").checked ? "four" : "two"); } catch { /* Private windows keep nothing. */ }
  }

  opens(stakes) {
    const { any_of: any, opening } = this.facts;
    return any.length ? any.some((name) => stakes[name]) : opening.every((name) => stakes[name]);
  }

  wager(name) { return this.facts.wagers.find((wager) => wager.name === name); }

  // Every box of yours; one you left still shows whose it was in the round before.
  mine() {
    const { view } = this;
    const offered = (...what) => (view?.may ?? []).filter((option) => what.includes(option.do)).map((option) => option.box);
    const free = offered("take-box");
    const held = view?.phase === "betting" ? offered("place-wagers", "tip", "leave-box") : [];
    return (view?.boxes ?? []).filter((box) => box.player === this.you && !free.includes(box.seat) && (!held.length || held.includes(box.seat)));
  }

  // The box in front of you: the one that is asked, else the one you turned to.
  own() {
    const mine = this.mine();
    const asked = this.view?.phase === "acting" && mine.find((box) => box.seat === this.view.turn);
    return asked || mine.find((box) => box.seat === this.seat) || mine[0];
  }

  turnTo(seat) {
    this.sitAt(seat);
    this.placed = this.others = this.buttoned = null;
    this.paint();
    say(`Your box ${seat}.`);
  }

  inRound() { return (this.view.may ?? []).some((option) => option.do === "withdraw-wagers" && option.box === this.seat); }

  stakes() {
    if (this.placed) return this.placed;
    return this.view.phase === "betting" && !this.inRound() ? {} : this.own()?.stakes ?? {};
  }

  mayPlace() {
    const found = (this.view?.may ?? []).find((option) => option.do === "place-wagers" && option.box === this.seat);
    return found?.wagers ?? [];
  }

  limits(wager) {
    if (wager.equals) return `Equal to the ${this.wager(wager.equals).title}`;
    return wager.least === wager.most ? money(wager.least) : `${money(wager.least)} to ${money(wager.most)}`;
  }

  about(wager) {
    const beats = wager.looks ? `It looks at ${wager.looks}` : wager.equals ? `It goes with the ${this.wager(wager.equals).title}` : "Your hand against the dealer's";
    return `${wager.title}, ${this.limits(wager).replace(/^Equal/, "equal")}. ${beats}.`;
  }

  remember(own) {
    const play = this.facts.wagers.find((wager) => wager.decides)?.name;
    const kept = Object.entries(own.stakes).filter(([name]) => name !== play && this.wager(name)?.offered);
    if (this.view.phase !== "betting" && this.opens(own.stakes) && !own.folded) {
      this.lastStakes = Object.fromEntries(kept);
      try { sessionStorage.setItem(`stakes ${this.facts.table}`, JSON.stringify(this.lastStakes)); } catch { /* Private windows keep nothing. */ }
    }
  }

  remembered() {
    try { return JSON.parse(sessionStorage.getItem(`stakes ${this.facts.table}`)); } catch { return null; }
  }

  // Drawings

  sitAt(seat) {
    if (this.seat === seat) return;
    this.seat = seat;
    $("near").dataset.seat = seat;
    const turned = uprightBox($("near"), this.felt, seat);
    const own = this.facts.areas.filter((area) => area.box === seat);
    this.spots = new Map();
    for (const area of own.filter((a) => a.place === "wager")) this.spot(turned, area);
    this.near = new Layer(turned, own, this.facts.hand);
    for (const area of this.felt.querySelectorAll("g.felt-area[data-place=box]")) {
      area.classList.toggle("is-yours", area.dataset.box === String(seat));
    }
  }

  spot(root, area) {
    const shape = area.kind === "side"
      ? svg("rect", { x: -area.wide / 2 - 2, y: -area.tall / 2 - 2, width: area.wide + 4, height: area.tall + 4, rx: 13 })
      : svg("circle", { r: area.wide / 2 + 2 });
    const drawn = svg("g", { class: "spot", transform: `translate(${area.x} ${area.y}) rotate(${area.turn})` }, shape);
    this.spots.set(area.wager, drawn);
    root.append(drawn);
    return drawn;
  }

  rack() {
    for (const value of RACK) {
      const picture = svg("svg", { viewBox: "-24 -23 48 50", "aria-hidden": "true" }, chip(value));
      const button = el("button", { type: "button", role: "radio", class: "rack-chip", "aria-label": `${money(value)} chip` }, picture);
      button.addEventListener("click", () => this.choose(value));
      button.dataset.value = value;
      $("rack").append(button);
    }
    $("rack").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.choose(RACK[(RACK.indexOf(this.chip) + step + RACK.length) % RACK.length], true);
    });
    this.choose(this.chip);
  }

  choose(value, focus = false) {
    this.chip = value;
    for (const button of $("rack").children) {
      const chosen = Number(button.dataset.value) === value;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) button.focus();
    }
  }

  paint() {
    const { view } = this;
    const own = this.own();
    const shown = this.placed ? { ...view, boxes: view.boxes.map((box) => box === own ? { seat: box.seat, player: box.player, stakes: this.placed } : box), places: {} } : view;
    this.overview.show(shown);
    this.near.show({ boxes: (shown.boxes ?? []).filter((box) => box.seat === this.seat) });
    this.far.show(shown);
    // On a phone the Six Card box takes room with its first cards and keeps it: no circle moves under a finger.
    if (own?.stakes?.six_card_bonus && shown.places?.six_card_box?.length) $("stage").classList.add("has-six");
    this.paintSpots();
    this.paintPurse(own);
    this.paintSeats();
    this.paintOthers(shown);
    this.paintMeters();
    this.paintReceipt();
    $("near").setAttribute("aria-label", own?.cards?.length ? `Your cards: ${own.cards.map(spoken).join(", ")}` : "Your wagers and cards");
  }

  paintSpots() {
    const stakes = this.stakes();
    const may = this.mayPlace();
    for (const [name, drawn] of this.spots) {
      const wager = this.wager(name);
      const open = may.includes(name) && !wager.decides;
      const needed = open && this.facts.opening.includes(name) && !this.opens(stakes) && !this.lastStakes;
      drawn.classList.toggle("is-open", open);
      drawn.classList.toggle("is-needed", needed);
      if (wager.decides) continue;
      drawn.setAttribute("aria-disabled", String(!open));
      const lies = stakes[name] ? `${money(stakes[name])} on it` : "nothing on it";
      const key = wager.key ? `, key ${wager.key}` : "";
      drawn.setAttribute("aria-label", `${wager.title}: ${lies}. ${this.limits(wager)}${key}`);
    }
  }

  paintPurse(own) {
    const staked = Object.values(this.stakes()).reduce((sum, cents) => sum + cents, 0);
    $("chips").textContent = own ? money(own.chips_cents ?? 0) : "–";
    $("staked").textContent = money(staked);
    const settled = this.mine().filter((box) => box.net_cents !== undefined && box.lines?.length);
    if (settled.length) this.lastNet = settled.reduce((sum, box) => sum + box.net_cents, 0);
    $("last").textContent = this.lastNet === undefined ? "–" : this.lastNet ? money(this.lastNet, { sign: true }) : "even";
    $("last").className = this.lastNet > 0 ? "won" : this.lastNet < 0 ? "lost" : "";
  }

  paintSeats() {
    const words = (this.view.boxes ?? []).map((box) => {
      const who = box.player === this.you ? "you" : box.player || "empty";
      return `${box.seat} ${who}${box.folded ? " (folded)" : ""}${this.view.turn === box.seat ? " ◂" : ""}`;
    });
    $("seats").textContent = words.join("  ·  ");
    for (const area of this.felt.querySelectorAll("g.felt-area[data-place=box]")) {
      area.classList.toggle("is-asked", area.dataset.box === String(this.view.turn ?? 0));
    }
    $("near").classList.toggle("is-asked", this.view.turn === this.seat);
  }

  // The others sit as they do at the table: lower boxes to the right.
  paintOthers(shown) {
    const others = (shown.boxes ?? []).filter((box) => box.seat !== this.seat && box.player);
    const as = JSON.stringify([others, this.view.turn, this.seat]);
    if (as === this.others) return;
    this.others = as;
    const sides = { left: others.filter((box) => box.seat > this.seat).reverse(), right: others.filter((box) => box.seat < this.seat).reverse() };
    for (const [side, boxes] of Object.entries(sides)) $(`others-${side}`).replaceChildren(...boxes.map((box) => this.seatCard(box)));
  }

  seatCard(box) {
    const cards = box.cards ?? [];
    const step = cards.length > 2 ? 30 : 67, wide = Math.max(0, cards.length - 1) * step + 63;
    const hand = svg("svg", { viewBox: `-33 -45 ${wide + 3} 90`, role: "img", "aria-label": cards.length ? cards.map(spoken).join(", ") : "no cards" },
      ...cards.map((name, n) => svg("g", { transform: `translate(${n * step} 0)` }, card(name))));
    const staked = Object.values(box.stakes ?? {}).reduce((sum, cents) => sum + cents, 0);
    const net = box.net_cents ?? null;
    const kind = net > 0 ? "won" : net < 0 ? "lost" : "";
    const words = net !== null ? (net ? money(net, { sign: true }) : "even") : box.folded ? "folded" : staked ? money(staked) : "";
    return el("div", { class: `seat${this.view.turn === box.seat ? " is-asked" : ""}${box.folded ? " is-folded" : ""}` },
      hand, el("b", {}, box.player === this.you ? `Your box ${box.seat}` : box.player), el("span", { class: kind }, words));
  }

  paintMeters() {
    $("meters").replaceChildren(...meters(this.view));
    for (const box of this.view.boxes ?? []) {
      for (const area of document.querySelectorAll(`g.felt-area[data-wager=progressive][data-box="${box.seat}"]`)) area.classList.toggle("is-lit", Boolean(box.light));
    }
  }

  paintReceipt() {
    const settled = this.placed ? [] : this.mine().filter((box) => box.lines?.length);
    if (!settled.length) return;
    const over = this.view.phase === "betting" ? this.view.round - 1 : this.view.round;
    const as = JSON.stringify([over, settled.map((box) => box.lines)]);
    if (as === this.receipted) return;
    this.receipted = as;
    $("receipt-title").textContent = `Receipt of round ${over}`;
    const several = this.mine().length > 1;
    $("receipt").replaceChildren(...settled.flatMap((box) => [several ? el("h3", {}, `Box ${box.seat}`) : "", receiptTable(box.lines, this.facts)]));
  }
}
