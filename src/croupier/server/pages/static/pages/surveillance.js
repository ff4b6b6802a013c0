// Surveillance: the table live, and any of its last rounds step by step as the ledger has it.

import { callWords } from "../staff/floor_call.js";
import "./login.js";
import { boxRow, PHASES } from "../staff/duties.js";
import { CloseUp, Layer, meters } from "../table/felt.js";
import { facts as read, Connection, livePath, toLogin } from "../shared/connection.js";
import { $, el } from "../shared/dom.js";
import { money } from "../shared/words.js";
import { cite, sentence } from "../shared/clause_note.js";

const facts = read();
const layer = new Layer($("felt"), facts.areas, facts.hand);
const closeUp = new CloseUp($("far"), $("felt"), facts);
const base = `/tables/${encodeURIComponent(facts.table)}`;
let live = null;
let replayed = null;

new Connection(
  livePath(facts.table),
  (frame) => {
    const round = live?.view.round;
    live = frame;
    if (!replayed) show(frame.view);
    if (round !== frame.view.round || frame.view.phase === "clearing") list();
  },
  (state) => {
    document.body.dataset.link = state;
    if (state === "login") toLogin();
  },
);

/** @param {Server.View} view */
function show(view) {
  layer.show(view);
  closeUp.show(view);
  $("round").textContent = view.round;
  $("phase").textContent = PHASES[view.phase];
  $("called").textContent = callWords(view);
  $("boxes").tBodies[0].replaceChildren(
    ...(view.boxes ?? []).map((box) => boxRow(box, view, facts)),
  );
  if (view.meters) $("meters").replaceChildren(...meters(view));
}

async function list() {
  const response = await fetch(`/api${base}/rounds`);
  if (!response.ok) return;
  const rounds = await response.json();
  if (!rounds.length) return;
  $("rounds").replaceChildren(
    ...rounds.map((round) => {
      const button = el(
        "button",
        { type: "button", class: "quiet" },
        el("b", {}, `Round ${round.round}`),
        el(
          "span",
          {},
          `${round.boxes} box${round.boxes === 1 ? "" : "es"}, ${money(round.wagered_cents)}`,
        ),
        el("small", {}, round.status),
      );
      button.addEventListener("click", () => replay(round.round));
      return button;
    }),
  );
}

async function replay(number) {
  const told = await fetch(`${base}/replay/${number}`)
    .then((response) => response.json())
    .catch(() => ({ sentence: "the table is out of reach" }));
  if (!Array.isArray(told)) {
    $("steps").replaceChildren(el("li", {}, ...sentence(told)));
    return;
  }
  if (!told.length) {
    $("steps").replaceChildren(el("li", {}, `Nothing happened in round ${number}.`));
    return;
  }
  replayed = told;
  $("ribbon").textContent = `Replay of round ${number}`;
  $("ribbon").classList.add("is-replay");
  $("stepper").hidden = false;
  $("at").max = replayed.length - 1;
  $("steps").replaceChildren(
    ...replayed.map((step, n) => {
      const button = el(
        "button",
        { type: "button", class: "quiet" },
        el("b", {}, step.says),
        el(
          "small",
          {},
          `${step.by} · ${step.event.replaceAll("-", " ")} · ${step.clauses.join(", ")}`,
        ),
      );
      button.addEventListener("click", () => stand(n));
      return el("li", {}, button);
    }),
  );
  stand(0);
}

function stand(n) {
  const at = Math.max(0, Math.min(replayed.length - 1, n));
  $("at").value = at;
  const step = replayed[at];
  show(step.view);
  for (const [m, item] of [...$("steps").children].entries())
    item.classList.toggle("is-now", m === at);
  $("steps").children[at].scrollIntoView({ block: "nearest" });
  const { view, says, proved, ...line } = step;
  $("proof").textContent = proved
    ? `Line ${line.version}, proved: its hash is that of what it says, ` +
      `and it holds the hash of line ${line.version - 1}.`
    : `Line ${line.version} does not fit the chain: have croupier verify look at the ledger.`;
  $("proof").classList.toggle("lost", !proved);
  $("whys").replaceChildren(
    ...step.clauses.map((clause) => cite(clause)),
    ...step.rulings.map((ruling) => cite(step.clauses[0], ruling, `ruling ${ruling}`)),
  );
  $("raw").textContent = JSON.stringify(line, null, 1);
}

$("older").addEventListener("submit", (event) => {
  event.preventDefault();
  replay(Number(event.target.elements.round.value));
});
$("at").addEventListener("input", () => stand(Number($("at").value)));
$("first").addEventListener("click", () => stand(0));
$("back").addEventListener("click", () => stand(Number($("at").value) - 1));
$("on").addEventListener("click", () => stand(Number($("at").value) + 1));
$("live").addEventListener("click", () => {
  replayed = null;
  $("ribbon").textContent = "Live";
  $("ribbon").classList.remove("is-replay");
  $("stepper").hidden = true;
  show(live.view);
});
