// What a player spent: times as his clock has them, and a button that prints.

import { $, all } from "../shared/dom.js";
import { moment } from "../shared/words.js";

for (const time of all("time", document, HTMLTimeElement))
  time.textContent = moment(Date.parse(time.dateTime) * 1000);
$("print").addEventListener("click", () => print());
