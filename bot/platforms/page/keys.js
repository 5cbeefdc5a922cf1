// Keys that work wherever nobody is writing, and the list of them.

import { byId, element } from "/dom.js";

const dialog = byId("keys");
const check = byId("keys-on");
let bound = {};

const isWriting = (target) => target.matches("input, textarea, select");

// ``keys``: by key, what it does and the words for it.
export function bind(keys) {
  bound = keys;
  const lines = [
    ["Enter", "ask"],
    ["Shift + Enter", "a new line"],
    ["↑", "in the empty box: the last question once more"],
    ["Esc", "leave the box, close what is open"],
    ["← →", "in a large picture: the one before, the next"],
    ...Object.entries(keys).map(([key, { words }]) => [key, words]),
    ["?", "this list"],
  ];
  byId("keys-list").replaceChildren(
    ...lines.flatMap(([key, words]) => [
      element("dt", {}, element("kbd", {}, key)),
      element("dd", {}, words),
    ]),
  );
}

function show() {
  dialog.showModal();
}

// Who dictates or has a loose hand can turn the single keys off.
const isOn = () => check.checked;

try {
  check.checked = localStorage.getItem("keys") !== "off";
} catch {
  check.checked = true;
}
check.addEventListener("change", () => {
  try {
    localStorage.setItem("keys", check.checked ? "on" : "off");
  } catch {
    // It then lasts as long as the page.
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (!isOn() || isWriting(event.target) || document.querySelector("dialog[open]")) return;
  if (event.key === "?") {
    event.preventDefault();
    show();
  } else if (Object.hasOwn(bound, event.key)) {
    event.preventDefault();
    bound[event.key].does();
  }
});
byId("help").addEventListener("click", show);
byId("keys-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
