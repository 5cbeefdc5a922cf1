// The page: the list of threads, the thread that is open, and what is asked in it.

import { element } from "/markdown.js";
import { entryNode } from "/reply.js";

const byId = (id) => document.getElementById(id);
const [entries, working, trouble, welcome] = ["entries", "working", "trouble", "welcome"].map(byId);
const [box, scroll, side, menu, large] = ["question", "scroll", "side", "menu", "large"].map(byId);

let open = "";
let version = -1;
let busy = false;
let timer = 0;
let shown = [];

async function call(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(path, options);
  if (!response.ok) throw new Error((await response.text()) || `Error ${response.status}`);
  return response.status === 204 ? null : response.json();
}

function complain(error) {
  const lost = error instanceof TypeError;
  trouble.textContent = lost ? "odabot does not answer. Is it still running?" : error.message;
  trouble.hidden = false;
}

async function ask(text) {
  if (!text.trim()) return;
  box.value = "";
  grow();
  try {
    if (open) {
      await call(`/api/threads/${open}/questions`, { text });
    } else {
      location.hash = (await call("/api/threads", { text })).id;
    }
    trouble.hidden = true;
    await refresh();
  } catch (error) {
    box.value = text;
    grow();
    complain(error);
  }
}

async function choose(id) {
  try {
    await call(`/api/threads/${open}/choice`, { id });
    box.focus();
  } catch (error) {
    complain(error);
  }
  await refresh();
}

function enlarge(file) {
  byId("large-picture").src = file.url;
  byId("large-picture").alt = file.title;
  byId("large-title").textContent = file.title;
  byId("large-save").href = file.url;
  byId("large-save").download = file.name;
  large.showModal();
}

function render(thread) {
  const nearEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 160;
  const grew = thread.entries.length > shown.length;
  // Entries that did not change keep their nodes, and with them what was unfolded or sorted.
  thread.entries.forEach((entry, number) => {
    const form = JSON.stringify(entry);
    if (shown[number] === form) return;
    const node = entryNode(entry, { choose, enlarge });
    if (number < entries.children.length) entries.children[number].replaceWith(node);
    else entries.append(node);
    shown[number] = form;
  });
  busy = thread.working.length > 0;
  working.hidden = !busy;
  working.textContent = busy ? thread.working[0] : "";
  version = thread.version;
  if (grew && (nearEnd || busy)) scrollToNewest();
}

function scrollToNewest() {
  const last = entries.lastElementChild;
  if (!last) return;
  // A long reply is read from its beginning.
  const tall = last.offsetHeight > scroll.clientHeight * 0.8;
  scroll.scrollTop = tall ? last.offsetTop - 72 : scroll.scrollHeight;
}

async function listThreads() {
  const { threads } = await call("/api/threads");
  byId("threads").replaceChildren(
    ...threads.map((thread) =>
      element(
        "li",
        {},
        element(
          "a",
          { href: `#${thread.id}`, "aria-current": thread.id === open ? "page" : null },
          element("span", {}, thread.title || "…"),
          thread.working ? element("span", { class: "dot", title: "working" }) : "",
        ),
      ),
    ),
  );
}

async function refresh() {
  clearTimeout(timer);
  try {
    if (open) {
      const asked = open;
      const thread = await call(`/api/threads/${open}?version=${version}`);
      if (thread && asked === open) {
        render(thread);
        await listThreads();
      }
    } else {
      await listThreads();
    }
    if (trouble.textContent.startsWith("odabot does not answer")) trouble.hidden = true;
  } catch (error) {
    complain(error);
    busy = false;
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, busy ? 400 : document.hidden ? 10000 : 3000);
}

async function go() {
  open = location.hash.slice(1);
  version = -1;
  shown = [];
  busy = false;
  entries.replaceChildren();
  scroll.scrollTop = 0;
  trouble.hidden = true;
  working.hidden = true;
  welcome.hidden = Boolean(open);
  showSide(false);
  box.focus();
  await refresh();
}

function showSide(visible) {
  side.classList.toggle("visible", visible);
  menu.setAttribute("aria-expanded", String(visible));
}

function grow() {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight + 2, 200)}px`;
}

async function describe() {
  const site = await call("/api/site");
  byId("site").textContent = site.name;
  byId("about").textContent = site.about;
  document.title = `odabot · ${site.name}`;
  if (site.now) {
    byId("clock").textContent = `Now is ${site.now}`;
    byId("clock").title = "The clock of this demonstration stands still";
    byId("clock").hidden = false;
  }
  byId("examples").replaceChildren(
    ...site.examples.map((example) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", onclick: () => ask(example.question) },
          element("span", { class: "label" }, example.label),
          element("span", {}, example.question),
        ),
      ),
    ),
  );
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(box.value);
});
box.addEventListener("input", grow);
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    ask(box.value);
  }
});
byId("new").addEventListener("click", () => {
  if (location.hash.slice(1)) location.hash = "";
  else go();
});
menu.addEventListener("click", () => showSide(!side.classList.contains("visible")));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") showSide(false);
});
byId("large-close").addEventListener("click", () => large.close());
large.addEventListener("click", (event) => {
  if (event.target === large) large.close();
});
document.addEventListener("visibilitychange", () => document.hidden || refresh());
window.addEventListener("hashchange", go);
describe().catch(complain);
go();
