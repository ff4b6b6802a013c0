// Commands of one player, each answered: what is refused is told in the table's own words.

import { ask } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";

/** @import { Command } from "../shared/connection.js" */

export class Commands {
  /**
   * @param {string} table
   * @param {(told: Server.Reply) => void} onRefusal
   */
  constructor(table, onRefusal) {
    this.table = table;
    this.onRefusal = onRefusal;
    // The newest version that an answer named.
    this.version = 0;
    this.refused = 0;
  }

  /** @param {Command} command */
  async give(command) {
    return (await this.request(command)).outcome === "done";
  }

  /**
   * @param {Command} command
   * @param {number} [seen] the version that the command answers to
   */
  async request(command, seen) {
    const told = await ask(this.table, command, seen);
    if (told.outcome === "done") {
      this.version = Math.max(this.version, told.version);
      no(null);
    } else if (told.outcome !== "stale") {
      this.refused += 1;
      this.onRefusal(told);
    }
    return told;
  }
}
