// Sounds of a table, made by synthesis: cards, chips, a win, a bell that calls. Nothing is loaded,
// and nothing sounds before somebody has touched the page.

import { $, forThisBrowser, store, stored } from "./dom.js";

const KEPT = "sound";
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {AudioContext | null} */
let context = null;

// Where the system asks for less motion it is quiet too, unless somebody says otherwise.
const isOn = () => (stored(forThisBrowser, KEPT) ?? (STILL.matches ? "off" : "on")) === "on";

function ready() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/** The setting, and what turns the sound on with the first touch. */
export function openSound() {
  const box = $("sound", HTMLInputElement);
  box.checked = isOn();
  box.addEventListener("change", () => {
    store(forThisBrowser, KEPT, box.checked ? "on" : "off");
    if (box.checked) ready();
  });
  for (const touch of ["pointerdown", "keydown"]) {
    document.addEventListener(touch, () => isOn() && ready(), { once: true, capture: true });
  }
}

/** The other way round; what it is now. */
export function turnSound() {
  const box = $("sound", HTMLInputElement);
  box.checked = !box.checked;
  box.dispatchEvent(new Event("change"));
  return box.checked;
}

/** @typedef {"card" | "chip" | "win" | "turn" | "call"} Sound */

/** @param {Sound} what */
export function sound(what) {
  if (!context || context.state !== "running" || !isOn()) return;
  document.body.dataset.heard = what;
  SOUNDS[what](context.currentTime);
}

const CHORD = [523.25, 659.25, 783.99];
const BELL = [880, 1174.66];
/** @type {Record<Sound, (at: number) => void>} */
const SOUNDS = {
  // Paper over cloth: a breath of noise that falls.
  card: (at) => noise(at, 0.09, 2600, 0.16),
  // Clay on clay: two short high tones, a hair apart.
  chip: (at) => {
    tone(at, 2350, 0.05, 0.09);
    tone(at + 0.035, 3120, 0.045, 0.06);
  },
  // It is your turn: a bell that rises. Somebody is called: the same, falling.
  turn: (at) => BELL.forEach((hertz, n) => tone(at + n * 0.16, hertz, 0.5, 0.16)),
  call: (at) => BELL.toReversed().forEach((hertz, n) => tone(at + n * 0.16, hertz, 0.5, 0.12)),
  // Three steps of a major chord.
  win: (at) => CHORD.forEach((hertz, n) => tone(at + n * 0.11, hertz, 0.32, 0.1)),
};

/** @param {number} at @param {number} hertz @param {number} seconds @param {number} loud */
function tone(at, hertz, seconds, loud) {
  const made = context.createOscillator();
  made.type = "triangle";
  made.frequency.value = hertz;
  made.connect(fading(at, seconds, loud));
  made.start(at);
  made.stop(at + seconds);
}

/** @param {number} at @param {number} seconds @param {number} hertz @param {number} loud */
function noise(at, seconds, hertz, loud) {
  const count = Math.ceil(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, count, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < count; n += 1) samples[n] = (Math.random() * 2 - 1) * (1 - n / count);
  const made = context.createBufferSource();
  made.buffer = buffer;
  const band = context.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = hertz;
  made.connect(band).connect(fading(at, seconds, loud));
  made.start(at);
}

/** @param {number} at @param {number} seconds @param {number} loud */
function fading(at, seconds, loud) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(context.destination);
  return gain;
}
