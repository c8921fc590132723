// Threads between words of a text of several lines: they run in the gaps between the lines and beside them, and strike
// through no word.

const BESIDE = 12; // pixels from the words to a thread beside them
const APART = 5; // from one such thread to the next

/** The way from a word to one on another line: from the top of the lower one to the foot of the upper one, as points.
 * Where a line lies between them it goes around that, on the nearer side.
 *
 * low, high: the middles of their feet; lines: {pitch from foot to foot, tall of a word, right end of the words}; nth:
 * of the threads that go around something */
export function around([x, y], [a, b], { pitch, tall, right }, nth = 0) {
  const gap = (pitch - tall) / 2;
  const [top, off] = [y - tall, (nth % 3) * APART];
  const [low, high] = [top - gap, b + gap].map((level) => level + off - (nth ? APART : 0));
  if (y - b < 1.5 * pitch) return [[x, top], [x, top - gap], [a, top - gap], [a, b]]; // prettier-ignore
  const side = x + a < right ? -BESIDE - off : right + BESIDE + off;
  return [[x, top], [x, low], [side, low], [side, high], [a, high], [a, b]]; // prettier-ignore
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
