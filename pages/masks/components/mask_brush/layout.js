// How many panels stand side by side, and how large their cells and names are.

import { shorten, windowHeight } from "../../../../attention_view/lab.js";

const GAP = 26; // pixels between panels
const LARGEST = 44; // pixels of a cell
const ABOVE = 345; // pixels above and below the cells
const ABOVE_ONE = 312; // the same where one map is to be painted, alone, below what it comes to
const HEADLINE = 50; // pixels of what a row comes to, above the panels
const ANSWER_ROOM = 190; // pixels for what the model says, beside the panels
const LAST = 70; // pixels of the row that says it, where there is room
const NARROW = 760; // pixels from which something stands beside the panels
const BELOW = 24; // pixels of a cell at most where it stands below
let ruler;

/** Whether a panel has the rows of the one to its left. */
const hasSameRows = (panels, p) => p > 0 && panels[p].queries.join("\n") === panels[p - 1].queries.join("\n");

/** The pixels that names take: {room: of rows, top: of columns, over: of the last column beyond its own}. */
function roomsOf(panels, font) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `15px ${font}`;
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
export function fit(panels, width, height, { room, over }, isStretched = false, widest = 2) {
  const cellWith = (across) => {
    // The widest row of panels decides; row names are left out where the panel to the left has the same.
    let cell = widest > 2 ? 2 * LARGEST : LARGEST;
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
  return { across, cell, wide: isStretched ? Math.max(cell, half(Math.min(cellWith(1), widest * cell))) : cell };
}

/** The pixels for panels, and for the last row of one that has the answer. */
function spaceOf({ root, data: { live, answer } }, whole, panels) {
  const [isAlone, isWide, T] = [panels.length === 1, whole > NARROW, panels[0].queries.length];
  const height = windowHeight(root) - (isAlone ? ABOVE_ONE : ABOVE + (live ? HEADLINE : 0));
  const width = answer && isWide ? whole - ANSWER_ROOM : whole;
  if (!live || !isWide || !isAlone || T < 2) return { width, height, last: 0 };
  return { width, height: ((height - LAST) * T) / (T - 1), last: LAST };
}

/** Lays the panels of a brush out: as many side by side as leave every cell large enough. */
export function layOut(brush) {
  const whole = brush.root.clientWidth - 10;
  if (whole <= 0) return;
  const { live } = brush.data;
  const { lower } = brush;
  const shown = brush.panels.filter((panel) => !panel.node.hidden && !lower.includes(panel));
  const panels = shown.map(({ data }) => data);
  const isWide = whole > NARROW;
  const names = roomsOf(panels, getComputedStyle(brush.root).fontFamily);
  const isAlone = panels.length === 1;
  brush.root.classList.toggle("alone", Boolean(live) && isAlone);
  const { width, height, last } = spaceOf(brush, whole, panels);
  const { across, cell, wide } = fit(panels, width, height, names, isAlone && isWide, last ? 4 : 2);
  brush.root.style.setProperty("--cell", `${cell}px`);
  brush.root.style.setProperty("--top", `${names.top}px`);
  brush.root.classList.toggle("tiny", cell < 13);
  shown.forEach((panel, p) =>
    panel.lay(wide, cell, p % across === 0 || !hasSameRows(panels, p), names.room, Math.max(cell, last)),
  );
  for (const panel of lower) panel.lay(Math.min(cell, BELOW), Math.min(cell, BELOW), true, names.room);
  brush.root.style.setProperty("--last", `${Math.max(cell, last)}px`);
  const beside = live && isWide ? " minmax(0, 1fr)" : "";
  brush.root.querySelector(".panels").style.gridTemplateColumns = `repeat(${across}, max-content)${beside}`;
  brush.root.classList.toggle("narrow", !isWide);
}
