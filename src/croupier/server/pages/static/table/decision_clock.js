// How long the box that is asked may still think: a ring that empties, in a place of its own.

import { ticked } from "../shared/attention.js";
import { say } from "../shared/connection.js";
import { svg } from "../shared/dom.js";
import { questionOf } from "./seat.js";

/** @import { Frame } from "../shared/connection.js" */

const LATE_S = 10;

export class Clock {
  /** @param {HTMLElement} target */
  constructor(target) {
    this.target = target;
    /** @type {string | null} */
    this.question = null;
    /** @type {Set<number>} */
    this.told = new Set();
    this.whole = Number(target.dataset.whole) || 0;
    this.ring = svg("circle", {
      class: "clock-left",
      r: 15,
      pathLength: 100,
      transform: "rotate(-90)",
    });
    this.number = svg("text", { y: 5, "text-anchor": "middle" });
    target.append(
      svg(
        "svg",
        { viewBox: "-19 -19 38 38", "aria-hidden": "true" },
        svg("circle", { class: "clock-whole", r: 15 }),
        this.ring,
        this.number,
      ),
    );
  }

  /**
   * What is said near the end is for who listens; everybody else sees the ring.
   * @param {Frame} frame
   * @param {string} words
   */
  show(frame, words) {
    clearInterval(this.timer);
    const left = frame.seconds_left;
    this.target.classList.toggle("is-running", left !== undefined && left !== null);
    if (left === undefined || left === null) {
      this.question = null;
      return;
    }
    const asked = questionOf(frame);
    if (asked !== this.question) {
      this.question = asked;
      this.told = new Set();
    }
    this.until = frame.arrived + left * 1000;
    this.words = words;
    this.tick();
    this.timer = setInterval(() => this.tick(), 250);
  }

  tick() {
    const left = Math.max(0, (this.until - performance.now()) / 1000);
    const shown = Math.ceil(left);
    this.number.textContent = shown < 100 ? String(shown) : `${Math.ceil(shown / 60)}m`;
    this.number.classList.toggle("is-long", shown >= 100);
    this.ring.setAttribute(
      "stroke-dasharray",
      `${100 * Math.min(1, left / (this.whole || left || 1))} 100`,
    );
    this.target.classList.toggle("is-late", shown <= LATE_S);
    this.target.setAttribute("aria-label", `${shown} seconds left`);
    ticked(shown);
    for (const at of [LATE_S, LATE_S / 2]) {
      if (this.words && shown <= at && shown > at - 3 && !this.told.has(at)) {
        this.told.add(at);
        say(`${this.words} ${shown} seconds.`);
      }
    }
    if (!left) clearInterval(this.timer);
  }
}
