// SPDX-License-Identifier: Apache-2.0
// Tables that sort by a click on a column and begin with their first rows.

const kFirstRows = 30;

// columns: {name, value(row), format, text (left-aligned), class(row)}; rows: anything
function makeTable(caption, columns, rows) {
  const body = make("tbody");
  const more = make("button", { type: "button", onclick: () => fill(rows.length) });
  let sorted = rows;

  function fill(most) {
    body.replaceChildren(...sorted.slice(0, most).map(makeRow));
    more.hidden = sorted.length <= most;
    more.textContent = `Show all ${count(sorted.length)} rows`;
  }
  function makeRow(row) {
    return make("tr", {}, ...columns.map((column) => {
      const value = column.value(row);
      const classes = [column.text ? "text" : "", column.class?.(row) ?? ""].join(" ").trim();
      return make("td", classes ? { class: classes } : {},
        value instanceof Node ? value : (column.format ?? String)(value));
    }));
  }
  function sort(column, head) {
    const descending = head.getAttribute("aria-sort") !== "descending";
    for (const each of heads) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const key = column.key ?? column.value;
    const order = (a, b) => (a === b ? 0 : a === null || a < b ? -1 : 1);
    sorted = [...rows].sort((a, b) => (descending ? -1 : 1) * order(key(a), key(b)));
    fill(body.childElementCount);
  }
  const heads = columns.map((column) => {
    const head = make("th", { scope: "col", class: column.text ? "text" : undefined });
    head.append(make("button", { type: "button", onclick: () => sort(column, head) }, column.name));
    return head;
  });
  fill(kFirstRows);
  return make("div", { class: "scroll" },
    make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, ...heads)), body), more);
}
