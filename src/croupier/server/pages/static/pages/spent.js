// What a player spent: times as his clock has them, and a button that prints.

import { $, all } from "../shared/dom.js";

for (const time of all("time")) time.textContent = new Date(time.dateTime).toLocaleString("en-US");
$("print").addEventListener("click", () => print());
