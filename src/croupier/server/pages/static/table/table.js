// A player at the table: place wagers, answer when asked, be told. The practice table and the live
// one are this page; what differs is the host of the page.

import { actButton, advertised, choiceButton, lay } from "./buttons.js";
import { Commands } from "./commands.js";
import { Decision } from "./decision.js";
import { $, all, around } from "../shared/dom.js";
import { hand } from "../shared/cards_and_chips.js";
import { Hint } from "./hint.js";
import { facts, Connection, say } from "../shared/connection.js";
import { openMenu } from "../shared/settings_menu.js";
import { Numbers } from "./numbers.js";
import { called, told } from "../shared/attention.js";
import { sound, turnSound } from "../shared/sound.js";
import { Rack } from "./rack.js";
import { Seat } from "./seat.js";
import { Stage } from "./stage.js";
import { listened, irregularityWords, voided } from "./announcements.js";
import { Wagers } from "./wagers.js";
import { no } from "../shared/clause_note.js";
import { actionWords, money, playOf } from "../shared/words.js";

/** @import { Command, Frame, LinkState } from "../shared/connection.js" */
/** @import { Choice } from "./seat.js" */

/** @type {Partial<Record<Server.View["phase"], string>>} */
const WAITING = {
  dealing: "The cards are dealt.",
  revealing: "The dealer turns the cards.",
  settling: "The boxes are settled.",
  clearing: "The round is over.",
};

const WHEN = /** @type {const} */ (["round", "phase", "turn"]);
const MOVES = ["cards-dealt", "cards-turned", "dealer-revealed", "box-turned"];
// Hands in the page that says how to play: the template names them, here they are drawn.
function drawExamples() {
  for (const place of all("[data-hand]")) {
    place.replaceChildren(hand(place.dataset.hand.split(" "), 40));
  }
}

/**
 * Who runs a table, and what a page says and offers for it beside what every table does.
 * @typedef {object} TableHost
 * @property {(frame: Frame, draw: () => void) => void} show
 * @property {() => HTMLButtonElement[]} buttons where no question is put
 * @property {(choices: Choice[]) => string | undefined} hint
 * @property {(event: KeyboardEvent, key: string) => void} pressed a key that no table takes
 * @property {(state: LinkState) => string} lost
 * @property {() => boolean} loggedOut whether the page goes on asking to be let in
 * @property {() => void} [painted]
 * @property {(button: HTMLButtonElement, choice: Choice) => void} [advise]
 */

export class Table {
  /**
   * @param {string} live
   * @param {string} you
   * @param {TableHost} host
   */
  constructor(live, you, host) {
    this.host = host;
    this.seat = new Seat(facts(), you);
    this.rack = new Rack(this.seat.wager(this.seat.opening[0]).step);
    this.stage = new Stage(this.seat, (drawn, wager) => this.listen(drawn, wager));
    this.hint = new Hint(this.seat, this.stage, () => this.hintWords());
    this.commands = new Commands(this.seat.facts.table, (told) => this.refuse(told));
    const hopes = () => {
      this.hint.notice = null;
      this.paint();
    };
    this.numbers = new Numbers(this.seat, this.commands);
    this.wagers = new Wagers(this.seat, this.numbers, hopes, () => this.paint());
    this.decision = new Decision(this.seat, this.commands, () => this.paintActions());
    // The last notice that was said aloud.
    /** @type {Hint["notice"]} */
    this.said = null;
    openMenu();
    $("help").addEventListener("click", () => $("how", HTMLDialogElement).showModal());
    drawExamples();
    document.addEventListener("keydown", (event) => this.keyed(event));
    this.connection = new Connection(
      live,
      (frame) => host.show(frame, () => this.draw(frame)),
      (state) => this.connectionChanged(state),
    );
  }

  // What the server says

  /** @param {Frame} frame */
  draw(frame) {
    const { seat, hint } = this;
    const last = seat.frame;
    const before = last?.view;
    seat.frame = frame;
    this.wagers.see();
    this.decision.see();
    if (before && WHEN.some((what) => before[what] !== seat.view[what])) {
      no(null);
    }
    if (before?.phase === "betting" && seat.view.phase !== "betting") {
      hint.notice = null;
      this.wagers.undos = [];
    }
    hint.notice = voided(seat) ?? hint.notice;
    const own = seat.own();
    if (own) this.sitAt(own.seat);
    else if (!seat.box) this.sitAt(Math.ceil(seat.facts.boxes / 2));
    seat.remember();
    this.paint();
    this.tell(last);
    this.sound(frame);
    this.decision.onFrame?.();
    this.numbers.show();
  }

  // Words for who listens.
  /** @param {Frame | null} before */
  tell(before) {
    const { notice } = this.hint;
    const news = notice && notice !== this.said ? [notice.words] : [];
    this.said = notice;
    say([...news, ...listened(this.seat, before)].join(" "));
  }

  // What is heard of it: cards that move, and a box of yours that won.
  /** @param {Frame} frame */
  sound({ events, gap }) {
    if (gap) return;
    const won = this.seat.mine().filter((box) => (box.net_cents ?? 0) > 0);
    const isWon = events.some(
      (told) => told.event === "box-settled" && won.some((box) => box.seat === told.box),
    );
    if (isWon) {
      sound("win");
      told(`You won ${money(won.reduce((sum, box) => sum + box.net_cents, 0))}`);
    } else if (events.some(({ event }) => MOVES.includes(event))) {
      sound("card");
    }
  }

  /** @param {number} box */
  sitAt(box) {
    if (this.seat.box === box) return;
    this.seat.box = box;
    this.stage.turn();
  }

  /** @param {number} box */
  turnTo(box) {
    this.sitAt(box);
    this.seat.hoped = null;
    this.paint();
    say(`Your box ${box}.`);
  }

  /** @param {Server.Reply} told */
  refuse(told) {
    this.seat.hoped = null;
    if (told.outcome === "not admitted") this.connectionChanged("login");
    no(told);
    this.paint();
  }

  /** @param {LinkState} state */
  connectionChanged(state) {
    document.body.dataset.link = state;
    if (state === "login") return this.host.loggedOut();
    no(state === "here" ? null : { sentence: this.host.lost(state) });
    return false;
  }

  // What is drawn

  paint() {
    this.stage.paint();
    this.paintActions();
    this.host.painted?.();
  }

  paintActions() {
    const choices = this.seat.choices();
    lay(choices.length ? choices.map((choice) => this.choice(choice)) : this.host.buttons());
    const mayPlace = this.seat.mayPlace().length > 0;
    document.body.dataset.turn = choices.length ? "you" : mayPlace ? "wagers" : "house";
    called(choices.length ? [this.turnWords()] : [], "turn");
    this.hint.paint();
  }

  /** @param {Choice} choice */
  choice(choice) {
    const isAnswered = Boolean(this.decision.version);
    const decide = () => this.decide(choice);
    const button = choiceButton(choice, this.seat.asking(), isAnswered, decide);
    this.host.advise?.(button, choice);
    return button;
  }

  undoButtons() {
    const undo = () => this.wagers.undo();
    return this.wagers.undos.length ? [actButton("undo", "Undo", "Z", undo)] : [];
  }

  hintWords() {
    const { view, facts, you } = this.seat;
    const choices = this.seat.choices();
    const said = this.host.hint(choices);
    if (said !== undefined) return said;
    if (choices.length) return this.question(choices);
    if (view.waits_for) {
      const what = irregularityWords(facts, view.waits_for);
      return `The floorperson is called: ${what}. The round waits.`;
    }
    if (view.phase === "betting") {
      return this.seat.inRound()
        ? "Your wagers are down. The dealer closes the betting."
        : "Place your wagers.";
    }
    if (view.phase === "acting") {
      const asked = view.boxes.find((box) => box.seat === view.turn);
      return asked && asked.player !== you ? `${asked.player} is asked.` : "";
    }
    return WAITING[view.phase] ?? "";
  }

  turnWords() {
    return this.seat.mine().length > 1 ? `Your turn at box ${this.seat.box}` : "Your turn";
  }

  /** @param {Choice[]} choices */
  question(choices) {
    const play = choices.filter((choice) => choice.command.do === "play");
    const other = choices.find((choice) => choice.command.do !== "play");
    const turn = this.turnWords();
    if (!play.length) return `${turn}: your chips cover no more, so ${other.action}.`;
    const gives =
      other?.action === "fold" ? "or fold and give your hand up" : "or check and see more cards";
    const sizes = play.map((choice) => actionWords(choice.action)).join(" or ");
    const ante = this.seat.wager(playOf(this.seat.facts).beside);
    const { title } = this.seat.wager(this.seat.asked().wager);
    return `${turn}: ${title} ${sizes} your ${ante.title}, ${gives}.`;
  }

  // What the player does

  /**
   * A command, and the frame that has what came of it.
   * @param {Command} command
   */
  async give(command) {
    const done = await this.commands.give(command);
    while (this.seat.frame.version < this.commands.version) {
      await this.decision.newer(this.seat.frame.version);
    }
    return done;
  }

  /** @param {Server.WagerFacts} wager @param {boolean} less */
  touch(wager, less) {
    this.hint.drop();
    this.wagers.touch(wager, this.rack.chip, less);
  }

  /** @param {Choice} choice */
  decide(choice) {
    if (!this.decision.version) this.hint.notice = null;
    this.decision.decide(choice);
  }

  /** @param {SVGElement} spot @param {Server.WagerFacts} wager */
  listen(spot, wager) {
    spot.setAttribute("role", "button");
    spot.setAttribute("tabindex", "0");
    this.hint.listen(spot, wager);
    spot.addEventListener("click", (event) => {
      if (event.detail) spot.blur();
      this.touch(wager, event.shiftKey);
    });
    spot.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      this.touch(wager, true);
    });
    spot.addEventListener("keydown", (event) => {
      if ((event.key === "Enter" || event.key === " ") && !advertised(event.key)) {
        event.preventDefault();
        event.stopPropagation();
        this.touch(wager, event.shiftKey);
      }
      if (event.key === "Delete" || event.key === "Backspace") {
        event.preventDefault();
        this.touch(wager, true);
      }
    });
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.seat.view) return;
    const fields = "input, select, textarea, dialog";
    const isPress = ["Enter", " "].includes(event.key);
    const taken = isPress ? `${fields}, summary, a, .why` : fields;
    if (around(event, taken)) return;
    const key = event.key.toLowerCase();
    if (key === "m") {
      say(turnSound() ? "Sound on." : "Sound off.");
      return;
    }
    if (!this.pressed(event, key)) this.host.pressed(event, key);
  }

  /** @param {KeyboardEvent} event @param {string} key */
  pressed(event, key) {
    const choice = this.seat.choices().find((one) => one.key === key);
    const wager = this.seat.facts.wagers.find((one) => one.key === key);
    if (choice) {
      event.preventDefault();
      this.decide(choice);
      return true;
    }
    if (!this.seat.mayPlace().length) return false;
    if (wager) {
      event.preventDefault();
      this.touch(wager, event.shiftKey);
      return true;
    }
    if (key === "x") this.wagers.clear();
    if (key === "z") this.wagers.undo();
    return key === "x" || key === "z" || this.rack.pressed(key);
  }
}
