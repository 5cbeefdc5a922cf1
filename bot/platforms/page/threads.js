// The list of a person's threads: by day, searched, walked through by key.

import { byId, element } from "/dom.js";

const box = byId("find");
const list = byId("threads");
const MANY = 6;
let threads = [];
let open = "";
let drawn = "";

export function showThreads(all, current) {
  threads = all;
  open = current;
  draw();
}

// The thread before (-1) or after (1) ``current``, as it stands in the list.
export function neighbour(current, by) {
  const ids = found().map((thread) => thread.id);
  const at = ids.indexOf(current);
  if (at < 0) return ids[by > 0 ? 0 : ids.length - 1];
  return ids[at + by];
}

function found() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  return threads.filter((thread) => {
    const title = thread.title.toLowerCase();
    return words.every((word) => title.includes(word));
  });
}

function draw() {
  const shown = found();
  byId("find-line").hidden = threads.length < MANY && !box.value;
  // What stands there already is left alone: the focus may be in it.
  const form = JSON.stringify([shown, open, box.value, dayOf(new Date())]);
  if (form === drawn) return;
  drawn = form;
  const focused = list.contains(document.activeElement) && document.activeElement.hash;
  const groups = Object.entries(Object.groupBy(shown, groupOf));
  list.replaceChildren(
    ...groups.flatMap(([name, members]) => [
      name ? element("h2", {}, name) : "",
      element("ul", {}, ...members.map(itemNode)),
    ]),
  );
  if (!shown.length && threads.length) list.append(element("p", {}, "No thread has these words."));
  if (focused) [...list.querySelectorAll("a")].find((link) => link.hash === focused)?.focus();
}

function itemNode(thread) {
  return element(
    "li",
    {},
    element(
      "a",
      { href: `#${thread.id}`, "aria-current": thread.id === open ? "page" : null, title: thread.title },
      element("span", { class: "title" }, thread.title || "…"),
      thread.working
        ? element("span", { class: "dot", role: "img", "aria-label": "working" })
        : element("span", { class: "when" }, whenOf(thread)),
    ),
  );
}

const dayOf = (time) => time.toLocaleDateString("en-CA");

function groupOf(thread) {
  if (!thread.used) return "";
  const days = (new Date(dayOf(new Date())) - new Date(dayOf(new Date(thread.used)))) / 86_400_000;
  if (days < 1) return "Today";
  if (days < 2) return "Yesterday";
  return days < 7 ? "The last 7 days" : "Earlier";
}

function whenOf(thread) {
  if (!thread.used) return "";
  const used = new Date(thread.used);
  return ["Today", "Yesterday"].includes(groupOf(thread))
    ? used.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })
    : used.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}

box.addEventListener("input", draw);
