// Surveillance looks for a round: by who, where, when, how much and what came of it.

import "./login.js";
import { $, el, fieldsOf, onSubmit } from "../shared/dom.js";
import { moment, money, netClass, netWords, spaced } from "../shared/words.js";
import { no } from "../shared/clause_note.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
$("zone").textContent = `Times are those of this browser, ${zone}.`;

onSubmit($("find", HTMLFormElement), (form) => find(fieldsOf(form)));

/** @param {Record<string, string>} said */
async function find(said) {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(said)) if (value) asked.set(name, spoken(name, value));
  const response = await fetch(`/api/recordings?${asked}`);
  const told = await response.json();
  no(response.ok ? null : told);
  if (response.ok) show(told);
}

/**
 * A time of this browser is told with its zone, a sum in dollars.
 * @param {string} name
 * @param {string} value
 */
function spoken(name, value) {
  if (name === "since" || name === "until") return new Date(value).toISOString();
  return name === "least" || name === "most" ? `$${value}` : value;
}

/** @param {Server.RecordingsFound} told */
function show({ found, behind }) {
  const late = behind ? " The newest rounds are still being put into the index." : "";
  $("count").textContent = `${found.length || "Nothing"} found.${late}`;
  const table = $("found", HTMLTableElement);
  table.hidden = !found.length;
  table.tBodies[0].replaceChildren(...found.map(row));
}

/** @param {Server.Recording} one */
function row(one) {
  const at = `/tables/${encodeURIComponent(one.table_name)}?round=${one.round}`;
  const net = one.outcome === "void" ? "void" : netWords(one.net_cents);
  return el(
    "tr",
    {},
    el("td", {}, moment(one.at_us)),
    el("td", {}, el("a", { href: at }, `${one.table_name}, ${one.round}`)),
    el("td", {}, `${one.box} ${one.player}`),
    el("td", {}, money(one.staked_cents)),
    el("td", { class: netClass(one.net_cents) }, net),
    el("td", {}, one.hand),
    el("td", {}, one.wagers.map(spaced).join(", ")),
    el("td", {}, one.irregularities.join(", ").replaceAll("-", " ")),
  );
}
