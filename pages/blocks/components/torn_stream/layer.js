// One layer between two pictures of the stream: its two sublayers, each with its norm and the bypass around it. What is
// torn out is drawn where it was, in dashes, with a cross.

import { svg } from "../../../../attention_view/lab.js";

const NAMED = 12, // a block as wide has room for its name
  CORNER = 7,
  PLUS = 5.5; // half of the sign where the bypass comes back
export const ABOVE = 46; // pixels above the blocks, for the bypass
const BELOW = 18; // for the name of the norms
const TWO_NAMED = 76; // pixels across in which both norms have room for a name
const ARCH = 24; // so far above the blocks it runs

/** Where the parts of both sublayers stand across so many pixels: the norm before the block, or after the addition. */
export function placesOf(width, isPre) {
  const half = width / 2;
  return [0, half].map((start) => {
    const at = (share) => start + share * half;
    const [leaves, norm, block, comes] = isPre ? [0.07, 0.2, 0.3, 0.84] : [0.06, 0.94, 0.14, 0.69];
    return { leaves: at(leaves), norm: at(norm), x: at(block), wide: 0.4 * half, comes: at(comes) };
  });
}

/** The way of the bypass from where it leaves the stream to where it is added again. */
export function bypass(from, to, y) {
  const over = `V${CORNER - ARCH}Q${from} ${-ARCH} ${from + CORNER} ${-ARCH}H${to - CORNER}`;
  return `M${from} ${y}${over}Q${to} ${-ARCH} ${to} ${CORNER - ARCH}V${y - PLUS}`;
}

/** What is left of it once it is torn: two ends. */
export function stumps(from, to, y) {
  return `M${from} ${y}V${-8}M${to} ${-8}V${y - PLUS}`;
}

const cross = (x, y, size = 6) =>
  svg("path.cross", {
    d: `M${x - size} ${y - size}L${x + size} ${y + size}M${x + size} ${y - size}L${x - size} ${y + size}`,
  });

/** The drawing of a layer.
 *
 * size  {width, height} of what stands between two pictures; lane: pixels of a token, tokens: how many
 * names {residual, norm, feedForward, attention} as they are called on screen; out: which is torn out, "" for none
 * press(name) hears which part is to be torn out; null where nothing can be */
export function layer({ width, height, lane, tokens, isPre, names, out, press }) {
  const tall = ABOVE + height + BELOW;
  const box = { width, height: tall, viewBox: `0 ${-ABOVE} ${width} ${tall}` };
  const drawing = svg("svg", { ...box, "aria-hidden": "true" });
  const pressed = (name) => (press ? { onclick: () => press(name) } : {});
  const hint = (name) => (press ? [svg("title", {}, `Tear out: ${name.toLowerCase()}`)] : []);
  const hit = (name, place) => svg("rect.hit", { ...place, ...pressed(name) }, ...hint(name));
  const first = lane / 2; // where the lane of the first token runs
  const lanes = Array.from({ length: tokens }, (_, i) => `M0 ${(i + 0.5) * lane}H${width}`).join("");
  drawing.append(svg("path.stream", { d: lanes }));
  drawing.append(hit(names.residual, { y: -ABOVE, width, height: ABOVE }));
  const places = placesOf(width, isPre);
  places.forEach((place, n) => {
    const [name, kind] = n ? [names.feedForward, "ff"] : [names.attention, "attention"];
    drawing.append(hit(names.norm, { x: place.norm - 5, width: 10, height: height + 14 }));
    drawing.append(
      ...blockOf(place, { height, kind, name, isOut: out === name, props: pressed(name), hint: hint(name) }),
    );
    drawing.append(...normOf(place.norm, height, out === names.norm));
    drawing.append(...bypassOf(place, first, out === names.residual));
  });
  const word = (name, x, y, kind = "") =>
    svg(`text${kind}${out === name ? ".gone" : ""}`, { x, y }, name.toLowerCase());
  const norms = places
    .slice(0, width < TWO_NAMED ? 1 : 2)
    .map(({ norm }) => word(names.norm, norm - 4, height + 10, ".first"));
  drawing.append(word(names.residual, width / 2, 9 - ABOVE), ...norms);
  return drawing;
}

function blockOf({ x, wide }, { height, kind, name, isOut, props, hint }) {
  const turned = { transform: `translate(${x + wide / 2} ${height / 2}) rotate(-90)` };
  const word = wide > NAMED ? [svg(`text${isOut ? ".gone" : ""}`, turned, name.toLowerCase())] : [];
  if (!isOut) return [svg(`rect.block.${kind}`, { x, width: wide, height, ...props }, ...hint), ...word];
  const hole = svg("rect.hole", { x, width: wide, height });
  const crosses = [0.14, 0.86].map((share) => cross(x + wide / 2, share * height));
  return [hole, ...word, ...crosses];
}

function normOf(x, height, isOut) {
  const bar = svg(`path.norm${isOut ? ".out" : ""}`, { d: `M${x} 0V${height}` });
  return isOut ? [bar, ...[0.25, 0.5, 0.75].map((share) => cross(x, share * height))] : [bar];
}

function bypassOf({ leaves, comes }, y, isOut) {
  const way = bypass(leaves, comes, y);
  const arms = svg("path", { d: `M${comes - PLUS} ${y}h${2 * PLUS}M${comes} ${y - PLUS}v${2 * PLUS}` });
  const sign = svg(`g.plus${isOut ? ".out" : ""}`, svg("circle", { cx: comes, cy: y, r: PLUS }), arms);
  if (!isOut) return [svg("path.bypass", { d: way }), sign];
  const ends = svg("path.bypass", { d: stumps(leaves, comes, y) });
  return [svg("path.bypass.out", { d: way }), ends, sign, cross((leaves + comes) / 2, -ARCH, 7)];
}
