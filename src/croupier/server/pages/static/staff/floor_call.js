// The floorperson is called: said with the time, and with the reason where the view has it.

import { timeOfDay } from "../shared/words.js";

/** @param {Server.View} view */
export const callWords = ({ call }) =>
  call ? `Floor called, ${timeOfDay(call.at_s)}${call.reason ? `: ${call.reason}` : ""}` : "";

// What the floor has the next word in; everything else can wait for whoever looks.
export const WAITS = [
  "answer-call",
  "confirm",
  "second",
  "unlock-table",
  "end-dispute",
  "validate-progressive",
  "propose-refusal",
  "confirm-refusal",
  "record-paperwork",
  "rule-on-absence",
  "return-chip",
  "cancel-acceptance",
  "verify-inspection",
];

/**
 * What the floor is called for at a table.
 * @param {Server.View} view
 * @param {any[]} duties
 */
export const floorCalls = (view, duties) => [
  ...(view.call ? [callWords(view)] : []),
  ...(view.disputes ?? []).map(({ number }) => `Dispute ${number} is open`),
  ...(view.waits_for || duties.some(({ command }) => COUNTED.includes(command.do))
    ? ["Your word is waited for"]
    : []),
];

const COUNTED = WAITS.filter((name) => !["answer-call", "end-dispute"].includes(name));

// The form of who may call, and in its place, once that is done, what was called.
export class Calling {
  constructor(target, give) {
    this.said = target.querySelector(".called");
    this.form = target.querySelector("form");
    this.form?.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (await give({ do: "call-floor", reason: this.form.elements.reason.value.trim() }))
        this.form.reset();
    });
  }

  /** @param {Server.View} view */
  show(view) {
    this.said.textContent = callWords(view);
    this.form?.toggleAttribute(
      "hidden",
      !(view.may ?? []).some((option) => option.do === "call-floor"),
    );
  }
}
