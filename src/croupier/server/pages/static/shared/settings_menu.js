// The menu of settings: it closes as menus do, and keeps the colors of the suits.

import { $, forThisBrowser, store, stored } from "./dom.js";

/** Four colors, where this browser was told so. */
export function showColors() {
  document.body.classList.toggle("four-colors", stored(forThisBrowser, "colors") === "four");
}

export function openMenu() {
  /** @type {HTMLDetailsElement} */
  const menu = document.querySelector(".tools");
  document.addEventListener("pointerdown", (event) => {
    if (!(event.target instanceof Node && menu.contains(event.target))) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  $("colors").checked = stored(forThisBrowser, "colors") === "four";
  $("colors").addEventListener("change", () => {
    store(forThisBrowser, "colors", $("colors").checked ? "four" : "two");
    document.body.classList.toggle("four-colors", $("colors").checked);
  });
  showColors();
}
