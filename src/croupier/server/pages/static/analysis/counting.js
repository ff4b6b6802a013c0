// Counting: the service counts in a process of its own, one analysis at a time.

import { post } from "../shared/connection.js";

/** @import { SideWorth } from "./line_sliders.js" */

export const CANCELED = "Canceled.";

/**
 * What a game is worth, as the document of `croupier solve --json` has it.
 * @typedef {object} Solution
 * @property {string} game
 * @property {string} rulebook
 * @property {number} ev
 * @property {string} ev_exact
 * @property {number} house_edge
 * @property {number} element_of_risk
 * @property {number} standard_deviation
 * @property {number} average_wager
 * @property {number} skewness
 * @property {number} deals
 * @property {Record<string, number>} actions
 * @property {Record<string, number>} distribution
 * @property {Record<string, BestPlay>} hands
 * @property {Record<string, Record<string, SideWorth>>} side_wagers
 * @property {Record<string, Record<string, { house_edge: number }>>} base_paytables
 * @property {{ cut: number, says: string }} [payout_limit]
 *
 * @typedef {{ best: string, values: Record<string, number> }} BestPlay
 */

/**
 * Ask, look until it is counted, and give the answer; an Error says why there is none.
 * @param {object} asked
 * @param {AbortSignal} signal
 * @param {(doing: string, done?: number) => void} tell
 * @returns {Promise<{ id: string, result: any, paid: Record<string, Record<string, number>> }>}
 *   the document that was asked for
 */
export async function counted(asked, signal, tell) {
  tell("asking");
  const { id, sentence } = await post("/api/analysis", asked);
  if (!id) throw new Error(sentence);
  for (;;) {
    if (signal.aborted) {
      await fetch(`/api/analysis/${id}`, { method: "DELETE" });
      throw new Error(CANCELED);
    }
    const known = await look(id);
    if (known.standing === "done") return { id, result: known.result, paid: known.paid ?? {} };
    if (known.standing !== "waiting" && known.standing !== "running")
      throw new Error(known.sentence || known.standing);
    const doing = known.standing === "waiting" ? "waits its turn" : known.doing || "begins";
    tell(`${doing}${known.done ? `, ${Math.round(100 * known.done)} %` : ""}`, known.done);
    await pause(signal);
  }
}

/** @param {string} id @returns {Promise<Server.AnalysisShown>} */
async function look(id) {
  try {
    return await (await fetch(`/api/analysis/${id}`)).json();
  } catch {
    throw new Error("The service cannot be reached; count again.");
  }
}

/** @param {AbortSignal} signal @returns {Promise<void>} */
const pause = (signal) =>
  new Promise((wake) => {
    const timer = setTimeout(wake, 400);
    const wakeNow = () => {
      clearTimeout(timer);
      wake();
    };
    signal.addEventListener("abort", wakeNow, { once: true });
  });
