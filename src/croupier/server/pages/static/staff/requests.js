// What players ask of the house: chips, and an end to a dispute.

import { money, spaced } from "../shared/words.js";

// What was asked for may be sold at once; for anything but the first kind there is the form.
/**
 * @param {Server.Option} option
 * @param {Server.View} view
 */
export function chipsAsked({ box, cents: [cents] }, view) {
  const sale = (view.may ?? []).find((one) => one.do === "buy-in" && one.box === box);
  const sold = sale?.names?.[0];
  return [
    ...(sold
      ? [[`Sell box ${box} ${money(cents)} for ${sold}`, { do: "buy-in", box, cents, taken: sold }]]
      : []),
    [`Sell box ${box} nothing`, { box }],
  ];
}

const NOTE = { name: "note", label: "Your note", text: true };
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
  return names.flatMap((outcome) =>
    ENDS[outcome].map(([says, more, asks]) => [
      `Dispute ${number}: ${says}`,
      { number, outcome, ...more },
      `${about}: “${reason}”`,
      0,
      [...asks, NOTE],
    ]),
  );
}
