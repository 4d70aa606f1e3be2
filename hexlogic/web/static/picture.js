// A state as a picture: a board with stones where the server found one, a drawing otherwise, or nothing.

import { ask } from "./api.js";
import { Board } from "./board.js";

export class Picture {
  // `onCell` is called with the name of a cell of a board; null where a click does nothing.
  constructor(holder, onCell) {
    this.holder = holder;
    this.onCell = onCell;
    this.board = null;
  }

  async show({ board, svg, last, chain }, signal) {
    if (board) {
      const game = board.game ?? "hex";
      if (this.board?.info.size !== board.size || this.board.info.game !== game) {
        this.board = new Board(this.holder, await ask("board", { game, size: board.size }, signal), this.onCell);
      }
      this.board.draw(board);
      this.board.clearMarks();
      if (last) this.board.markLast(last);
      if (chain?.length > 0) this.board.markChain(chain);
      return;
    }
    this.board = null;
    const drawing = svg ? new DOMParser().parseFromString(svg, "image/svg+xml").documentElement : null;
    this.holder.replaceChildren(...(drawing ? [document.importNode(drawing, true)] : []));
  }
}
