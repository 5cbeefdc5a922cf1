// The page: the thread that is open, what is asked in it, and what becomes of that.

import { call, LOST, wordsOf } from "/api.js";
import { announce, byId, element } from "/dom.js";
import { bind } from "/keys.js";
import { onLogin, session, showLogin } from "/login.js";
import { EntryNode } from "/reply.js";
import { showRunning } from "/running.js";
import { neighbour, showThreads } from "/threads.js";

const [entries, trouble, welcome] = ["entries", "trouble", "welcome"].map(byId);
const [box, scroll, side, menu] = ["question", "scroll", "side", "menu"].map(byId);

const state = {
  open: "", version: "", busy: false, timer: 0, nodes: [], walks: false, site: {}, person: null,
};
let asked = "";

const actions = {
  choose: (id) => attempt(async () => {
    await call(`/api/threads/${state.open}/choice`, { id });
    box.focus();
  }),
  act: (act, turn, value) => attempt(() =>
    call(`/api/threads/${state.open}/acts`, { act, turn, value })),
  trace: (turn) => call(`/api/threads/${state.open}/turns/${turn}/trace`),
  reasons: () => state.site.reasons || [],
};

function complain(error) {
  if (error.status === 401) {
    clearTimeout(state.timer);
    showLogin(entries.children.length ? "Your log-in has ended." : "");
    return;
  }
  trouble.textContent = wordsOf(error);
  trouble.hidden = false;
}

async function attempt(does) {
  try {
    await does();
    trouble.hidden = true;
  } catch (error) {
    complain(error);
    if (error.status === 401) return;
  }
  await refresh();
}

async function ask(text) {
  if (!text.trim()) return;
  box.value = "";
  grow();
  try {
    if (state.open) {
      await call(`/api/threads/${state.open}/questions`, { text });
    } else {
      location.hash = (await call("/api/threads", { text })).id;
    }
    trouble.hidden = true;
    await refresh();
  } catch (error) {
    // Nothing that was written is lost.
    box.value = text;
    grow();
    complain(error);
  }
}

const stop = () => attempt(() => call(`/api/threads/${state.open}/stop`, {}));

function render(thread) {
  const first = !state.version;
  const nearEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 160;
  const known = state.nodes.length;
  // The reasons are asked for below the answer itself.
  const shown = thread.entries.filter((entry) => !(entry.reasons && entry.reasons.length));
  shown.forEach((entry, number) => {
    if (number < state.nodes.length) {
      if (state.nodes[number].form !== JSON.stringify(entry)) state.nodes[number].show(entry);
    } else {
      const node = new EntryNode(entry, actions);
      state.nodes.push(node);
      entries.append(node.node);
    }
    state.nodes[number].form = JSON.stringify(entry);
  });
  for (const gone of state.nodes.splice(shown.length)) gone.node.remove();
  const { running } = thread;
  state.busy = running.length > 0;
  byId("stop").hidden = !state.busy;
  showRunning(running, running.length > 1 ? (turn) => actions.act("stop", turn) : null);
  asked = shown.findLast((entry) => entry.from === "person")?.text || "";
  document.title = [thread.title, "odabot"].filter(Boolean).join(" · ");
  state.version = thread.version;
  if (first) scrollTo(entries.querySelector(".person:last-of-type") || lastOf(".person"));
  else if (shown.length > known) {
    tellOf(shown.slice(known));
    if (nearEnd || state.busy) scrollToNewest();
  }
}

const lastOf = (selector) => [...entries.querySelectorAll(selector)].at(-1);

function tellOf(fresh) {
  const reply = fresh.findLast((entry) => entry.from !== "person");
  if (reply) announce(`odabot: ${reply.text.replace(/[*`]/g, "").slice(0, 300)}`);
}

function scrollTo(node) {
  if (node) scroll.scrollTop = node.offsetTop - scroll.offsetTop - 16;
}

function scrollToNewest() {
  const last = entries.lastElementChild;
  // A long reply is read from its beginning.
  if (last && last.offsetHeight > scroll.clientHeight * 0.8) scrollTo(last);
  else scroll.scrollTop = scroll.scrollHeight;
}

async function listThreads() {
  showThreads((await call("/api/threads")).threads, state.open);
}

async function refresh() {
  clearTimeout(state.timer);
  try {
    if (state.open) {
      const open = state.open;
      const version = state.version === "" ? "" : `?version=${encodeURIComponent(state.version)}`;
      const thread = await call(`/api/threads/${open}${version}`);
      if (open !== state.open) return;
      if (thread) render(thread);
    }
    await listThreads();
    if (trouble.textContent === LOST) trouble.hidden = true;
  } catch (error) {
    complain(error);
    state.busy = false;
    if (error.status === 401) return;
  }
  clearTimeout(state.timer);
  state.timer = setTimeout(refresh, state.busy ? 400 : document.hidden ? 10000 : 3000);
}

async function go() {
  Object.assign(state, { open: location.hash.slice(1), version: "", busy: false, nodes: [] });
  asked = "";
  entries.replaceChildren();
  showRunning([], null);
  scroll.scrollTop = 0;
  trouble.hidden = true;
  byId("stop").hidden = true;
  welcome.hidden = Boolean(state.open);
  if (!state.open) document.title = ["odabot", state.site.name].filter(Boolean).join(" · ");
  showSide(false);
  // Who walks through the list by key goes on doing so.
  if (state.walks) scroll.focus();
  else if (!byId("login").hidden) byId("token").focus();
  else box.focus();
  state.walks = false;
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
  const site = (state.site = await call("/api/site"));
  byId("site").textContent = site.name;
  byId("about").textContent = site.about;
  if (!state.open) document.title = `odabot · ${site.name}`;
  byId("clock").hidden = !site.now;
  byId("clock").textContent = `Now is ${site.now}`;
  byId("clock").title = "The clock of this demonstration stands still";
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

function newThread() {
  if (location.hash.slice(1)) location.hash = "";
  else go();
}

function walk(by) {
  const id = neighbour(state.open, by);
  if (!id) return;
  state.walks = true;
  location.hash = id;
}

function unfold(selector) {
  const details = lastOf(`.bot ${selector}`);
  if (!details) return;
  details.open = !details.open;
  details.querySelector("summary").focus();
  details.scrollIntoView({ block: "nearest" });
}

async function start() {
  try {
    const { needed, person } = await session();
    if (needed) {
      showLogin();
      return;
    }
    if (state.person && state.person !== person) {
      // What somebody else wrote and read goes with them.
      history.replaceState(null, "", location.pathname);
      location.reload();
      return;
    }
    state.person = person;
    await describe();
    await go();
  } catch (error) {
    complain(error);
    state.timer = setTimeout(start, 3000);
  }
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(box.value);
});
box.addEventListener("input", grow);
box.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    ask(box.value);
  } else if (event.key === "ArrowUp" && !box.value && asked) {
    event.preventDefault();
    box.value = asked;
    grow();
  } else if (event.key === "Escape") {
    scroll.focus();
  }
});
byId("skip").addEventListener("click", (event) => {
  // What stands behind # in the address is a thread.
  event.preventDefault();
  box.focus();
});
byId("new").addEventListener("click", newThread);
byId("stop").addEventListener("click", stop);
menu.addEventListener("click", () => showSide(!side.classList.contains("visible")));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && side.classList.contains("visible")) {
    showSide(false);
    menu.focus();
  }
});
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && byId("login").hidden) refresh();
});
window.addEventListener("hashchange", go);
bind({
  "/": { words: "write a question", does: () => box.focus() },
  n: { words: "a new thread", does: newThread },
  j: { words: "the next thread", does: () => walk(1) },
  k: { words: "the thread before", does: () => walk(-1) },
  e: { words: "the evidence of the last answer", does: () => unfold(".facts") },
  t: { words: "the steps of the last answer", does: () => unfold(".trace") },
  s: { words: "stop what is worked on", does: () => byId("stop").hidden || stop() },
});
onLogin(start);
start();
