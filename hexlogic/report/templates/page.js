"use strict";
// Tables sort by a click on a column's head and keep only the rows that fit the filters. Without this script the page
// shows everything in its first order.
for (const section of document.querySelectorAll("section.grid")) {
  const body = section.querySelector("tbody");
  const rows = [...body.rows];
  const heads = [...section.querySelectorAll("th")];
  const value = (row, column) => row.cells[column].dataset.value;

  const compare = (column) => (one, other) => {
    const [a, b] = [value(one, column), value(other, column)];
    if (a === "" || b === "") return (a === "") - (b === "");
    const [x, y] = [Number(a), Number(b)];
    return Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
  };

  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const upwards = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
      const order = compare(column);
      // What has no value stays at the end in both directions.
      const sorted = [...rows].sort((one, other) => {
        const missing = (value(one, column) === "") - (value(other, column) === "");
        return missing || (upwards ? order(one, other) : order(other, one));
      });
      for (const row of rows) row.classList.remove("group");
      body.append(...sorted);
    });
  });

  const tools = section.querySelector(".tools");
  if (tools === null) continue;
  const words = tools.querySelector("input");
  const choices = [...tools.querySelectorAll("select")];
  const count = tools.querySelector(".count");
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = wanted.every((word) => text.includes(word)) &&
        choices.every((choice) => choice.value === "" || row.cells[choice.dataset.column].textContent === choice.value);
      row.hidden = !fits;
      shown += fits;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
  };
  words.addEventListener("input", filter);
  for (const choice of choices) choice.addEventListener("change", filter);
  filter();
}
