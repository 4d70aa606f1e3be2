// The whole state of a game in the part of the address behind #, so that a link or a reload brings it back.

// `clock` is minutes for each player, 0 for none; `used` the seconds that red and blue have used.
export const BEGIN = { kind: "hex", size: "11", red: "you", blue: "best:5", swap: false, clock: 0, used: [0, 0], moves: [] };

export function readLink(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const used = (values.get("used") || "0,0").split(",").map(Number);
  return {
    kind: values.get("game") || BEGIN.kind,
    size: values.get("size") || BEGIN.size,
    red: values.get("red") || BEGIN.red,
    blue: values.get("blue") || BEGIN.blue,
    swap: values.get("swap") === "1",
    clock: Number(values.get("clock")) || 0,
    used: used.length === 2 && used.every(Number.isFinite) ? used : [0, 0],
    moves: (values.get("moves") || "").split(",").filter(Boolean),
  };
}

export function writeLink(game) {
  const parts = [["game", game.kind], ["size", game.size], ["red", game.red], ["blue", game.blue], ["swap", game.swap ? "1" : "0"]];
  if (game.clock > 0) parts.push(["clock", String(game.clock)], ["used", game.used.map(Math.round).join(",")]);
  parts.push(["moves", game.moves.join(",")]);
  return "#" + parts.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2C", ",")}`).join("&");
}
