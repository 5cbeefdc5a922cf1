// What was done for an answer, step by step, as a tree that unfolds.

import { codeNode } from "/copy.js";
import { button, element } from "/dom.js";
import { wordsOf } from "/api.js";

// ``fetchTree`` is asked once, when the tree is first opened.
export function traceNode(fetchTree) {
  const inside = element("div", { class: "trace-inside", "aria-live": "polite" });
  const node = element(
    "details",
    { class: "evidence trace" },
    element("summary", {}, "Steps: what was done, and how long it took"),
    inside,
  );
  let asked = false;
  node.addEventListener("toggle", async () => {
    if (!node.open || asked) return;
    asked = true;
    inside.replaceChildren(element("p", {}, "Looking it up …"));
    try {
      inside.replaceChildren(...treeNodes(await fetchTree()));
    } catch (error) {
      asked = false;
      inside.replaceChildren(element("p", { class: "gone" }, wordsOf(error)));
    }
  });
  return node;
}

function treeNodes(tree) {
  if (!tree.steps.length) return [element("p", { class: "gone" }, "No steps were kept.")];
  const steps = listNode(tree.steps, spanOf(tree.steps));
  const fold = (open) => () => {
    for (const each of steps.querySelectorAll("details")) each.open = open;
  };
  // First the course of the whole; what went in and came out is looked at step by step.
  for (const inner of steps.querySelectorAll(".steps")) inner.parentElement.open = true;
  return [
    element(
      "div",
      { class: "trace-bar" },
      button("Unfold all", fold(true), { class: "small" }),
      button("Fold all", fold(false), { class: "small" }),
      element("span", {}, "Trace ", element("code", {}, tree.trace)),
    ),
    steps,
  ];
}

// When the first step began, and how long all of them took, in milliseconds.
function spanOf(steps) {
  const begun = steps.map((step) => Date.parse(step.begun)).filter((time) => !Number.isNaN(time));
  const ended = steps.map((step) => Date.parse(step.begun) + step.seconds * 1000);
  const first = Math.min(...begun);
  return { first, length: Math.max(1, ...ended.map((end) => end - first || 0)) };
}

function listNode(steps, span) {
  return element("ul", { class: "steps" }, ...steps.map((step) => stepNode(step, span)));
}

function stepNode(step, span) {
  const inside = [...detailNodes(step)];
  if (step.steps.length) inside.push(listNode(step.steps, span));
  const line = [
    element("span", { class: `kind ${step.kind}` }, step.kind),
    element("span", { class: "step-name" }, step.name),
    barNode(step, span),
    element("span", { class: "step-seconds" }, secondsText(step.seconds)),
  ];
  const node = inside.length
    ? element("details", {}, element("summary", {}, ...line), ...inside)
    : element("div", { class: "leaf" }, ...line);
  return element("li", { class: step.problem ? "step problem" : "step" }, node);
}

// Where in the whole time this step lies.
function barNode(step, span) {
  const bar = element("span", { class: "bar-part" });
  const share = (milliseconds) => `${Math.min(100, Math.max(0, (100 * milliseconds) / span.length))}%`;
  bar.style.marginLeft = share(Date.parse(step.begun) - span.first || 0);
  bar.style.width = share(step.seconds * 1000);
  return element("span", { class: "bar-whole", "aria-hidden": "true" }, bar);
}

function* detailNodes(step) {
  if (step.problem) yield element("p", { class: "step-problem" }, step.problem);
  const told = [];
  if (step.model) told.push(`model ${step.model}`);
  const usage = step.usage || {};
  if (usage.llm_calls) told.push(`${usage.llm_calls} model ${usage.llm_calls === 1 ? "call" : "calls"}`);
  if (usage.prompt_tokens) told.push(`${usage.prompt_tokens} tokens read`);
  if (usage.completion_tokens) told.push(`${usage.completion_tokens} tokens written`);
  if (told.length) yield element("p", { class: "step-told" }, told.join(" · "));
  yield* valueNodes("Given", step.given, step);
  yield* valueNodes("Output", step.output, step);
}

function* valueNodes(label, value, step) {
  if (value === undefined || value === null || value === "") return;
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  yield element(
    "details",
    { class: "value" },
    element("summary", {}, label),
    codeNode(text, `${label} of ${step.name}`),
  );
}

function secondsText(seconds) {
  if (seconds < 0.001) return "< 1 ms";
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}
