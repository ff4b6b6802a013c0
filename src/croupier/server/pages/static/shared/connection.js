// One line a page: the whole view comes after each change; commands go by the API, each with an id
// of its own, so that one sent twice happens once.

import { listen, request } from "./carrier.js";
import { $ } from "./dom.js";

const NOT_ADMITTED = 4401,
  STOPPED = [1001, 1012];

export class Connection {
  constructor(path, onFrame, onState) {
    this.path = path;
    this.onFrame = onFrame;
    this.onState = onState;
    this.tries = 0;
    this.frame = null;
    this.connect();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.line.isLost) this.connect();
    });
  }

  connect() {
    clearTimeout(this.timer);
    this.line = listen(this.path, {
      opened: () => {
        this.tries = 0;
        this.isClosed = false;
        this.onState("here");
      },
      told: (text) => this.receive(JSON.parse(text)),
      lost: (why) => this.lost(why),
    });
  }

  // What happened is told once: with meters alone comes no event. A gap is what no frame told of.
  receive(told) {
    const { frame } = this;
    if (told.view) {
      const gap = told.since !== frame?.version;
      this.frame = { ...told, gap, arrived: performance.now() };
    } else if (told.meters && frame) {
      const view = { ...frame.view, meters: told.meters };
      this.frame = { ...frame, view, since: frame.version, events: [], gap: false };
    } else return;
    this.onFrame(this.frame);
  }

  // "closed": the service was stopped, and said so; "away": nobody knows. Either may be back at the
  // same address. Who has to log in first is asked for again only where the page says so.
  lost({ code, reason }) {
    if (STOPPED.includes(code)) this.isClosed = true;
    const state = code === NOT_ADMITTED ? "login" : this.isClosed ? "closed" : "away";
    const waits = this.onState(state, reason);
    if (state === "login" && !waits) return;
    this.timer = setTimeout(() => this.connect(), Math.min(2000, 250 * 2 ** this.tries++));
  }
}

let asked = 0;
const page = Math.random().toString(36).slice(2);
const AGAIN_MS = [250, 500, 1000, 2000, 4000];

export async function post(path, data, method = "POST") {
  try {
    const response = await request(path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: data === undefined ? undefined : JSON.stringify(data),
    });
    const text = await response.text();
    return text ? JSON.parse(text) : { outcome: response.ok ? "done" : "unavailable" };
  } catch {
    return { outcome: "unavailable", sentence: "the table cannot be reached", away: true };
  }
}

// What got no answer is asked again by the same id, so that nothing clicked is lost, or done twice.
export async function ask(table, command, seen) {
  const id = `page-${page}-${++asked}`;
  const give = () =>
    post(`/api/tables/${encodeURIComponent(table)}/commands`, { id, command, seen });
  let told = await give();
  for (const pause of AGAIN_MS) {
    if (!told.away) return told;
    await new Promise((go) => setTimeout(go, pause));
    told = await give();
  }
  return told.away
    ? {
        ...told,
        sentence: "the table cannot be reached; see what became of it when your page is back",
      }
    : told;
}

// What the page was given: facts of its table, or of all, and who looks at it.

export function facts() {
  return JSON.parse($("facts").textContent);
}

/** @param {string} name */
export function metaOf(name) {
  /** @type {HTMLMetaElement} */
  const meta = document.querySelector(`meta[name=${name}]`);
  return meta.content;
}

/** @param {string} table */
export const livePath = (table) => `/api/tables/${encodeURIComponent(table)}/live`;

/** The login, and back to this page. */
export function toLogin() {
  location.assign(`/login?to=${encodeURIComponent(location.pathname)}`);
}

/** @param {string} text for who listens */
export function say(text) {
  const said = $("said");
  if (text && said.textContent !== text) said.textContent = text;
}
