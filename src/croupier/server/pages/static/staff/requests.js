// What players ask of the house: chips, and an end to a dispute.

import { offered } from "../shared/offers.js";
import { money, spaced } from "../shared/words.js";

/** @import { Asked, Row } from "./duties.js" */

/**
 * What was asked for may be sold at once; for anything but the first kind there is the form.
 * @param {Server.Option} option
 * @param {Server.View} view
 * @returns {Row[]}
 */
export function chipsAsked({ box, cents: [cents] }, view) {
  const sale = offered(view, "buy-in").find((one) => one.box === box);
  const sold = sale?.names?.[0];
  /** @type {Row} */
  const nothing = [`Sell box ${box} nothing`, { box }];
  if (!sold) return [nothing];
  const says = `Sell box ${box} ${money(cents)} for ${sold}`;
  return [[says, { do: "buy-in", box, cents, taken: sold }], nothing];
}

const NOTE = { name: "note", label: "Your note", text: true };
/** @type {Record<string, [says: string, more: Record<string, string>, asks: Asked[]][]>} */
const ENDS = {
  stands: [["what was settled stands", {}, []]],
  corrected: [
    ["pay so much more", {}, [{ name: "cents", label: "Dollars", min: 0.01, cents: true }]],
    [
      "take so much back",
      { to: "house" },
      [{ name: "cents", label: "Dollars", min: 0.01, cents: true }],
    ],
  ],
  void: [["the round is void", {}, []]],
};

/**
 * @param {Server.Option} option
 * @param {Server.View} view
 */
export function disputeEnds({ number, names = [] }, view) {
  const { box, player, round, wager, reason } = view.disputes.find((one) => one.number === number);
  const about = `${player}, box ${box}, round ${round}${wager ? `, ${spaced(wager)}` : ""}`;
  /** @type {(outcome: string) => Row[]} */
  const ends = (outcome) =>
    ENDS[outcome].map(([says, more, asks]) => [
      `Dispute ${number}: ${says}`,
      { number, outcome, ...more },
      `${about}: “${reason}”`,
      0,
      [...asks, NOTE],
    ]);
  return names.flatMap(ends);
}
