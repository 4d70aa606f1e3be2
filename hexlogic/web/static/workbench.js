// The workbench: rule text on the left, a board on the right; who has won and what holds follows text and stones.

import { ask } from "./api.js";
import { Board } from "./board.js";

const element = (id) => document.getElementById(id);
const NEXT = { empty: "red", red: "blue", blue: "empty" };
const PAUSE_MS = 250; // between the last key and the question

let board = null;
let state = null; // size, rules, text, other, pattern, pipeline, red, blue
let cells = {}; // by pattern, the names of the cells
let running = null;
let waiting = null;

const message = () => ({ text: state.text, size: state.size });

function complain(error) {
  if (error.name !== "AbortError") element("problem").textContent = error.message;
}

function readLink() {
  const values = new URLSearchParams(location.hash.slice(1));
  const names = (key) => (values.get(key) || "").split(",").filter(Boolean);
  return {
    size: values.get("size") || "5",
    rules: values.get("rules") || "follow-line-tabled",
    text: values.get("text"),
    other: values.get("other") || "clusters",
    pattern: values.get("pattern") || "",
    pipeline: values.get("pipeline") || "reorder,prune",
    red: names("red"),
    blue: names("blue"),
  };
}

function writeLink() {
  const parts = { ...state, red: state.red.join(","), blue: state.blue.join(",") };
  history.replaceState(null, "", "#" + Object.entries(parts).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&"));
}

async function open() {
  try {
    const next = readLink();
    const { names, text } = await ask("rules", { size: next.size, name: next.rules });
    for (const id of ["rules", "other"]) element(id).replaceChildren(...names.map((name) => new Option(name)));
    state = { ...next, text: next.text ?? text };
    element("rules").value = state.rules;
    element("other").value = state.other;
    element("text").value = state.text;
    element("size").value = state.size;
    element("pipeline").value = state.pipeline;
    board = new Board(element("board"), await ask("board", { size: state.size }), clicked);
    await evaluate();
  } catch (error) {
    complain(error);
  }
}

async function evaluate() {
  writeLink();
  board.draw(state);
  underline(null);
  running?.abort();
  running = new AbortController();
  element("board").setAttribute("aria-busy", "true");
  try {
    const found = await ask("evaluate", { ...message(), red: state.red, blue: state.blue }, running.signal);
    element("board").removeAttribute("aria-busy");
    underline(found.problem);
    cells = found.cells ?? {};
    const winners = found.winners ?? [];
    element("status").textContent = found.problem ? "the rules have a slip" : `won by these rules: ${winners.join(" and ") || "nobody"}`;
    const patterns = Object.keys(cells);
    if (state.pattern && !patterns.includes(state.pattern)) patterns.push(state.pattern);
    element("pattern").replaceChildren(new Option("nothing", ""), ...patterns.map((pattern) => new Option(pattern)));
    element("pattern").value = state.pattern;
    light();
  } catch (error) {
    if (error.name === "AbortError") return;
    element("board").removeAttribute("aria-busy");
    complain(error);
  }
}

function light() {
  board.clearShades();
  board.shade(cells[state.pattern] ?? [], "lit");
}

// Show a problem, and underline what stands at its place.
function underline(problem) {
  element("problem").textContent = problem?.message ?? "";
  const under = element("under");
  under.replaceChildren();
  if (!problem?.line) return;
  const lines = state.text.split("\n");
  const line = lines[problem.line - 1] ?? "";
  const start = lines.slice(0, problem.line - 1).reduce((sum, one) => sum + one.length + 1, 0) + (problem.column ?? 1) - 1;
  const word = state.text.slice(start).match(/^(\w+|[^\s\w])/)?.[0] ?? " ";
  const mark = document.createElement("mark");
  mark.textContent = word;
  under.append(state.text.slice(0, start), mark, line.length > 0 ? state.text.slice(start + word.length) : "");
  scroll();
}

function scroll() {
  element("under").scrollTop = element("text").scrollTop;
  element("under").scrollLeft = element("text").scrollLeft;
}

function clicked(name) {
  const owner = NEXT[board.cells.get(name).owner];
  for (const colour of ["red", "blue"]) state[colour] = state[colour].filter((other) => other !== name);
  if (owner !== "empty") state[owner] = [...state[owner], name];
  evaluate();
}

async function prove() {
  element("prove").disabled = true;
  element("sentence").textContent = "proving, up to a minute";
  try {
    const found = await ask("prove", { ...message(), name: state.other });
    underline(found.problem);
    element("sentence").textContent = found.sentence ?? "";
    if (found.refuted) {
      Object.assign(state, { red: found.red, blue: found.blue });
      await evaluate();
    }
  } catch (error) {
    element("sentence").textContent = "";
    complain(error);
  } finally {
    element("prove").disabled = false;
  }
}

element("text").oninput = () => {
  state.text = element("text").value;
  underline(null);
  clearTimeout(waiting);
  waiting = setTimeout(evaluate, PAUSE_MS);
};
element("text").onscroll = scroll;
element("pattern").onchange = () => {
  state.pattern = element("pattern").value;
  writeLink();
  light();
};
element("clear").onclick = () => {
  Object.assign(state, { red: [], blue: [] });
  evaluate();
};
element("other").onchange = () => {
  state.other = element("other").value;
  writeLink();
};
element("prove").onclick = prove;

// What each pass changes: removed lines begin with -, added ones with +.
element("show-passes").onclick = async () => {
  element("passes").textContent = "looking";
  try {
    const found = await ask("difference", { ...message(), pipeline: state.pipeline });
    underline(found.problem);
    element("passes").replaceChildren(...(found.steps ?? []).flatMap(pass));
  } catch (error) {
    element("passes").textContent = "";
    complain(error);
  }
};

function pass({ name, lines, left_out }) {
  const head = Object.assign(document.createElement("h2"), { textContent: lines.length > 0 ? name : `${name}: no change` });
  const body = document.createElement("pre");
  for (const line of lines) {
    const kind = line.startsWith("+") ? "ins" : "del";
    body.append(Object.assign(document.createElement(kind), { textContent: line }), "\n");
  }
  if (left_out > 0) body.append(`${left_out} more lines`);
  return lines.length > 0 ? [head, body] : [head];
}

element("pipeline").onchange = () => {
  state.pipeline = element("pipeline").value.trim();
  writeLink();
};

// Another rule set, or its text for another size; text of one's own stays.
async function change(values) {
  try {
    const before = (await ask("rules", { size: state.size, name: state.rules })).text;
    const next = { ...state, ...values };
    const after = (await ask("rules", { size: next.size, name: next.rules })).text;
    const own = next.rules === state.rules && state.text !== before;
    const size = await ask("board", { size: next.size });
    const known = (name) => size.cells.some((cell) => cell.name === name);
    state = { ...next, text: own ? state.text : after, red: next.red.filter(known), blue: next.blue.filter(known) };
    element("text").value = state.text;
    board = new Board(element("board"), size, clicked);
    await evaluate();
  } catch (error) {
    complain(error);
  }
}
element("rules").onchange = () => change({ rules: element("rules").value });
element("size").onchange = () => change({ size: element("size").value.trim() });
addEventListener("hashchange", open);
open();
