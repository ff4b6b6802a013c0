// Whoever looks elsewhere is called: by a sound, the title and the icon of the tab, a phone that
// shakes and, with leave, a notification. The same for a player, a dealer and the floor.

import { $, first, forThisBrowser, store, stored } from "./dom.js";
import { sound } from "./sound.js";

const KEPT = "notify";
const TITLE = document.title;
const MAY_NOTIFY = "Notification" in window && isSecureContext;
/** @type {string[]} */
let calls = [];
let news = "";
let seconds = "";

/** The setting; where a browser cannot notify (no https) it is not there. */
export function openAttention() {
  const box = $("notify", HTMLInputElement);
  box.closest("label").hidden = !MAY_NOTIFY;
  box.checked = isWanted();
  box.addEventListener("change", async () => {
    if (box.checked) await Notification.requestPermission();
    store(forThisBrowser, KEPT, box.checked ? "on" : "off");
    box.checked = isWanted();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) forgetNews();
  });
}

const isWanted = () =>
  MAY_NOTIFY &&
  Notification.permission === "granted" &&
  stored(forThisBrowser, KEPT) === "on";

/**
 * What somebody is called for as it is now; what is new among it is heard.
 * @param {string[]} now
 * @param {"turn" | "call"} [heard]
 */
export function called(now, heard = "call") {
  const fresh = now.filter((words) => !calls.includes(words));
  calls = now;
  if (!now.length) seconds = "";
  if (fresh.length) ring(fresh[0], heard);
  paint();
}

/**
 * What happened to somebody, once; the title says it until he looks.
 * @param {string} words
 */
export function told(words) {
  if (!document.hidden) return;
  news = words;
  notify(words);
  paint();
}

/**
 * The time that is left for what he is called for.
 * @param {number} left
 */
export function ticked(left) {
  seconds = calls.length ? `${left} s · ` : "";
  paint();
}

/**
 * @param {string} words
 * @param {"turn" | "call"} heard
 */
function ring(words, heard) {
  sound(heard);
  // A page that nobody has touched may not shake the phone.
  if (navigator.userActivation?.hasBeenActive)
    navigator.vibrate?.(heard === "turn" ? [120, 60, 120] : 120);
  notify(words);
}

/** @param {string} words */
function notify(words) {
  if (!document.hidden || !isWanted()) return;
  const shown = new Notification(words, { body: TITLE, tag: TITLE, icon: "/static/icon.svg" });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

function forgetNews() {
  news = "";
  paint();
}

function paint() {
  const says = calls[0] ?? news;
  const title = says ? `${seconds}${says}: ${TITLE}` : TITLE;
  if (document.title === title) return;
  document.title = title;
  const icon = first("link[rel=icon]", document, HTMLLinkElement);
  icon.href = says ? "/static/icon-turn.svg" : "/static/icon.svg";
}
