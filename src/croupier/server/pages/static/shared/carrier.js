// How a page reaches its table: by the service that serves it, or by what its head names instead.

/**
 * @typedef {object} Listener
 * @property {() => void} opened
 * @property {(text: string) => void} told
 * @property {(why: { code: number, reason: string }) => void} lost
 */

/** @typedef {{ readonly isLost: boolean }} Line */

/** @type {HTMLMetaElement | null} */
const named = document.querySelector("meta[name=carrier]");

/** @type {typeof import("./socket_carrier.js")} */
const carrier = await import(named ? named.content : "./socket_carrier.js");

export const { listen, request } = carrier;
