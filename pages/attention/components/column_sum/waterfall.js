// The parts of a sum, one below the other: each is a bar that begins where the last one ended, so that the last ends at
// the sum.

import { fixed, svg } from "../../../../attention_view/lab.js";

const NUMBER = 58; // pixels for a number beside the farthest bar
const FALL = 28; // pixels below the rows, where the end of the sum turns to what it is multiplied with
const GAP = 8; // pixels between a bar and its number

/** Each part's bar, [from, to] in sums. */
export function stepsOf(parts) {
  let sum = 0;
  return parts.map(({ value }) => [sum, (sum += value)]);
}

/** Where sums from low to high lie between two edges of a drawing: at(sum) is its x. */
export function placesOf([low, high], left, right) {
  const scale = (right - left - 2 * NUMBER) / (high - low || 1);
  return (sum) => left + NUMBER + (sum - low) * scale;
}

/** Which side of its bar, [left, right] in pixels, a number of at most NUMBER pixels stands on, so that it lies on no
 * line at zero: 1 for the right, -1 for the left. `ahead` is where it would rather stand: where the bar leads to. */
export function sideOf([left, right], ahead, zero) {
  const covers = (side) => {
    const [from, to] = side > 0 ? [right, right + NUMBER] : [left - NUMBER, left];
    return from < zero && zero < to;
  };
  return covers(ahead) ? -ahead : ahead;
}

/** The drawing: the first parts so far, the line at zero, and the end of what is there so far.
 *
 * reach: [low, high] of all sums; name: a part in words; labels: pixels that these take at the left; to: the x that the
 * end leads to, below the line; look: hears of the row that is pointed at */
export function waterfall(parts, sofar, { width, height, reach, labels, name, to, look }) {
  const at = placesOf(reach, labels, width);
  const step = height / parts.length;
  const tall = Math.min(34, 0.68 * step);
  const drawn = stepsOf(parts).slice(0, sofar);
  const bars = drawn.map(([from, to], n) => {
    const y = step * (n + 0.5);
    const isUp = to >= from;
    const [left, right] = [at(Math.min(from, to)), at(Math.max(from, to))];
    const bar = { x: left, y: y - tall / 2, width: Math.max(1.5, right - left), height: tall };
    const side = sideOf([left, Math.max(right, left + 1.5)], isUp ? 1 : -1, at(0));
    const number = { x: side > 0 ? right + GAP : left - GAP, y, dy: "0.35em" };
    const lines =
      n < parts.length - 1 ? [svg("path.next", { d: `M${at(to)} ${y + tall / 2}V${y + step - tall / 2}` })] : [];
    const more = { onpointerenter: () => look(parts[n].row ?? null), onpointerleave: () => look(null) };
    return svg(
      `g.part.${parts[n].row === undefined ? "rest" : "one"}`,
      more,
      svg("rect.reach", { x: 0, y: step * n, width, height: step }),
      svg("text.name.end", { x: labels - 4, y, dy: "0.35em" }, name(parts[n])),
      svg(`rect.${isUp ? "above" : "below"}`, bar),
      svg(side > 0 ? "text.number" : "text.number.end", number, fixed(parts[n].value, 2)),
      ...lines,
    );
  });
  const now = drawn.length ? drawn.at(-1)[1] : 0;
  const foot = step * (sofar - 0.5) + tall / 2;
  return [
    svg("text.zero", { x: at(0), y: height + 22, "text-anchor": "middle" }, "0"),
    svg("path.axis", { d: `M${at(0)} 0V${height + 5}` }),
    ...bars,
    svg("path.fall", { d: `M${at(now)} ${Math.max(0, foot)}V${height + FALL}H${to}` }),
  ];
}
