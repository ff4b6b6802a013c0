// A player's table, drawn: the felt, his box close up, the others, the purse and the receipt.

import { $, all, el, svg } from "../shared/dom.js";
import { CloseUp, Layer, lightSensors, markAsked, meters, uprightBox } from "./felt.js";
import { numberNote, proofLinks, receiptTable } from "./receipt.js";
import { hand, sortedHand, spoken } from "../shared/cards_and_chips.js";
import { money, netClass, netWords, sumOf } from "../shared/words.js";

/** @import { Seat } from "./seat.js" */

export class Stage {
  /**
   * @param {Seat} seat
   * @param {(drawn: SVGElement, wager: Server.WagerFacts) => void} onSpot makes it answer
   */
  constructor(seat, onSpot) {
    this.seat = seat;
    this.onSpot = onSpot;
    this.felt = $("felt", SVGElement);
    this.overview = new Layer(this.felt, seat.facts.areas, seat.facts.hand);
    this.far = new CloseUp($("far"), this.felt, seat.facts);
    /** @type {Layer | null} */
    this.near = null;
    /** @type {Map<string, SVGElement>} */
    this.spots = new Map();
    // What is drawn already is not drawn again.
    this.drawn = { others: "", receipt: "" };
    /** @type {number | undefined} */
    this.lastNet = undefined;
  }

  // The box in front of the player is another one.
  turn() {
    const { box, facts } = this.seat;
    const near = $("near", SVGElement);
    near.dataset.seat = String(box);
    const own = facts.areas.filter((area) => area.box === box);
    const turned = uprightBox(near, this.felt, own);
    this.spots = new Map();
    for (const area of own.filter((one) => one.place === "wager")) this.spot(turned, area);
    this.near = new Layer(turned, own, facts.hand);
    this.drawn.others = "";
    for (const area of all("g.felt-area[data-place=box]", this.felt, SVGElement)) {
      area.classList.toggle("is-yours", area.dataset.box === String(box));
    }
  }

  /** @param {SVGElement} root @param {Server.AreaFacts} area */
  spot(root, area) {
    const shape =
      area.kind === "side"
        ? svg("rect", {
            x: -area.wide / 2 - 2,
            y: -area.tall / 2 - 2,
            width: area.wide + 4,
            height: area.tall + 4,
            rx: 13,
          })
        : svg("circle", { r: area.wide / 2 + 2 });
    const transform = `translate(${area.x} ${area.y}) rotate(${area.turn})`;
    const drawn = svg("g", { class: "spot", transform }, shape);
    this.spots.set(area.wager, drawn);
    root.append(drawn);
    const wager = this.seat.wager(area.wager);
    if (!wager.beside) this.onSpot(drawn, wager);
  }

  // Wagers of the box that a player may touch, in the order of the felt.
  touchable() {
    return [...this.spots.keys()].filter((name) => !this.seat.wager(name).beside);
  }

  paint() {
    const { seat } = this;
    const own = seat.own();
    const shown = this.withHopes(own);
    this.overview.show(shown);
    this.near.show({ boxes: (shown.boxes ?? []).filter((box) => box.seat === seat.box) });
    this.far.show(shown);
    // On a phone the place of a wager's own cards takes room with the first and keeps it: no circle
    // moves under a finger.
    for (const { name, brings } of seat.facts.wagers) {
      if (brings && own?.stakes?.[name] && shown.places?.[brings]?.length) {
        $("stage").classList.add("has-six");
      }
    }
    this.paintSpots();
    this.paintPurse(own);
    this.paintSeats();
    this.paintOthers(shown);
    $("meters").replaceChildren(...meters(seat.view));
    lightSensors(document, seat.view);
    this.paintReceipt();
    const cards = sortedHand(own?.cards ?? []);
    const words = cards.length ? `Your cards: ${cards.map(spoken).join(", ")}` : "";
    $("near").setAttribute("aria-label", words || "Your wagers and cards");
  }

  // The view with the chips that were put down since, and without what lay there before.
  /** @param {Server.BoxView} own */
  withHopes(own) {
    const { view, hoped } = this.seat;
    if (!hoped) return view;
    const boxes = (view.boxes ?? []).map((box) =>
      box === own ? { seat: box.seat, player: box.player, stakes: hoped } : box,
    );
    return { ...view, boxes, places: {} };
  }

  paintSpots() {
    const { seat } = this;
    const stakes = seat.stakes();
    const may = seat.mayPlace();
    for (const [name, drawn] of this.spots) {
      const wager = seat.wager(name);
      const open = may.includes(name) && !wager.beside;
      const opens = seat.opening.includes(name);
      const needed = open && opens && !seat.opens(stakes) && !seat.lastStakes;
      drawn.classList.toggle("is-open", open);
      drawn.classList.toggle("is-needed", needed);
      if (wager.beside) continue;
      drawn.setAttribute("aria-disabled", String(!open));
      const lies = stakes[name] ? `${money(stakes[name])} on it` : "nothing on it";
      const key = wager.key ? `, key ${wager.key}` : "";
      drawn.setAttribute("aria-label", `${wager.title}: ${lies}. ${seat.limits(wager)}${key}`);
    }
  }

  /** @param {Server.BoxView | undefined} own */
  paintPurse(own) {
    $("chips").textContent = own ? money(own.chips_cents ?? 0) : "–";
    $("staked").textContent = money(sumOf(this.seat.stakes()));
    const settled = this.seat
      .mine()
      .filter((box) => box.net_cents !== undefined && box.lines?.length);
    if (settled.length) this.lastNet = settled.reduce((sum, box) => sum + box.net_cents, 0);
    $("last").textContent = this.lastNet === undefined ? "–" : netWords(this.lastNet);
    $("last").className = netClass(this.lastNet);
  }

  paintSeats() {
    const { view, you, box: own } = this.seat;
    const words = (view.boxes ?? []).map((box) => {
      const who = box.player === you ? "you" : box.player || "empty";
      const asked = view.turn === box.seat ? " ◂" : "";
      return `${box.seat} ${who}${box.folded ? " (folded)" : ""}${asked}`;
    });
    $("seats").textContent = words.join("  ·  ");
    markAsked(this.felt, view);
    $("near").classList.toggle("is-asked", view.turn === own);
  }

  // The others sit as they do at the table: lower boxes to the right.
  /** @param {Server.View} shown */
  paintOthers(shown) {
    const { view, box: own } = this.seat;
    const others = (shown.boxes ?? []).filter((box) => box.seat !== own && box.player);
    const as = JSON.stringify([others, view.turn, own]);
    if (as === this.drawn.others) return;
    this.drawn.others = as;
    const sides = {
      left: others.filter((box) => box.seat > own).reverse(),
      right: others.filter((box) => box.seat < own).reverse(),
    };
    for (const [side, boxes] of Object.entries(sides)) {
      $(`others-${side}`).replaceChildren(...boxes.map((box) => this.seatCard(box)));
    }
  }

  /** @param {Server.BoxView} box */
  seatCard(box) {
    const cards = sortedHand(box.cards ?? []);
    const drawn = hand(cards, cards.length > 2 ? 30 : 67, cards.length ? undefined : "no cards");
    const staked = sumOf(box.stakes);
    const net = box.net_cents ?? null;
    const asked = this.seat.view.turn === box.seat;
    const open = box.folded ? "folded" : staked ? money(staked) : "";
    return el(
      "div",
      { class: `seat${asked ? " is-asked" : ""}${box.folded ? " is-folded" : ""}` },
      drawn,
      el("b", {}, box.player === this.seat.you ? `Your box ${box.seat}` : box.player),
      el("span", { class: netClass(net) }, net !== null ? netWords(net) : open),
    );
  }

  paintReceipt() {
    const { view, hoped, facts } = this.seat;
    const settled = hoped ? [] : this.seat.mine().filter((box) => box.lines?.length);
    if (!settled.length) return;
    const over = view.over ?? view.round;
    const as = JSON.stringify([over, view.phase, settled.map((box) => box.lines)]);
    if (as === this.drawn.receipt) return;
    this.drawn.receipt = as;
    $("receipt-title").textContent = `Receipt of round ${over}`;
    const several = this.seat.mine().length > 1;
    $("receipt").replaceChildren(
      ...settled.flatMap((box) => [
        several ? el("h3", {}, `Box ${box.seat}`) : "",
        receiptTable(box.lines, facts),
        numberNote(facts.table, over, box.seat),
      ]),
      ...(over < view.round && !facts.practice ? [proofLinks(facts.table, over)] : []),
    );
  }
}
