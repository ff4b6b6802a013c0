// Elements of a page: found, made, and what the browser keeps for it.

export const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} K
 * @typedef {new () => K} Kind the class of an element, such as HTMLInputElement
 */

/** @typedef {string | number | boolean | null | undefined} Attribute */
/** @typedef {() => Pick<Storage, "getItem" | "setItem">} Place where the browser keeps something */

/**
 * What was found, as what the page's template makes it; told where that is something else.
 * @template {Element} K
 * @param {Element | null} found
 * @param {Kind<K>} [kind]
 */
function as(found, kind) {
  if (kind && found && !(found instanceof kind)) {
    throw new TypeError(`${found.localName} ${found.id} is no ${kind.name}`);
  }
  return /** @type {K} */ (found);
}

/**
 * An element by its id; null where this page has none.
 * @template {Element} [K=HTMLElement]
 * @param {string} id
 * @param {Kind<K>} [kind]
 */
export const $ = (id, kind) => as(document.getElementById(id), kind);

/**
 * The first that a selector finds; null where there is none.
 * @template {Element} [K=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [inside]
 * @param {Kind<K>} [kind]
 */
export const first = (selector, inside = document, kind) =>
  as(inside.querySelector(selector), kind);

/**
 * @template {Element} [K=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [inside]
 * @param {Kind<K>} [kind]
 */
export const all = (selector, inside = document, kind) =>
  [...inside.querySelectorAll(selector)].map((found) => as(found, kind));

/**
 * The nearest such element around what an event happened to.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const around = ({ target }, selector) =>
  target instanceof Element ? target.closest(selector) : null;

/**
 * The field of a form that has this name.
 * @template {Element} [K=HTMLInputElement]
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {Kind<K>} [kind]
 */
export const fieldOf = (form, name, kind) =>
  as(/** @type {Element | null} */ (form.elements.namedItem(name)), kind);

/**
 * A form that its page answers itself; nothing where the page has no such form.
 * @param {HTMLFormElement | null} form
 * @param {(form: HTMLFormElement) => void} answer
 */
export function onSubmit(form, answer) {
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(form);
  });
}

/**
 * What was written into a form, by the names of its fields.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export const fieldsOf = (form) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));

/** Nothing has the focus any more: the next key is for the page. */
export function letGo() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} inside
 */
export function svg(name, attributes = {}, ...inside) {
  return filled(document.createElementNS(SVG, name), attributes, inside);
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, Attribute>} [attributes]
 * @param {...(Node | string)} inside
 */
export function el(name, attributes = {}, ...inside) {
  return filled(document.createElement(name), attributes, inside);
}

/**
 * Head and body of a table: each row is what it is called, then its cells. A style sheet that lays
 * rows out in another way takes their roles from them, so each part says what it is.
 * @param {string[]} columns
 * @param {{ cells: (Node | string | (Node | string)[])[], kind?: string }[]} rows
 * @param {string} [cellKind]
 */
export function tableParts(columns, rows, cellKind) {
  const head = columns.map((name) => el("th", { scope: "col", role: "columnheader" }, name));
  /** @type {(inside: Node | string | (Node | string)[], at: number) => HTMLElement} */
  const cell = (inside, at) =>
    at === 0
      ? el("th", { scope: "row", role: "rowheader" }, ...[inside].flat())
      : el("td", { class: cellKind, role: "cell", "data-label": columns[at] }, ...[inside].flat());
  const body = rows.map(({ cells, kind }) =>
    el("tr", { class: kind, role: "row" }, ...cells.map(cell)),
  );
  return [
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...head)),
    el("tbody", { role: "rowgroup" }, ...body),
  ];
}

/**
 * How far a page is with what it counts or makes, in words and by its bar.
 * @param {string} text
 * @param {number} [done] of 1
 */
export function showProgress(text, done = 0) {
  $("standing").textContent = text;
  $("progress", HTMLProgressElement).value = 100 * done;
}

/**
 * What is null or undefined is left out, and so is what is false; true stands without a value.
 * @template {Element} K
 * @param {K} made
 * @param {Record<string, Attribute>} attributes
 * @param {(Node | string)[]} inside
 */
function filled(made, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  made.append(...inside);
  return made;
}

// What the browser keeps; private windows keep nothing, and nothing depends on it.

/** @param {Place} place @param {string} key */
export function stored(place, key) {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}

/** @param {Place} place @param {string} key @param {string} value */
export function store(place, key, value) {
  try {
    place().setItem(key, value);
  } catch {
    return;
  }
}

// croupier play has another port each time, and localStorage another content for each port: a
// cookie is the host's.
const YEAR_S = 31_536_000;
/** @type {ReturnType<Place>} */
const cookies = {
  getItem(key) {
    const name = `${encodeURIComponent(key)}=`;
    const found = document.cookie.split("; ").find((one) => one.startsWith(name));
    return found ? decodeURIComponent(found.slice(name.length)) : null;
  },
  setItem(key, value) {
    const said = `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
    document.cookie = `${said}; max-age=${YEAR_S}; path=/; samesite=strict`;
  },
};

export const forThisBrowser = () => cookies;
export const forThisTab = () => sessionStorage;
