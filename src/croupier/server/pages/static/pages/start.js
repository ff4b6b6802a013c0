// Begins the lobby of the practice room: a link for one more device, as words and for its camera.

import { el, $ } from "../shared/dom.js";

$("renew")?.addEventListener("click", async () => {
  const response = await fetch("/practice/link", { method: "POST" });
  const told = await response.json();
  const shown = response.ok ? drawn(told) : [el("p", { class: "no" }, told.sentence)];
  $("next-link").replaceChildren(...shown);
});

/** @param {{link: string, picture: string}} told */
function drawn({ link, picture }) {
  const code = el("img", { src: picture, alt: `QR code of ${link}`, width: "240" });
  return [code, el("p", { class: "link" }, link)];
}
