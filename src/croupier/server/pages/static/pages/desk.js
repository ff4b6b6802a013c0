// The manager's desk: a submission as a form. The text is all there is; each change is made in it
// by the server, which says what it finds, what it earns and how its papers look then.

import { showComparison } from "../desk/comparison.js";
import { assumed, showEarnings } from "../desk/earnings.js";
import { findingNodes, Form } from "../desk/form.js";
import { finished, makePack, Papers } from "../desk/papers.js";
import { facts, post } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";
import { $, el, forThisTab, store, stored } from "../shared/dom.js";

const KEPT = "desk", KEPT_OPENED = "desk opened", MOST_UNDONE = 50;

/** @type {Server.DeskState} */
let state = facts();
let opened = stored(forThisTab, KEPT_OPENED) ?? state.text,
  against = "",
  logo = "",
  queue = Promise.resolve();
/** @type {string[]} */
const before = [];

const text = $("text", HTMLTextAreaElement),
  undo = $("undo", HTMLButtonElement),
  tells = $("tells-changes", HTMLInputElement);

const papers = new Papers(() => ({ text: state.text, logo, valid: state.valid }));
const form = new Form($("form", HTMLFormElement), (key, value) => change([{ key, value }]));

/**
 * Changes are made one after the other, each in the text that the last one left.
 * @param {{ key: string, value: string | boolean | string[] | null }[]} changes
 * @param {string} [from] another text to make them in
 */
function change(changes, from) {
  queue = queue.then(async () => {
    const asked = { text: from ?? state.text, changes, assumed: assumed() };
    /** @type {Server.DeskState & Server.Reply} */
    const told = await post("/desk/state", asked);
    if (told.outcome) {
      no(told);
      form.made.clear();
      form.show(state);
      return;
    }
    no(null);
    if (told.text !== state.text) {
      before.push(state.text);
      before.splice(0, before.length - MOST_UNDONE);
    }
    show(told);
  });
  return queue;
}

/** @param {Server.DeskState} told */
function show(told) {
  const isNew = told.text !== state.text;
  state = told;
  store(forThisTab, KEPT, state.text);
  form.show(state);
  verdict();
  showEarnings(state.earnings, count);
  text.value = state.text;
  undo.disabled = !before.length;
  $("pack", HTMLButtonElement).disabled = !state.valid;
  if (isNew || !$("paper").children.length) papers.soon();
  if (against) compare();
}

// What concerns the whole submission stands on top, with how many findings there are below.
function verdict() {
  const errors = state.findings.filter(({ severity }) => severity === "error").length;
  const warnings = state.findings.length - errors;
  /** @param {number} count @param {string} what */
  const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const serious = errors ? "error" : "warning";
  const first = state.findings.find(({ severity, field }) => severity === serious && field);
  const says = errors
    ? `${many(errors, "error")} to mend before it can be filed`
    : `Ready to file${warnings ? `, with ${many(warnings, "warning")} to mind` : ""}`;
  const to = first
    ? [el("a", { href: `#field-${first.field.replaceAll(".", "-")}` }, "Show the first")]
    : [];
  $("verdict").className = errors ? "verdict is-wrong" : "verdict is-right";
  $("verdict").replaceChildren(
    el("p", {}, el("strong", {}, says), " ", ...to),
    ...findingNodes("whole", state.findings.filter(({ field }) => !field)),
  );
}

async function count() {
  const job = await finished(await post("/desk/counts", { text: state.text }));
  if (job) change([]);
}

async function compare() {
  showComparison(await post("/desk/comparison", {
    first: against, second: state.text, assumed: assumed(),
  }));
}

/** @param {string} other */
function compareWith(other) {
  against = other;
  tells.disabled = !against;
  compare();
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** @param {string} id */
const chosen = async (id) => {
  const input = $(id, HTMLInputElement);
  const [file] = input.files;
  input.value = "";
  return file ?? null;
};

$("open").addEventListener("click", () => $("open-file").click());
$("open-file").addEventListener("change", async () => {
  const file = await chosen("open-file");
  if (!file) return;
  opened = await file.text();
  store(forThisTab, KEPT_OPENED, opened);
  change([], opened);
});
$("save").addEventListener("click", () => download(state.file, state.text));
undo.addEventListener("click", () => {
  const last = before.pop();
  if (last === undefined) return;
  const asked = () => post("/desk/state", { text: last, assumed: assumed() });
  queue = queue.then(async () => show(await asked()));
});
text.addEventListener("change", () => change([], text.value));
$("assumptions").addEventListener("change", () => change([]));
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  if (target.id === "logo") $("logo-file").click();
  if (target.dataset.stray) change([{ key: target.dataset.stray, value: null }]);
});
$("logo-file").addEventListener("change", async () => {
  const file = await chosen("logo-file");
  if (!file) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  logo = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  change([{ key: "facility.logo", value: file.name }]).then(() => papers.soon());
});
$("compare-file").addEventListener("click", () => $("compared-file").click());
$("compared-file").addEventListener("change", async () => {
  const file = await chosen("compared-file");
  if (file) compareWith(await file.text());
});
$("compare-opened").addEventListener("click", () => compareWith(opened));
$("pack").addEventListener("click", () => {
  const isTold = tells.checked && !tells.disabled;
  makePack({ text: state.text, file: state.file, logo, before: isTold ? against : "" });
});

show(state);
const kept = stored(forThisTab, KEPT);
if (kept !== null && kept !== state.text) change([], kept);
