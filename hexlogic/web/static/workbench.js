// The workbench: rule text on the left, a board on the right; who has won and what holds follows text and stones.

import { ask, askInLines } from "./api.js";
import { Board } from "./board.js";
import { startEditor, underline } from "./editor.js";
import { Task } from "./task.js";

const element = (id) => document.getElementById(id);
const NEXT = { empty: "red", red: "blue", blue: "empty" };
const PAUSE_MS = 250; // between the last key and the question

let board = null;
let state = { ...readLink(), text: "" }; // game, size, rules, text, other, pattern, pipeline, red, blue, asked
let cells = {}; // by pattern, the names of the cells
let waiting = null;
let problems = { rules: null, asked: null }; // of the rules on the board, and of what was asked by a button

const task = new Task(element("task"), complain);
const looking = new Task(element("looking"), complain);
const message = () => ({ text: state.text, game: state.game, size: state.size });

function complain(error) {
  if (error.name !== "AbortError") element("problem").textContent = error.message;
}

function readLink() {
  const values = new URLSearchParams(location.hash.slice(1));
  const names = (key) => (values.get(key) || "").split(",").filter(Boolean);
  const game = values.get("game") || "hex";
  return {
    game,
    size: values.get("size") || "5",
    rules: values.get("rules") || (game === "hex" ? "follow-line-tabled" : ""), // of other games the reference
    text: values.get("text"),
    other: values.get("other") || (game === "hex" ? "clusters" : ""),
    pattern: values.get("pattern") || "",
    pipeline: values.get("pipeline") || "reorder,prune",
    red: names("red"),
    blue: names("blue"),
    asked: values.get("asked") || "", // the last of prove, why, cheaper, passes, work
  };
}

function writeLink() {
  if (board === null) return; // the address still says what to load
  const parts = { ...state, red: state.red.join(","), blue: state.blue.join(",") };
  history.replaceState(null, "", "#" + Object.entries(parts).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&"));
}

async function open() {
  try {
    const next = readLink();
    const { game, size } = next;
    const both = (signal, far) =>
      Promise.all([
        ask("board", { game, size }, signal, far),
        ask("rules", { game, size, name: next.rules }, signal, far),
      ]);
    const found = await looking.run("loading", both);
    if (found === undefined) return;
    const [info, rules] = found;
    const pattern = next.pattern || rules.pattern;
    state = { ...next, text: next.text ?? rules.text, rules: rules.name, other: next.other || another(rules), pattern };
    element("kind").replaceChildren(...info.games.map((name) => new Option(name)));
    element("kind").value = game;
    list(rules);
    element("text").value = state.text;
    element("pipeline").value = state.pipeline;
    board = new Board(element("board"), info, clicked);
    await evaluate();
    // What the sender of the link asked for is asked again.
    await ({ prove, why, cheaper, passes, work }[state.asked]?.());
  } catch (error) {
    complain(error);
  }
}

// A rule set to compare with.
const another = ({ names, name }) => names.find((other) => other !== name) ?? name;

function list({ names, groups }) {
  const options = (all) => all.map((name) => new Option(name));
  const grouped = groups.map(([label, all]) => {
    const group = Object.assign(document.createElement("optgroup"), { label });
    group.append(...options(all));
    return group;
  });
  element("rules").replaceChildren(...options(names), ...grouped);
  element("other").replaceChildren(...options(names));
  for (const id of ["rules", "other", "size"]) element(id).value = state[id];
}

async function evaluate() {
  if (board === null) return; // not loaded yet
  writeLink();
  board.draw(state);
  tell("rules", null);
  const asked = { ...message(), red: state.red, blue: state.blue };
  element("board").setAttribute("aria-busy", "true");
  const found = await looking.run("asking the rules", (signal) => ask("evaluate", asked, signal));
  if (looking.idle) element("board").removeAttribute("aria-busy");
  if (found === undefined) return;
  tell("rules", found.problem);
  cells = found.cells ?? {};
  const winners = found.winners ?? [];
  const wrong = found.problem?.line ? "the rules have a slip" : "the rules give no answer";
  const won = found.winners === null ? "no rule says who has won" : `won by these rules: ${winners.join(" and ") || "nobody"}`;
  element("status").textContent = found.problem ? wrong : won;
  element("note").textContent = found.note ?? "";
  const patterns = Object.keys(cells);
  if (state.pattern && !patterns.includes(state.pattern)) patterns.push(state.pattern);
  const choice = element("pattern");
  const values = ["", ...patterns];
  // Somebody may be choosing: a list that stays the same stays as it is.
  if (JSON.stringify([...choice.options].map((option) => option.value)) !== JSON.stringify(values))
    choice.replaceChildren(...values.map((value) => new Option(value || "nothing", value)));
  choice.value = state.pattern;
  light();
}

function light() {
  if (board === null) return;
  board.clearShades();
  board.shade(cells[state.pattern] ?? [], "lit");
}

// Either answer may come first: neither takes away what the other says.
function tell(source, problem) {
  problems[source] = problem ?? null;
  const shown = problems.asked ?? problems.rules;
  element("problem").textContent = shown?.message ?? "";
  underline([shown]);
}

function clicked(name) {
  const owner = NEXT[board.cells.get(name).owner];
  for (const colour of ["red", "blue"]) state[colour] = state[colour].filter((other) => other !== name);
  if (owner !== "empty") state[owner] = [...state[owner], name];
  evaluate();
}

// What a person asks for: it can be stopped, and the link keeps which it was.
function askFor(asked, words, route, values, told = (news, far) => far(news)) {
  const way = route === "difference" ? ask : askInLines;
  state.asked = asked;
  writeLink();
  tell("asked", null);
  return task.run(words, (signal, far) => way(route, { ...message(), ...values }, signal, (news) => told(news, far)));
}

// What was asked about a text, a board or stones that are no more: nothing to wait for, or to show.
function forget() {
  task.abort();
  tell("asked", null);
  for (const id of ["sentence", "bridge", "found", "passes", "work"]) element(id).replaceChildren();
}

async function prove() {
  element("sentence").textContent = "";
  const found = await askFor("prove", "proving", "prove", { name: state.other });
  if (found === undefined) return;
  element("sentence").textContent = found.sentence ?? "";
  if (found.refuted) {
    Object.assign(state, { red: found.red, blue: found.blue });
    await evaluate();
  }
  tell("asked", found.problem);
}

const make = (name, text, values = {}) => Object.assign(document.createElement(name), { textContent: text, ...values });
const scrolled = (text) => make("pre", text, { tabIndex: 0 });

// The bridge between the text and the other rule set on every board, or how far the search for one came.
async function why() {
  for (const id of ["sentence", "bridge"]) element(id).replaceChildren();
  const found = await askFor("why", "looking for a bridge", "why", { name: state.other });
  if (found === undefined) return;
  tell("asked", found.problem);
  element("sentence").textContent = found.sentence ?? "";
  if (found.lines?.length > 0) element("bridge").replaceChildren(scrolled(found.lines.join("\n")));
}
element("why").onclick = why;

// Programs with the same answers that cost less, shown as they are found.
async function cheaper() {
  element("found").replaceChildren();
  const show = (search) => element("found").replaceChildren(...search.found.flatMap((program) => cheapest(program, search)));
  const told = (news, far) => (typeof news === "string" ? far(news) : show(news));
  const found = await askFor("cheaper", "looking for cheaper programs", "cheaper", {}, told);
  if (found === undefined) return;
  tell("asked", found.problem);
  if (!found.search) return;
  show(found.search);
  const none = found.search.found.length > 0 ? "" : `nothing cheaper than ${counted(found.search.given)} was found: `;
  element("found").prepend(make("p", none + found.search.end));
}
element("cheaper").onclick = cheaper;

// A cost in words, each count with that of `before`.
const counted = (cost, before = {}) =>
  Object.entries(cost)
    .map(([name, count]) => [name.replaceAll("_", " "), count.toLocaleString("en"), before[name]?.toLocaleString("en")])
    .map(([name, now, then]) => `${name}: ${now}${then === undefined ? "" : ` (of ${then})`}`)
    .join(", ");

// A program with its cost, its text and its bridge, and a button that puts it into the editor.
function cheapest(program, search) {
  const take = make("button", "Edit this", { type: "button" });
  take.onclick = () => {
    element("text").value = program.text;
    element("text").dispatchEvent(new Event("input"));
  };
  const details = make("details", "");
  details.append(make("summary", "Why equal?"), make("p", program.sentence), scrolled(program.bridge));
  const costs = make("p", counted(program.cost, search.given));
  return [make("h2", `${program.name}, by ${program.move}`), costs, scrolled(program.text), take, details];
}

element("text").oninput = () => {
  state.text = element("text").value;
  forget();
  tell("rules", null);
  clearTimeout(waiting);
  waiting = setTimeout(evaluate, PAUSE_MS);
};
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
async function passes() {
  element("passes").replaceChildren();
  const found = await askFor("passes", "applying the passes", "difference", { pipeline: state.pipeline });
  if (found === undefined) return;
  tell("asked", found.problem);
  element("passes").replaceChildren(...(found.steps ?? []).flatMap(pass));
}
element("show-passes").onclick = passes;

// What each engine does to find out whether red has won here, as written and after each pass.
async function work() {
  element("work").replaceChildren();
  const { red, blue, pipeline } = state;
  const reports = [];
  const add = (report) => {
    reports.push(report);
    element("work").replaceChildren(table(reports));
  };
  const found = await askFor("work", "measuring", "work", { red, blue, pipeline }, add);
  if (found !== undefined) tell("asked", found.problem);
}
element("show-work").onclick = work;

// Reports `[stage, engine, words]` as a table: a row for each stage, a column for each engine.
function table(reports) {
  const stages = ["as written", ...state.pipeline.split(",")];
  const engines = [...new Set(reports.map(([, engine]) => engine))];
  const row = (kind, head, texts) => {
    const line = document.createElement("tr");
    line.append(make("th", head), ...texts.map((text) => make(kind, text)));
    return line;
  };
  const whole = document.createElement("table");
  whole.append(make("caption", "Work to find out whether red has won in this position"), row("th", "", engines));
  for (const [number, stage] of stages.entries()) {
    const told = (engine) => reports.find(([at, name]) => at === number && name === engine)?.[2] ?? "";
    whole.append(row("td", stage, engines.map(told)));
  }
  return whole;
}

function pass({ name, lines, left_out }) {
  const head = Object.assign(document.createElement("h2"), { textContent: lines.length > 0 ? name : `${name}: no change` });
  const body = Object.assign(document.createElement("pre"), { tabIndex: 0 }); // it scrolls
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

// Another rule set, or its text for another size or game; text of one's own stays as long as the game does.
async function change(values) {
  forget();
  try {
    const next = { ...state, ...values };
    const asked = ({ game, size, rules }) => ask("rules", { game, size, name: rules });
    const [before, after] = await Promise.all([asked(state), asked(next)]);
    const own = next.game === state.game && next.rules === state.rules && state.text !== before.text;
    const info = await ask("board", { game: next.game, size: next.size });
    const known = (name) => info.cells.some((cell) => cell.name === name);
    const stones = { red: next.red.filter(known), blue: next.blue.filter(known) };
    const other = after.names.includes(next.other) ? next.other : another(after);
    const kept = next.pattern === before.pattern ? "" : next.pattern; // what another text is asked for means nothing here
    const pattern = own ? next.pattern : after.pattern || kept;
    state = { ...next, ...stones, other, pattern, rules: after.name, text: own ? state.text : after.text };
    list(after);
    element("text").value = state.text;
    board = new Board(element("board"), info, clicked);
    await evaluate();
  } catch (error) {
    complain(error);
    for (const id of ["rules", "size"]) element(id).value = state[id];
    element("kind").value = state.game;
  }
}
const SIZES = { hex: "5", y: "5", havannah: "3", "tic-tac-toe-3d": "3" };
element("kind").onchange = () => {
  const game = element("kind").value;
  change({ game, size: SIZES[game] ?? "5", rules: "", red: [], blue: [], pattern: "" });
};
element("rules").onchange = () => change({ rules: element("rules").value });
element("size").onchange = () => change({ size: element("size").value.trim() });
addEventListener("hashchange", open);
startEditor();
open();
