// In and out: logging in, making the first administrator, logging out.

import { $, fieldsOf } from "../shared/dom.js";
import { post } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";

function onward() {
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  location.replace(/^\/(?!\/)/.test(to) ? to : "/");
}

$("login")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { name, password } = fieldsOf(event.target);
  const told = await post("/api/login", { name, password });
  if (told.token) onward();
  else no(told);
});

$("setup")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { code, name, password } = fieldsOf(event.target);
  const response = await fetch("/api/setup", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Setup-Code": code },
    body: JSON.stringify({ name, password }),
  });
  const told = await response.json();
  if (!response.ok) {
    no(told);
    return;
  }
  const admitted = await post("/api/login", { name, password });
  if (admitted.token) location.replace("/");
  else no(admitted);
});

$("leave")?.addEventListener("click", async () => {
  await post("/api/logout");
  location.assign("/login");
});
