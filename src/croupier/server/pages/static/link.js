// One WebSocket a page: the whole view comes after each change; commands go by the API, each with
// an id of its own, so that one sent twice happens once.

export class Link {
  constructor(path, onFrame, onState) {
    this.path = path;
    this.onFrame = onFrame;
    this.onState = onState;
    this.tries = 0;
    this.frame = null;
    this.connect();
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.socket.readyState > 1) this.connect();
    });
  }

  connect() {
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket.onopen = () => { this.tries = 0; this.onState("here"); };
    this.socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    this.socket.onclose = (closed) => this.lost(closed);
  }

  receive(told) {
    if (told.view) this.frame = { ...told, arrived: performance.now() };
    else if (told.meters && this.frame) this.frame.view.meters = told.meters;
    else return;
    this.onFrame(this.frame);
  }

  lost(closed) {
    if (closed.code === 4401) { this.onState("login", closed.reason); return; }
    this.onState("away");
    this.timer = setTimeout(() => this.connect(), Math.min(2000, 250 * 2 ** this.tries++));
  }
}

let asked = 0;
const page = Math.random().toString(36).slice(2);
const AGAIN_MS = [250, 500, 1000, 2000, 4000];

export async function post(path, data, method = "POST") {
  try {
    const response = await fetch(path, {
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
  const give = () => post(`/api/tables/${encodeURIComponent(table)}/commands`, { id, command, seen });
  let told = await give();
  for (const pause of AGAIN_MS) {
    if (!told.away) return told;
    await new Promise((go) => setTimeout(go, pause));
    told = await give();
  }
  return told.away ? { ...told, sentence: "the table cannot be reached; see what became of it when your page is back" } : told;
}

export function facts() {
  return JSON.parse(document.getElementById("facts").textContent);
}

export function say(text) {
  const said = document.getElementById("said");
  if (text && said.textContent !== text) said.textContent = text;
}
