// Elements of a page: found, made, and what the browser keeps for it.

export const SVG = "http://www.w3.org/2000/svg";

/**
 * An element by its id; what kind it is stands in the page's template.
 * @param {string} id
 * @returns {any}
 */
export const $ = (id) => document.getElementById(id);

/**
 * @param {string} selector
 * @param {ParentNode} [inside]
 * @returns {any[]}
 */
export const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

/**
 * The nearest such element around what an event happened to.
 * @param {Event} event
 * @param {string} selector
 * @returns {any}
 */
export const around = ({ target }, selector) =>
  target instanceof Element ? target.closest(selector) : null;

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
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} inside
 * @returns {any}
 */
export function svg(name, attributes = {}, ...inside) {
  return filled(document.createElementNS(SVG, name), attributes, inside);
}

/**
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} inside
 * @returns {any}
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
  $("progress").value = 100 * done;
}

// What is null or undefined is left out, and so is what is false; true stands without a value.
function filled(made, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : value);
    }
  }
  made.append(...inside);
  return made;
}

// What the browser keeps; private windows keep nothing, and nothing depends on it.

export function stored(place, key) {
  try {
    return place().getItem(key);
  } catch {
    return null;
  }
}

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
