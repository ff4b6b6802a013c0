// The ledger of this browser: saved as a file, brought back, or begun anew.

import { $ } from "../static/shared/dom.js";
import { bring } from "./worker_carrier.js";

const brought = $("brought", HTMLInputElement);
brought.addEventListener("change", async () => {
  const { files } = brought;
  const why = await bring(await files[0].arrayBuffer());
  $("told").textContent = why || "It is here; the tables go on where they stood.";
  if (!why) setTimeout(() => location.reload(), 1000);
});

let isSure = false;
$("anew").addEventListener("click", () => {
  if (!isSure) {
    isSure = true;
    $("anew").textContent = "Delete it for good";
    return;
  }
  sessionStorage.clear();
  const asked = indexedDB.deleteDatabase("croupier");
  asked.onblocked = asked.onsuccess = () => location.reload();
});
