// Dark or light: as the system has it, until a person says otherwise. Runs before the first
// paint and is therefore no module.

"use strict";

(() => {
  const THEMES = { system: "◐", light: "☀", dark: "☾" };
  const root = document.documentElement;

  const kept = () => {
    try {
      return localStorage.getItem("theme") || "system";
    } catch {
      return "system";
    }
  };

  const show = (theme) => {
    root.dataset.theme = theme in THEMES ? theme : "system";
    const button = document.getElementById("theme");
    if (!button) return;
    button.firstElementChild.textContent = THEMES[root.dataset.theme];
    button.title = `Colours: ${root.dataset.theme}`;
    button.setAttribute("aria-label", button.title);
  };

  const next = () => {
    const names = Object.keys(THEMES);
    const theme = names[(names.indexOf(root.dataset.theme) + 1) % names.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Where nothing may be kept, the choice lasts as long as the page.
    }
    show(theme);
  };

  show(kept());
  document.addEventListener("DOMContentLoaded", () => {
    show(root.dataset.theme);
    document.getElementById("theme").addEventListener("click", next);
  });
})();
