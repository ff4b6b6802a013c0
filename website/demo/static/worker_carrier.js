// Frames and requests by a web worker of this page: what a service would answer, without one.

/** @typedef {import("../static/shared/carrier.js").Listener} Listener */

// A worker from an address has the policy of its own headers, and a static host sends none; one
// from a blob has the policy of this page.
const program = `import ${JSON.stringify(new URL("./worker.js", import.meta.url).href)};`;
const address = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
const worker = new Worker(address, { type: "module" });
/** @type {Map<number, (message: any) => void>} */
const waiting = new Map();
let asked = 0;
const ROOT = new URL("..", import.meta.url).href;

worker.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if ("id" in data) waiting.get(data.id)?.(data);
  else if (data.ready) note("");
  else if (data.waits) note("This room is open in another tab: close it there to go on here.");
  else note(`The table could not be set up: ${data.failed}`);
};
worker.onerror = (/** @type {ErrorEvent} */ event) =>
  note(`The table could not be set up: ${event.message}`);

/** @param {any} message @param {Transferable[]} [moved] @returns {Promise<any>} */
function ask(message, moved = []) {
  const id = ++asked;
  return new Promise((done) => {
    waiting.set(id, (told) => {
      waiting.delete(id);
      done(told);
    });
    worker.postMessage({ ...message, id }, moved);
  });
}

/**
 * @param {string} path
 * @param {Listener} listener
 */
export function listen(path, listener) {
  const id = ++asked;
  const line = { isLost: false };
  waiting.set(id, ({ text, failed }) => {
    if (failed) {
      waiting.delete(id);
      line.isLost = true;
      note(`The table stopped: ${failed}`);
      listener.lost({ code: 1011, reason: failed });
      return;
    }
    keep(path, text);
    listener.told(text);
  });
  queueMicrotask(async () => {
    listener.opened();
    const first = kept(path) ?? (await firstFrame());
    if (first && waiting.has(id)) listener.told(first);
    worker.postMessage({ do: "listen", id, path });
  });
  return line;
}

/**
 * @param {string} path
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function request(path, how = {}) {
  // What is the same for everybody lies beside the pages.
  if (path.endsWith("/chart")) return fetch(`${ROOT}${path.slice(1)}.json`);
  const body = how.body ?? "";
  const method = how.method ?? "GET";
  const told = await ask({ do: "request", method, path, body, atMs: Date.now() });
  if (told.failed) throw new Error(told.failed);
  const content = told.status === 204 ? null : told.bytes;
  return new Response(content, { status: told.status, headers: { "Content-Type": told.kind } });
}

// Addresses of the service, as pages write them, lead to where the same lies here.

const A_ROUND = /^record\/([^/]+)\/(\d+)$/;

/** @param {string} address */
function placeOf(address) {
  const { pathname, search, hash } = new URL(address, "http://here");
  const path = pathname.slice(1);
  if (/^static\/|\.svg$/.test(path)) return `${ROOT}${path}`;
  const [, table, round] = path.match(A_ROUND) ?? [];
  if (table) return `${ROOT}record/${table}/index.html?round=${round}${hash}`;
  const folder = path === "" || path === "practice" ? "" : `${path}/`;
  return `${ROOT}${folder}index.html${search}${hash}`;
}

/** @param {Element} inside */
function lead(inside) {
  for (const link of [inside, ...inside.querySelectorAll("[href^='/']:not([download])")]) {
    const address = link.getAttribute("href") ?? "";
    if (address.startsWith("/") && !link.hasAttribute("download")) {
      link.setAttribute("href", placeOf(address));
    }
  }
}

const options = { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] };
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    for (const one of [target, ...addedNodes]) if (one instanceof Element) lead(one);
  }
}).observe(document.documentElement, options);

/** @param {ArrayBuffer} bytes @returns {Promise<string>} why it was not taken; nothing if it was */
export async function bring(bytes) {
  const told = await ask({ do: "bring", bytes }, [bytes]);
  sessionStorage.clear();
  return told.failed ?? told.why;
}

// While Python loads the felt is shown as it was left in this tab, or as it begins.

/** @param {string} path */
const kept = (path) => sessionStorage.getItem(`frame ${path}`);

/** @param {string} path @param {string} text */
function keep(path, text) {
  try {
    sessionStorage.setItem(`frame ${path}`, text);
  } catch {
    // A full store costs the first second of the next visit, and nothing else.
  }
}

async function firstFrame() {
  try {
    const response = await fetch("first.json");
    return response.ok ? await response.text() : null;
  } catch {
    return null;
  }
}

/** What this page says of the worker; nothing once the table is there. @param {string} words */
function note(words) {
  let said = document.getElementById("worker-note");
  if (!said) {
    said = document.createElement("p");
    said.id = "worker-note";
    said.className = "worker-note";
    said.setAttribute("role", "status");
    document.body.append(said);
  }
  said.textContent = words;
  said.hidden = !words;
}
note("The table is being set up: Python is loading into this page.");

/** @type {Record<string, string>} */
const FILES = {
  "/record/rounds.csv": "croupier-rounds.csv",
  "/record/rounds.jsonl": "croupier-rounds.jsonl",
};

// A file that the service would send is made by the worker.
document.addEventListener("click", async (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[download]") : null;
  const path = link?.getAttribute("href") ?? "";
  if (!path.startsWith("/")) return;
  event.preventDefault();
  const response = await request(path);
  if (!response.ok) return note((await response.json()).sentence);
  const [, table, round] = path.match(/^\/api\/tables\/([^/]+)\/rounds\/(\d+)/) ?? [];
  const name = table
    ? `${decodeURIComponent(table)}-${round}.round-proof`
    : (FILES[path] ?? "practice.db");
  const file = document.createElement("a");
  file.href = URL.createObjectURL(await response.blob());
  file.download = name;
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 10_000);
});

// The cache is filled once this page has what it shows: modules may come after the page has loaded.
const keepAll = () =>
  navigator.serviceWorker?.register(new URL("../service_worker.js", import.meta.url));
if (document.readyState === "complete") keepAll();
else addEventListener("load", keepAll);
