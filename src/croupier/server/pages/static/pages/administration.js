// People, tables and links: what an administrator or a manager looks after.

import "./login.js";
import { metaOf, post } from "../shared/connection.js";
import { $, all, el, fieldOf, fieldsOf, onSubmit } from "../shared/dom.js";
import { no } from "../shared/clause_note.js";
import { moment, money } from "../shared/words.js";

const me = metaOf("me");
const changing = $("change", HTMLFormElement);

/** @param {string} path */
async function read(path) {
  const response = await fetch(path);
  return response.ok ? response.json() : [];
}

/** @param {Server.PersonShown} person */
const code = (person) =>
  person.code ? ", with a code" : person.code_required ? ", code not set up" : "";

async function people() {
  if (!$("people")) return;
  /** @type {Server.PersonShown[]} */
  const known = await read("/api/people");
  fieldOf(changing, "name", HTMLSelectElement).replaceChildren(
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
        el("td", {}, `${person.role}${code(person)}${person.waits ? ", a change waits" : ""}`),
        el("td", {}, person.tables?.join(", ") ?? "all"),
        el("td", {}, person.name === me ? "you" : button),
      );
    }),
  );
}

/** @type {Record<string, (asked: Server.WaitingShown) => string>} */
const ASKED = {
  "person-added": ({ name, role }) => `let ${name} in as ${role}`,
  "role-changed": ({ name, role }) => `make ${name} ${role}`,
  "tables-changed": ({ name, tables }) => `${name} works at ${tables?.join(", ") ?? "all tables"}`,
  "password-changed": ({ name }) => `a new password for ${name}`,
  "code-confirmed": ({ name, at_us: at }) =>
    `vouch for the device of ${name}, who typed a right code of it at ${moment(at)}`,
  "code-forgotten": ({ name }) => `forget the device of ${name}`,
  "person-barred": ({ name }) => `let ${name} in again`,
};

async function waiting() {
  if (!$("waiting")) return;
  /** @type {[Server.WaitingShown[], Server.ActShown[]]} */
  const [staff, acts] = await Promise.all([read("/api/people/waiting"), read("/api/waiting")]);
  $("waiting").replaceChildren(
    ...staff.map((one) =>
      waits(one, ASKED[one.change](one), `/api/people/${encodeURIComponent(one.name)}/second`),
    ),
    ...acts.map((one) =>
      waits(
        one,
        `${one.act} ${one.name}, ${one.what}`,
        `/api/waiting/${one.act}/${encodeURIComponent(one.name)}`,
      ),
    ),
  );
  if (!staff.length && !acts.length)
    $("waiting").append(el("li", { class: "fine" }, "Nothing waits."));
}

/**
 * Whoever began it may take it back, and somebody else confirms or denies it.
 * @param {{ by: string, submission?: string }} one
 * @param {string} asked
 * @param {string} at
 */
function waits(one, asked, at) {
  /** @param {boolean} upheld */
  const words = (upheld) => {
    const button = el("button", { type: "button" }, upheld ? "Confirm" : "Deny");
    button.addEventListener("click", async () => {
      const told = await post(at, { upheld });
      no(told.outcome ? told : null);
      await Promise.all([people(), waiting(), tables(), links()]);
    });
    return button;
  };
  const filed = one.submission
    ? [el("details", {}, el("summary", {}, "Its submission"), el("pre", {}, one.submission))]
    : [];
  const buttons = [...(one.by === me ? [] : [words(true)]), words(false)];
  return el("li", {}, `${one.by} asks: ${asked} `, ...buttons, ...filed);
}

// Names of tables as they are typed; every table where it says so.
/** @param {string} typed */
const tableNames = (typed) => (typed === "*" ? null : typed.split(",").map((name) => name.trim()));

async function tables() {
  if (!$("tables")) return;
  /** @type {Server.TableSummary[]} */
  const known = await read("/api/tables");
  $("tables").replaceChildren(
    ...known.map((table) =>
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
  /** @type {Server.LinkShown[]} */
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
  /** @type {Server.AccessLine[]} */
  const lines = await read("/api/access");
  $("access").replaceChildren(
    ...lines
      .reverse()
      .map((line) =>
        el(
          "tr",
          {},
          el("td", {}, moment(line.at_us)),
          el("td", {}, line.name),
          el("td", {}, line.outcome),
        ),
      ),
  );
}

async function logins() {
  if (!$("logins")) return;
  $("logins").replaceChildren(...(await read("/api/logins")).map(loginRow));
}

/** @param {Server.LoginShown} login */
function loginRow({ mark, name, role, address, since_us: since, locked, yours }) {
  const end = el("button", { type: "button", class: "quiet", "data-end": name }, "End");
  end.addEventListener("click", async () => {
    const told = await post(`/api/logins/${mark}`, undefined, "DELETE");
    no(told.outcome === "done" ? null : told);
    await Promise.all([logins(), access()]);
  });
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, `${name}, ${role}${locked ? ", locked" : ""}`),
    el("td", {}, address, el("br"), el("small", {}, moment(since))),
    el("td", {}, yours ? "you" : end),
  );
}

/**
 * While a form is asked nothing can be typed that its clearing would take; then its first field is
 * next.
 * @param {HTMLFormElement} form
 * @param {() => Promise<boolean>} ask
 */
async function once(form, ask) {
  form.inert = true;
  const done = await ask();
  form.inert = false;
  if (done) form.reset();
  const [field] = form.elements;
  if (field instanceof HTMLElement) field.focus();
}

/**
 * @param {string} id
 * @param {string} path
 * @param {() => Promise<unknown>} after
 * @param {(fields: Record<string, string>) => object} [read]
 */
function form(id, path, after, read = (fields) => fields) {
  onSubmit($(id, HTMLFormElement), (asked) => {
    once(asked, async () => {
      const boxes = all("[type=checkbox]", asked, HTMLInputElement);
      const ticks = Object.fromEntries(boxes.map((box) => [box.name, box.checked]));
      const told = await post(path, { ...read(fieldsOf(asked)), ...ticks });
      no(told.outcome && told.outcome !== "done" ? told : null);
      await after();
      return !told.outcome;
    });
  });
}

// What is new of a person; each of it ends the person's logins.
onSubmit(changing, () => {
  once(changing, async () => {
    const { name, ...fields } = fieldsOf(changing);
    const changed = Object.entries(fields).filter(([, said]) => said);
    $("changed").textContent = "";
    let waits = false;
    for (const [what, value] of changed) {
      const at = `/api/people/${encodeURIComponent(name)}/${what}`;
      const said = { [what]: what === "tables" ? tableNames(value) : value };
      const told = await (what === "code" ? post(at, undefined, value) : post(at, said, "PUT"));
      no(told.outcome ? told : null);
      if (told.outcome) return false;
      waits ||= Boolean(told.waits);
    }
    const what = changed.map(([field]) => field).join(" and ");
    $("changed").textContent = !changed.length
      ? "Choose a role, tables or what is to be done about the code, or give a password."
      : `Changed for ${name}: ${what}${waits ? ", once a second person confirms it" : ""}.`;
    await Promise.all([people(), waiting()]);
    return true;
  });
});

form(
  "hire",
  "/api/people",
  () => Promise.all([people(), waiting()]),
  (fields) => ({ ...fields, tables: fields.tables ? tableNames(fields.tables) : null }),
);
form("install", "/api/tables", () => Promise.all([tables(), links(), waiting()]));
await Promise.all([people(), waiting(), tables(), links(), access(), logins()]);
delete $("tiles").dataset.waits;
