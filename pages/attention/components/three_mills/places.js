// Where everything stands: the vector, the sheet with the sum of one number, and three rows of a mill and its strip.

export const MADE = ["query", "key", "value"];
export const NARROW = 620;
const NARROWEST = 280;
const LEAST = 14; // pixels that a cell is wide
const MOST = 64;
const LABEL = 118; // pixels of a label

/** Places in pixels, for a figure so wide, and at least so tall; `numbers`: in a strip.
 *
 * vector, column: {x, y, width, height}; walk: {left, right, y, height}; labels: the x of what is named beside it;
 * copy: where the vector stands once more, beside its column, or null; rows: [{made, y, mill, strip}, ...]; note: where
 * the strips are explained;
 * rest: the height of all; height: while a number is in hand */
export function placesOf({ width: room, height, numbers }) {
  const width = Math.max(NARROWEST, room); // hidden, a figure has no width
  const isNarrow = width < NARROW;
  const tall = isNarrow ? 132 : Math.max(118, height / 3);
  const labels = 0.225 * width; // of the sum; what is left of the width is for the strips
  const [millsAt, mill] = isNarrow ? [54, 52] : [Math.max(0.32 * width, labels + LABEL), 0.08 * width];
  const top = isNarrow ? 44 : 0; // a word, on a line of its own
  const left = millsAt + mill + (isNarrow ? 20 : 0.025 * width);
  const rows = MADE.map((made, n) => {
    const y = top + n * tall;
    const box = { x: left, y: y + 46, width: width - left - 2, height: tall - 46 - (isNarrow ? 12 : 34) };
    const strip = stripOf(box, numbers);
    return { made, y, mill: { x: millsAt, y: y + 36, width: mill, height: strip.height + 10 }, strip };
  });
  const below = top + rows.length * tall;
  if (!isNarrow) {
    const [y, high] = [46, below - 46 - 26];
    const vector = { x: 1, y, width: 0.074 * width, height: high };
    const column = { x: 0.093 * width, y, width: 0.032 * width, height: high };
    const { strip } = rows[0];
    const note = { x: strip.x, y: strip.y + strip.height + 2, width: strip.width };
    const walk = { left: 0.135 * width, right: 0.215 * width, y, height: high };
    const more = { copy: null, labels, rest: below, height: below };
    return { isNarrow, vector, column, walk, rows, note, ...more };
  }
  const [y, high] = [below + 92, 250];
  return {
    isNarrow,
    vector: { x: 1, y: top + 36, width: 34, height: below - top - 50 },
    copy: { x: 1, y, width: 48, height: high },
    column: { x: 62, y, width: 48, height: high },
    walk: { left: 126, right: width - 104, y, height: high },
    labels: width - 96,
    rows,
    rest: below + 46,
    note: { x: 0, y: below, width },
    height: y + high + 34,
  };
}

/** A strip in this box, in as many lines as its cells need to be wide enough for a hand. */
function stripOf(box, numbers) {
  const lines = Math.ceil(numbers / Math.max(1, Math.floor(box.width / LEAST)));
  const across = Math.ceil(numbers / lines);
  return { ...box, lines, across, cell: Math.min(MOST, box.width / across), line: box.height / lines, numbers };
}

/** {x, y, width, height} of the nth cell of a strip. */
export function cellOf({ x, y, across, cell, line }, n) {
  return { x: x + (n % across) * cell, y: y + Math.floor(n / across) * line, width: cell, height: line };
}

/** The cell at a point of the strip's own box, the nearest where there is none. */
export function cellAt({ across, cell, line, lines, numbers }, [x, y]) {
  const within = (n, size) => Math.max(0, Math.min(size - 1, Math.floor(n)));
  return Math.min(numbers - 1, within(y / line, lines) * across + within(x / cell, across));
}

/** Where labels of this height stand, none over another, each as near as can be to where it would; from the top. */
export function apart(wished, tall, [top, bottom]) {
  const at = wished.map((y, n) => Math.max(y, top + n * tall));
  for (let n = 1; n < at.length; n++) at[n] = Math.max(at[n], at[n - 1] + tall);
  for (let n = at.length - 1; n >= 0; n--) at[n] = Math.min(at[n], n === at.length - 1 ? bottom : at[n + 1] - tall);
  return at;
}
