// The page on which a game is played: the moves are the state, and everything shown follows from them.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { BEGIN, readLink, writeLink } from "./link.js";
import { Task } from "./task.js";
import { Tree } from "./tree.js";
import { Why } from "./why.js";

const element = (id) => document.getElementById(id);
const YOU = "you";

let game = BEGIN; // kind, size, red, blue, swap, clock, used, moves
let board = null;
let shown = null; // what the server says of the moves
let paused = false;
let running = null; // the AbortController of whatever was asked last
let players = [];
let kinds = [];
let tree = null; // what was played on this board in this window
const why = new Why(complain);
const thinking = new Task(element("task"), complain);
thinking.stop.onclick = () => element("pause").click();
const message = (moves = game.moves) => ({ game: game.kind, size: game.size, moves });
const over = () => shown === null || shown.winner !== null || shown.drawn;
const clocks = new Clocks(() => (over() || paused ? null : turn()), late);

const turn = () => (game.moves.length % 2 === 0 ? "red" : "blue");
const mover = () => game[turn()];

function complain(error) {
  if (error.name !== "AbortError") element("problem").textContent = error.message;
}

// Begin something that makes whatever was under way superfluous.
function begin() {
  running?.abort();
  running = new AbortController();
  element("problem").textContent = "";
  return running.signal;
}

// `entry` makes an entry in the history of the browser, so that its Back leads to what is shown now.
async function open(next, entry = false) {
  const signal = begin();
  if (shown === null) say("starting");
  try {
    if (board === null || game.size !== next.size || game.kind !== next.kind) {
      const info = await ask("board", { game: next.kind, size: next.size }, signal);
      players = info.players;
      kinds = info.games;
      board = new Board(element("board"), info, clicked);
      tree = new Tree(`${next.kind} ${next.size}`);
      zoom(board.cellWidth() < SMALL);
      // A page without a server has other players.
      const known = (name) => (name === YOU || info.usual === undefined || players.includes(name) ? name : info.usual);
      next = { ...next, red: known(next.red), blue: known(next.blue) };
    }
    await show(next, signal, entry);
  } catch (error) {
    complain(error);
    if (shown === null) element("size").value = next.size; // nothing is drawn yet that could be changed
  }
}

async function show(next, signal, entry = false) {
  shown = await ask("state", { game: next.kind, size: next.size, moves: next.moves }, signal);
  shown.moves = next.moves;
  game = next;
  if (entry && writeLink(game) !== location.hash) history.pushState(null, "", writeLink(game));
  else history.replaceState(null, "", writeLink(game));
  tree.add(game.moves);
  draw();
  why.update(board, message(), shown.to_move, shown);
  if (!over() && mover() !== YOU && !paused) await think(signal);
}

async function think(signal) {
  const asked = { ...message(), player: mover(), seed: game.moves.length, swap: game.swap };
  say(`${turn()} (${mover()}) thinks`);
  element("board").setAttribute("aria-busy", "true");
  const found = await thinking.run(`${mover()} thinks`, (stopped) => ask("move", asked, AbortSignal.any([signal, stopped])));
  element("board").removeAttribute("aria-busy");
  tellCompiling();
  if (found !== undefined && !signal.aborted) await show({ ...game, moves: [...game.moves, found.action] }, signal);
}

function late(player) {
  const words = `the time of ${player} is over`;
  play("resign").then(() => (element("problem").textContent = words));
}

// The turn changes at once; the server confirms it.
async function play(action) {
  if (over()) return;
  const before = game;
  const signal = begin();
  game = { ...game, moves: [...game.moves, action] };
  say(`${turn()} to move`);
  try {
    await show(game, signal, true);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (game.moves.length > before.moves.length && shown.moves !== game.moves) await open(before);
    complain(error);
  }
}

function clicked(name) {
  if (over() || mover() !== YOU || board.cells.get(name).owner !== "empty") return;
  board.stone(name, turn());
  play(name);
}

// To another place of the game: where a strategy is to move there, the game waits.
function goTo(moves) {
  const there = moves.length % 2 === 0 ? game.red : game.blue;
  if (there !== YOU) paused = true;
  else if (game.red === YOU || game.blue === YOU) paused = false;
  open({ ...game, moves }, true);
}

function back() {
  if (game.moves.length > 0) goTo(game.moves.slice(0, -1));
}

function forward() {
  const [next] = tree?.after(game.moves) ?? [];
  if (next !== undefined) goTo([...game.moves, next]);
}

const link = (text, moves) => Object.assign(document.createElement("button"), { textContent: text, onclick: () => goTo(moves) });

function drawMoves() {
  const after = tree.after(game.moves);
  element("back").disabled = game.moves.length === 0;
  element("forward").disabled = after.length === 0;
  element("moves").replaceChildren(
    ...game.moves.map((move, place) => {
      const item = document.createElement("li");
      item.append(link(move, game.moves.slice(0, place + 1)));
      if (place === game.moves.length - 1) item.firstChild.setAttribute("aria-current", "step");
      return item;
    }),
  );
  // The other moves that were played in the place of the last one, and what was played next.
  const before = game.moves.slice(0, -1);
  const instead = game.moves.length === 0 ? [] : tree.after(before).filter((move) => move !== game.moves.at(-1));
  const part = (words, moves, from) => (moves.length === 0 ? [] : [words, ...moves.map((move) => link(move, [...from, move]))]);
  element("variations").replaceChildren(...part("Instead:", instead, before), ...part("Next:", after, game.moves));
  element("variations").hidden = instead.length + after.length === 0;
}

const SMALL = 16; // pixels of a cell that no finger meets
const LARGE = 36;

function zoom(large) {
  const holder = element("board");
  holder.classList.toggle("zoomed", large);
  board.svg.style.width = large ? `${Math.max(holder.clientWidth, Math.round(LARGE * board.width()))}px` : "";
  element("zoom").setAttribute("aria-pressed", String(large));
  lookAtLast();
}

function lookAtLast() {
  if (element("board").classList.contains("zoomed")) board.marks.querySelector(".last")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Say that kernels are compiled while the page waits for what they would answer sooner.
async function tellCompiling() {
  try {
    const { seconds_left: left } = await ask("compiling", {});
    element("compiling").textContent = left > 0 ? `compiling, ${Math.ceil(left)} s left, about` : "";
    if (left > 0) setTimeout(tellCompiling, 2000);
  } catch {
    element("compiling").textContent = "";
  }
}

function undo() {
  if (game.moves.length === 0) return;
  const moves = game.moves.slice(0, -1);
  // Back to a turn of a person; where there is none, the game waits.
  const whose = (count) => (count % 2 === 0 ? game.red : game.blue);
  while (moves.length > 0 && whose(moves.length) !== YOU) moves.pop();
  if (whose(moves.length) !== YOU) paused = true;
  open({ ...game, moves });
}

async function hint() {
  if (over() || mover() !== YOU) return;
  const signal = begin();
  try {
    say("looking for a hint");
    const { action } = await ask("move", message(), signal);
    tellCompiling();
    draw();
    board.markHint(action);
    say(`hint for ${turn()}: ${action}`);
  } catch (error) {
    complain(error);
  }
}

const say = (text) => (element("status").textContent = text);

function draw() {
  board.draw(shown);
  board.clearMarks();
  if (shown.last && board.cells.has(shown.last)) board.markLast(shown.last);
  lookAtLast();
  if (shown.chain.length > 0) board.markChain(shown.chain);
  const who = mover() === YOU ? "" : ` (${mover()})`;
  const chain = shown.chain.length > 0 ? `: ${shown.chain.join(" ")}` : "";
  const playing = shown.drawn ? "the board is full and nobody has won" : `${turn()}${who} to move`;
  say(shown.winner === null ? playing : `${shown.winner} has won${chain}`);
  const yours = !over() && mover() === YOU;
  clocks.show(game);
  element("undo").disabled = game.moves.length === 0;
  element("swap").disabled = !(yours && game.swap && shown.can_swap);
  element("hint").disabled = !yours;
  element("pause").disabled = game.red === YOU && game.blue === YOU;
  element("pause").setAttribute("aria-pressed", String(paused));
  element("size").value = game.size;
  element("may-swap").checked = game.swap;
  element("clock").value = game.clock;
  element("text-box").hidden = game.kind !== "hex";
  document.title = game.kind === "hex" ? "Hex" : board.info.title;
  for (const colour of ["red", "blue"]) choices(element(colour), [YOU, ...players], game[colour]);
  choices(element("kind"), kinds, game.kind);
  drawMoves();
}

const NAMES = { "best:1": "best:1 (weakest)", "best:9": "best:9 (strongest)" };

function choices(select, names, chosen) {
  const all = names.includes(chosen) ? names : [...names, chosen];
  if ([...select.options].map((option) => option.value).join() !== all.join()) {
    select.replaceChildren(...all.map((name) => new Option(NAMES[name] ?? name, name)));
  }
  select.value = chosen;
}

async function write(format) {
  try {
    element("problem").textContent = "";
    element("text").value = (await ask("write", { ...message(), format })).text.trim();
  } catch (error) {
    complain(error);
  }
}

async function read() {
  try {
    element("problem").textContent = "";
    const { size, moves } = await ask("read", { text: element("text").value });
    paused = game.red !== YOU || game.blue !== YOU;
    await open({ ...game, kind: "hex", size, moves }, true);
  } catch (error) {
    complain(error);
  }
}

element("undo").onclick = undo;
element("hint").onclick = hint;
element("swap").onclick = () => play("swap-pieces");
element("pause").onclick = () => {
  if (shown === null) return;
  paused = !paused;
  open(game);
};
element("back").onclick = back;
element("forward").onclick = forward;
element("zoom").onclick = () => zoom(element("zoom").getAttribute("aria-pressed") !== "true");
element("new").onclick = () => {
  paused = false;
  open({ ...game, size: element("size").value.trim(), used: [0, 0], moves: [] }, true);
};
const SIZES = { hex: "11", y: "8", havannah: "5", "tic-tac-toe-3d": "3" };
element("kind").onchange = () => {
  const kind = element("kind").value;
  const strong = kind === "hex" ? "best:5" : "playouts";
  const other = (player) => (player === YOU ? YOU : strong);
  paused = false;
  open({ ...game, kind, size: SIZES[kind] ?? "5", red: other(game.red), blue: other(game.blue), used: [0, 0], moves: [] }, true);
};
element("clock").onchange = () => open({ ...game, clock: Math.max(0, Number(element("clock").value) || 0), used: [0, 0] });
// A game that has begun is not given up for a number: New game does that, and Back brings the game again.
element("size").onchange = () => {
  if (game.moves.length === 0) element("new").click();
  else element("problem").textContent = "New game begins on a board of this size";
};
element("size").onkeydown = (event) => {
  if (event.key === "Enter" && game.moves.length > 0) element("new").click();
};
element("may-swap").onchange = () => open({ ...game, swap: element("may-swap").checked });
for (const colour of ["red", "blue"]) element(colour).onchange = () => open({ ...game, [colour]: element(colour).value });
element("read").onclick = read;
for (const format of ["sgf", "hexworld"]) element(`write-${format}`).onclick = () => write(format);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "u") undo();
  if (event.key === "h") hint();
  if (event.key === "b") back();
  if (event.key === "f") forward();
});
addEventListener("hashchange", () => open(readLink(location.hash)));
open(readLink(location.hash));
