// The docs site: light or dark, a button that copies each block of code, hits of a search marked.
"use strict";

/** What somebody would paste: of a transcript its commands alone. */
function pasted(text) {
  if (!text.startsWith("$ ")) return text;
  const lines = text.split("\n");
  const commands = lines.filter((line, at) => line.startsWith("$ ") || goesOn(lines, at - 1));
  return commands.map((line) => line.replace(/^\$ /, "")).join("\n") + "\n";
}

/** Whether the command of a line is continued on the next one. */
function goesOn(lines, at) {
  const isCommand = at >= 0 && (lines[at].startsWith("$ ") || goesOn(lines, at - 1));
  return isCommand && lines[at].endsWith("\\");
}

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(pasted(code.textContent));
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = "Copy"), 1500);
}

function addCopyButtons() {
  for (const code of document.querySelectorAll("[role=main] pre > code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this block");
    button.addEventListener("click", () => copy(button, code));
    const frame = document.createElement("div");
    frame.className = "copied";
    code.parentElement.replaceWith(frame);
    frame.append(code.parentElement, button);
  }
}

/** The words of a search as one pattern that finds any of them. */
function patternOf(query) {
  const words = query.split(/\s+/).filter((word) => word.length > 2);
  const plain = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return plain.length ? new RegExp(`(${plain.join("|")})`, "i") : null;
}

/** Put a mark around each hit below this node; the first mark, if there is one. */
function marked(root, pattern) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(pattern);
    if (parts.length === 1 || text.parentElement.closest("mark, button, script")) continue;
    text.replaceWith(...parts.map((part, at) => (at % 2 ? markOf(part) : part)));
  }
  return root.querySelector("mark");
}

function markOf(word) {
  const mark = document.createElement("mark");
  mark.textContent = word;
  return mark;
}

/** What is pasted is searched too, and what was typed before the index was there. */
function searchWhateverComes() {
  const asked = document.getElementById("mkdocs-search-query");
  if (!asked || !window.searchWorker) return;
  window.searchWorker.addEventListener("message", ({ data }) => {
    if (!data.allowSearch) return;
    asked.addEventListener("input", () => window.doSearch());
    if (asked.value) window.doSearch();
  });
}

/** Results as they are listed: hits marked, and links that let the page mark them too. */
function markResults() {
  const results = document.getElementById("mkdocs-search-results");
  const asked = document.getElementById("mkdocs-search-query");
  if (!results || !asked) return;
  new MutationObserver(() => {
    const pattern = patternOf(asked.value);
    for (const article of results.querySelectorAll("article:not(.seen)")) {
      article.classList.add("seen");
      const link = article.querySelector("a");
      const address = new URL(link.href);
      address.searchParams.set("marked", asked.value);
      link.href = address.href;
      if (pattern) marked(article, pattern);
    }
  }).observe(results, { childList: true });
}

function markPage() {
  const pattern = patternOf(new URLSearchParams(location.search).get("marked") ?? "");
  const first = pattern && marked(document.querySelector("[role=main]"), pattern);
  if (first && !location.hash) first.scrollIntoView({ block: "center" });
}

/** The page is light or dark as the system is; its head has said so for the beginning. */
function followTheSystem() {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  isDark.addEventListener("change", () => {
    document.documentElement.dataset.bsTheme = isDark.matches ? "dark" : "light";
  });
}

document.addEventListener("DOMContentLoaded", () => {
  followTheSystem();
  markPage();
  addCopyButtons();
  markResults();
  searchWhateverComes();
});
