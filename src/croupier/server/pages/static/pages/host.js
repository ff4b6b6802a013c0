// The host: who is here, who comes back, who is sent away, and who deals.

import { $, all, el } from "../shared/dom.js";
import { orNull, post } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";
import { linkCode } from "../shared/link_code.js";

const EVERY_MS = 3000;

const invitation = $("invitation", HTMLAnchorElement);
invitation.textContent = invitation.href;

/** @param {Server.GuestShown[]} guests */
function show(guests) {
  $("nobody").hidden = guests.length > 0;
  const as = JSON.stringify(guests);
  if ($("guests").dataset.as === as) return;
  $("guests").dataset.as = as;
  $("guests").replaceChildren(...guests.map(row));
  delete $("guests").dataset.waits;
}

/** @param {Server.GuestShown} guest */
function row({ name, box, removed }) {
  const away = el("button", { type: "button", "data-away": name }, "Send away");
  away.addEventListener("click", () => remove(name));
  const back = el("button", { type: "button", "data-back": name }, "Way back in");
  back.addEventListener("click", () => lead(name));
  const said = removed ? "sent away" : box || "no box yet";
  const acts = removed ? [] : [el("div", { class: "links" }, back, away)];
  return el("tr", {}, el("td", {}, name), el("td", {}, said), el("td", {}, ...acts));
}

// For who lost what let his browser in: a link that is good once, and for this guest alone.
/** @param {string} name */
async function lead(name) {
  const told = await post(`/host/guests/${encodeURIComponent(name)}/return`);
  if (!told.link) {
    no(told);
    return;
  }
  const says = `${name} comes back by this link, on any device; it is good once.`;
  $("way-back").replaceChildren(el("p", {}, says), ...linkCode(told));
}

/** @param {string} name */
async function remove(name) {
  if (!confirm(`Send ${name} away? The box comes free; chips are kept.`)) return;
  const told = await post(`/host/guests/${encodeURIComponent(name)}/removal`);
  if (Array.isArray(told)) show(told);
  else no(told);
}

async function look() {
  const response = await orNull(fetch("/host/guests"));
  if (response?.ok) show(await response.json());
  setTimeout(look, EVERY_MS);
}

for (const button of all("[data-console]")) {
  button.addEventListener("click", async () => {
    const told = await post("/host/console");
    if (told.outcome !== "done") no(told);
    else location.assign(`/tables/${encodeURIComponent(button.dataset.console)}`);
  });
}

look();
