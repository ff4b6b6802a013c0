// A link to hand on: its code for a camera, and its words.

import { el } from "./dom.js";

/** @param {Server.QrLink} told */
export function linkCode({ link, picture }) {
  const code = el("img", { class: "code", src: picture, alt: `QR code of ${link}`, width: "240" });
  return [code, el("p", { class: "link" }, link)];
}
