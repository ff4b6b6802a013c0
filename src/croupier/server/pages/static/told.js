// What a player is told when the table has moved on: to read, and for who listens.

import { outcomeWords } from "./felt.js";
import { BACK, spoken } from "./svg.js";
import { capital, money, playOf, titleOf } from "./words.js";

/** @typedef {import("./seat.js").Seat} Seat */

const up = (cards) => (cards ?? []).filter((name) => name !== BACK);
const known = (box) => Boolean(box?.cards?.length) && !box.cards.includes(BACK);
const named = (cards) => cards.map(spoken).join(", ");
/** @param {import("./seat.js").Choice} choice */
const choiceWords = ({ says, cents }) => says + (cents ? ` ${money(cents)}` : "");

/**
 * @param {Seat} seat
 * @param {Server.View | null} before
 */
export function listened(seat, before) {
  const { view } = seat;
  const mine = seat.mine();
  const several = mine.length > 1;
  const words = mine.flatMap((box) => boxNews(seat, box, before, several));
  for (const [place, says] of [
    ["dealer", "The dealer shows"],
    ["board", "The board"],
  ]) {
    const now = up(view.places?.[place]);
    if (now.length > up(before?.places?.[place]).length) words.unshift(`${says}: ${named(now)}.`);
  }
  if (view.call && before && !before.call) words.push("The floorperson is called.");
  const choices = seat.choices();
  const wasAsked = (before?.may ?? []).some(
    (option) => ["check", "fold"].includes(option.do) && option.box === seat.box,
  );
  if (choices.length && !wasAsked) {
    const at = several ? ` at box ${seat.box}` : "";
    words.push(`Your turn${at}. ${choices.map(choiceWords).join(", ")}.`);
  }
  return words;
}

function boxNews({ facts }, box, before, several) {
  const was = (before?.boxes ?? []).find(
    (one) => one.seat === box.seat && one.player === box.player,
  );
  const words = [];
  const at = several ? ` at box ${box.seat}` : "";
  if (known(box) && !known(was)) words.push(`Your cards${at}: ${named(box.cards)}.`);
  if (box.lines?.length && !was?.lines?.length) {
    const lines = box.lines.map((line) => `${titleOf(facts, line.wager)} ${outcomeWords(line)}`);
    const together = money(box.net_cents, { sign: true });
    words.push(`Your round${at}: ${lines.join(", ")}. Together ${together}.`);
  }
  return words;
}

/**
 * What was called across the felt since the view before; often nothing.
 * @param {Seat} seat
 * @param {Server.View | null} before
 */
export function heard({ view, facts, you }, before) {
  if (!before || before.round !== view.round) return "";
  const play = playOf(facts)?.name;
  const who = (box) => (box.player === you ? `Your box ${box.seat}` : `Box ${box.seat}`);
  for (const box of view.boxes ?? []) {
    const was = (before.boxes ?? []).find((one) => one.seat === box.seat);
    if (box.folded && !was?.folded) return `${who(box)} folds`;
    if (box.stakes?.[play] && !was?.stakes?.[play]) {
      return `${who(box)} plays ${money(box.stakes[play])}`;
    }
  }
  const goesOn = before.phase === "acting" && !before.waits_for && !view.waits_for;
  const asked = goesOn && (view.boxes ?? []).find((box) => box.seat === before.turn);
  const moved = ["turn", "clause", "phase"].some((what) => before[what] !== view[what]);
  return asked && moved ? `${who(asked)} checks` : "";
}

/**
 * Both hands of a showdown as the receipt tells them, with the kicker where that decided.
 * @param {Server.BoxView | undefined} box
 * @param {Server.TableFacts} facts
 */
export function contest(box, facts) {
  const play = playOf(facts)?.name;
  const shows = (box?.lines ?? []).find((line) => line.wager === play)?.shows ?? "";
  const hands = shows.split(/,? against /);
  return hands.length === 2 ? hands : [];
}

/**
 * The money, and what won; where nothing won and not all was lost, what lost.
 * @param {Server.BoxView} box
 * @param {Server.TableFacts} facts
 */
export function result({ lines, net_cents: net, folded }, facts) {
  const ends = net ? `${net > 0 ? "win" : "lose"} ${money(Math.abs(net))}` : "end even";
  const said = `you ${folded ? "folded and " : ""}${ends}`;
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
 * @param {Server.View | null} before
 */
export function voided(seat, before) {
  const isReturned = (line) => line.outcome === "returned";
  const box = seat.mine().find((one) => one.lines?.length && one.lines.every(isReturned));
  const was = box && (before?.boxes ?? []).find((one) => one.seat === box.seat);
  if (!box || !before || was?.lines?.length) return null;
  const mishap = seat.facts.mishaps[before.waits_for];
  const why = mishap?.happens ?? box.lines[0].shows ?? "";
  return {
    words: `The round is void${why ? `: ${why}` : ""}. Every wager is returned.`,
    clause: mishap?.clause ?? box.lines[0].clause,
  };
}

/**
 * What waits for the floorperson.
 * @param {Server.TableFacts} facts
 * @param {string} name
 */
export function mishapWords(facts, name) {
  return facts.mishaps[name]?.happens ?? name.replaceAll("-", " ");
}
