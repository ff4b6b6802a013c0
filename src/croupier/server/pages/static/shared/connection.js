// One line a page: the whole view comes after each change; commands go by the API, each with an id
// of its own, so that one sent twice happens once.

import { listen, request } from "./carrier.js";
import { $, first } from "./dom.js";

/**
 * A frame as it reached the page. `gap`: since the frame before something happened that no frame
 * told of, or there was none.
 * @typedef {Server.Frame & { arrived: number, gap: boolean, room?: Server.PracticeRoom }} Frame
 * @typedef {Server.Frame["events"][number]} Event
 * @typedef {{ do: string, box?: number, [field: string]: unknown }} Command
 * @typedef {"here" | "away" | "closed" | "login"} LinkState
 * @typedef {Server.Reply & { away?: boolean }} Answer `away`: nobody gave it
 */

const NOT_ADMITTED = 4401,
  STOPPED = [1001, 1012];

export class Connection {
  /**
   * @param {string} path
   * @param {(frame: Frame) => void} onFrame
   * @param {(state: LinkState, why?: string) => boolean | void} onState whether to go on asking
   */
  constructor(path, onFrame, onState) {
    this.path = path;
    this.onFrame = onFrame;
    this.onState = onState;
    this.tries = 0;
    /** @type {Frame | null} */
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

  /**
   * What happened is told once: with meters alone comes no event. A gap is what no frame told of.
   * @param {Partial<Server.Frame> & Partial<Server.MetersFrame>} told
   */
  receive(told) {
    const { frame } = this;
    if (told.view) {
      const gap = told.since !== frame?.version;
      const whole = /** @type {Server.Frame} */ (told);
      this.frame = { ...whole, gap, arrived: performance.now() };
    } else if (told.meters && frame) {
      const view = { ...frame.view, meters: told.meters };
      this.frame = { ...frame, view, since: frame.version, events: [], gap: false };
    } else return;
    this.onFrame(this.frame);
  }

  // "closed": the service was stopped, and said so; "away": nobody knows. Either may be back at the
  // same address. Who has to log in first is asked for again only where the page says so.
  /** @param {{ code: number, reason: string }} why */
  lost({ code, reason }) {
    if (STOPPED.includes(code)) this.isClosed = true;
    const state = code === NOT_ADMITTED ? "login" : this.isClosed ? "closed" : "away";
    const waits = this.onState(state, reason);
    if (state === "login" && !waits) return;
    this.timer = setTimeout(() => this.connect(), Math.min(2000, 250 * 2 ** this.tries++));
  }
}

/**
 * What was asked for, or null where nobody answered.
 * @template T
 * @param {Promise<T>} asked
 * @returns {Promise<T | null>}
 */
export const orNull = (asked) => asked.catch(/** @returns {null} */ () => null);

let asked = 0;
const page = Math.random().toString(36).slice(2);
const AGAIN_MS = [250, 500, 1000, 2000, 4000];

/**
 * The answer to what was sent, as JSON.
 * @param {string} path
 * @param {unknown} [data]
 * @param {string} [method]
 * @returns {Promise<any>}
 */
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

/**
 * What got no answer is asked again by the same id, so that nothing clicked is lost, or done twice.
 * @param {string} table
 * @param {Command} command
 * @param {number} [seen] the version that the command answers to
 * @returns {Promise<Answer>}
 */
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

/**
 * What the page was given, as JSON: facts of its table, or of all.
 * @returns {any}
 */
export function facts() {
  return JSON.parse($("facts").textContent);
}

/** @param {string} name */
export function metaOf(name) {
  return first(`meta[name=${name}]`, document, HTMLMetaElement).content;
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
