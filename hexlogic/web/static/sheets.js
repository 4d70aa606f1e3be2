// A sheet in GDL played step by step: text and moves are the state, and everything shown follows from them.

import { ask } from "./api.js";
import { goTo, startEditor, underline } from "./editor.js";
import { Picture } from "./picture.js";
import { Task } from "./task.js";

const element = (id) => document.getElementById(id);
const PAUSE_MS = 400; // between the last key and the question
const EXAMPLE = "follow-line-tabled";
const YOU = "you";
const PLAYERS = [YOU, "random", "uct:100", "uct:1000", "uct"];
const SIZES = { hex: "3", y: "4", havannah: "3", "tic-tac-toe-3d": "3" };

let state = { text: "", moves: [] };
let players = []; // by role, who chooses its moves
let paused = false;
let shown = null; // what the server says of them
let chosen = []; // by role, the move that was chosen of several
let waiting = null;
const task = new Task(element("task"), complain);
const checking = new Task(element("checked"), complain);
const picture = new Picture(element("board"), clicked);

const say = (text) => (element("status").textContent = text);

function complain(error) {
  element("problem").textContent = error.message;
}

function writeLink() {
  const parts = { text: state.text, moves: JSON.stringify(state.moves), players: players.join(",") };
  history.replaceState(null, "", "#" + Object.entries(parts).map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&"));
}

async function open() {
  const values = new URLSearchParams(location.hash.slice(1));
  try {
    const { names, text, games } = await ask("example", { size: "3", name: EXAMPLE });
    element("kind").replaceChildren(...games.map((name) => new Option(name)));
    element("kind").value = "hex";
    list(names, EXAMPLE);
    players = (values.get("players") ?? "").split(",").filter((name) => PLAYERS.includes(name));
    paused = players.some((name) => name !== YOU); // what a link brings waits to be let go
    state = { text: values.get("text") ?? text, moves: JSON.parse(values.get("moves") ?? "[]") };
  } catch (error) {
    complain(error);
    return;
  }
  element("text").value = state.text;
  await show();
}

function list(names, chosen) {
  element("rules").replaceChildren(...names.map((name) => new Option(name)));
  element("rules").value = chosen;
}

// Ask what the state is now; a slip leaves the picture as it was.
async function show() {
  writeLink();
  element("problem").textContent = "";
  const found = await task.run("working the state out", (signal) => ask("sheet", state, signal));
  if (found === undefined) return;
  tell(found.findings ?? []);
  underline([...(found.findings ?? []), { ...found.problem, kind: "error" }]);
  element("problem").textContent = found.problem?.message ?? "";
  if (found.problem) {
    say(found.problem.line ? "the sheet has a slip" : "the sheet cannot be played on");
    buttons([], []);
    return;
  }
  shown = found;
  chosen = shown.legal.map((moves) => (moves.length === 1 ? moves[0] : null));
  try {
    await picture.show(shown);
  } catch (error) {
    complain(error);
    return;
  }
  draw();
  await think();
}

// Let the strategies move, once every role that a person plays has chosen.
async function think() {
  const { roles, legal, over } = shown;
  const strategy = (number) => (legal[number].length > 1 && players[number] !== YOU ? players[number] : null);
  const asked = roles.map((_, number) => strategy(number));
  if (over || paused || asked.every((name) => name === null)) return;
  if (roles.some((_, number) => asked[number] === null && chosen[number] === null)) return;
  const message = { ...state, players: asked, seed: state.moves.length };
  const found = await task.run(`${asked.filter(Boolean).join(" and ")} thinks`, (signal) => ask("choose", message, signal));
  if (found === undefined) {
    pause(true);
    return;
  }
  if (found.problem) {
    pause(true);
    complain(found.problem);
    return;
  }
  await step([...state.moves, roles.map((_, number) => found.moves[number] ?? chosen[number])]);
}

function pause(whether) {
  paused = whether;
  element("pause").setAttribute("aria-pressed", String(paused));
}

// Who plays each role.
function choosePlayers(roles) {
  players = roles.map((_, number) => players[number] ?? YOU);
  element("pause").disabled = players.every((name) => name === YOU);
  element("pause").setAttribute("aria-pressed", String(paused));
  const known = [...element("players").querySelectorAll("select")].map((select) => select.dataset.role).join();
  if (known !== roles.join()) element("players").replaceChildren(...roles.map(playerOf));
  for (const [number, select] of element("players").querySelectorAll("select").entries()) select.value = players[number];
}

function playerOf(role, number) {
  const label = Object.assign(document.createElement("label"), { textContent: `${role} ` });
  const select = document.createElement("select");
  select.dataset.role = role;
  select.append(...PLAYERS.map((name) => new Option(name)));
  select.onchange = () => {
    players[number] = select.value;
    pause(false);
    show();
  };
  label.append(select);
  return label;
}

function draw() {
  const { roles, legal, goals, over, facts, fired } = shown;
  const last = state.moves.length > 0 ? `, after ${state.moves.at(-1).join(" ")}` : "";
  const worth = roles.map((role, number) => `${role} ${goals[number].join(" or ") || "no goal"}`).join(", ");
  const movers = roles.filter((_, number) => legal[number].length > 1);
  say(over ? `the game is over: ${worth}` : `step ${state.moves.length + 1}${last}: ${movers.join(" and ") || "nobody"} can choose`);
  element("facts").textContent = facts.join(" ");
  element("fired").replaceChildren(...fired.map(({ line, rule }) => place(line, `line ${line}: ${rule}`)));
  choosePlayers(roles);
  element("undo").disabled = element("restart").disabled = state.moves.length === 0;
  buttons(roles, legal);
}

// The legal moves of each role as buttons; a role with one move need not be asked.
function buttons(roles, legal) {
  const groups = roles.flatMap((role, number) => {
    if (legal[number].length === 0) return [];
    const group = Object.assign(document.createElement("div"), { className: "buttons", role: "group" });
    group.setAttribute("aria-label", `Moves of ${role}`);
    group.append(Object.assign(document.createElement("b"), { textContent: role }));
    for (const move of legal[number]) {
      const button = Object.assign(document.createElement("button"), { textContent: move });
      button.setAttribute("aria-pressed", String(chosen[number] === move && legal[number].length > 1));
      button.onclick = () => choose(number, move);
      group.append(button);
    }
    return [group];
  });
  element("moves").replaceChildren(...groups);
}

// A move of a role; when every role has one, they are played.
function choose(number, move) {
  chosen[number] = move;
  draw();
  if (chosen.includes(null)) think();
  else step([...state.moves, chosen]);
}

function step(moves) {
  state = { ...state, moves };
  return show();
}

// A click on a cell is the legal move that names it, where there is one.
function clicked(name) {
  const naming = new RegExp(`[( ]${name}[) ]`);
  for (const [number, moves] of (shown?.legal ?? []).entries()) {
    const found = moves.filter((move) => naming.test(move));
    if (found.length === 1) {
      choose(number, found[0]);
      return;
    }
  }
}

function place(line, words) {
  const item = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { textContent: words });
  button.onclick = () => goTo(line);
  item.append(button);
  return item;
}

function tell(findings) {
  element("findings").replaceChildren(...findings.map(({ line, message }) => place(line, message)));
}

function setText(text) {
  element("text").value = text;
  state = { text, moves: [] };
  players = [];
  pause(false);
  return show();
}

element("text").oninput = () => {
  clearTimeout(waiting);
  underline([]);
  waiting = setTimeout(() => setText(element("text").value), PAUSE_MS);
};
element("load").onclick = async () => {
  try {
    const [game, size, name] = ["kind", "size", "rules"].map((id) => element(id).value.trim());
    await setText((await ask("example", { game, size, name })).text);
  } catch (error) {
    complain(error);
  }
};
element("kind").onchange = async () => {
  const game = element("kind").value;
  element("size").value = SIZES[game] ?? "3";
  try {
    const { names, name, text } = await ask("example", { game, size: element("size").value, name: "" });
    list(names, name);
    await setText(text);
  } catch (error) {
    complain(error);
  }
};
element("file").onchange = async () => {
  const [file] = element("file").files;
  if (file) await setText(await file.text());
};
element("check").onclick = async () => {
  const found = await checking.run("checking", (signal) => ask("check", { text: state.text }, signal));
  if (found === undefined) return;
  element("problem").textContent = found.problem?.message ?? "";
  const findings = found.findings ?? [];
  tell(findings);
  underline([...findings, { ...found.problem, kind: "error" }]);
  if (!found.problem) say(`${found.rules} rules, ${found.games} random games: ${findings.length || "no"} findings`);
};
element("pause").onclick = () => {
  pause(!paused);
  show();
};
element("undo").onclick = () => {
  if (players.some((name) => name !== YOU)) pause(true);
  step(state.moves.slice(0, -1));
};
element("restart").onclick = () => {
  if (players.some((name) => name !== YOU)) pause(true);
  step([]);
};
addEventListener("hashchange", open);
startEditor();
open();
