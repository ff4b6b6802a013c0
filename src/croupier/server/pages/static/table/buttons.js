// The buttons of what can be done now, never anything else.

import { $, all, el, first } from "../shared/dom.js";
import { money } from "../shared/words.js";

/** @import { Choice } from "./seat.js" */

/** @param {HTMLButtonElement} button */
const signature = ({ dataset, textContent, className, disabled }) =>
  JSON.stringify([dataset.act, dataset.question, textContent, className, disabled]);

// A button that stays what it was stays where it is: one that is new takes no click for a moment.
/** @param {HTMLButtonElement[]} buttons */
export function lay(buttons) {
  const place = $("buttons");
  const lying = new Map(
    all("button", place, HTMLButtonElement).map((one) => [signature(one), one]),
  );
  const shown = buttons.map((one) => lying.get(signature(one)) ?? one);
  const stays = shown.length === place.children.length;
  if (stays && shown.every((one, n) => one === place.children[n])) return;
  const active = document.activeElement;
  const focused = active instanceof HTMLElement && active.dataset.act;
  place.replaceChildren(...shown);
  if (!focused) return;
  const again = first(`[data-act="${focused}"]`, place);
  (again ?? first("button:not(:disabled)", place))?.focus();
}

/**
 * @param {string} act
 * @param {string} says
 * @param {string} key
 * @param {() => void} run
 * @param {string} [kind]
 */
export function actButton(act, says, key, run, kind = "") {
  const made = el(
    "button",
    { type: "button", class: `act ${kind}`, "data-act": act, "aria-keyshortcuts": key },
    el("b", {}, says),
    el("kbd", {}, key),
  );
  made.addEventListener("click", run);
  return made;
}

/**
 * @param {Choice} choice
 * @param {string} question
 * @param {boolean} disabled
 * @param {() => void} run
 */
export function choiceButton({ key, action, says, cents, command }, question, disabled, run) {
  const made = el(
    "button",
    {
      type: "button",
      disabled,
      class: `choice choice-${command.do}`,
      "data-act": action,
      "data-question": question,
      "aria-keyshortcuts": key,
    },
    el("b", {}, says),
    el("span", {}, cents ? money(cents) : ""),
    el("kbd", {}, key.toUpperCase()),
  );
  made.addEventListener("click", run);
  return made;
}

// A key that a button names is that button's, whatever has the focus.
/** @param {string} key */
export function advertised(key) {
  const named = key === " " ? "Space" : key;
  return $("buttons").querySelector(`[aria-keyshortcuts="${named}"]:not(:disabled)`);
}
