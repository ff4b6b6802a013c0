// People, tables and links: what an administrator or a manager looks after.

import "./login.js";
import { metaOf, post } from "../shared/connection.js";
import { $, el, fieldsOf } from "../shared/dom.js";
import { no } from "../shared/clause_note.js";
import { money } from "../shared/words.js";

const me = metaOf("me");

async function read(path) {
  const response = await fetch(path);
  return response.ok ? response.json() : [];
}

async function people() {
  if (!$("people")) return;
  const known = await read("/api/people");
  $("change").elements.name.replaceChildren(
    ...known.map((person) => el("option", {}, person.name)),
  );
  $("people").replaceChildren(
    ...known.map((person) => {
      const button = el(
        "button",
        { type: "button", class: "quiet" },
        person.barred ? "Let in again" : "Bar",
      );
      button.addEventListener("click", async () => {
        const at = `/api/people/${encodeURIComponent(person.name)}`;
        const response = await fetch(person.barred ? `${at}/admission` : at, {
          method: person.barred ? "POST" : "DELETE",
        });
        no(response.ok ? null : await response.json());
        people();
      });
      return el(
        "tr",
        { class: person.barred ? "is-barred" : "" },
        el("th", { scope: "row" }, person.name),
        el("td", {}, person.role),
        el("td", {}, person.name === me ? "you" : button),
      );
    }),
  );
}

async function tables() {
  if (!$("tables")) return;
  $("tables").replaceChildren(
    ...(await read("/api/tables")).map((table) =>
      el(
        "tr",
        {},
        el(
          "th",
          { scope: "row" },
          el("a", { href: `/sign/${encodeURIComponent(table.name)}` }, table.name),
        ),
        el("td", {}, `${table.rulebook}${table.training ? ", training" : ""}`),
        el("td", {}, String(table.round)),
        el("td", {}, `${Object.keys(table.seats).length} of ${table.boxes}`),
      ),
    ),
  );
}

async function links() {
  const known = await read("/api/links");
  $("links").replaceChildren(
    ...(known.length
      ? known.map((link) =>
          el(
            "div",
            { class: "link-row" },
            el("b", {}, link.name),
            el(
              "span",
              {},
              Object.entries(link.meters)
                .map(([name, micros]) => `${name} ${money(Math.floor(micros / 10000))}`)
                .join(" · "),
            ),
            el(
              "small",
              {},
              link.closed ? `closed: ${link.closed}` : `runs at ${link.tables.join(", ")}`,
            ),
          ),
        )
      : [el("p", { class: "fine" }, "No table has a Progressive.")]),
  );
}

async function access() {
  if (!$("access")) return;
  const lines = await read("/api/access");
  $("access").replaceChildren(
    ...lines
      .reverse()
      .map((line) =>
        el(
          "tr",
          {},
          el("td", {}, new Date(line.at_us / 1000).toLocaleTimeString("en-US")),
          el("td", {}, line.name),
          el("td", {}, line.outcome),
        ),
      ),
  );
}

// While a form is asked nothing can be typed that its clearing would take; then its first field is
// next.
async function once(form, ask) {
  form.inert = true;
  const done = await ask();
  form.inert = false;
  if (done) form.reset();
  form.elements[0].focus();
}

function form(id, path, after) {
  $(id)?.addEventListener("submit", (event) => {
    event.preventDefault();
    once(event.target, async () => {
      const ticks = [...event.target.querySelectorAll("[type=checkbox]")].map((box) => [
        box.name,
        box.checked,
      ]);
      const told = await post(path, {
        ...fieldsOf(event.target),
        ...Object.fromEntries(ticks),
      });
      no(told.outcome && told.outcome !== "done" ? told : null);
      await after();
      return !told.outcome;
    });
  });
}

// A new role, a new password, or both; either ends the person's logins.
$("change")?.addEventListener("submit", (event) => {
  event.preventDefault();
  once(event.target, async () => {
    const { name, ...fields } = fieldsOf(event.target);
    const changed = Object.entries(fields).filter(([, said]) => said);
    $("changed").textContent = "";
    for (const [what, value] of changed) {
      const told = await post(
        `/api/people/${encodeURIComponent(name)}/${what}`,
        { [what]: value },
        "PUT",
      );
      no(told.outcome ? told : null);
      if (told.outcome) return false;
    }
    $("changed").textContent = changed.length
      ? `${name} has a new ${changed.map(([what]) => what).join(" and a new ")}.`
      : "Choose a role or give a password.";
    await people();
    return true;
  });
});

form("hire", "/api/people", people);
form("install", "/api/tables", () => Promise.all([tables(), links()]));
await Promise.all([people(), tables(), links(), access()]);
delete $("tiles").dataset.waits;
