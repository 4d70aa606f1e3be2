// The page on which a game is played: the moves are the state, and everything shown follows from them.

import { ask } from "./api.js";
import { Board } from "./board.js";
import { readLink, writeLink } from "./link.js";
import { Why } from "./why.js";

const element = (id) => document.getElementById(id);
const YOU = "you";

let game = null; // size, red, blue, swap, moves
let board = null;
let shown = null; // what the server says of the moves
let paused = false;
let running = null; // the AbortController of whatever was asked last
let players = [];
const why = new Why(complain);

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

async function open(next) {
  const signal = begin();
  try {
    if (board === null || game.size !== next.size) {
      const info = await ask("board", { size: next.size }, signal);
      players = info.players;
      board = new Board(element("board"), info, clicked);
    }
    await show(next, signal);
  } catch (error) {
    complain(error);
  }
}

async function show(next, signal) {
  shown = await ask("state", { size: next.size, moves: next.moves }, signal);
  shown.moves = next.moves;
  game = next;
  history.replaceState(null, "", writeLink(game));
  draw();
  why.update(board, { size: game.size, moves: game.moves }, shown.to_move);
  if (shown.winner === null && mover() !== YOU && !paused) await think(signal);
}

async function think(signal) {
  const message = { size: game.size, moves: game.moves, player: mover(), seed: game.moves.length, swap: game.swap };
  say(`${turn()} (${mover()}) thinks`);
  element("board").setAttribute("aria-busy", "true");
  try {
    const { action } = await ask("move", message, signal);
    await show({ ...game, moves: [...game.moves, action] }, signal);
  } finally {
    element("board").removeAttribute("aria-busy");
  }
}

// The turn changes at once; the server confirms it.
async function play(action) {
  const before = game;
  const signal = begin();
  game = { ...game, moves: [...game.moves, action] };
  say(`${turn()} to move`);
  try {
    await show(game, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (game.moves.length > before.moves.length && shown.moves !== game.moves) await open(before);
    complain(error);
  }
}

function clicked(name) {
  if (shown === null || shown.winner !== null || mover() !== YOU || board.cells.get(name).owner !== "empty") return;
  board.stone(name, turn());
  play(name);
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
  if (shown.winner !== null || mover() !== YOU) return;
  const signal = begin();
  try {
    say("looking for a hint");
    const { action } = await ask("move", { size: game.size, moves: game.moves }, signal);
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
  if (shown.chain.length > 0) board.markChain(shown.chain);
  const who = mover() === YOU ? "" : ` (${mover()})`;
  const chain = shown.chain.length > 0 ? `: ${shown.chain.join(" ")}` : "";
  say(shown.winner === null ? `${turn()}${who} to move` : `${shown.winner} has won${chain}`);
  const yours = shown.winner === null && mover() === YOU;
  element("undo").disabled = game.moves.length === 0;
  element("swap").disabled = !(yours && game.swap && shown.can_swap);
  element("hint").disabled = !yours;
  element("pause").disabled = game.red === YOU && game.blue === YOU;
  element("pause").setAttribute("aria-pressed", String(paused));
  element("size").value = game.size;
  element("may-swap").checked = game.swap;
  for (const colour of ["red", "blue"]) choices(element(colour), game[colour]);
  element("moves").replaceChildren(...game.moves.map((move) => Object.assign(document.createElement("li"), { textContent: move })));
}

function choices(select, chosen) {
  const names = [YOU, ...players];
  if (!names.includes(chosen)) names.push(chosen);
  if (select.options.length !== names.length) {
    select.replaceChildren(...names.map((name) => new Option(name === "best:1" ? "best:1 (weakest)" : name, name)));
  }
  select.value = chosen;
}

async function write(format) {
  try {
    element("problem").textContent = "";
    element("text").value = (await ask("write", { size: game.size, moves: game.moves, format })).text.trim();
  } catch (error) {
    complain(error);
  }
}

async function read() {
  try {
    element("problem").textContent = "";
    const { size, moves } = await ask("read", { text: element("text").value });
    paused = game.red !== YOU || game.blue !== YOU;
    await open({ ...game, size, moves });
  } catch (error) {
    complain(error);
  }
}

element("undo").onclick = undo;
element("hint").onclick = hint;
element("swap").onclick = () => play("swap-pieces");
element("pause").onclick = () => {
  paused = !paused;
  open(game);
};
element("new").onclick = () => {
  paused = false;
  open({ ...game, size: element("size").value.trim(), moves: [] });
};
element("size").onchange = element("new").onclick;
element("may-swap").onchange = () => open({ ...game, swap: element("may-swap").checked });
for (const colour of ["red", "blue"]) element(colour).onchange = () => open({ ...game, [colour]: element(colour).value });
element("read").onclick = read;
for (const format of ["sgf", "hexworld"]) element(`write-${format}`).onclick = () => write(format);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "u") undo();
  if (event.key === "h") hint();
});
addEventListener("hashchange", () => open(readLink(location.hash)));
open(readLink(location.hash));
