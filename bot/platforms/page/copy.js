// Buttons that put a text into the clipboard.

import { announce, button, element } from "/dom.js";

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

// Browsers keep the clipboard from pages that come over plain http from another machine.
function copiedBySelection(text) {
  const focused = document.activeElement;
  const area = element("textarea", { class: "hidden", readonly: true });
  area.value = text;
  // Outside of an open dialog nothing can be selected.
  (document.querySelector("dialog[open]") || document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused) focused.focus();
  return done;
}

// ``text`` is a function, so that what is copied is what is shown at that moment.
export function copyButton(words, text, attributes = {}) {
  const node = button(
    words,
    async () => {
      const told = (await copied(text())) ? "Copied" : "Not copied: select it by hand";
      node.textContent = told;
      announce(told);
      setTimeout(() => (node.textContent = words), 2000);
    },
    attributes,
  );
  return node;
}

export function codeNode(text, label) {
  return element(
    "div",
    { class: "code" },
    element("pre", { tabindex: "0", role: "region", "aria-label": label }, text),
    copyButton("Copy", () => text, { class: "copy", "aria-label": `Copy: ${label}` }),
  );
}
