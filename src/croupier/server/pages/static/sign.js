// The public sign: the table as whoever passes by may see it, with its meters.

import { Layer, meters } from "./felt.js";
import { facts as read, Link } from "./link.js";
import "./why.js";

const $ = (id) => document.getElementById(id);
const facts = read();
const layer = new Layer($("felt"), facts.areas, facts.hand);

new Link(`/api/tables/${encodeURIComponent(facts.table)}/live`, ({ view, commitment }) => {
  layer.show(view);
  $("shuffle").textContent = commitment ? `Round ${view.round} is dealt from the shuffle ${commitment}` : "";
  $("meters").replaceChildren(...meters(view));
  $("call").textContent = { betting: `Round ${view.round}: place your wagers`, dealing: "The cards are dealt", acting: `Box ${view.turn} decides`, revealing: "The dealer turns the cards", settling: "The boxes are settled", clearing: "The round is over" }[view.phase];
}, (state) => { document.body.dataset.link = state; });
