// Counting: the service counts in a process of its own, one analysis at a time.

import { post } from "../shared/connection.js";

export const CANCELED = "Canceled.";

/**
 * Ask, look until it is counted, and give the answer; an Error says why there is none.
 * @param {object} asked
 * @param {AbortSignal} signal
 * @param {(doing: string, done?: number) => void} tell
 * @returns {Promise<{id: string, result: any}>}
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
    if (known.standing === "done") return { id, result: known.result };
    if (known.standing !== "waiting" && known.standing !== "running")
      throw new Error(known.sentence || known.standing);
    const doing = known.standing === "waiting" ? "waits its turn" : known.doing || "begins";
    tell(`${doing}${known.done ? `, ${Math.round(100 * known.done)} %` : ""}`, known.done);
    await pause(signal);
  }
}

async function look(id) {
  try {
    return await (await fetch(`/api/analysis/${id}`)).json();
  } catch {
    throw new Error("The service cannot be reached; count again.");
  }
}

const pause = (signal) =>
  new Promise((/** @type {(value?: any) => void} */ wake) => {
    const timer = setTimeout(wake, 400);
    const wakeNow = () => {
      clearTimeout(timer);
      wake();
    };
    signal.addEventListener("abort", wakeNow, { once: true });
  });
