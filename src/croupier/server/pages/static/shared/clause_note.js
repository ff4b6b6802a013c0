// Why a thing happened, one click away: the clause in plain words, and the ruling behind it.

import { request } from "./carrier.js";
import { $, around, el } from "./dom.js";
import { capital } from "./words.js";

/** @param {string | undefined} clause @param {number} [ruling] @param {string} [says] */
export function cite(clause, ruling = 0, says = clause) {
  if (!clause) return "";
  return el(
    "button",
    {
      type: "button",
      class: "why",
      "data-why": clause,
      "data-ruling": ruling || null,
      "aria-label": `${says}: why`,
    },
    says,
  );
}

/** @typedef {{ sentence?: string, detail?: string, clause?: string }} Told what somebody is told */

/**
 * A sentence, with its clause behind it.
 * @param {Told} told
 */
export function sentence(told) {
  const words = told.sentence ?? told.detail ?? "that did not work";
  return [`${capital(words)}. `, cite(told.clause)];
}

/**
 * What was not done, where every page says so; nothing once it is over.
 * @param {Told | null} told
 */
export function no(told) {
  $("no").replaceChildren(...(told ? sentence(told) : []));
}

/** @type {HTMLDialogElement | null} */
let shown = null;

function dialog() {
  if (shown) return shown;
  const close = el("button", { type: "button" }, "Close");
  shown = el(
    "dialog",
    { class: "why-dialog", "aria-labelledby": "why-title" },
    el("h2", { id: "why-title" }),
    el("div", { class: "why-words" }),
    close,
  );
  close.addEventListener("click", () => shown.close());
  shown.addEventListener("click", (event) => {
    if (event.target === shown && isOutside(event)) shown.close();
  });
  document.body.append(shown);
  return shown;
}

/** @param {MouseEvent} event */
function isOutside({ clientX: x, clientY: y }) {
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

/** @param {string} clause @param {string} ruling */
async function explain(clause, ruling) {
  const box = dialog();
  const [title, words] = box.children;
  title.textContent = clause;
  words.replaceChildren(el("p", { class: "fine" }, "One moment."));
  box.showModal();
  words.replaceChildren(...(await answer(clause, ruling)));
}

/** @param {string} clause @param {string} ruling */
async function answer(clause, ruling) {
  /** @type {Server.Why & Told} */
  let told;
  try {
    const asked = `clause=${encodeURIComponent(clause)}&ruling=${ruling || 0}`;
    const response = await request(`/why?${asked}`);
    told = await response.json();
    if (!response.ok) return [el("p", {}, ...sentence(told))];
  } catch {
    return [el("p", {}, "The table is out of reach; ask again in a moment.")];
  }
  const rulings = told.rulings.flatMap((one) => [
    el("h3", {}, `Ruling ${one.number}: ${one.title}`),
    el("p", {}, one.says),
  ]);
  return [el("p", {}, told.means), ...rulings];
}

document.addEventListener("click", (event) => {
  const asked = around(event, "[data-why]");
  if (asked) explain(asked.dataset.why, asked.dataset.ruling);
});
