// The form of a submission, made from what the server says of each field: what may be chosen, what
// it earns, what it asks for, and what the check finds there. What has not changed stays as it is.

import { all, around, el } from "../shared/dom.js";
import { cite } from "../shared/clause_note.js";
import { capital } from "../shared/words.js";

/** @import { Attribute } from "../shared/dom.js" */

/**
 * @typedef {Server.FormField} Field
 * @typedef {Server.DeskFinding} Finding
 * @typedef {Map<string, Finding[]>} Found by the field they belong to
 * @typedef {Record<string, Attribute>} Attributes
 * @typedef {(key: string, value: string | boolean | string[]) => void} Change
 */

/**
 * What was made of the same before, or made anew.
 * @typedef {(key: string, told: unknown, make: () => HTMLElement) => HTMLElement} Reuse
 */

const idOf = (/** @type {string} */ key) => `field-${key.replaceAll(".", "-")}`;
/** @type {Partial<Record<Field["kind"], string>>} */
const NUMERIC = { amount: "decimal", count: "numeric", percent: "decimal" };

export class Form {
  /**
   * @param {HTMLFormElement} form
   * @param {Change} change
   */
  constructor(form, change) {
    this.form = form;
    /** @type {Map<string, { told: string, node: HTMLElement }>} */
    this.made = new Map();
    form.addEventListener("change", (event) => this.entered(event, change));
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** @param {Event} event @param {Change} change */
  entered(event, change) {
    const key = around(event, "[data-key]")?.dataset.key;
    const { target } = event;
    if (!key) return;
    if (target instanceof HTMLSelectElement) change(key, target.value);
    if (!(target instanceof HTMLInputElement)) return;
    if (target.dataset.kind === "choices") {
      const chosen = all("input:checked", target.closest("fieldset"), HTMLInputElement);
      change(key, chosen.map((one) => one.value));
    } else change(key, target.type === "checkbox" ? target.checked : target.value);
  }

  /** @param {Server.DeskState} state */
  show(state) {
    const found = Map.groupBy(state.findings, ({ field }) => field);
    const kept = new Map();
    /** @type {Reuse} */
    const reuse = (key, told, make) => {
      const text = JSON.stringify(told);
      const before = this.made.get(key);
      const node = before?.told === text ? before.node : make();
      kept.set(key, { told: text, node });
      return node;
    };
    const nodes = state.sections.map((section) => {
      const told = [section, section.groups.map((group) => inside(group, found))];
      return reuse(`section ${section.name}`, told, () => this.section(section, found, reuse));
    });
    const focus = focused();
    place(this.form, nodes);
    this.made = kept;
    focus();
  }

  /** @param {Server.FormSection} section @param {Found} found @param {Reuse} reuse */
  section(section, found, reuse) {
    const groups = section.groups.map((group, number) =>
      reuse(`group ${section.name} ${number}`, [group, inside(group, found)], () =>
        groupNode(group, found, reuse),
      ),
    );
    const id = `section-${section.name}`;
    return el("section", { class: "panel", "aria-labelledby": id },
      el("h2", { id }, section.title), ...groups);
  }
}

/** @param {Server.FormGroup} group */
const keysOf = (group) => [...(group.fields ?? []), group].map(({ key }) => key);
/** @param {Server.FormGroup} group @param {Found} found */
const inside = (group, found) => keysOf(group).map((key) => found.get(key) ?? []);

/**
 * Only what is new is put in: an input that somebody types into stays where it is.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} nodes
 */
function place(parent, nodes) {
  nodes.forEach((node, at) => {
    if (parent.children[at] !== node) parent.insertBefore(node, parent.children[at] ?? null);
  });
  while (parent.children.length > nodes.length) parent.lastElementChild.remove();
}

// What was being typed when the form was made anew goes on in the new field, which says itself that
// it was changed: the browser tells only what was typed there.
function focused() {
  const was = /** @type {HTMLInputElement} */ (document.activeElement);
  const { id, value } = was ?? {};
  const typed = was?.matches?.("#form input:not([type=checkbox], [type=file])");
  const place = typed ? was.selectionStart : null;
  return () => {
    const now = /** @type {HTMLInputElement} */ (id && document.getElementById(id));
    if (!now || now === document.activeElement) return;
    now.focus({ preventScroll: true });
    if (typed && now.dataset.was === was.dataset.was) {
      if (now.value !== value) now.addEventListener("blur", tellChange, { once: true });
      now.value = value;
      if (place !== null && now.type === "text") now.setSelectionRange(place, place);
    }
  };
}

/** @param {Event} event */
const tellChange = ({ target }) => target.dispatchEvent(new Event("change", { bubbles: true }));

/** @param {Server.FormGroup} group @param {Found} found @param {Reuse} reuse */
function groupNode(group, found, reuse) {
  const words = group.says ? `${group.says}. ` : "";
  const says = el("p", { class: "fine says" }, words, cite(group.clause));
  const offer = group.optional
    ? el("label", { class: "offer", "data-key": group.key },
        el("input", { type: "checkbox", id: idOf(group.key), checked: group.offered !== false }),
        ` Offer ${group.title}`)
    : el("span", { id: group.key ? idOf(group.key) : null }, group.title);
  const fields = (group.fields ?? []).map((field) =>
    reuse(field.key, [field, found.get(field.key) ?? []], () =>
      fieldNode(field, found.get(field.key) ?? []),
    ),
  );
  const note = group.says || group.clause ? [says] : [];
  const missing = group.key ? findingNodes(group.key, found.get(group.key) ?? []) : [];
  return el("fieldset", { class: group.offered === false ? "group is-out" : "group" },
    ...(group.title ? [el("legend", {}, offer)] : []), ...note, ...missing,
    el("div", { class: "fields" }, ...fields));
}

/**
 * @param {Field} field
 * @param {Finding[]} found
 */
function fieldNode(field, found) {
  const id = idOf(field.key);
  const findings = findingNodes(field.key, found);
  const allows = hint(field);
  const invalid = found.some(({ severity }) => severity === "error");
  const described = [...findings, ...allows].map((node) => node.id).join(" ");
  const shared = { id, "aria-describedby": described || null, "aria-invalid": invalid || null };
  if (field.kind === "choices") return several(field, [...findings, ...allows]);
  const input = entry(field, shared);
  const isFlag = field.kind === "flag";
  const label = isFlag
    ? el("label", { class: "check" }, input, ` ${field.label}`)
    : el("label", { for: id }, field.label);
  const more = field.key === "facility.logo"
    ? [el("button", { type: "button", class: "quiet", id: "logo" }, "Choose the file")]
    : [];
  return el("div", { class: `field ${field.kind}`, "data-key": field.key },
    label, ...(isFlag ? [] : [input]), ...more, ...findings, ...allows);
}

/** @param {Field} field @param {Attributes} shared */
function entry(field, shared) {
  const value = Array.isArray(field.value) ? field.value.join(", ") : field.value ?? "";
  if (field.kind === "choice") return select(field, value, shared);
  if (field.kind === "flag") {
    return el("input", { ...shared, type: "checkbox", checked: value === "true" });
  }
  return el("input", {
    ...shared,
    type: field.kind === "date" ? "date" : field.kind === "count" ? "number" : "text",
    min: field.kind === "count" ? 1 : null,
    max: field.most || null,
    inputmode: NUMERIC[field.kind],
    "data-was": value,
    value,
  });
}

/** @param {Field} field @param {string} value @param {Attributes} shared */
function select(field, value, shared) {
  const known = field.choices ?? [];
  const options = known.map((choice) =>
    el("option", { value: choice.value, selected: choice.value === value },
      choice.earns ? `${choice.label}: ${choice.earns}` : choice.label),
  );
  if (!known.some((choice) => choice.value === value)) {
    const says = value ? `${value} (not known)` : "choose";
    options.unshift(el("option", { value, selected: true }, says));
  }
  return el("select", shared, ...options);
}

/** @param {Field} field @param {Node[]} notes */
function several(field, notes) {
  const chosen = new Set(Array.isArray(field.value) ? field.value : []);
  const boxes = (field.choices ?? []).map((choice) =>
    el("label", { class: "check" },
      el("input", {
        type: "checkbox", "data-kind": "choices", value: choice.value,
        id: idOf(`${field.key}.${choice.value}`), checked: chosen.has(choice.value),
      }), ` ${capital(choice.label)}`),
  );
  return el("fieldset", { class: "field several", "data-key": field.key },
    el("legend", {}, field.label), ...boxes, ...notes);
}

/** @param {Field} field */
function hint(field) {
  const chosen = (field.choices ?? []).find(({ value }) => value === field.value);
  const says = [field.allows, field.asks].filter(Boolean).map((text) => `${capital(text)}. `);
  const nodes = [];
  if (says.length || field.clause) {
    const clause = chosen?.clause || field.clause;
    nodes.push(el("p", { class: "fine", id: `${idOf(field.key)}-allows` }, ...says, cite(clause)));
  }
  if (chosen?.says) {
    const id = `${idOf(field.key)}-says`;
    nodes.push(el("p", { class: "fine chosen", id }, `${capital(chosen.says)}.`));
  }
  return nodes;
}

/** @param {string} key */
const remover = (key) =>
  el("button", { type: "button", class: "quiet", "data-stray": key }, `Take ${key} out`);

/**
 * @param {string} key
 * @param {Finding[]} found
 */
export function findingNodes(key, found) {
  return found.map((one, number) =>
    el("div", { class: `finding ${one.severity}`, id: `${idOf(key)}-finding-${number}` },
      el("p", {}, el("strong", {}, one.severity === "error" ? "Not allowed: " : "Mind: "),
        `${one.sentence}. `, cite(one.clause, one.ruling)),
      ...(one.means ? [el("p", { class: "fine" }, one.means)] : []),
      ...(one.stray ? [remover(one.stray)] : [])),
  );
}
