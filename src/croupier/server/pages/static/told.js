// What a player is told when the table has moved on: to read, and for who listens.

import { outcomeWords } from "./felt.js";
import { BACK, money, spoken } from "./svg.js";

const up = (cards) => (cards ?? []).filter((name) => name !== BACK);
const known = (box) => Boolean(box?.cards?.length) && !box.cards.includes(BACK);
const named = (cards) => cards.map(spoken).join(", ");

export function listened(table, before) {
  const { view } = table;
  const words = [], mine = table.mine(), several = mine.length > 1;
  for (const box of mine) {
    const was = (before?.boxes ?? []).find((one) => one.seat === box.seat && one.player === box.player);
    const at = several ? ` at box ${box.seat}` : "";
    if (known(box) && !known(was)) words.push(`Your cards${at}: ${named(box.cards)}.`);
    if (box.lines?.length && !was?.lines?.length) words.push(`Your round${at}: ${box.lines.map((line) => `${table.wager(line.wager)?.title ?? line.wager} ${outcomeWords(line)}`).join(", ")}. Together ${money(box.net_cents, { sign: true })}.`);
  }
  for (const [place, says] of [["dealer", "The dealer shows"], ["board", "The board"]]) {
    const now = up(view.places?.[place]);
    if (now.length > up(before?.places?.[place]).length) words.unshift(`${says}: ${named(now)}.`);
  }
  if (view.call && before && !before.call) words.push("The floorperson is called.");
  const choices = table.choices();
  if (choices.length && !(before?.may ?? []).some((option) => ["check", "fold"].includes(option.do) && option.box === table.seat)) {
    words.push(`Your turn${several ? ` at box ${table.seat}` : ""}. ${choices.map((choice) => choice.says + (choice.cents ? ` ${money(choice.cents)}` : "")).join(", ")}.`);
  }
  return words;
}

// What was called across the felt since the view before; often nothing.
export function heard({ view, facts, you }, before) {
  if (!before || before.round !== view.round) return "";
  const play = facts.wagers.find((wager) => wager.decides)?.name;
  const who = (box) => (box.player === you ? `Your box ${box.seat}` : `Box ${box.seat}`);
  for (const box of view.boxes ?? []) {
    const was = (before.boxes ?? []).find((one) => one.seat === box.seat);
    if (box.folded && !was?.folded) return `${who(box)} folds`;
    if (box.stakes?.[play] && !was?.stakes?.[play]) return `${who(box)} plays ${money(box.stakes[play])}`;
  }
  const asked = before.phase === "acting" && !before.waits_for && !view.waits_for && (view.boxes ?? []).find((box) => box.seat === before.turn);
  return asked && ["turn", "clause", "phase"].some((what) => before[what] !== view[what]) ? `${who(asked)} checks` : "";
}

// Both hands of a showdown as the receipt tells them, with the kicker where that decided.
export function contest(box, { wagers }) {
  const play = wagers.find((wager) => wager.decides)?.name;
  const hands = ((box?.lines ?? []).find((line) => line.wager === play)?.shows ?? "").split(/,? against /);
  return hands.length === 2 ? hands : [];
}

// The money, and what won; where nothing won and not all was lost, what lost.
export function result(box, { wagers }) {
  const { lines, net_cents: net, folded } = box;
  const said = `you ${folded ? "folded and " : ""}${net ? `${net > 0 ? "win" : "lose"} ${money(Math.abs(net))}` : "end even"}`;
  const titles = (...outcomes) => lines.filter((line) => outcomes.includes(line.outcome)).map((line) => wagers.find((wager) => wager.name === line.wager)?.title ?? line.wager.replaceAll("_", " "));
  const won = titles("win"), lost = titles("lose", "forfeit");
  if (won.length) return `${said} (${won.join(", ")} won)`;
  return lost.length && lost.length < lines.length ? `${said} (${lost.join(", ")} lost)` : said;
}

// How your boxes ended.
export function ended(table) {
  const settled = table.mine().filter((box) => box.lines?.length);
  return settled.map((box) => {
    const hands = contest(box, table.facts);
    const said = hands.length ? `${hands.join(" against ")}: ${result(box, table.facts)}` : result(box, table.facts);
    return settled.length > 1 ? `Box ${box.seat}: ${said}` : said[0].toUpperCase() + said.slice(1);
  }).join("  ·  ");
}

// A round undone gives every wager back; who is at the table learns why, and by which rule.
export function voided(table, before) {
  const box = table.mine().find((one) => one.lines?.length && one.lines.every((line) => line.outcome === "returned"));
  const was = box && (before?.boxes ?? []).find((one) => one.seat === box.seat);
  if (!box || !before || was?.lines?.length) return null;
  const mishap = table.facts.mishaps[before.waits_for];
  const why = mishap?.happens ?? box.lines[0].shows ?? "";
  return { words: `The round is void${why ? `: ${why}` : ""}. Every wager is returned.`, clause: mishap?.clause ?? box.lines[0].clause };
}
