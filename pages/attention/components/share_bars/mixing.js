// A mix of points by shares that add up to 1: where it lies, and which shares lead to a place.

import { trimmed } from "../../../../attention_view/lab.js";

/** The weights of three points whose sum lies at a place: they add up to 1, and outside of the triangle one is below 0,
 * or two. Null for points on one line, and for more points: there many lead to one place. */
export function weightsAt(points, [x, y]) {
  if (points.length !== 3) return null;
  const [[ax, ay], [bx, by], [cx, cy]] = points;
  const area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy);
  if (Math.abs(area) < 1e-9) return null;
  const a = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area;
  const b = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area;
  return [a, b, 1 - a - b];
}

/** The same without any weight below 0, as softmax gives them: outside of the triangle those of a place on its rim. */
export function sharesAt(points, place) {
  const inside = weightsAt(points, place)?.map((share) => Math.max(0, share));
  if (!inside) return null;
  const sum = inside.reduce((all, share) => all + share, 0);
  return inside.map((share) => share / sum);
}

export const DIGITS = 4; // of a share in the printed sum

const printed = (share) => Number(share.toFixed(DIGITS));
export const mixOf = (shares, points) => [0, 1].map((d) => points.reduce((sum, p, j) => sum + shares[j] * p[d], 0));

/** The printed place of a mix: what the shares as they are printed come to. */
export const printedPlace = (shares, points) =>
  Array.from(mixOf(shares.map(printed), points), (x) => trimmed(x)).join(", ");

/** A place beside the longest side of the triangle of three points, which no mix of them reaches; null where a place
 * tells nothing of their shares. */
export function beside(points) {
  if (!sharesAt(points, points[0])) return null;
  const sides = points.map((corner, j) => [corner, points[(j + 1) % 3], points[(j + 2) % 3]]);
  const length = ([, p, q]) => Math.hypot(p[0] - q[0], p[1] - q[1]);
  const [corner, p, q] = sides.reduce((best, side) => (length(side) > length(best) ? side : best));
  const middle = [0, 1].map((d) => (p[d] + q[d]) / 2);
  const away = [q[1] - p[1], p[0] - q[0]]; // at right angles to the side, as long as it
  const isInward = away[0] * (corner[0] - p[0]) + away[1] * (corner[1] - p[1]) > 0;
  return middle.map((x, d) => x + 0.4 * (isInward ? -away[d] : away[d]));
}

export const areAlike = (some, others) => some.every((share, i) => Math.abs(share - others[i]) < 1e-6);
export const evenly = (shares) => shares.map(() => 1 / shares.length);

/** What the button says, and the shares that it leads to: an even mix, all on the last word, back to the weights. */
export function onward(shares, start, words) {
  const [even, alone] = [evenly(shares), shares.map((_, j) => Number(j === shares.length - 1))];
  if (areAlike(shares, start)) return ["Equal weights", even];
  if (areAlike(shares, even) && !areAlike(start, alone)) return [`All on ${words.at(-1)}`, alone];
  return ["Back to the weights", start];
}

/** The shares once share i has become x: the others keep their proportions, or share alike if they had nothing. */
export function moved(shares, i, x) {
  const rest = shares.reduce((sum, share, j) => (j === i ? sum : sum + share), 0);
  return shares.map((share, j) => (j === i ? x : rest > 0 ? (share / rest) * (1 - x) : (1 - x) / (shares.length - 1)));
}
