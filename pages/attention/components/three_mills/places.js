// Where everything stands: one query, below it a key per word, below these a value; each with its vector and its mill.

const NARROW = 620;
const NARROWEST = 280;
const LOW = 500; // pixels: in a lower figure all lanes are lower
const MOST = 46; // pixels of a key on which no query lies

/** Pixels of each kind of lane: open, of the key on which the query lies; least, of any other. */
const tallness = (tall) =>
  tall < LOW
    ? { query: 56, head: 28, value: 40, gap: 8, open: 92, least: 13.5 }
    : { query: 68, head: 30, value: 44, gap: 10, open: 124, least: 15.5 };

/** Columns in pixels of a figure so wide: {x, width} of words, vectors (null where there is no room), mills, strips and
 * scores. */
export function columnsOf(room) {
  const width = Math.max(NARROWEST, room); // hidden, a figure has no width
  const isNarrow = width < NARROW;
  const [word, mill, score, gap] = isNarrow ? [62, 38, 58, 8] : [104, 84, 230, 22];
  const wide = isNarrow ? 0 : 0.13 * width;
  const start = word + (wide ? wide + gap : 0);
  const strip = start + mill + gap;
  return {
    isNarrow,
    word: { x: 0, width: word },
    vector: wide ? { x: word, width: wide } : null,
    mill: { x: start, width: mill },
    strip: { x: strip, width: width - strip - score - gap },
    score: { x: width - score, width: score },
  };
}

/** Lanes in pixels, from the top to the bottom: {y, height} of the query, of all keys, of each key and of the value,
 * and the height of all. open: the key on which the query lies, or null; tall: pixels that there are */
export function lanesOf({ many, open, tall }) {
  const of = tallness(tall);
  const rest = of.query + of.head + of.gap + of.value;
  const height = Math.max((many - 1) * of.least + of.open, Math.min(tall - rest, (many - 1) * MOST + of.open));
  const closed = open === null ? height / many : (height - of.open) / Math.max(1, many - 1);
  const top = of.query + of.head;
  const tallOf = (n) => (n === open ? (many === 1 ? height : of.open) : closed);
  let y = top;
  const keys = Array.from({ length: many }, (_, n) => {
    const lane = { y, height: tallOf(n) };
    y += lane.height;
    return lane;
  });
  return {
    query: { y: 0, height: of.query },
    all: { y: top, height },
    keys,
    value: { y: top + height + of.gap, height: of.value },
    height: top + height + of.gap + of.value,
  };
}

/** The key under a hand at this height, null above them all. It does not depend on which key is open, so that a hand
 * which turns back is answered at once; the key that it opens lies under it. */
export function keyAt(y, { all, keys }) {
  if (y < all.y) return null;
  return Math.min(keys.length - 1, Math.floor(((y - all.y) / all.height) * keys.length));
}
