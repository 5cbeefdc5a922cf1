// One entry of a thread as page nodes: a question, something said in passing, or a reply with
// its tables, pictures, choices, evidence and votes.

import { copyButton, codeNode } from "/copy.js";
import { button, element } from "/dom.js";
import { feedbackNode } from "/feedback.js";
import { markdown } from "/markdown.js";
import { pictureNode } from "/picture.js";
import { downloadLink, tableNode } from "/table.js";
import { traceNode } from "/trace.js";

const STATUS = {
  clarification: "A question back",
  rejected: "Not answered",
  failed: "Something broke",
};

export class EntryNode {
  // ``actions``: choose(id), act(act, turn, value), trace(turn), reasons.
  constructor(entry, actions) {
    this.actions = actions;
    this.parts = new Map();
    this.node = element("li", { tabindex: "-1" });
    this.show(entry);
  }

  // Parts that did not change keep their nodes, and with them the focus, what was unfolded or
  // sorted, and how far it was scrolled.
  show(entry) {
    this.entry = entry;
    this.node.className = `entry ${entry.from} ${entry.status || ""}`;
    let before = null;
    for (const [name, data, make] of partsOf(entry, this.actions)) {
      const form = JSON.stringify(data);
      const known = this.parts.get(name);
      const wanted = data !== null && data.length !== 0;
      let focused = null;
      if (known && (!wanted || known.form !== form)) {
        if (known.node.contains(document.activeElement)) focused = document.activeElement.textContent;
        known.node.remove();
        this.parts.delete(name);
      }
      if (wanted && !this.parts.has(name)) {
        const node = make();
        if (before) before.after(node);
        else this.node.prepend(node);
        this.parts.set(name, { form, node });
        if (focused !== null) focusIn(node, focused);
      }
      if (wanted) before = this.parts.get(name).node;
    }
  }
}

// Who pressed a button of what was there before goes on from the same one.
function focusIn(node, words) {
  const buttons = [...node.querySelectorAll("button:enabled")];
  (buttons.find((each) => each.textContent === words) || buttons[0])?.focus();
}

// Of each part: its name, what it shows (null or nothing in it: the part is left out), its node.
function partsOf(entry, actions) {
  if (entry.from === "person") {
    return [["text", entry.text, () => element("p", {}, entry.text)]];
  }
  const files = (entry.files || []).map((file, number) => [
    `file ${number}`, file, () => fileNode(file),
  ]);
  const words = ["words", entry.text, () => element("div", { class: "words" }, ...markdown(entry.text))];
  if (entry.from === "note") return [words, ...files];
  const { choices, settled = "", acts = [], turn = "", vote = null } = entry;
  const canVote = turn && acts.includes("helpful");
  return [
    ["status", STATUS[entry.status] || null, () => element("p", { class: "status" }, STATUS[entry.status])],
    words,
    ["choices", choices, () => choicesNode(choices, actions.choose)],
    ["settled", settled, () => element("p", { class: "settled" }, settled)],
    ...files,
    ...entry.tables.map((table, number) => [`table ${number}`, table, () => tableNode(table)]),
    ["evidence", entry.facts, () => evidenceNode(entry)],
    ["trace", turn && acts.includes("work") ? turn : null, () => traceNode(() => actions.trace(turn))],
    ["foot", entry.text ? [entry.text, canVote, vote] : null, () => {
      const copy = copyButton("Copy answer", () => entry.text, { class: "small" });
      const votes = canVote ? [feedbackNode(turn, vote, actions)] : [];
      return element("div", { class: "foot" }, ...votes, copy);
    }],
  ];
}

function choicesNode(choices, choose) {
  const group = element("div", { class: "choices", role: "group", "aria-label": "Choices" });
  for (const choice of choices) {
    group.append(
      button(
        choice.chosen ? `✓ ${choice.label}` : choice.label,
        () => {
          for (const each of group.querySelectorAll("button")) each.disabled = true;
          choose(choice.id);
        },
        {
          class: choice.chosen ? "choice chosen" : "choice",
          disabled: !choice.open,
          "aria-pressed": choice.chosen ? "true" : null,
        },
      ),
    );
  }
  return group;
}

function fileNode(file) {
  if (file.text !== undefined) return textNode(file);
  if (!file.url) return element("p", { class: "gone" }, `${file.name} is no longer there.`);
  if (file.picture) return pictureNode(file);
  return element("p", {}, downloadLink(file, file.title || file.name));
}

function textNode(file) {
  return element(
    "details",
    { class: "evidence" },
    element("summary", {}, file.title || file.name),
    codeNode(file.text, file.title || file.name),
  );
}

function evidenceNode(entry) {
  const list = element("dl");
  for (const fact of entry.facts) {
    const lines = fact.lines.map((line) =>
      fact.kind === "text" ? element("p", {}, line) : codeNode(line, fact.label),
    );
    list.append(element("dt", {}, fact.label), element("dd", {}, ...lines));
  }
  const title = entry.status === "completed" ? "Evidence: how this came about" : "Details";
  return element("details", { class: "evidence facts" }, element("summary", {}, title), list);
}
