// The menu of settings: it closes as menus do, and keeps the colors of the suits, sound and
// motion; theme.js keeps light or dark.

import { $, first, forThisBrowser, store, stored } from "./dom.js";
import { openAttention } from "./attention.js";
import { openSound } from "./sound.js";

/** Four colors and no motion, where this browser was told so. */
export function showColors() {
  document.body.classList.toggle("four-colors", stored(forThisBrowser, "colors") === "four");
  document.body.classList.toggle("still", stored(forThisBrowser, "motion") === "off");
}

export function openMenu() {
  const menu = first(".tools", document, HTMLDetailsElement);
  document.addEventListener("pointerdown", (event) => {
    if (!(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  if ($("colors")) openLooks();
  if ($("sound")) openSound();
  if ($("notify")) openAttention();
}

function openLooks() {
  const colors = $("colors", HTMLInputElement);
  const motion = $("motion", HTMLInputElement);
  colors.checked = stored(forThisBrowser, "colors") === "four";
  colors.addEventListener("change", () => {
    store(forThisBrowser, "colors", colors.checked ? "four" : "two");
    document.body.classList.toggle("four-colors", colors.checked);
  });
  motion.checked = stored(forThisBrowser, "motion") !== "off";
  motion.addEventListener("change", () => {
    store(forThisBrowser, "motion", motion.checked ? "on" : "off");
    showColors();
  });
  showColors();
}
