// The chart beside a tower: how many next words so many layers get right, and grey behind it the same for 2017's.

import { counted, put, svg } from "../../../../attention_view/lab.js";
import { heard, mean, of100 } from "./said.js";

const MOST = 0.85; // of the words, at the right end
const TICKS = [0, 0.25, 0.5, 0.75];
const [LEFT, RIGHT] = [18, 78]; // pixels beside it

/** Draws it as far as each tower was pulled; tower: with what stands there, and how tall a layer is. */
export function drawChart(chart, tower) {
  const { stop, run, tall, tallOne: row, top, foot } = tower;
  const [wide, high] = [chart.clientWidth, top * row];
  const right = wide - RIGHT;
  const x = (share) => LEFT + ((right - LEFT) * share) / MOST;
  const y = (n) => high - (n - 0.5) * row;
  put(chart, { viewBox: `0 0 ${wide} ${high + foot}`, "aria-label": heard(run, tall) });
  const ticks = TICKS.flatMap((share) => [
    svg("path.tick", { d: `M${x(share)} 0V${high}` }),
    svg("text", { x: x(share), y: high + 22 }, of100(share)),
  ]);
  const drawn = [...new Set(["", stop.name])].flatMap((name) => wayOf(tower, name, x, y));
  const name = svg("text", { x: (LEFT + right) / 2, y: high + 44 }, "of 100 next words right");
  chart.replaceChildren(...ticks, name, ...drawn, ...nowOf(run, x, y(tall)));
}

/** The large number, and of how many dots it is the mean. */
function nowOf(run, x, y) {
  const { right = [] } = run ?? {};
  if (!right.length) return [];
  const at = x(Math.max(...right)) + 18;
  const number = svg("text.now", { x: at, y }, of100(mean(right)));
  return right.length > 1 ? [number, svg("text.runs", { x: at, y: y + 32 }, counted(right.length, "run"))] : [number];
}

function wayOf({ data, reached, part, tall }, name, x, y) {
  const { heights } = data.stops.find((stop) => stop.name === name);
  const known = heights.flatMap((run, n) =>
    run?.right.length && n < (reached.get(name) ?? 0) ? [[run.right, n + 1]] : [],
  );
  if (!known.length) return [];
  const kind = name === part ? "" : ".old";
  const points = known.map(([right, n]) => [x(mean(right)), y(n)]);
  const d = `M${points.map(([across, down]) => `${across.toFixed(1)} ${down}`).join("L")}`;
  const dots = known.flatMap(([right, n]) => {
    const isNow = n === tall && !kind;
    return right.map((share) =>
      svg(`circle${kind}${isNow ? ".on" : ""}`, { cx: x(share), cy: y(n), r: isNow ? 9 : 5 }),
    );
  });
  const label = kind ? [svg("text.year", { x: points[0][0] - 14, y: points[0][1] }, "2017")] : [];
  return [svg(`path.way${kind}`, { d }), ...dots, ...label];
}
