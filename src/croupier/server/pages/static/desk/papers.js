// The papers of a table: each as it would be printed now, and the pack that is filed.

import { $, all, el, showProgress } from "../shared/dom.js";
import { post, say } from "../shared/connection.js";
import { capital } from "../shared/words.js";

const PAUSE_MS = 350, LOOK_MS = 300;
/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

export class Papers {
  /** @param {() => { text: string, logo: string, valid: boolean }} now */
  constructor(now) {
    this.now = now;
    this.name = "layout";
    this.asked = 0;
    this.shown = "";
    for (const tab of all("[data-paper]")) {
      tab.addEventListener("click", () => this.choose(tab));
      tab.addEventListener("keydown", (event) => this.step(event, tab));
    }
  }

  /** @param {HTMLElement} tab */
  choose(tab) {
    for (const one of all("[data-paper]")) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
    }
    this.name = tab.dataset.paper;
    $("paper").setAttribute("aria-labelledby", tab.id);
    this.shown = "";
    this.draw();
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} tab */
  step(event, tab) {
    const by = STEPS[event.key];
    if (!by) return;
    const tabs = all("[data-paper]");
    const next = tabs.at((tabs.indexOf(tab) + by) % tabs.length);
    next.focus();
    this.choose(next);
  }

  /** Draw again once nothing has been changed for a moment. */
  soon() {
    clearTimeout(this.timer);
    $("paper").classList.add("is-stale");
    this.timer = setTimeout(() => this.draw(), PAUSE_MS);
  }

  async draw() {
    const { text, logo, valid } = this.now();
    const asked = ++this.asked;
    if (!valid) return this.says("Shown once nothing is wrong with the submission.");
    /** @type {Server.Preview & Partial<Server.Reply>} */
    const told = await post("/desk/paper", { text, name: this.name, logo });
    if (asked !== this.asked) return;
    if (told.outcome) return this.says(`${capital(told.sentence)}.`);
    const title = $("paper").getAttribute("aria-labelledby");
    const named = document.getElementById(title).textContent;
    $("paper").classList.remove("is-stale");
    const says = `${named} of this table`;
    $("paper").replaceChildren(told.svg
      ? el("img", { alt: says, src: `data:image/svg+xml,${encodeURIComponent(told.svg)}` })
      : el("iframe", { title: says, sandbox: "", srcdoc: told.html }));
  }

  /** @param {string} sentence */
  says(sentence) {
    $("paper").classList.remove("is-stale");
    $("paper").replaceChildren(el("p", { class: "fine" }, sentence));
  }
}

/**
 * Wait for what the desk makes; its id once it is done, nothing where it failed.
 * @param {Server.DeskJob} begun
 */
export async function finished(begun) {
  $("how-far").hidden = false;
  let job = begun;
  while (["waiting", "running"].includes(job.standing)) {
    showProgress(`${capital(job.doing || "getting ready (the first run compiles)")} …`, job.done);
    await new Promise((go) => setTimeout(go, LOOK_MS));
    job = await fetch(`/desk/jobs/${job.id}`).then((answer) => answer.json()).catch(() => job);
  }
  const why = job.sentence ? `${capital(job.sentence)}.` : "";
  showProgress(job.standing === "done" ? "Done." : why, job.standing === "done" ? 1 : 0);
  say($("standing").textContent);
  return job.standing === "done" ? job : null;
}

/** @param {{ text: string, file: string, logo: string, before: string }} asked */
export async function makePack(asked) {
  const button = $("pack", HTMLButtonElement);
  button.disabled = true;
  $("made").hidden = true;
  const job = await finished(await post("/desk/packs", asked));
  button.disabled = false;
  if (!job) return;
  const at = `/desk/packs/${job.id}`;
  /** @param {string} name */
  const file = (name) => el("li", {},
    el("a", { href: `${at}/files/${encodeURIComponent(name)}`, target: "_blank" }, name));
  $("made").replaceChildren(
    el("p", { class: "links" },
      el("a", { class: "button main", id: "zip", href: `${at}/pack.zip`, download: true },
        "Download the pack (zip)"),
      el("a", { class: "button", id: "print", href: `${at}/print`, target: "_blank" }, "Print it")),
    el("ul", { class: "files" }, ...job.files.map(file)));
  $("made").hidden = false;
}
