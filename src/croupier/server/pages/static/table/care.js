// How long and for how much, a word after each hour, and limits of one's own.

import { $, el, fieldOf, fieldsOf, onSubmit } from "../shared/dom.js";
import { post } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";
import { counted, money, netClass, netWords } from "../shared/words.js";

/** @import { Hint } from "./hint.js" */

export class Care {
  /**
   * @param {string} path where limits are sent to
   * @param {Hint} hint
   */
  constructor(path, hint) {
    this.path = path;
    this.hint = hint;
    this.reminded = "";
    this.limits = $("limits", HTMLFormElement);
    onSubmit(this.limits, (form) => this.limit(fieldsOf(form)));
  }

  /** @param {Record<string, string>} fields */
  async limit({ minutes, dollars }) {
    const limits = { minutes: Number(minutes), loss_cents: Math.round(Number(dollars) * 100) };
    const told = await post(this.path, limits);
    no(told.outcome === "done" ? null : told);
  }

  /**
   * What is to be said is said once an hour.
   * @param {Server.CareShown} care
   */
  show({ minutes, rounds, staked_cents: staked, net_cents: net, limits, reminder }) {
    const time = `${counted(minutes, "minute")}, ${counted(rounds, "round")}`;
    const played = `${time}, ${money(staked)} wagered, result `;
    const result = el("b", { class: netClass(net) }, netWords(net));
    $("session").replaceChildren("This evening, at all tables: ", played, result, ".");
    if (!this.limits.contains(document.activeElement)) {
      fieldOf(this.limits, "minutes").value = String(limits.minutes);
      fieldOf(this.limits, "dollars").value = String(limits.loss_cents / 100);
    }
    const hour = reminder.split(":")[0];
    if (hour === this.reminded) return;
    this.reminded = hour;
    if (!reminder) return;
    this.hint.notice = { words: reminder };
    this.hint.paint();
  }
}
