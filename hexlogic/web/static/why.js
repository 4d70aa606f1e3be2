// What is shown over the board on demand. One choice at a time; it follows the moves.

import { ask } from "./api.js";
import { Certificate } from "./certificate.js";
import { Task } from "./task.js";

const element = (id) => document.getElementById(id);
const MOST_LISTED = 16; // cells; the board shows all
const MOST_OPEN = 12; // steps of a derivation that is shown whole

function listed(names) {
  if (names.length === 0) return "no cell";
  const more = names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : "";
  return names.slice(0, MOST_LISTED).join(" ") + more;
}

const stepsOf = (tree) => tree.premises.reduce((sum, premise) => sum + stepsOf(premise), 1);

const ANY_GAME = ["nothing", "facts"]; // choices that are not for Hex only
const COMPILED_MS = 5000; // what takes longer waits for machine code, which is made once

export class Why {
  // `complain` gets the errors.
  constructor(complain) {
    this.complain = complain;
    this.task = new Task(element("why-task"), complain);
    this.choice = element("why");
    this.choice.onchange = () => this.update();
    element("facts-of").onchange = () => this.#light();
    this.cells = {}; // by pattern, the names of the cells
  }

  // Show the choice for this board, these moves, whose turn it is, and these stones.
  async update(board = this.board, message = this.message, turn = this.turn, stones = this.stones) {
    Object.assign(this, { board, message, turn, stones });
    if (board === undefined) return; // no game is there yet
    for (const option of this.choice.options) option.disabled = board.info.game !== "hex" && !ANY_GAME.includes(option.value);
    if (this.choice.selectedOptions[0]?.disabled) this.choice.value = "nothing";
    element("facts-of-box").hidden = this.choice.value !== "facts";
    board.clearShades();
    if (this.stepped) board.draw(stones); // the stones of a certificate go
    this.stepped = false;
    element("certificate").replaceChildren();
    this.running?.abort();
    this.running = new AbortController(); // for what is asked about what is shown
    element("why-words").textContent = "";
    element("connections").replaceChildren();
    element("derivation").replaceChildren();
    const { value } = this.choice;
    if (value === "nothing") this.task.abort();
    else await this.#run("looking", (signal) => this.#show(value, signal));
  }

  // What `work` comes to, with a spinner and a way to stop it.
  #run(words, work) {
    return this.task.run(words, async (signal, far) => {
      const late = setTimeout(() => far("machine code is made the first time"), COMPILED_MS);
      try {
        return await work(signal);
      } finally {
        clearTimeout(late);
      }
    });
  }

  async #show(choice, signal) {
    const words = (text) => (element("why-words").textContent = text);
    if (choice === "connections" || choice === "must-play") {
      const { connections, must_play } = await ask("connections", this.message, signal);
      if (choice === "connections") {
        words(connections.length > 0 ? "Choose a connection:" : "No connections between stones and edges.");
        element("connections").replaceChildren(...connections.map((one, place) => this.#connection(one, place)));
      } else {
        this.board.shade(must_play, this.turn);
        const free = this.board.info.cells.length - this.stones.red.length - this.stones.blue.length;
        if (must_play.length === 0) words(`${this.turn} cannot stop the opponent`);
        else words(must_play.length === free ? `${this.turn} may play anywhere` : `${this.turn} must play ${listed(must_play)}`);
      }
    } else if (choice === "current-red" || choice === "current-blue") {
      const player = choice.slice("current-".length);
      const { current } = await ask("current", { ...this.message, player }, signal);
      for (const [name, share] of Object.entries(current)) this.board.shade([name], player, 0.75 * share);
      const most = Object.entries(current).sort((one, other) => other[1] - one[1]).slice(0, 3);
      words(`Most current of ${player}: ${listed(most.map(([name]) => name))}`);
    } else if (choice === "facts") {
      const { problem, rules, cells } = await ask("facts", this.message, signal);
      if (problem) throw new Error(problem.message);
      this.cells = cells;
      const patterns = Object.keys(cells);
      const kept = patterns.includes(this.pattern) ? this.pattern : patterns[0];
      element("facts-of").replaceChildren(...patterns.map((pattern) => new Option(pattern)));
      element("facts-of").value = kept ?? "";
      words(patterns.length > 0 ? `derived by ${rules}` : `${rules} derives nothing yet`);
      this.#light();
    } else if (choice === "solver") {
      const { winner, move, proof, positions } = await ask("solve", this.message, signal);
      if (winner === null) {
        words(`Not solved with ${positions} positions.`);
        return;
      }
      this.board.shade(proof, winner);
      const plays = move === null ? "" : `, ${this.turn} plays ${move}`;
      words(`${winner} wins with best play${plays} (${positions} positions); cells needed: ${listed(proof)}`);
      const step = document.createElement("button");
      step.textContent = "Step through the certificate";
      step.onclick = () => this.#certificate(step);
      element("certificate").replaceChildren(step);
    }
  }

  // The cells of the chosen pattern.
  #light() {
    this.pattern = element("facts-of").value;
    this.board.clearShades();
    this.board.shade(this.cells[this.pattern] ?? [], "lit");
  }

  async #certificate(step) {
    step.disabled = true;
    const found = await this.#run("making the certificate", (signal) => ask("certificate", this.message, signal));
    step.disabled = false;
    if (found === undefined) return;
    if (found.tree === null) {
      element("why-words").textContent = "There is nothing left to step through.";
      return;
    }
    this.stepped = true;
    new Certificate(element("certificate"), this.board, found.winner, found.tree, this.stones, this.turn);
  }

  #connection(one, place) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const kind = one.kind === "full" ? "full" : "if it moves next";
    button.textContent = `${one.player} ${one.ends.join(" - ")}, ${kind}: ${listed(one.carrier)}`;
    button.onclick = async () => {
      this.board.clearShades();
      this.board.shade(one.carrier, one.player);
      try {
        const tree = await ask("derivation", { ...this.message, place }, this.running.signal);
        element("derivation").replaceChildren(this.#step(tree, one.player, true, stepsOf(tree) <= MOST_OPEN));
      } catch (error) {
        if (error.name !== "AbortError") this.complain(error);
      }
    };
    item.append(button);
    return item;
  }

  // A step of a derivation; pressed, it shows its carrier alone, and opens or closes what it follows from; `open` says
  // whether that is shown at once, `all` whether it is with the steps below too.
  #step(tree, player, open, all) {
    const item = document.createElement("li");
    const last = tree.premises.length === 0;
    const textContent = tree.carrier.length > 0 ? tree.text.replace(tree.carrier.join(" "), listed(tree.carrier)) : tree.text;
    const step = Object.assign(document.createElement(last ? "button" : "summary"), { className: "step", textContent });
    step.onclick = () => {
      this.board.clearShades();
      this.board.shade(tree.carrier, player);
    };
    if (last) {
      item.append(step);
      return item;
    }
    const list = document.createElement("ul");
    const premises = Object.assign(document.createElement("details"), { open });
    const fill = () => {
      if (premises.open && list.children.length === 0) list.append(...tree.premises.map((premise) => this.#step(premise, player, all, all)));
    };
    premises.ontoggle = fill;
    premises.append(step, list);
    fill();
    item.append(premises);
    return item;
  }
}
