// A board as SVG. Each cell is a button with a label such as "c4, red"; arrow keys go from cell to cell.

const SVG = "http://www.w3.org/2000/svg";
const TIP = 1 / Math.sqrt(3); // from the centre of a cell to its tip, in cell widths
const BAND = 0.78; // from the outermost centres to the edge of the coloured bands
const STONE = 0.38;

function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const points = (places) => places.map(([x, y]) => `${x.toFixed(3)},${y.toFixed(3)}`).join(" ");

export class Board {
  // `info` is what the route `board` says; `onCell` is called with the name of a cell, null where a click does nothing.
  constructor(holder, info, onCell) {
    this.info = info;
    this.cells = new Map(info.cells.map((cell) => [cell.name, { ...cell, owner: "empty" }]));
    this.onCell = onCell;
    this.shades = make("g", { class: "marks" });
    this.stones = make("g", { class: "marks" }); // above the shades
    this.marks = make("g", { class: "marks" });
    this.svg = make("svg", { role: "group", "aria-label": `board of ${info.title}: ${info.aim}` });
    const isHex = info.game === "hex";
    const [bands, labels] = isHex ? [this.#bands(), this.#labels()] : [[], this.#ends()];
    this.svg.append(...bands, ...info.cells.map((cell) => this.#cell(cell.name)), labels, this.shades, this.stones, this.marks);
    this.#frame(isHex ? [1.72, 1.3] : [1.5, 0.9]);
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    holder.replaceChildren(this.svg);
    this.#reach(info.cells[0].name);
  }

  // Put these stones on the board: objects from colours to cell names.
  draw({ red, blue }) {
    const owners = new Map([...red.map((name) => [name, "red"]), ...blue.map((name) => [name, "blue"])]);
    for (const name of this.cells.keys()) this.stone(name, owners.get(name) ?? "empty");
  }

  stone(name, owner) {
    const cell = this.cells.get(name);
    cell.owner = owner;
    cell.group.setAttribute("class", `cell ${owner}`);
    cell.group.setAttribute("aria-label", `${name}, ${owner}`);
    cell.stone?.remove();
    cell.stone = null;
    if (owner === "empty") return;
    cell.stone = make("g", {}, make("circle", { class: `stone stone-${owner}`, cx: cell.x, cy: cell.y, r: STONE }));
    if (owner === "blue") cell.stone.append(make("circle", { class: "ring", cx: cell.x, cy: cell.y, r: STONE * 0.6 }));
    this.stones.append(cell.stone);
  }

  // The board's width in cells, and a cell's width in pixels.
  width() {
    return this.svg.viewBox.baseVal.width;
  }

  cellWidth() {
    return this.svg.getBoundingClientRect().width / this.width();
  }

  clearMarks() {
    this.marks.replaceChildren();
  }

  // Lay a colour over cells: `kind` is a class of the style sheet.
  shade(names, kind, opacity = 0.55) {
    for (const name of names) {
      const shape = make("polygon", { class: `shade shade-${kind}`, "data-cell": name, points: points(this.#corners(name)) });
      shape.setAttribute("fill-opacity", opacity.toFixed(3));
      this.shades.append(shape);
    }
  }

  clearShades() {
    this.shades.replaceChildren();
  }

  markLast(name) {
    const { x, y } = this.cells.get(name);
    this.marks.append(make("circle", { class: "last", "data-cell": name, cx: x, cy: y, r: STONE * 0.3 }));
  }

  markHint(name) {
    const { x, y } = this.cells.get(name);
    this.marks.append(make("circle", { class: "hint", "data-cell": name, cx: x, cy: y, r: STONE * 0.8 }));
  }

  // The stones that win: a line through a chain of Hex, a dot on each stone of other games.
  markChain(names) {
    if (this.info.game !== "hex") {
      for (const name of names) {
        const { x, y } = this.cells.get(name);
        this.marks.append(make("circle", { class: "won", "data-cell": name, cx: x, cy: y, r: STONE * 0.45 }));
      }
      return;
    }
    const line = points(names.map((name) => [this.cells.get(name).x, this.cells.get(name).y]));
    this.marks.append(make("polyline", { class: "chain-edge", points: line }), make("polyline", { class: "chain", points: line }));
  }

  #corners(name) {
    const { x, y } = this.cells.get(name);
    if (this.info.sides === 4) return [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(([dx, dy]) => [x + dx, y + dy]);
    return [0, 1, 2, 3, 4, 5].map((way) => {
      const angle = ((60 * way - 90) * Math.PI) / 180;
      return [x + TIP * Math.cos(angle), y + TIP * Math.sin(angle)];
    });
  }

  #cell(name) {
    const cell = this.cells.get(name);
    const role = this.onCell ? "button" : "img";
    const label = { class: "cell empty", role, tabindex: "-1", "data-cell": name, "aria-label": `${name}, empty` };
    cell.group = make("g", label, make("polygon", { points: points(this.#corners(name)) }));
    cell.group.addEventListener("click", () => {
      this.#reach(name);
      this.onCell?.(name);
    });
    return cell.group;
  }

  // The one cell that the Tab key stops at.
  #reach(name) {
    if (this.reached) this.cells.get(this.reached).group.setAttribute("tabindex", "-1");
    this.reached = name;
    this.cells.get(name).group.setAttribute("tabindex", "0");
  }

  #key(event) {
    const cell = this.cells.get(event.target.dataset?.cell);
    if (cell === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onCell?.(cell.name);
      return;
    }
    // Up goes to the upper left of two cells and down to the lower right, along a column of Hex.
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [-0.4, -1], ArrowDown: [0.4, 1] };
    if (!(event.key in ways)) return;
    event.preventDefault();
    const next = this.#beside(cell, ways[event.key]);
    if (next === null) return;
    this.#reach(next.name);
    next.group.focus();
  }

  // The nearest cell in a direction, null at the rim.
  #beside(cell, [dx, dy]) {
    let [best, least] = [null, Infinity];
    for (const other of this.cells.values()) {
      const [x, y] = [other.x - cell.x, other.y - cell.y];
      const along = dy === 0 ? x * dx : y * dy;
      if (along < 0.4 || (dy === 0 && Math.abs(y) > 0.3)) continue;
      const far = Math.hypot(x - dx, y - dy) + Math.hypot(x, y);
      if (far < least && (dy === 0 || Math.abs(x) <= 0.9 * Math.abs(y))) [best, least] = [other, far];
    }
    return best;
  }

  #corner(index) {
    const { rows, columns, cells } = this.info;
    return cells[[0, columns - 1, rows * columns - 1, (rows - 1) * columns][index]];
  }

  // The coloured sides; the cells cover their inside.
  #bands() {
    const sharp = Math.sqrt(3) * BAND, blunt = BAND / Math.sqrt(3);
    const shifts = [[-sharp, -BAND], [blunt, -BAND], [sharp, BAND], [-blunt, BAND]];
    return ["blue", "red", "blue", "red"].map((colour, index) => {
      const one = this.#corner(index), other = this.#corner((index + 1) % 4);
      const [dx, dy] = shifts[index], [ex, ey] = shifts[(index + 1) % 4];
      const shape = [[one.x + dx, one.y + dy], [other.x + ex, other.y + ey], [other.x, other.y], [one.x, one.y]];
      return make("polygon", { class: `side-${colour}`, points: points(shape) });
    });
  }

  #labels() {
    const { rows, columns, cells } = this.info;
    const group = make("g", { class: "labels", "aria-hidden": "true" });
    const up = Math.sqrt(3) / 2, away = BAND + 0.28;
    const put = (x, y, text) => group.append(make("text", { x: x.toFixed(3), y: (y + 0.13).toFixed(3) }, text));
    for (let column = 0; column < columns; column++) {
      const top = cells[column], bottom = cells[(rows - 1) * columns + column];
      const letters = top.name.replace(/\d+$/, "");
      put(top.x - away / up / 2, top.y - away, letters);
      put(bottom.x + away / up / 2, bottom.y + away, letters);
    }
    for (let row = 0; row < rows; row++) {
      const left = cells[row * columns], right = cells[(row + 1) * columns - 1];
      put(left.x - away / up - 0.1, left.y, String(row + 1));
      put(right.x + away / up + 0.1, right.y, String(row + 1));
    }
    return group;
  }

  // The names of the first and the last cell of each line, beside them.
  #ends() {
    const group = make("g", { class: "labels", "aria-hidden": "true" });
    const put = (name, shift, anchor) => {
      const { x, y } = this.cells.get(name);
      const text = make("text", { x: (x + shift).toFixed(3), y: (y + 0.13).toFixed(3) }, name);
      text.style.textAnchor = anchor;
      group.append(text);
    };
    for (const [first, last] of this.info.lines) {
      put(first, -0.65, "end");
      if (last !== first) put(last, 0.65, "start");
    }
    return group;
  }

  // The part of the plane that is seen: all cells, and this much beyond the outermost centres.
  #frame([side, top]) {
    const [xs, ys] = [this.info.cells.map((cell) => cell.x), this.info.cells.map((cell) => cell.y)];
    const [x, y] = [Math.min(...xs) - side, Math.min(...ys) - top];
    const [width, height] = [Math.max(...xs) + side - x, Math.max(...ys) + top - y];
    this.svg.setAttribute("viewBox", [x, y, width, height].map((length) => length.toFixed(2)).join(" "));
    // Cells of a small board need not be larger than a thumb.
    this.svg.style.maxWidth = `${width * 4}rem`;
  }
}
