// The first rows of a table: sorted by a click on a heading, copied, kept as a file.

import { copyButton } from "/copy.js";
import { announce, button, element } from "/dom.js";

const MISSING = "–";

export function downloadLink(file, words) {
  return element("a", { class: "button", href: file.url, download: file.name }, `↓ ${words}`);
}

export function tableNode(table) {
  const caption = table.name || "Table";
  const part = table.rows.length < table.row_count;
  const count = table.row_count.toLocaleString("en");
  const counted = part
    ? `The first ${table.rows.length} of ${count} rows${table.csv.url ? "; the file has all of them" : ""}.`
    : `${count} ${table.row_count === 1 ? "row" : "rows"}`;
  const told = element("span", {}, counted);
  const node = element("div", { class: "table" });
  const foot = element("div", { class: "table-foot" }, told);
  if (table.rows.length) {
    const grid = new Grid(table, caption, (order) => {
      // Whoever sorts for the largest value must know that it may be in the rows not shown.
      const among = part && order !== "none" ? ` Sorted are only these ${table.rows.length}.` : "";
      told.textContent = counted + among;
    });
    node.append(
      element(
        "div",
        { class: "table-scroll", tabindex: "0", role: "region", "aria-label": caption },
        grid.node,
      ),
    );
    foot.append(copyButton("Copy rows", () => grid.text(), { class: "button" }));
  }
  if (table.csv.url) foot.append(downloadLink(table.csv, "CSV"));
  node.append(foot);
  return node;
}

const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

class Grid {
  constructor(table, caption, sorted) {
    this.table = table;
    this.sorted = sorted;
    this.body = element("tbody");
    this.rows = table.rows.map((cells, place) => ({ cells, place, row: this.rowNode(cells) }));
    this.body.append(...this.rows.map((each) => each.row));
    this.head = element("tr", {}, ...table.columns.map((name, column) => this.heading(name, column)));
    this.node = element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, this.head),
      this.body,
    );
  }

  rowNode(cells) {
    return element(
      "tr",
      {},
      ...cells.map((cell, column) =>
        element("td", { class: this.table.numeric[column] ? "number" : null }, cell),
      ),
    );
  }

  heading(name, column) {
    const node = element("th", {
      scope: "col",
      "aria-sort": "none",
      class: this.table.numeric[column] ? "number" : null,
    });
    const press = button(name, () => this.sort(node, column), { title: "Sort" });
    press.append(element("span", { class: "arrow", "aria-hidden": "true" }));
    node.append(press);
    return node;
  }

  // Rising, falling, and as it came.
  sort(heading, column) {
    const order = NEXT[heading.getAttribute("aria-sort")];
    for (const each of this.head.children) each.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", order);
    const compare = this.comparison(column, order);
    this.rows.sort((left, right) => compare(left, right) || left.place - right.place);
    this.body.append(...this.rows.map((each) => each.row));
    this.sorted(order);
    const words = order === "none" ? "in the order of the answer" : `${order}`;
    announce(`Sorted by ${this.table.columns[column]}: ${words}`);
  }

  comparison(column, order) {
    if (order === "none") return () => 0;
    const numeric = this.table.numeric[column];
    const value = (cell) => (numeric ? Number(cell.replace("∞", "Infinity")) : cell);
    const missing = (cell) => cell === MISSING || (numeric && Number.isNaN(value(cell)));
    const sign = order === "ascending" ? 1 : -1;
    return (left, right) => {
      const [a, b] = [left.cells[column], right.cells[column]];
      // What is missing stays last, whichever way.
      if (missing(a) || missing(b)) return missing(a) - missing(b);
      if (!numeric) return sign * a.localeCompare(b, "en", { numeric: true });
      const [x, y] = [value(a), value(b)];
      return sign * ((x > y) - (x < y));
    };
  }

  text() {
    const line = (cells) => cells.map((cell) => cell.replace(/[\t\n]/g, " ")).join("\t");
    return [this.table.columns, ...this.rows.map((each) => each.cells)].map(line).join("\n");
  }
}
