// The vector of the token that is followed, at each station: a bar per number, up from the middle above zero, down
// below.

import { rgb, theme } from "../../../../attention_view/lab.js";
import { hiddenPlace } from "./currents.js";

const THINNEST = 1.3; // pixels of the bar of a hidden unit
const ROOMY = 3; // pixels of a bar that leave a gap beside it

/** The n numbers of a vector that are furthest from 0, in their own order. */
export function strongest(vector, n) {
  const order = vector.map((_, i) => i).sort((a, b) => Math.abs(vector[b]) - Math.abs(vector[a]));
  const kept = new Set(order.slice(0, n));
  return vector.filter((_, i) => kept.has(i));
}

/** Draws all of them; returns how many hidden units have room. */
export function vectors(river) {
  const { canvas, data, height, large: lane, root, width } = river;
  const { stations, hidden } = data,
    scale = devicePixelRatio || 1,
    colour = theme(root);
  const [panel, line, over, under] = ["panel", "line", "positive", "negative"].map((name) => css(colour(name)));
  Object.assign(canvas, { width: width * scale, height: height * scale });
  canvas.style.cssText = `width:${width}px;height:${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const paint = (vector, x, wide, [top, bottom]) => {
    const each = wide / vector.length,
      bar = each > ROOMY ? 0.8 * each : each,
      [middle, half] = [(top + bottom) / 2, (bottom - top) / 2];
    pen.fillStyle = panel;
    pen.fillRect(x, top, wide, bottom - top);
    pen.fillStyle = line;
    pen.fillRect(x, middle - 0.5, wide, 1);
    vector.forEach((value, i) => {
      const tall = half * Math.min(1, Math.abs(value) / data.largest);
      pen.fillStyle = value < 0 ? under : over;
      pen.fillRect(x + i * each, value < 0 ? middle : middle - tall, bar, tall);
    });
  };
  let n_units = 0;
  stations.forEach(({ values, step }, n) => {
    paint(values[lane], river.at[n].x, river.at[n].width, river.edges(n, lane));
    if (step !== "feed_forward") return;
    const { from, width: wide, edges } = hiddenPlace(river, n);
    n_units = Math.min(hidden[lane].length, Math.max(1, Math.floor(wide / THINNEST)));
    paint(strongest(hidden[lane], n_units), from, wide, edges);
  });
  return n_units;
}

const css = (colour) => `rgb(${[...rgb(colour)].join()})`;
