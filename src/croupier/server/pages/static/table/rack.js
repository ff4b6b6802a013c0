// The chips to choose from, and the one that is chosen.

import { $, all, el, svg } from "../shared/dom.js";
import { chip } from "../shared/cards_and_chips.js";
import { money } from "../shared/words.js";

const VALUES = [1_00, 5_00, 25_00, 100_00, 500_00];
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class Rack {
  /** @param {number} step the least by which the first wager grows */
  constructor(step) {
    this.chip = VALUES.find((value) => value >= step) ?? VALUES[0];
    $("rack").append(...VALUES.map((value) => this.button(value)));
    $("rack").addEventListener("keydown", (event) => {
      const moves = STEPS[event.key];
      if (!moves) return;
      event.preventDefault();
      const at = VALUES.indexOf(this.chip) + moves + VALUES.length;
      this.choose(VALUES[at % VALUES.length], true);
    });
    this.choose(this.chip);
  }

  /** @param {number} value */
  button(value) {
    const picture = svg("svg", { viewBox: "-24 -23 48 50", "aria-hidden": "true" }, chip(value));
    const button = el(
      "button",
      {
        type: "button",
        role: "radio",
        class: "rack-chip",
        "data-value": value,
        "aria-label": `${money(value)} chip`,
      },
      picture,
    );
    button.addEventListener("click", () => this.choose(value));
    return button;
  }

  /** @param {number} value @param {boolean} [focus] */
  choose(value, focus = false) {
    this.chip = value;
    for (const button of all("button", $("rack"))) {
      const chosen = Number(button.dataset.value) === value;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) button.focus();
    }
  }

  // By the keys 1 to 5; whether it was one of them.
  /** @param {string} key */
  pressed(key) {
    const value = VALUES["12345".indexOf(key)];
    if (value) this.choose(value);
    return Boolean(value);
  }
}
