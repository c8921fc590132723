// What a text of so many words costs, in words, and to what scale it is drawn.

export const SIZE = 340; // that the longer side may have, in the drawing's own units
export const ROOM = 1.08; // how much more than the longer side fits at first
export const LEAST = 0.4; // of the room, that the longer side takes: below it the drawing is magnified
const MOVED = 1.02; // by which a side has to be dragged to be another

const UNITS = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];

/** A large number in words: 537 million. */
export function inWords(x) {
  for (const [size, name] of UNITS) if (x >= size) return `${Number((x / size).toPrecision(3))} ${name}`;
  return Math.round(x).toLocaleString("en");
}

/** "33.6 MB"; a kB is 1000 B. */
export function inBytes(x) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  while (x >= 1000 && units.length > 1) {
    x /= 1000;
    units.shift();
  }
  return `${x < 1000 ? Number(x.toPrecision(3)) : Math.round(x).toLocaleString("en")} ${units[0]}`;
}

/** The option that is nearest on a logarithmic scale. */
export const nearest = (value, options) =>
  options.reduce((a, b) => (Math.abs(Math.log(b / value)) < Math.abs(Math.log(a / value)) ? b : a));

/** Where a side that was dragged comes to rest: the nearest option, but at least one further the way it was dragged. */
export function landed(value, from, options) {
  const near = nearest(value, options);
  const by = value > from * MOVED ? 1 : value < from / MOVED ? -1 : 0;
  return near === from && by ? (options[options.indexOf(from) + by] ?? from) : near;
}

/** How much of the drawing a word takes: as before, as long as the longer side has room and is not small. */
export function unitFor(longest, unit) {
  const side = longest * (unit ?? 0);
  return side > SIZE + 0.5 || side < LEAST * SIZE ? SIZE / (ROOM * longest) : unit;
}

/** By how much the scale has changed; nothing where it has not. */
export function zoomed(before, unit) {
  const by = times(before, unit);
  return by === "1" ? "" : `zoomed ${unit < before ? "out" : "in"} ${by} times, both rectangles`;
}

/** How many times as much, of which one is at least as much as the other: "195", "9.8", "2". */
export function times(a, b) {
  const ratio = Math.max(a / b, b / a);
  return ratio >= 10 ? Math.round(ratio).toLocaleString("en") : String(Number(ratio.toPrecision(2)));
}

/** Whether a rectangle of these units has room for a few words, beside or above its number. */
export const hasHint = (wide, tall) => (tall > 120 && wide > 150) || (tall > 36 && wide > 310);

export const whole = (x) => Math.round(x).toLocaleString("en");

/** What attention's weights take: 4 bytes for each head and pair of words. */
export const weightsOf = (n, heads) => 4 * heads * n * n;

const NOTED = 1e9; // bytes of weights that the finding speaks of

/** What the two areas come to: the larger one is named first; name: of a text that has about so many words. */
export function comparison(n, d, heads, name) {
  const long = name ? `For a ${name} of about ${whole(n)} words, ` : `For ${whole(n)} words, `;
  const many = times(n, d);
  if (many === "1") return `${long}attention and a recurrent layer do about the same number of multiplications.`;
  const [more, less] = n > d ? ["attention", "a recurrent layer"] : ["a recurrent layer", "attention"];
  const said = `${long}${more} does ${many === "2" ? "twice" : `${many} times`} as many multiplications as ${less}`;
  const weights = weightsOf(n, heads);
  return n > d && weights >= NOTED ? `${said}, and the attention weights fill ${inBytes(weights)}.` : `${said}.`;
}

/** The text that comes after so many words: the next longer one, or else the shortest. */
export const following = (n, texts) => texts.find(([, words]) => words > n) ?? texts[0];

/** The longest text of which a square of n words holds at least four: [name, words]; none for the shortest. */
export const shorterThan = (n, texts) => texts.findLast(([, words]) => 2 * words <= n);

/** Where so many words are on the scale of all lengths, which is logarithmic: from 0 to 1. */
export const onScale = (n, lengths) => Math.log(n / lengths[0]) / Math.log(lengths.at(-1) / lengths[0]);

const between = (a, b, share) => a * (b / a) ** share;

/** How many words are at this share of that scale; beyond its ends, those at the end. */
export const ofScale = (share, lengths) => between(lengths[0], lengths.at(-1), Math.min(1, Math.max(0, share)));

/** The sides and the scale at this share of the way from one picture to another. */
export const onTheWay = (from, to, share) =>
  Object.fromEntries(["n", "d", "unit"].map((key) => [key, between(from[key], to[key], share)]));
