// People, tables and links: what an administrator or a manager looks after.

import "./door.js";
import { post } from "./link.js";
import { el, money } from "./svg.js";

const $ = (id) => document.getElementById(id);
const me = document.querySelector("meta[name=me]").content;

async function read(path) {
  const response = await fetch(path);
  return response.ok ? response.json() : [];
}

function no(told) {
  const sentence = told?.sentence;
  $("no").textContent = sentence ? `${sentence[0].toUpperCase()}${sentence.slice(1)}.` : "";
}

async function people() {
  if (!$("people")) return;
  $("people").replaceChildren(...(await read("/api/people")).map((person) => {
    const button = el("button", { type: "button", class: "quiet" }, person.barred ? "Let in again" : "Bar");
    button.addEventListener("click", async () => {
      const at = `/api/people/${encodeURIComponent(person.name)}`;
      const response = await fetch(person.barred ? `${at}/admission` : at, { method: person.barred ? "POST" : "DELETE" });
      no(response.ok ? null : await response.json());
      people();
    });
    return el("tr", { class: person.barred ? "is-barred" : "" }, el("th", { scope: "row" }, person.name), el("td", {}, person.role), el("td", {}, person.name === me ? "you" : button));
  }));
}

async function tables() {
  if (!$("tables")) return;
  $("tables").replaceChildren(...(await read("/api/tables")).map((table) => el("tr", {}, el("th", { scope: "row" }, el("a", { href: `/sign/${encodeURIComponent(table.name)}` }, table.name)), el("td", {}, `${table.rulebook}${table.training ? ", training" : ""}`), el("td", {}, String(table.round)), el("td", {}, `${Object.keys(table.seats).length} of ${table.boxes}`))));
}

async function links() {
  const known = await read("/api/links");
  $("links").replaceChildren(...(known.length ? known.map((link) => el("div", { class: "link-row" }, el("b", {}, link.name), el("span", {}, Object.entries(link.meters).map(([name, micros]) => `${name} ${money(Math.floor(micros / 10000))}`).join(" · ")), el("small", {}, link.closed ? `closed: ${link.closed}` : `runs at ${link.tables.join(", ")}`))) : [el("p", { class: "fine" }, "No table has a Progressive.")]));
}

async function access() {
  if (!$("access")) return;
  const lines = await read("/api/access");
  $("access").replaceChildren(...lines.reverse().map((line) => el("tr", {}, el("td", {}, new Date(line.at_us / 1000).toLocaleTimeString("en-US")), el("td", {}, line.name), el("td", {}, line.outcome))));
}

function form(id, path, after) {
  $(id)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const ticks = [...event.target.querySelectorAll("[type=checkbox]")].map((box) => [box.name, box.checked]);
    const told = await post(path, { ...Object.fromEntries(new FormData(event.target)), ...Object.fromEntries(ticks) });
    no(told.outcome && told.outcome !== "done" ? told : null);
    if (!told.outcome) event.target.reset();
    after();
  });
}

form("hire", "/api/people", people);
form("install", "/api/tables", () => { tables(); links(); });
await Promise.all([people(), tables(), links(), access()]);
delete $("tiles").dataset.waits;
