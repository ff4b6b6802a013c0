// What a table earns, as the server counts it for the hour that is assumed.

import { $, el, tableParts } from "../shared/dom.js";

const COLUMNS = ["Wager", "Stake", "House edge", "Deviation", "Hold an hour"];

/** What an hour is taken to be; what is left empty is the table's own. */
export function assumed() {
  /** @param {string} id @param {number} least @param {number} most */
  const number = (id, least, most) => {
    const field = $(id, HTMLInputElement);
    const value = Math.round(Number(field.value.replace(/[$,%\s]/g, "")));
    const isFit = Number.isFinite(value) && value >= least && value <= most;
    field.setAttribute("aria-invalid", String(!isFit && field.value !== ""));
    return isFit && field.value !== "" ? value : null;
  };
  return {
    rounds_an_hour: number("rounds", 1, 1000) ?? 30,
    boxes: number("boxes", 1, 100) ?? 0,
    ante_cents: 100 * (number("ante", 1, 1_000_000) ?? 0),
    side_percent: number("sides", 0, 100) ?? 50,
  };
}

/**
 * @param {Server.Earnings} told
 * @param {() => void} count
 */
export function showEarnings(told, count) {
  if (told.sentence) {
    const button = el("button", { type: "button", id: "count" }, "Count it now");
    button.addEventListener("click", count);
    $("earnings").replaceChildren(
      el("p", { class: "fine" }, `${told.sentence}. `), ...(told.counts ? [button] : []));
    return;
  }
  /** @param {[string, string]} row */
  const fact = ([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value));
  /** @param {[string, string][]} rows */
  const facts = (rows) => el("dl", {}, ...rows.map(fact));
  $("earnings").replaceChildren(
    facts(told.house ?? []),
    wideTable(COLUMNS, (told.lines ?? []).map((line) =>
      [line.title, line.stake, line.edge, line.deviation, line.hold])),
    el("p", { class: "fine" }, `Edges and deviations of a round are exact. ${told.assumes ?? ""}`),
    el("details", {}, el("summary", {}, "What a player meets"), facts(told.player ?? [])),
  );
}

/**
 * @param {string[]} columns
 * @param {(string | Node)[][]} rows
 */
export function wideTable(columns, rows) {
  const label = `${columns[0]} by ${columns.slice(1).join(", ")}`;
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label },
    el("table", {}, ...tableParts(columns, rows.map((cells) => ({ cells })))));
}
