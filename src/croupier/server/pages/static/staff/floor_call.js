// The floorperson is called: said with the time, and with the reason where the view has it.

import { timeOfDay } from "../shared/words.js";

/** @param {Server.View} view */
export const callWords = ({ call }) =>
  call ? `Floor called, ${timeOfDay(call.at_s)}${call.reason ? `: ${call.reason}` : ""}` : "";

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
