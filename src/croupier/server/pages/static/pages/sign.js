// The public sign: the table as whoever passes by may see it, with its meters.

import { $ } from "../shared/dom.js";
import { Layer, meters } from "../table/felt.js";
import { facts as read, Connection, livePath } from "../shared/connection.js";
import "../shared/clause_note.js";
import { shuffleWords } from "../shared/words.js";

/** @type {Server.TableFacts} */
const facts = read();
const layer = new Layer($("felt", SVGElement), facts.areas, facts.hand);

new Connection(
  livePath(facts.table),
  (frame) => {
    const { view } = frame;
    layer.show(view);
    $("shuffle").textContent = shuffleWords(frame);
    $("meters").replaceChildren(...meters(view));
    $("call").textContent = {
      betting: `Round ${view.round}: place your wagers`,
      dealing: "The cards are dealt",
      acting: `Box ${view.turn} decides`,
      revealing: "The dealer turns the cards",
      settling: "The boxes are settled",
      clearing: "The round is over",
    }[view.phase];
  },
  (state) => {
    document.body.dataset.link = state;
  },
);
