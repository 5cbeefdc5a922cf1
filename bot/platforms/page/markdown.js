// Words of an answer to page nodes: paragraphs, lists, bold, code. Never through innerHTML,
// so that nothing in an answer can become mark-up of the page.

import { codeNode } from "/copy.js";
import { element } from "/dom.js";

function inline(text) {
  const nodes = [];
  let rest = text;
  // Inside a word an underscore is part of a name: total_power.
  const mark = /\*\*([^*\n]+)\*\*|`([^`\n]+)`|(?<!\w)_([^_\n]+)_(?!\w)/;
  for (let found = mark.exec(rest); found; found = mark.exec(rest)) {
    nodes.push(rest.slice(0, found.index));
    const name = found[1] ? "strong" : found[2] ? "code" : "em";
    nodes.push(element(name, {}, found[1] || found[2] || found[3]));
    rest = rest.slice(found.index + found[0].length);
  }
  nodes.push(rest);
  return nodes;
}

function paragraph(lines) {
  const node = element("p");
  lines.forEach((line, number) => {
    if (number) node.append(element("br"));
    node.append(...inline(line));
  });
  return node;
}

export function markdown(text) {
  const nodes = [];
  let lines = [];
  let list = null;
  let code = null;
  const flush = () => {
    if (lines.length) nodes.push(paragraph(lines));
    lines = [];
  };
  const endCode = () => {
    nodes.push(codeNode(code.join("\n"), "Code"));
    code = null;
  };
  for (const line of text.split("\n")) {
    const fence = /^\s*```\s*[\w+-]*\s*$/.test(line);
    if (code !== null) {
      if (fence) endCode();
      else code.push(line);
      continue;
    }
    const item = /^\s*(?:([-*•])|\d+\.)\s+(.*)$/.exec(line);
    if (fence || item) flush();
    if (fence) {
      list = null;
      code = [];
    } else if (item) {
      const kind = item[1] ? "ul" : "ol";
      if (!list || list.localName !== kind) nodes.push((list = element(kind)));
      list.append(element("li", {}, ...inline(item[2])));
    } else {
      list = null;
      if (line.trim()) lines.push(line);
      else flush();
    }
  }
  if (code !== null) endCode();
  flush();
  return nodes;
}
