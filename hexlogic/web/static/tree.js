// The moves that were played from the start of a game, as a tree; the browser keeps it while the window is open.

export class Tree {
  constructor(key) {
    this.key = `hexlogic ${key}`;
    this.root = JSON.parse(sessionStorage.getItem(this.key)) ?? {};
  }

  // Add a line of moves; what was played last is the last key of its node.
  add(moves) {
    let node = this.root;
    for (const move of moves) {
      const next = node[`m ${move}`] ?? {};
      delete node[`m ${move}`];
      node[`m ${move}`] = next;
      node = next;
    }
    sessionStorage.setItem(this.key, JSON.stringify(this.root));
  }

  // The moves that were played after these, the last one first.
  after(moves) {
    let node = this.root;
    for (const move of moves) node = node?.[`m ${move}`];
    return Object.keys(node ?? {}).map((key) => key.slice(2)).reverse();
  }
}
