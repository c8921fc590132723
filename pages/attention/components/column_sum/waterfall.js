// The products of a column, row by row: each is a bar that begins where the last one ended, so that the end of all is
// their sum.

import { svg } from "../../../../attention_view/lab.js";

const SIDES = 26; // pixels left and right of the farthest bar

/** Where the sums lie on a drawing so many pixels wide: at(sum) is its x. one: as summed() gives it, from `start` on */
export function placesOf({ sums }, start, width) {
  const [low, high] = [Math.min(0, start, ...sums), Math.max(0, start, ...sums)];
  const scale = (width - 2 * SIDES) / (high - low || 1);
  return (sum) => SIDES + (sum - low) * scale;
}

/** The bars of the first `rows` products, each [from, to] in sums. */
export const stepsOf = ({ sums }, start, rows) => sums.slice(0, rows).map((sum, i) => [i ? sums[i - 1] : start, sum]);

/** The drawing: bars of the first `rows` products, the line at zero, and the end of what is there so far. */
export function waterfall(one, start, rows, width, height) {
  const at = placesOf(one, start, width);
  const step = height / one.sums.length;
  const bars = stepsOf(one, start, rows).map(([from, to], i) => {
    const [left, right] = [at(Math.min(from, to)), at(Math.max(from, to))];
    const place = { x: left - 0.75, y: step * i, width: right - left + 1.5, height: Math.max(1.5, step) };
    return svg(`rect.${to < from ? "below" : "above"}`, place);
  });
  const now = rows ? one.sums[rows - 1] : start;
  const foot = Math.min(height - 7, step * rows);
  const line = stepsOf(one, start, rows).map(([, to], i) => `H${at(to)}V${step * (i + 1)}`);
  return [
    svg("path.area", { d: `M${at(0)} 0H${at(start)}${line.join("")}H${at(0)}Z` }),
    svg("text.zero", { x: at(0), y: height + 22, "text-anchor": "middle" }, "0"),
    svg("path.axis", { d: `M${at(0)} 0V${height + 5}` }),
    svg("path.fall", { d: `M${at(now)} ${foot}V${height}` }),
    ...bars,
    svg("circle.end", { cx: at(now), cy: foot, r: 7 }),
  ];
}
