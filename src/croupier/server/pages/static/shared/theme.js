// Light or dark, as this browser was told; without a word of it, as the system is. It runs before
// anything is drawn, so that no page appears in the other one first, and keeps what is chosen.

{
  const page = document.documentElement;
  const found = document.cookie.split("; ").find((one) => one.startsWith("theme="));
  if (found) page.dataset.theme = found.slice("theme=".length);
  // Heard on the document, which is there before the choice is: none is made too early to count.
  document.addEventListener("change", ({ target: choice }) => {
    if (!(choice instanceof HTMLSelectElement) || choice.id !== "theme") return;
    page.dataset.theme = choice.value;
    document.cookie = `theme=${choice.value}; max-age=31536000; path=/; samesite=strict`;
  });
  addEventListener("DOMContentLoaded", () => {
    const choice = document.getElementById("theme");
    if (choice instanceof HTMLSelectElement) choice.value = page.dataset.theme ?? "";
  });
}
