// A player at a live table: take a box, wager when the betting is open, answer in turn.
// Nothing here advises: a live round shows what the rules show, and no more.

import "./door.js";
import { el, money } from "./svg.js";
import { Table } from "./table.js";

const $ = (id) => document.getElementById(id);

class PlayerTable extends Table {
  constructor() {
    const { table } = JSON.parse($("facts").textContent);
    super(`/api/tables/${encodeURIComponent(table)}/live`, document.querySelector("meta[name=me]").content);
    $("cash").addEventListener("click", () => this.cashOut());
    $("colors").addEventListener("change", () => document.body.classList.toggle("four-colors", $("colors").checked));
  }

  otherButtons() {
    const own = this.own();
    if (!own) {
      const free = (this.view.may ?? []).filter((option) => option.do === "take-box");
      return free.map((option) => this.button(`sit-${option.box}`, `Box ${option.box}`, "", () => this.give({ do: "take-box", box: option.box }), "sit"));
    }
    const stakes = this.stakes();
    if (this.mayPlace().length) {
      if (Object.keys(stakes).length) return [this.button("clear", "Take back", "X", () => this.clear())];
      if (this.lastStakes && own.chips_cents) return [this.button("again", "Same wagers", "R", () => this.again(), "main")];
    }
    return [];
  }

  pressed(event) {
    if (super.pressed(event)) return true;
    if (event.key.toLowerCase() === "r") $("buttons").querySelector("[data-act=again]")?.click();
    return true;
  }

  hintWords(choices) {
    const own = this.own();
    if (!own) return "Take a box to play; you can change your mind before you wager.";
    if (!own.chips_cents && !Object.keys(own.stakes ?? {}).length) return "Ask the dealer for chips: you have none at this box yet.";
    return super.hintWords(choices);
  }

  async cashOut() {
    const own = this.own();
    if (!own) { location.assign("/"); return; }
    if (own.chips_cents && !await this.give({ do: "cash-out", box: own.seat })) return;
    if (await this.give({ do: "leave-box", box: own.seat })) {
      this.seat = 0;
      $("hint").replaceChildren(`You leave with ${money(own.chips_cents ?? 0)}.`, el("a", { href: "/" }, " To the pit"));
    }
  }
}

new PlayerTable();
