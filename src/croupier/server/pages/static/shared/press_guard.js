// A press guard: what appears under a finger or a pointer that was just pressed takes no click for
// a moment, so that the second half of a double click never lands on something new. Controls that
// were there when the press came are not held up, and keys never are.

import { all } from "./dom.js";

const GUARD_MS = 400;
const RECENT_MS = 1500;
const FINGER_PX = 14;
const CONTROLS = "button, a, input, select, textarea, summary, label, [role=button]";
const AROUND = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-0.7, -0.7],
  [0.7, -0.7],
  [-0.7, 0.7],
  [0.7, 0.7],
];

/** @type {{ x: number, y: number, at: number, known: Set<HTMLElement> } | null} */
let press = null;

/** @param {number} x @param {number} y @returns {Set<HTMLElement>} */
function controlsAt(x, y) {
  /** @type {(HTMLElement | null | undefined)[]} */
  const found = AROUND.map(([right, down]) =>
    document.elementFromPoint(x + right * FINGER_PX, y + down * FINGER_PX)?.closest(CONTROLS),
  );
  return new Set(found.filter(Boolean));
}

function look() {
  if (!press || performance.now() - press.at > RECENT_MS) return;
  for (const control of controlsAt(press.x, press.y)) {
    if (press.known.has(control)) continue;
    press.known.add(control);
    control.dataset.guarded = "";
    setTimeout(() => {
      delete control.dataset.guarded;
    }, GUARD_MS);
  }
}

document.addEventListener(
  "pointerdown",
  ({ clientX: x, clientY: y }) => {
    const known = new Set([...controlsAt(x, y), ...all("[data-guarded]")]);
    press = { x, y, at: performance.now(), known };
  },
  { capture: true },
);

new MutationObserver(look).observe(document.documentElement, {
  subtree: true,
  childList: true,
  attributeFilter: ["hidden", "open"],
});
