// Begins the lobby of the practice room: a link for one more device, as words and for its camera.

import { el, $ } from "../shared/dom.js";
import { linkCode } from "../shared/link_code.js";

$("renew")?.addEventListener("click", async () => {
  const response = await fetch("/practice/link", { method: "POST" });
  const told = await response.json();
  const shown = response.ok ? linkCode(told) : [el("p", { class: "no" }, told.sentence)];
  $("next-link").replaceChildren(...shown);
});
