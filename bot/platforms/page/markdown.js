// Words of an answer to page nodes: paragraphs, lists, bold and code. Never through innerHTML,
// so that nothing in an answer can become mark-up of the page.

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
  const flush = () => {
    if (lines.length) nodes.push(paragraph(lines));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const item = /^\s*(?:([-*•])|\d+\.)\s+(.*)$/.exec(line);
    if (item) {
      flush();
      const kind = item[1] ? "ul" : "ol";
      if (!list || list.localName !== kind) nodes.push((list = element(kind)));
      list.append(element("li", {}, ...inline(item[2])));
      continue;
    }
    list = null;
    if (line.trim()) lines.push(line);
    else flush();
  }
  flush();
  return nodes;
}
