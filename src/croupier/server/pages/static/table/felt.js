// Cards and chips on the felt. A layer is a drawing that shows some areas of the plan: the whole
// table, one box set upright, or one place; the same functions lay cards and chips on each.

import { all, el, svg } from "../shared/dom.js";
import { BACK, card, sortedHand, spoken, stack } from "../shared/cards_and_chips.js";
import { money, netWords } from "../shared/words.js";

/**
 * What lies on the felt: a card, a stake with what became of it, or what a round brought a box.
 * @typedef {{ kind: "card", area: Server.AreaFacts, at: [number, number], name: string,
 *   dim?: boolean }} LyingCard
 * @typedef {{ kind: "stake", area: Server.AreaFacts, cents: number,
 *   line?: Server.LineView }} LyingStake
 * @typedef {LyingCard | LyingStake | { kind: "net", area: Server.AreaFacts, cents: number }} Lying
 */

const CARD = 63,
  FANNED = 22;

export class Layer {
  /**
   * @param {Element} root
   * @param {Server.AreaFacts[]} areas
   * @param {number} hand how many cards a box is dealt
   */
  constructor(root, areas, hand) {
    this.areas = areas;
    this.hand = hand;
    this.layers = {
      stake: svg("g", { class: "layer-chips" }),
      card: svg("g", { class: "layer-cards" }),
      net: svg("g", { class: "layer-marks" }),
    };
    root.append(...Object.values(this.layers));
    /** @type {Map<string, { drawn: SVGElement, as: string, thing: Lying }>} */
    this.lying = new Map();
  }

  /** @param {string} place @param {number | null} [box] @param {string | null} [wager] */
  area(place, box = null, wager = null) {
    return this.areas.find(
      (a) => a.place === place && (a.box ?? null) === box && (a.wager ?? null) === wager,
    );
  }

  /** @param {Pick<Server.View, "boxes" | "places">} view */
  show(view) {
    /** @type {Map<string, Lying>} */
    const wanted = new Map();
    for (const [place, cards] of Object.entries(view.places ?? {})) {
      const area = this.area(place);
      if (area)
        cards.forEach((name, n) =>
          wanted.set(`${place} ${n}`, cardAt(area, area.cards[n] ?? [0, 0], name)),
        );
    }
    for (const box of view.boxes ?? []) this.showBox(box, wanted);
    this.lay(wanted);
  }

  /** @param {Server.BoxView} box @param {Map<string, Lying>} wanted */
  showBox(box, wanted) {
    const hand = this.area("box", box.seat);
    if (!hand) return;
    const cards = sortedHand(box.cards ?? []);
    const step = this.hand < 3 ? CARD : FANNED;
    cards.forEach((name, n) => {
      /** @type {[number, number]} */
      const at = [(n - (cards.length - 1) / 2) * step, 0];
      wanted.set(`box ${box.seat} ${n}`, { ...cardAt(hand, at, name), dim: box.folded });
    });
    for (const [wager, cents] of Object.entries(box.stakes ?? {})) {
      const area = this.area("wager", box.seat, wager);
      if (!area || !cents) continue;
      const line = box.lines?.find((one) => one.wager === wager);
      wanted.set(`stake ${box.seat} ${wager}`, { area, kind: "stake", cents, line });
    }
    if (box.net_cents !== undefined && box.net_cents !== null)
      wanted.set(`net ${box.seat}`, { area: hand, kind: "net", cents: box.net_cents });
  }

  /** @param {Map<string, Lying>} wanted */
  lay(wanted) {
    for (const [key, lies] of this.lying) {
      if (!wanted.has(key)) {
        lies.drawn.remove();
        this.lying.delete(key);
      }
    }
    for (const [key, thing] of wanted) {
      const lies = this.lying.get(key);
      const as = JSON.stringify({ ...thing, area: 0 });
      if (lies && lies.as === as) continue;
      const drawn = this.draw(thing, lies?.thing);
      if (lies) lies.drawn.replaceWith(drawn);
      else this.layers[thing.kind].append(drawn);
      this.lying.set(key, { drawn, as, thing });
    }
  }

  /** @param {Lying} thing @param {Lying} [before] @returns {SVGElement} */
  draw(thing, before) {
    const { area } = thing;
    const at = svg("g", { transform: `translate(${area.x} ${area.y}) rotate(${area.turn})` });
    if (thing.kind === "card") {
      const lying = svg("g", { transform: `translate(${thing.at[0]} ${thing.at[1]})` });
      const drawn = card(thing.name);
      const wasDown = before?.kind === "card" && before.name === BACK;
      if (!before) drawn.classList.add("is-dealt");
      else if (wasDown && thing.name !== BACK) drawn.classList.add("is-turned");
      if (thing.dim) drawn.classList.add("is-folded");
      lying.append(drawn);
      at.append(lying);
    } else if (thing.kind === "stake") {
      at.append(this.stakeDrawn(thing, before));
    } else {
      at.append(netPill(thing, area));
    }
    return at;
  }

  /** @param {LyingStake} stake @param {Lying} [before] */
  stakeDrawn({ cents, line }, before) {
    const drawn = svg("g", { class: `stake${line ? ` is-${line.outcome}` : ""}` });
    const chips = stack(cents);
    if (before?.kind !== "stake" || before.cents !== cents) chips.classList.add("is-placed");
    drawn.append(chips);
    if (line?.paid_cents) {
      const paid = stack(line.paid_cents);
      paid.classList.add("is-placed");
      drawn.append(svg("g", { transform: "translate(19 13) scale(.82)" }, paid));
    }
    const said = line ? outcomeWords(line) : money(cents);
    drawn.append(pill(said, 32, line ? `pill-${line.outcome}` : "pill-stake"));
    return drawn;
  }
}

/** @type {Partial<Record<Server.LineView["outcome"], string>>} */
const OUTCOMES = { push: "push", lose: "lost", forfeit: "given up", returned: "returned" };

/** @param {Server.LineView} line */
export function outcomeWords(line) {
  if (line.pending) return "waits for the floor";
  if (line.paid_cents) return money(line.paid_cents, { sign: true });
  return OUTCOMES[line.outcome] ?? line.outcome;
}

/**
 * @param {Server.AreaFacts} area
 * @param {[number, number]} at
 * @param {string} name
 * @returns {LyingCard}
 */
function cardAt(area, at, name) {
  return { area, kind: "card", at, name };
}

/** @param {{ cents: number }} net @param {Server.AreaFacts} area */
function netPill({ cents }, area) {
  const kind = cents > 0 ? "pill-win" : cents < 0 ? "pill-lose" : "pill-push";
  return pill(netWords(cents), area.tall / 2 + 12, kind, 15);
}

/** @param {string} text @param {number} y @param {string} kind @param {number} [size] */
export function pill(text, y, kind, size = 12.5) {
  const wide = text.length * size * 0.56 + size * 1.1;
  return svg(
    "g",
    { class: `pill ${kind}`, transform: `translate(0 ${y})` },
    svg("rect", {
      x: -wide / 2,
      y: -size * 0.78,
      width: wide,
      height: size * 1.56,
      rx: size * 0.78,
    }),
    svg("text", { y: size * 0.36, "text-anchor": "middle", "font-size": size }, text),
  );
}

// A box set upright: copies of its areas, turned around the middle of the dealer's edge.

/** @param {Element} target @param {Element} felt @param {Server.AreaFacts[]} areas of one box */
export function uprightBox(target, felt, areas) {
  const { box, turn } = areas.find(({ place }) => place === "box");
  const turned = svg("g", { transform: `rotate(${-turn})` });
  for (const area of felt.querySelectorAll(`g.felt-area[data-box="${box}"]`))
    turned.append(area.cloneNode(true));
  target.setAttribute("viewBox", "-205 650 410 394");
  target.replaceChildren(turned);
  return turned;
}

// The cards before the dealer, close up: drawn into the places that the page holds free for them.

export class CloseUp {
  /** @param {Element} target @param {Element} felt @param {Server.TableFacts} facts */
  constructor(target, felt, facts) {
    this.places = all(".place", target, SVGElement).map((drawn) => {
      const area = facts.areas.find(
        (one) => one.kind === "cards" && one.place === drawn.dataset.place,
      );
      const original = felt.querySelector(`g.felt-area[data-place="${area.place}"]`);
      const content = svg("g", {}, original.cloneNode(true));
      drawn.append(content);
      return {
        drawn,
        area,
        title: facts.places[area.place],
        layer: new Layer(content, [area], facts.hand),
      };
    });
  }

  /** @param {Server.View} view */
  show(view) {
    for (const { drawn, area, title, layer } of this.places) {
      const cards = view.places?.[area.place] ?? [];
      layer.show({ places: { [area.place]: cards } });
      drawn.setAttribute(
        "aria-label",
        `${title}: ${cards.length ? cards.map(spoken).join(", ") : "no cards"}`,
      );
    }
  }
}

/** @param {Server.View} view */
export function meters(view) {
  return Object.entries(view.meters ?? {}).map(([name, micros]) =>
    el(
      "span",
      {},
      el("small", {}, name === "main" ? "Progressive" : name),
      el("b", {}, money(Math.floor(micros / 10000))),
    ),
  );
}

/**
 * The box that is asked, or settled next, is marked.
 * @param {Server.View} view
 * @param {Element} felt
 */
export function markAsked(felt, view) {
  for (const area of all("g.felt-area[data-place=box]", felt, SVGElement)) {
    area.classList.toggle("is-asked", area.dataset.box === String(view.turn ?? 0));
  }
}

/**
 * The light of a Progressive sensor says that the wager was accepted.
 * @param {Server.View} view
 * @param {ParentNode} root
 */
export function lightSensors(root, view) {
  for (const box of view.boxes ?? []) {
    const sensor = `g.felt-area[data-wager=progressive][data-box="${box.seat}"]`;
    for (const area of all(sensor, root)) area.classList.toggle("is-lit", Boolean(box.light));
  }
}
