// The public sign: the table as whoever passes by may see it, with its meters.

import { Layer } from "./felt.js";
import { facts as read, Link } from "./link.js";
import { el, money } from "./svg.js";

const $ = (id) => document.getElementById(id);
const facts = read();
const layer = new Layer($("felt"), facts.areas, facts.hand);

new Link(`/api/tables/${encodeURIComponent(facts.table)}/live`, ({ view }) => {
  layer.show(view);
  const names = { main: "Progressive" };
  $("meters").replaceChildren(...Object.entries(view.meters ?? {}).map(([name, micros]) => el("span", {}, el("small", {}, names[name] ?? name), el("b", {}, money(Math.floor(micros / 10000))))));
  $("call").textContent = { betting: `Round ${view.round}: place your wagers`, dealing: "The cards are dealt", acting: `Box ${view.turn} decides`, revealing: "The dealer turns the cards", settling: "The boxes are settled", clearing: "The round is over" }[view.phase];
}, (state) => { document.body.dataset.link = state; });
