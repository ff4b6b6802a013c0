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
  const { name, password, code } = fieldsOf(event.target);
  const told = await post("/api/login", { name, password, code });
  if (told.token) {
    onward();
    return;
  }
  no(told);
  if (told.outcome === "not enrolled") await enrol(name, password);
  if (told.outcome === "code needed") askCode();
});

// Whoever has nothing yet that makes codes is shown its secret, this once.
async function enrol(name, password) {
  const shown = await post("/api/enrolment", { name, password });
  no(shown.outcome ? shown : null);
  if (shown.outcome) return;
  $("secret").textContent = shown.secret;
  $("uri").href = shown.uri;
  $("enrolled").hidden = false;
  askCode();
}

function askCode() {
  const field = $("code");
  field.hidden = false;
  field.querySelector("input").focus();
}

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
  else if (admitted.outcome === "not enrolled") location.replace("/login");
  else no(admitted);
});

$("password")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { old, new: next } = fieldsOf(event.target);
  const told = await post("/api/me/password", { old, new: next }, "PUT");
  const done = told.outcome === "done";
  no(done ? null : told);
  $("changed").textContent = done ? "Your password is changed." : "";
  if (done) event.target.reset();
});

$("leave")?.addEventListener("click", async () => {
  await post("/api/logout");
  location.assign("/login");
});
