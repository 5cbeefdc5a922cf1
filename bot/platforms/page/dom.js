// Page nodes made in one expression; texts become text, never mark-up.

export const byId = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

export function button(words, does, attributes = {}) {
  return element("button", { type: "button", onclick: does, ...attributes }, words);
}

let telling = 0;

// Said aloud by a screen reader, and shown to nobody.
export function announce(words) {
  const place = byId("announce");
  place.textContent = "";
  clearTimeout(telling);
  telling = setTimeout(() => (place.textContent = words), 100);
}
