"use strict";
// A table of one's own choice: what stands in rows and in columns, which configurations, and a baseline for ratios. The
// choice stands in the address after #, so that it can be sent.
(() => {
  const { fields, rows } = JSON.parse(document.getElementById("data").textContent);
  const at = Object.fromEntries(fields.map((name, place) => [name, place]));
  const axes = ["reformulation", "passes", "engine", "board", "mode", "suite"].filter((name) => name in at);
  const filters = ["suite", "mode", "board", "passes", "engine", "reformulation"];
  const form = document.getElementById("choice");
  const natural = (a, b) => a.localeCompare(b, "en", { numeric: true });
  const values = (name) => [...new Set(rows.map((row) => row[at[name]]))].sort(natural);
  const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const defaults = { rows: "reformulation", columns: "engine", value: "time", baseline: "" };
  for (const [key, value] of Object.entries(defaults)) state[key] ??= value;
  for (const key of ["rows", "columns"]) if (!axes.includes(state[key])) state[key] = defaults[key];

  const time = (s) => s >= 1 ? `${Number(s.toPrecision(2))} s` : s >= 1e-3 ? `${Number((s * 1e3).toPrecision(2))} ms`
    : `${Number((s * 1e6).toPrecision(2))} µs`;
  const ratio = (x) => `${x >= 100 ? Math.round(Number(x.toPrecision(2))).toLocaleString("en") : x.toPrecision(2)} x`;

  const select = (name, label, options, chosen) => {
    const field = document.createElement("label");
    field.textContent = `${label} `;
    const box = document.createElement("select");
    box.name = name;
    for (const [value, text] of options) box.add(new Option(text, value, false, value === chosen));
    box.addEventListener("change", () => { state[name] = box.value; draw(); });
    field.append(box);
    form.append(field);
  };

  const controls = () => {
    form.replaceChildren();
    const plain = (names) => names.map((name) => [name, name]);
    select("rows", "rows", plain(axes), state.rows);
    select("columns", "columns", plain(axes), state.columns);
    select("value", "show", plain(["time", "work", "runs"]), state.value);
    select("baseline", `ratio to ${state.columns}`, [["", "no ratio"], ...plain(values(state.columns))], state.baseline);
    // Each filter offers what the filters before it leave, and begins with the value that leaves the most times.
    let left = rows;
    for (const name of filters.filter((one) => one !== state.rows && one !== state.columns)) {
      const all = [...new Set(left.map((row) => row[at[name]]))].sort(natural);
      const count = (value) => left.filter((row) => row[at[name]] === value && row[at.time_s] !== null).length;
      if (!all.includes(state[name])) {
        state[name] = all.reduce((best, value) => count(value) > count(best) ? value : best, all[0]);
      }
      left = left.filter((row) => row[at[name]] === state[name]);
      select(name, name, plain(all), state[name]);
    }
  };

  const cell = (row, base) => {
    const td = document.createElement("td");
    td.className = "number";
    if (row === undefined) return td;
    const shown = row[at[state.value === "time" ? "time_s" : state.value]];
    td.title = `${row[at.status]}, ${row[at.runs]} runs\n${row[at.repeat]}`;
    if (shown === null) {
      td.textContent = state.value === "time" ? row[at.status] : "";
      td.classList.add(row[at.status] === "answered" ? "absent" : "late");
    } else if (state.baseline !== "") {
      const theirs = base?.[at[state.value === "time" ? "time_s" : state.value]] ?? null;
      td.textContent = theirs === null ? "no baseline" : ratio(theirs / shown);
      if (theirs === null) td.classList.add("absent");
    } else {
      td.textContent = state.value === "time" ? time(shown) : shown.toLocaleString("en");
    }
    return td;
  };

  const draw = () => {
    if (state.baseline !== "" && !values(state.columns).includes(state.baseline)) state.baseline = "";
    controls();
    const kept = rows.filter((row) => axes.every((name) =>
      name === state.rows || name === state.columns || row[at[name]] === state[name]));
    const find = (r, c) => kept.find((row) => row[at[state.rows]] === r && row[at[state.columns]] === c);
    const present = (name) => [...new Set(kept.map((row) => row[at[name]]))].sort(natural);
    const columns = present(state.columns);
    const head = document.createElement("tr");
    for (const text of [state.rows, ...columns]) {
      const th = document.createElement("th");
      th.textContent = text;
      head.append(th);
    }
    document.querySelector("#table-grid thead").replaceChildren(head);
    document.querySelector("#table-grid tbody").replaceChildren(...present(state.rows).map((name) => {
      const tr = document.createElement("tr");
      const first = document.createElement("td");
      first.textContent = name;
      tr.append(first, ...columns.map((column) => cell(find(name, column), find(name, state.baseline))));
      return tr;
    }));
    document.getElementById("said").textContent = `${kept.length} of ${rows.length} configurations`;
    const said = Object.entries(state).filter(([key, value]) => value !== "" && (key in defaults || axes.includes(key)));
    history.replaceState(null, "", `#${new URLSearchParams(said)}`);
  };
  addEventListener("hashchange", () => {
    Object.assign(state, Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    draw();
  });
  draw();
})();
