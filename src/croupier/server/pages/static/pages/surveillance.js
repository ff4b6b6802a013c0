// Surveillance: the table live, and any of its last rounds step by step as the ledger has it.

import { callWords } from "../staff/floor_call.js";
import "./login.js";
import { boxRow, PHASES } from "../staff/duties.js";
import { CloseUp, Layer, meters } from "../table/felt.js";
import { facts as read, Connection, livePath, toLogin } from "../shared/connection.js";
import { $, el, fieldOf, onSubmit } from "../shared/dom.js";
import { moment, money } from "../shared/words.js";
import { openMenu } from "../shared/settings_menu.js";
import { cite, sentence } from "../shared/clause_note.js";

/** @import { Frame } from "../shared/connection.js" */

/** @type {Server.TableFacts} */
const facts = read();
const felt = $("felt", SVGElement);
const layer = new Layer(felt, facts.areas, facts.hand);
const closeUp = new CloseUp($("far"), felt, facts);
const at = $("at", HTMLInputElement);
const base = `/tables/${encodeURIComponent(facts.table)}`;
/** @type {Frame | null} */
let live = null;
/** @type {Server.ReplayStep[] | null} */
let replayed = null;
openMenu();

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
  $("round").textContent = String(view.round);
  $("phase").textContent = PHASES[view.phase];
  $("called").textContent = callWords(view);
  $("boxes", HTMLTableElement).tBodies[0].replaceChildren(
    ...(view.boxes ?? []).map((box) => boxRow(box, view, facts)),
  );
  if (view.meters) $("meters").replaceChildren(...meters(view));
}

async function list() {
  const response = await fetch(`/api${base}/rounds`);
  if (!response.ok) return;
  /** @type {Server.RoundShown[]} */
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
        el("small", {}, `${round.status} · ${moment(1000 * Date.parse(round.began_at))}`),
      );
      button.addEventListener("click", () => replay(round.round));
      return button;
    }),
  );
}

/** @param {number} number */
async function replay(number) {
  /** @type {Server.ReplayStep[] | { sentence: string }} */
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
  pause();
  replayed = told;
  $("ribbon").textContent = `Replay of round ${number}`;
  $("ribbon").classList.add("is-replay");
  $("stepper").hidden = false;
  at.max = String(told.length - 1);
  $("steps").replaceChildren(
    ...told.map((step, n) => {
      const button = el(
        "button",
        { type: "button", class: "quiet" },
        el("b", {}, step.says),
        el(
          "small",
          {},
          `${moment(step.at_us)} · ${step.by} · ${step.event.replaceAll("-", " ")} · ` +
            step.clauses.join(", "),
        ),
      );
      button.addEventListener("click", () => jump(n));
      return el("li", {}, button);
    }),
  );
  stand(0);
}

// At the pace it happened, or so many times as fast: each step waits as long as it did then.
let playing = 0;
function play() {
  const next = Number(at.value) + 1;
  if (!replayed || next >= replayed.length) {
    pause();
    return;
  }
  const waits = (replayed[next].at_us - replayed[next - 1].at_us) / 1000;
  playing = setTimeout(() => {
    stand(next);
    play();
  }, waits / Number($("pace", HTMLSelectElement).value));
  $("play").textContent = "Pause";
}

function pause() {
  clearTimeout(playing);
  playing = 0;
  $("play").textContent = "Play";
}

// A step that somebody chooses ends what plays by itself.
/** @param {number} n */
function jump(n) {
  pause();
  stand(n);
}

/** @param {number} n */
function stand(n) {
  const now = Math.max(0, Math.min(replayed.length - 1, n));
  at.value = String(now);
  const step = replayed[now];
  show(step.view);
  for (const [m, item] of [...$("steps").children].entries())
    item.classList.toggle("is-now", m === now);
  $("steps").children[now].scrollIntoView({ block: "nearest" });
  const { view, says, proved, ...line } = step;
  $("when").textContent = moment(step.at_us);
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

onSubmit($("older", HTMLFormElement), (form) => replay(Number(fieldOf(form, "round").value)));
at.addEventListener("input", () => jump(Number(at.value)));
$("first").addEventListener("click", () => jump(0));
$("back").addEventListener("click", () => jump(Number(at.value) - 1));
$("on").addEventListener("click", () => jump(Number(at.value) + 1));
$("play").addEventListener("click", () => (playing ? pause() : play()));
$("pace").addEventListener("change", () => {
  if (!playing) return;
  pause();
  play();
});
$("live").addEventListener("click", () => {
  pause();
  replayed = null;
  $("ribbon").textContent = "Live";
  $("ribbon").classList.remove("is-replay");
  $("stepper").hidden = true;
  show(live.view);
});

// Whoever comes from a search sees the round that was found.
const wanted = Number(new URLSearchParams(location.search).get("round"));
if (wanted) replay(wanted);
