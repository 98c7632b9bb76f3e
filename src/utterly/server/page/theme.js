// Light or dark: the system's choice until the user makes one. Loaded first, to keep the page from flashing.
"use strict";
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const shown = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  if (["light", "dark"].includes(kept())) root.dataset.theme = kept();

  const draw = () => {
    const button = document.getElementById("theme");
    if (button) button.textContent = shown() === "dark" ? "☀" : "☾";
  };
  addEventListener("DOMContentLoaded", () => {
    draw();
    dark.addEventListener("change", draw);
    document.getElementById("theme")?.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch { /* not stored */ }
      draw();
    });
  });
})();
