// The clocks of both players: each has so many minutes for the game, and who uses them up loses.

const element = (id) => document.getElementById(id);
const TICK_MS = 200;
const COLOURS = ["red", "blue"];

export class Clocks {
  // `turn` says whose clock runs, "red", "blue" or null; `late` is called with the player whose time is up.
  constructor(turn, late) {
    this.turn = turn;
    this.late = late;
    this.game = null; // whose `clock` and `used` are shown and counted
    this.before = performance.now();
    setInterval(() => this.#tick(), TICK_MS);
  }

  show(game) {
    this.game = game;
    element("clocks").hidden = game.clock === 0;
    element("clocks").textContent = COLOURS.map((colour, number) => {
      const left = Math.ceil(Math.max(0, 60 * game.clock - game.used[number]));
      return `${colour} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    }).join("   ");
  }

  #tick() {
    const now = performance.now();
    const spent = (now - this.before) / 1000;
    this.before = now;
    const number = COLOURS.indexOf(this.turn());
    if (this.game === null || this.game.clock === 0 || number < 0) return;
    this.game.used[number] += spent;
    this.show(this.game);
    if (this.game.used[number] >= 60 * this.game.clock) this.late(COLOURS[number]);
  }
}
