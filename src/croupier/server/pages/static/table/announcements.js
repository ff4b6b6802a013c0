// What a player is told when the table has moved on: to read, and for who listens.

import { outcomeWords } from "./felt.js";
import { questionOf } from "./seat.js";
import { $, el } from "../shared/dom.js";
import { BACK, spoken } from "../shared/cards_and_chips.js";
import { capital, money, playOf, titleOf } from "../shared/words.js";

/** @import { Event, Frame } from "../shared/connection.js" */
/** @import { Choice, Seat } from "./seat.js" */

/**
 * The line over the cards: what was said apart stays together where the line wraps.
 * @param {string[]} said
 */
export function headline(said) {
  const parts = said.map((words, n) => el("span", {}, n < said.length - 1 ? `${words}  ·` : words));
  $("call").replaceChildren(...(parts.length > 1 ? parts.flatMap((part) => [part, " "]) : said));
}

/** @param {string[] | undefined} cards */
const up = (cards) => (cards ?? []).filter((name) => name !== BACK);
/** @param {Server.BoxView | undefined} box */
const known = (box) => Boolean(box?.cards?.length) && !box.cards.includes(BACK);
/** @param {string[]} cards */
const spokenCards = (cards) => cards.map(spoken).join(", ");
/** @param {Choice} choice */
const choiceWords = ({ says, cents }) => says + (cents ? ` ${money(cents)}` : "");

/**
 * What happened since the frame before; where there was none, the table as it lies.
 * @param {Seat} seat
 * @param {Frame | null} before
 */
export function listened(seat, before) {
  const { view, frame } = seat;
  const mine = seat.mine();
  const several = mine.length > 1;
  const words = mine.flatMap((box) => boxNews(seat, box, before?.view, several));
  for (const [place, says] of [
    ["dealer", "The dealer shows"],
    ["board", "The board"],
  ]) {
    const now = up(view.places?.[place]);
    if (now.length > up(before?.view.places?.[place]).length) {
      words.unshift(`${says}: ${spokenCards(now)}.`);
    }
  }
  if (frame.events.some(({ event }) => event === "floor-called")) {
    words.push("The floorperson is called.");
  }
  const choices = seat.choices();
  if (choices.length && questionOf(before) !== questionOf(frame)) {
    const at = several ? ` at box ${seat.box}` : "";
    words.push(`Your turn${at}. ${choices.map(choiceWords).join(", ")}.`);
  }
  return words;
}

/**
 * @param {Seat} seat
 * @param {Server.BoxView} box
 * @param {Server.View | undefined} before
 * @param {boolean} several
 */
function boxNews({ facts, frame }, box, before, several) {
  const was = (before?.boxes ?? []).find(
    (one) => one.seat === box.seat && one.player === box.player,
  );
  const words = [];
  const at = several ? ` at box ${box.seat}` : "";
  if (known(box) && !known(was)) words.push(`Your cards${at}: ${spokenCards(box.cards)}.`);
  const isSettled = frame.events.some(
    (told) => told.event === "box-settled" && told.box === box.seat,
  );
  if (box.lines?.length && (isSettled || frame.gap) && box.net_cents !== undefined) {
    const lines = box.lines.map((line) => `${titleOf(facts, line.wager)} ${outcomeWords(line)}`);
    const together = money(box.net_cents, { sign: true });
    words.push(`Your round${at}: ${lines.join(", ")}. Together ${together}.`);
  }
  return words;
}

/**
 * What was called across the felt since the frame before; often nothing.
 * @param {Frame} frame
 * @param {string} you
 * @param {Server.WagerFacts[]} wagers by their titles
 */
export function heard({ view, events }, you, wagers) {
  return events.flatMap((told) => decisionWords(told, view, you, wagers)).join("  ·  ");
}

/**
 * @param {Event} told
 * @param {Server.View} view
 * @param {string} you
 * @param {Server.WagerFacts[]} wagers
 */
function decisionWords(told, view, you, wagers) {
  if (told.event !== "checked" && told.event !== "folded" && told.event !== "played") return [];
  const box = (view.boxes ?? []).find((one) => one.seat === told.box);
  const who = you && box?.player === you ? `Your box ${told.box}` : `Box ${told.box}`;
  if (told.event === "played") {
    const { title } = wagers.find(({ name }) => name === told.wager);
    return [`${who}: ${title} ${money(told.cents)}`];
  }
  const does = told.event === "checked" ? "checks" : "folds";
  if (!told.defaulted) return [`${who} ${does}`];
  return [`${who} ${does}, ${box?.away ? "by default" : "out of time"}`];
}

/**
 * The clock answered for you, or the dealer did, and not this page: what was played, and by which
 * rule.
 * @param {Frame} frame
 * @param {string} you
 */
export function outOfTime({ view, events }, you) {
  const mine = (view.boxes ?? []).filter((box) => box.player === you);
  for (const told of events.toReversed()) {
    if (told.event !== "checked" && told.event !== "folded") continue;
    const box = mine.find(({ seat }) => seat === told.box);
    if (!box || !told.defaulted) continue;
    const at = mine.length > 1 ? ` at box ${box.seat}` : "";
    const why = box.away ? "You were away" : "You ran out of time";
    const action = told.event === "checked" ? "check" : "fold";
    const [clause, ruling] = [told.clauses[0], told.rulings[0]];
    return { words: `${why}${at}: ${action} was played.`, clause, ruling };
  }
  return null;
}

/** @type {Record<string, string>} */
const ENDED = {
  stands: "what was settled stands",
  corrected: "it was corrected",
  void: "the round is void",
};

/**
 * What the house answered to what a player asked of it; who he is, the events know.
 * @param {Frame} frame
 */
export function houseWords({ events, gap }) {
  const words = gap ? [] : events.flatMap(answerWords);
  return words.join(" ");
}

/** @param {Event} told */
function answerWords(told) {
  if (told.event === "chips-declined") return ["The dealer sells you no chips now."];
  if (told.event === "shortfall-paid") return [`You were paid ${money(told.cents)} more.`];
  if (told.event === "overpayment-taken") return [`${money(told.cents)} went back to the house.`];
  if (told.event === "dispute-ended") {
    return [`Dispute ${told.number} is ended: ${ENDED[told.outcome]}.`];
  }
  return [];
}

/**
 * Both hands of a showdown as the receipt tells them, with the kicker where that decided.
 * @param {Server.BoxView | undefined} box
 * @param {Server.TableFacts} facts
 */
export function contest(box, facts) {
  const play = playOf(facts)?.name;
  const line = (box?.lines ?? []).find((one) => one.wager === play);
  return line?.hand ? [line.hand, line.dealer_hand] : [];
}

/**
 * The money, and what won; where nothing won and not all was lost, what lost.
 * @param {Server.BoxView} box
 * @param {Server.TableFacts} facts
 */
export function result({ lines, net_cents: net, folded }, facts) {
  const ends = net ? `${net > 0 ? "win" : "lose"} ${money(Math.abs(net))}` : "end even";
  const said = `you ${folded ? "folded and " : ""}${ends}`;
  /** @param {...string} outcomes */
  const titles = (...outcomes) =>
    lines
      .filter((line) => outcomes.includes(line.outcome))
      .map((line) => titleOf(facts, line.wager))
      .join(", ");
  const [won, lost] = [titles("win"), titles("lose", "forfeit")];
  if (won) return `${said} (${won} won)`;
  const isPart = lines.some((line) => !["lose", "forfeit"].includes(line.outcome));
  return lost && isPart ? `${said} (${lost} lost)` : said;
}

/**
 * How your boxes ended.
 * @param {Seat} seat
 */
export function ended(seat) {
  const settled = seat.mine().filter((box) => box.lines?.length);
  const words = settled.map((box) => {
    const hands = contest(box, seat.facts).join(" against ");
    const said = `${hands ? `${hands}: ` : ""}${result(box, seat.facts)}`;
    return settled.length > 1 ? `Box ${box.seat}: ${said}` : capital(said);
  });
  return words.join("  ·  ");
}

/**
 * A round undone gives every wager back; who is at the table learns why, and by which rule.
 * @param {Seat} seat
 */
export function voided(seat) {
  const { facts, frame } = seat;
  for (const told of frame.events) {
    if (told.event !== "round-voided" || !seat.mine().some((box) => box.lines?.length)) continue;
    const listed = told.name === "other-cause" ? "" : facts.causes[told.name];
    const said = [listed, told.reason].filter(Boolean).join(": ");
    const why = facts.irregularities[told.name]?.happens ?? said;
    return {
      words: `The round is void${why ? `: ${why}` : ""}. Every wager is returned.`,
      clause: told.clauses[0],
      ruling: told.rulings[0],
    };
  }
  return null;
}

/**
 * What waits for the floorperson.
 * @param {Server.TableFacts} facts
 * @param {string} name
 */
export function irregularityWords(facts, name) {
  return facts.irregularities[name]?.happens ?? name.replaceAll("-", " ");
}
