// Threads between words of a text of several lines: they run in the gaps below the lines and beside all of them, and
// strike through no word.

const BESIDE = 16; // pixels from the longest line to the first thread beside it
const [APART, BELOW] = [6, 5]; // pixels from one thread to the next, and from a word's foot to the first below it

/** The ways from a word to words on other lines, as points: out of its foot, along the right side, and below the other
 * line to the foot of the other word.
 *
 * from, to: the middles of feet, one and many; right: the end of the longest line. No two cross: a thread that comes
 * from further below runs nearer to the words, and of one line, that to the word furthest left is the lowest. */
export function around([x, y], to, right) {
  const lined = to.map(([a, b], n) => {
    const before = to.filter(([other, line]) => line === b && other > a).length;
    return { n, a, b, level: b + BELOW + APART * before };
  });
  const inOrder = [...lined].sort((one, other) => other.level - one.level);
  return lined.map((one) => {
    const side = right + BESIDE + APART * inOrder.indexOf(one);
    const out = y + BELOW + APART;
    return [[x, y], [x, out], [side, out], [side, one.level], [one.a, one.level], [one.a, one.b]]; // prettier-ignore
  });
}

/** A path along points, with round corners. */
export function rounded(points, radius) {
  const toward = ([x, y], [a, b], far) => {
    const share = Math.min(0.5, far / (Math.hypot(a - x, b - y) || 1));
    return `${(x + share * (a - x)).toFixed(1)} ${(y + share * (b - y)).toFixed(1)}`;
  };
  const corner = (at, n) =>
    `L${toward(at, points[n], radius)}Q${at.map((x) => x.toFixed(1)).join(" ")} ${toward(at, points[n + 2], radius)}`;
  const ends = [points[0], points.at(-1)].map((at) => at.map((x) => x.toFixed(1)).join(" "));
  return `M${ends[0]}${points.slice(1, -1).map(corner).join("")}L${ends[1]}`;
}
