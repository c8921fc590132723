// How many panels stand side by side, and how large their cells and names are.

import { shorten } from "../../../../attention_view/lab.js";

const GAP = 26; // pixels between panels
const LARGEST = 44; // pixels of a cell
let ruler;

/** Whether a panel has the rows of the one to its left. */
export const hasSameRows = (panels, p) => p > 0 && panels[p].queries.join("\n") === panels[p - 1].queries.join("\n");

/** The pixels that names take: {room: of rows, top: of columns, over: of the last column beyond its own}. */
export function roomsOf(panels, font) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `13px ${font}`;
  const width = (token) => ruler.measureText(shorten(token)).width;
  const longest = (tokens) => Math.min(96, Math.max(0, ...tokens.map(width)));
  return {
    room: Math.max(...panels.map((p) => longest(p.queries))) + 12,
    top: Math.max(...panels.map((p) => longest(p.keys))) * 0.87 + 12,
    over: Math.max(...panels.map((p) => longest(p.keys.slice(-1)))) * 0.5 + 4,
  };
}

/** How many panels stand side by side, and how tall and wide a cell is then: so large that all rows fit the height.
 * Where one panel stands alone (`isStretched`), its cells are wider than tall if there is room. */
export function fit(panels, width, height, { room, over }, isStretched = false) {
  const cellWith = (across) => {
    // The widest row of panels decides; row names are left out where the panel to the left has the same.
    let cell = LARGEST;
    for (let from = 0; from < panels.length; from += across) {
      const row = panels.slice(from, from + across);
      const names = row.filter((_, k) => k === 0 || !hasSameRows(panels, from + k)).length;
      const cells = row.reduce((sum, p) => sum + p.keys.length, 0);
      cell = Math.min(cell, (width - names * room - (row.length - 1) * GAP - over) / cells);
    }
    return cell;
  };
  let across = panels.length;
  while (across > 1 && cellWith(across) < 15) across = Math.ceil(across / 2);
  // All in one row is to be seen on one screen; where they stand below each other there is no such end.
  const tallest = Math.max(...panels.map((p) => p.queries.length));
  const isOneRow = across === panels.length && (across > 1 || isStretched);
  const most = isOneRow ? Math.max(15, height / tallest) : LARGEST;
  const half = (x) => Math.max(8, Math.floor(x * 2) / 2);
  const cell = half(Math.min(cellWith(across), most));
  return { across, cell, wide: isStretched ? Math.max(cell, half(Math.min(cellWith(1), 2 * cell))) : cell };
}
