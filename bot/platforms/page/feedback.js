// Whether an answer helped, and why it did not.

import { button, element } from "/dom.js";

export function feedbackNode(turn, vote, actions) {
  const say = (act, value = "") => actions.act(act, turn, value);
  const pressed = (helpful) => String(vote !== null && vote.helpful === helpful);
  const bar = element(
    "div",
    { class: "votes", role: "group", "aria-label": "Did this help?" },
    element("span", {}, "Did this help?"),
    button("Yes", () => say("helpful"), { class: "small vote", "aria-pressed": pressed(true) }),
    button("No", () => say("unhelpful"), { class: "small vote", "aria-pressed": pressed(false) }),
  );
  const node = element("div", { class: "feedback" }, bar);
  if (vote === null) return node;
  if (vote.helpful) bar.append(element("span", { class: "noted" }, "Noted, thank you."));
  else if (vote.reason) bar.append(...notedNodes(vote.reason, node, say, actions.reasons()));
  else node.append(reasonsNode("", say, actions.reasons()));
  return node;
}

function notedNodes(reason, node, say, reasons) {
  const known = reasons.find((each) => each.id === reason);
  const change = button(
    "Change",
    () => {
      change.remove();
      node.append(reasonsNode(reason, say, reasons));
      node.lastElementChild.querySelector("button").focus();
    },
    { class: "small", "aria-label": "Change the reason" },
  );
  return [element("span", { class: "noted" }, `Noted: ${known ? known.label : reason}`), change];
}

function reasonsNode(chosen, say, reasons) {
  return element(
    "div",
    { class: "reasons", role: "group", "aria-label": "What was not helpful?" },
    element("span", {}, "What was not helpful?"),
    ...reasons.map(({ id, label }) =>
      button(label, () => say("unhelpful", id), {
        class: "small",
        "aria-pressed": String(id === chosen),
      }),
    ),
  );
}
