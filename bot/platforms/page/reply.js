// One entry of a thread as page nodes: a question, or a reply with its tables, pictures,
// choices and evidence.

import { element, markdown } from "/markdown.js";

const STATUS = {
  clarification: "A question back",
  rejected: "Not answered",
  failed: "Something broke",
};

export function entryNode(entry, actions) {
  if (entry.from === "person") {
    return element("li", { class: "entry person" }, element("p", {}, entry.text));
  }
  const body = element("li", { class: `entry bot ${entry.status}` });
  if (STATUS[entry.status]) body.append(element("p", { class: "status" }, STATUS[entry.status]));
  body.append(element("div", { class: "words" }, ...markdown(entry.text)));
  if (entry.choices.length) body.append(choicesNode(entry.choices, actions.choose));
  for (const file of entry.files) body.append(fileNode(file, actions.enlarge));
  for (const table of entry.tables) body.append(tableNode(table));
  if (entry.facts.length) body.append(evidenceNode(entry));
  return body;
}

function choicesNode(choices, choose) {
  const group = element("div", { class: "choices", role: "group", "aria-label": "Choices" });
  for (const choice of choices) {
    const button = element("button", {
      type: "button",
      class: choice.chosen ? "choice chosen" : "choice",
      disabled: !choice.open,
      "aria-pressed": choice.chosen ? "true" : null,
      onclick: () => {
        for (const each of group.querySelectorAll("button")) each.disabled = true;
        choose(choice.id);
      },
    });
    button.append(choice.chosen ? `✓ ${choice.label}` : choice.label);
    group.append(button);
  }
  return group;
}

function fileNode(file, enlarge) {
  if (!file.url) return element("p", { class: "gone" }, `${file.name} is no longer there.`);
  if (!file.picture) return downloadLink(file, file.title || file.name);
  const picture = element("img", { src: file.url, alt: file.title, loading: "lazy" });
  const button = element(
    "button",
    { type: "button", class: "thumb", title: "Open large", onclick: () => enlarge(file) },
    picture,
  );
  return element("figure", { class: "picture" }, button);
}

function downloadLink(file, words) {
  return element("a", { class: "button", href: file.url, download: file.name }, `↓ ${words}`);
}

function tableNode(table) {
  const box = element("div", { class: "table" });
  const caption = table.name || "Table";
  const part = table.rows.length < table.row_count;
  if (table.rows.length) {
    box.append(
      element(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": caption },
        gridNode(table, caption),
      ),
    );
  }
  const count = table.row_count.toLocaleString("en");
  const rows = table.row_count === 1 ? "row" : "rows";
  const shown = part
    ? `The first ${table.rows.length} of ${count} rows; all of them are in the file.`
    : `${count} ${rows}`;
  const foot = element("p", { class: "table-foot" }, element("span", {}, shown));
  if (table.csv.url) foot.append(downloadLink(table.csv, "CSV"));
  box.append(foot);
  return box;
}

function gridNode(table, caption) {
  const body = element("tbody");
  const rows = table.rows.map((cells) => {
    const row = element("tr");
    cells.forEach((cell, column) => {
      row.append(element("td", { class: table.numeric[column] ? "number" : null }, cell));
    });
    return { cells, row };
  });
  body.append(...rows.map((each) => each.row));
  const head = element("tr");
  table.columns.forEach((name, column) => {
    const heading = element("th", {
      scope: "col",
      "aria-sort": "none",
      class: table.numeric[column] ? "number" : null,
    });
    heading.append(
      element(
        "button",
        { type: "button", onclick: () => sort(table, body, rows, head, heading, column) },
        name,
        element("span", { class: "arrow", "aria-hidden": "true" }),
      ),
    );
    head.append(heading);
  });
  return element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, head),
    body,
  );
}

function sort(table, body, rows, head, heading, column) {
  const falling = heading.getAttribute("aria-sort") === "ascending";
  for (const each of head.children) each.setAttribute("aria-sort", "none");
  heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
  const compare = table.numeric[column]
    ? (a, b) => Number(a) - Number(b)
    : (a, b) => a.localeCompare(b, "en", { numeric: true });
  const missing = (cell) => cell === "–" || (table.numeric[column] && Number.isNaN(Number(cell)));
  rows.sort((left, right) => {
    const [a, b] = [left.cells[column], right.cells[column]];
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    return falling ? compare(b, a) : compare(a, b);
  });
  body.append(...rows.map((each) => each.row));
}

function evidenceNode(entry) {
  const list = element("dl");
  for (const fact of entry.facts) {
    list.append(element("dt", {}, fact.label));
    const lines = fact.lines.map((line) =>
      fact.kind === "text" ? element("p", {}, line) : codeNode(line, fact.label),
    );
    list.append(element("dd", {}, ...lines));
  }
  return element(
    "details",
    { class: "evidence" },
    element(
      "summary",
      {},
      entry.status === "completed" ? "Evidence: how this came about" : "Details",
    ),
    list,
  );
}

function codeNode(text, label) {
  const button = element("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return element(
    "div",
    { class: "code" },
    element("pre", { tabindex: "0", "aria-label": label }, text),
    button,
  );
}
