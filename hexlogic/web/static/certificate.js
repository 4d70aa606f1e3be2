// The certificate of the solver, stepped through: the winner's move, or each move of the loser and what answers it.

const button = (text, onclick) => Object.assign(document.createElement("button"), { textContent: text, onclick });
const listed = (names) => (names.length > 0 ? names.join(" ") : "no cell");

export class Certificate {
  // `tree` is what the route `certificate` gives; `stones` and `turn` are those of its first node.
  constructor(holder, board, winner, tree, stones, turn) {
    Object.assign(this, { holder, board, winner, loser: winner === "red" ? "blue" : "red" });
    this.path = [{ node: tree, stones, turn, move: null }];
    this.#show();
  }

  #step(move, node) {
    const { stones, turn, node: here } = this.path.at(-1);
    const filled = { red: [...stones.red, ...here.red], blue: [...stones.blue, ...here.blue] };
    filled[turn] = [...filled[turn], move];
    this.path.push({ node, stones: filled, turn: turn === "red" ? "blue" : "red", move });
    this.#show();
  }

  #shade(carrier) {
    this.board.clearShades();
    this.board.shade(carrier, this.winner);
  }

  #show() {
    const { node, stones, turn, move } = this.path.at(-1);
    const { board, winner, loser } = this;
    board.draw(stones);
    board.clearMarks();
    board.clearShades();
    if (move !== null) board.markLast(move);
    for (const colour of ["red", "blue"]) board.shade(node[colour], colour, 0.25);
    const words = document.createElement("p");
    const buttons = Object.assign(document.createElement("div"), { className: "buttons" });
    const fill = [...node.red, ...node.blue];
    const filled = fill.length > 0 ? ` Filled in, as they change nothing: ${listed(fill)}.` : "";
    if (node.connection) {
      board.shade(node.connection, winner);
      words.textContent = `${winner} is connected${turn === winner ? ", moving next" : ""}: ${listed(node.connection)}.${filled} Derived in ${node.steps.length} steps:`;
      for (const { text, carrier } of node.steps) buttons.append(button(text, () => this.#shade(carrier)));
    } else if (node.move) {
      board.markHint(node.move);
      words.textContent = `${winner} plays ${node.move}.${filled}`;
      buttons.append(button(node.move, () => this.#step(node.move, node.then)));
    } else {
      const replies = Object.entries(node.replies);
      const count = node.threats.length;
      const threats = `${count} threat${count === 1 ? "" : "s"} of ${winner}`;
      words.textContent = `${loser} to move: ${threats}; each answers every move outside its cells. Then the moves that are left.${filled}`;
      for (const [number, threat] of node.threats.entries()) {
        buttons.append(button(`threat ${number + 1}`, () => this.#shade(threat)));
      }
      for (const [cell, reply] of replies) buttons.append(button(cell, () => this.#step(cell, reply)));
    }
    if (this.path.length > 1) {
      const back = () => {
        this.path.pop();
        this.#show();
      };
      buttons.append(button("Step back", back));
    }
    this.holder.replaceChildren(words, buttons);
  }
}
