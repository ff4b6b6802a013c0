// In and out: logging in, making the first administrator, logging out.

import { $, fieldsOf, onSubmit } from "../shared/dom.js";
import { post } from "../shared/connection.js";
import { no } from "../shared/clause_note.js";

function onward() {
  const to = new URLSearchParams(location.search).get("to") ?? "/";
  location.replace(/^\/(?!\/)/.test(to) ? to : "/");
}

onSubmit($("login", HTMLFormElement), async (form) => {
  const { name, password, code } = fieldsOf(form);
  const told = await post("/api/login", { name, password, code });
  if (told.token) {
    onward();
    return;
  }
  no(told);
  if (told.outcome === "not enrolled") await enrol(name, password);
  if (told.outcome === "code needed") askCode();
});

/**
 * Whoever has nothing yet that makes codes is shown its secret, this once.
 * @param {string} name
 * @param {string} password
 */
async function enrol(name, password) {
  /** @type {Server.Enrolment & Partial<Server.Reply>} */
  const shown = await post("/api/enrolment", { name, password });
  no(shown.outcome ? shown : null);
  if (shown.outcome) return;
  $("secret").textContent = shown.secret;
  $("uri", HTMLAnchorElement).href = shown.uri;
  $("enrolled").hidden = false;
  askCode();
}

function askCode() {
  const field = $("code");
  field.hidden = false;
  field.querySelector("input").focus();
}

onSubmit($("setup", HTMLFormElement), async (form) => {
  const { code, name, password } = fieldsOf(form);
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

onSubmit($("password", HTMLFormElement), async (form) => {
  const { old, new: next } = fieldsOf(form);
  const told = await post("/api/me/password", { old, new: next }, "PUT");
  const done = told.outcome === "done";
  no(done ? null : told);
  $("changed").textContent = done ? "Your password is changed." : "";
  if (done) form.reset();
});

$("leave")?.addEventListener("click", async () => {
  await post("/api/logout");
  location.assign("/login");
});
