// Recorded games, stepped through: games of Hex and matches of general game players alike.

import { ask } from "./api.js";
import { Picture } from "./picture.js";

const element = (id) => document.getElementById(id);
const picture = new Picture(element("board"), null);

let titles = [];
let game = null; // title, words, frames, link
let number = 0;
let step = 0;

function complain(error) {
  element("problem").textContent = error.message;
}

async function open() {
  const values = new URLSearchParams(location.hash.slice(1));
  try {
    titles = (await ask("records", {})).titles;
    if (titles.length === 0) {
      element("status").textContent = "No games: begin with hexlogic play FILE, such as a game in SGF or tournament.jsonl.";
      return;
    }
    list();
    await load(Number(values.get("game")) || 0, Number(values.get("step")) || 0);
  } catch (error) {
    complain(error);
  }
}

// The games whose titles have all the words that were typed.
function list() {
  const words = element("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [...titles.entries()].filter(([, title]) => words.every((word) => title.toLowerCase().includes(word)));
  element("games").replaceChildren(...found.map(([place, title]) => new Option(title, place)));
  element("games").value = number;
  return found;
}

async function load(place, at) {
  element("problem").textContent = "";
  try {
    game = await ask("record", { number: place });
  } catch (error) {
    complain(error);
    return;
  }
  number = place;
  element("games").value = number;
  element("words").replaceChildren(...game.words.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  element("moves").replaceChildren(
    ...game.frames.slice(1).map((frame, before) => {
      const item = document.createElement("li");
      const button = Object.assign(document.createElement("button"), { textContent: frame.words });
      button.onclick = () => show(before + 1);
      item.append(button);
      return item;
    }),
  );
  await show(at);
}

async function show(at) {
  if (game === null) return;
  step = Math.min(Math.max(at, 0), game.frames.length - 1);
  const frame = game.frames[step];
  history.replaceState(null, "", `#game=${number}&step=${step}`);
  try {
    await picture.show(frame);
  } catch (error) {
    complain(error);
    return;
  }
  if (frame !== game.frames[step]) return; // another step was asked for meanwhile
  element("status").textContent = `${step} of ${game.frames.length - 1}: ${frame.words}`;
  element("problem").textContent = frame.faults.join("; ");
  element("facts").textContent = frame.rest.join(" ");
  element("first").disabled = element("back").disabled = step === 0;
  element("last").disabled = element("forward").disabled = step === game.frames.length - 1;
  for (const [place, item] of [...element("moves").children].entries()) {
    item.firstChild.setAttribute("aria-pressed", String(place + 1 === step));
  }
  element("play").hidden = game.link === null;
  if (game.link) {
    element("play").href = `./#size=${game.link.size}&red=you&blue=you&moves=${game.link.moves.slice(0, step).join(",")}`;
  }
}

const ways = { first: () => 0, back: () => step - 1, forward: () => step + 1, last: () => Infinity };
for (const [id, where] of Object.entries(ways)) element(id).onclick = () => show(where());
element("games").onchange = () => load(Number(element("games").value), 0);
element("find").oninput = () => {
  const found = list();
  if (found.length > 0 && !found.some(([place]) => place === number)) load(found[0][0], 0);
};
addEventListener("keydown", (event) => {
  if (game === null || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, .cell")) return;
  const where = { ArrowLeft: ways.back, ArrowRight: ways.forward, Home: ways.first, End: ways.last }[event.key];
  if (where === undefined) return;
  event.preventDefault();
  show(where());
});
addEventListener("hashchange", open);
open();
