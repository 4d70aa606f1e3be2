// The whole state of a game in the part of the address behind #, so that a link or a reload brings it back.

export const BEGIN = { size: "11", red: "you", blue: "best:5", swap: false, moves: [] };

export function readLink(hash) {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    size: values.get("size") || BEGIN.size,
    red: values.get("red") || BEGIN.red,
    blue: values.get("blue") || BEGIN.blue,
    swap: values.get("swap") === "1",
    moves: (values.get("moves") || "").split(",").filter(Boolean),
  };
}

export function writeLink(game) {
  const parts = [["size", game.size], ["red", game.red], ["blue", game.blue], ["swap", game.swap ? "1" : "0"], ["moves", game.moves.join(",")]];
  return "#" + parts.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2C", ",")}`).join("&");
}
