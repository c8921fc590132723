// Who looks at whom: a cell for every pair of words, the words of queries beside it, those of keys above it and those
// of values below it.

import { brief, mix, shorten, strength, svg } from "../../../../attention_view/lab.js";

const LETTER = 7.9; // pixels of a letter, at 14 pixels
const STROKE = 6; // pixels between the strokes across a blocked cell

/** Where a map of T rows and S columns, and names below n values, stand in a room {x, y, w, h}, in pixels. */
export function laid({ rows, columns, values }, { x, y, w, h }, most = 92) {
  const wide = (names) => LETTER * Math.max(...names.map((name) => shorten(name, 11).length));
  const left = Math.min(wide(rows) + 12, 0.3 * w);
  const across = Math.min(most, (w - left) / Math.max(columns.length, values.length));
  const isSlanted = Math.max(wide(columns), wide(values)) > across;
  const foot = isSlanted ? 0.64 * Math.max(wide(columns), wide(values)) + 16 : 24;
  const down = Math.min(0.8 * most, (h - 2 * foot) / rows.length);
  const top = y + (h - down * rows.length) / 2;
  return { x: x + left, y: top, across, down, isSlanted, w: across * columns.length, h: down * rows.length };
}

/** The drawing: names, cells and what comes out. say(row, column) hears where the pointer is. */
export function lookMap({ rows, columns, values, weights }, room, { fits, state, say }) {
  const { x, y, across, down, h } = room;
  const largest = Math.max(...weights.flat().map(Number));
  const middle = (i) => y + down * (i + 0.5) - gap / 2;
  const gap = Math.min(across, down) > 12 ? 2 : 1;
  const cell = (weight, i, j) =>
    svg("rect.cell", {
      x: x + across * j,
      y: y + down * i,
      width: across - gap,
      height: down - gap,
      rx: 3,
      style: `fill:${weight === null ? "var(--panel)" : mix("weight", 100 * strength(weight / largest))}`,
      onpointerenter: () => say(i, j),
      onpointerleave: () => say(),
    });
  // the number itself, where a cell has room for it and is dark enough
  const reads = (weight, i, j) =>
    svg("text.weight.middle", { x: x + across * (j + 0.5) - gap / 2, y: middle(i) + 5 }, brief(weight));
  const strong = (weight) => weight > 0.85 * largest && across >= 40 && down >= 24;
  const closed = weights.flatMap((row, i) => row.flatMap((weight, j) => (weight === null ? [[i, j]] : [])));
  const strokes = closed.map(([i, j]) => hatched(x + across * j, y + down * i, across - gap, down - gap)).join("");
  return [
    svg(
      `g.cells.${state}`,
      ...weights.flatMap((row, i) => row.map((weight, j) => cell(weight, i, j))),
      svg("path.hatch", { d: strokes + spare({ columns, values }, room, gap) }),
      ...weights.flatMap((row, i) => row.flatMap((weight, j) => (strong(weight) ? [reads(weight, i, j)] : []))),
    ),
    ...rows.map((name, i) => svg("text.end.query", { x: x - 10, y: middle(i) + 5 }, shorten(name, 11))),
    ...names(columns, room, y - 9, "key", -1),
    ...names(values, room, y + h + 18, fits ? "value" : "value odd", 1),
  ];
}

/** Strokes where values have no column of keys above them. */
export const spare = ({ columns, values }, { x, y, across, h }, gap) =>
  values.map((_, j) => (j < columns.length ? "" : hatched(x + across * j, y, across - gap, h - gap))).join("");

/** Words above or below the columns, slanted where they are too long to lie. */
function names(words, { x, across, isSlanted }, y, kind, side) {
  return words.map((word, j) => {
    const at = x + across * (j + 0.5);
    const anchor = isSlanted ? (side < 0 ? "" : ".end") : ".middle";
    const turn = isSlanted ? `rotate(-40 ${at} ${y})` : null;
    return svg(`text${anchor}.${kind.replace(" ", ".")}`, { x: at, y, transform: turn }, shorten(word, 11));
  });
}

/** Slanted strokes across a rectangle. */
export function hatched(x, y, w, h) {
  const strokes = [];
  for (let d = STROKE; d < w + h; d += STROKE) {
    const [from, to] = [Math.max(0, d - h), Math.min(d, w)];
    strokes.push(
      `M${(x + from).toFixed(1)} ${(y + d - from).toFixed(1)}L${(x + to).toFixed(1)} ${(y + d - to).toFixed(1)}`,
    );
  }
  return strokes.join("");
}

/** What a cell says, in words. */
export function sentence({ rows, columns, weights, writes }, i, j) {
  const weight = weights[i][j];
  const [who, key] = [writes ? `To write “${rows[i]}”, the decoder` : `“${rows[i]}”`, `“${columns[j]}”`];
  if (weight === null) return `${who} may not look at ${key}: ${writes ? "it is not written yet" : "it comes later"}.`;
  return `${who} looks at ${key} with an attention weight of ${brief(weight)}.`;
}
