// The map, or the ribbons, as a vector picture, for papers: cells, names, title, and the scale with its numbers. Text
// in, text out.

import { axesOf, rolesOf } from "./axes.js";
import { signedColour, weightColour } from "./colours.js";
import { brief, EXPONENT, minus, shorten } from "./lab.js";
import { ribbonsLayout, ribbonsOf } from "./ribbons.js";

const FONT = "Helvetica, Arial, sans-serif"; // what every system and every typesetter has
const SIZE = 12; // of all text, in the same unit as the cells
const GLYPH = 0.56; // width of a letter as a share of its size, by and large
const MOST_NAMED = 128; // tokens along a side, each of which has its name; of more, every so many-th has its number
const MOST_TITLED = 2500; // cells, each of which says its number when pointed at
const WIDEST = 1536;
const SCALE = { width: 160, height: 10, steps: 64 };

/** An SVG document of what is shown.
 *
 * shown  what shownBy() of export_menu.js says
 * colours  of palette() in colours.js */
export function svgOf(shown, colours) {
  const place = svgPlace(shown);
  const { left, top, cell, width, height } = place;
  const { rows: T, columns: S } = shown;
  return svgPage(
    { width, height },
    shown,
    colours,
    tagged(
      "g",
      {
        class: "cells",
        transform: `translate(${left} ${top}) scale(${hundredths(cell)})`,
        "shape-rendering": "crispEdges",
      },
      tagged("rect", { class: "zero", width: S, height: T, fill: colours.panel }),
      ...(T * S > MOST_TITLED ? cellsByColour(shown, colours) : cellsWithNumbers(shown, colours)),
      blockedCells(shown, colours),
    ),
    tagged("rect", {
      x: left,
      y: top,
      width: hundredths(cell * S),
      height: hundredths(cell * T),
      fill: "none",
      stroke: colours.line,
    }),
    svgNames(shown, place, colours),
    svgScale(shown, place, colours),
    svgAxes(shown, place.height - 12, colours),
  );
}

/** An SVG document with the title and the ground of what is shown. */
function svgPage({ width, height }, shown, colours, ...children) {
  const text = { "font-family": FONT, "font-size": SIZE };
  return tagged(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, ...text, role: "img" },
    tagged("title", {}, safe(`${shown.title}, ${shown.caption}`)),
    tagged("rect", { width, height, fill: colours.ground }),
    svgHeading(shown, colours),
    ...children,
  );
}

/** Where everything goes; names keep their size, and the cells make room for them. */
function svgPlace({ rows: T, columns: S, queries, keys }) {
  const named = Math.max(T, S) <= MOST_NAMED;
  const cell = named
    ? Math.max(SIZE + 1, Math.min(28, 560 / Math.max(T, S)))
    : Math.max(1.5, WIDEST / 2 / Math.max(T, S));
  const longest = (tokens) =>
    Math.min(
      14,
      tokens.reduce((most, token) => Math.max(most, Array.from(shorten(token, 14)).length), 5),
    );
  const left = Math.ceil((named ? longest(queries) : 5) * SIZE * GLYPH) + 26;
  const top = 62 + (named ? Math.ceil(longest(keys) * SIZE * GLYPH * 0.9) : 8);
  const width = Math.ceil(Math.max(left + cell * S + (named ? 46 : 20), left + SCALE.width + 190, 440));
  return { left, top, cell, named, width, height: Math.ceil(top + cell * T + 74) };
}

function svgHeading({ title, caption }, colours) {
  return [
    tagged("text", { x: 12, y: 22, fill: colours.ink, "font-weight": "bold", "font-size": SIZE + 2 }, safe(title)),
    tagged("text", { x: 12, y: 39, fill: colours.quiet }, safe(caption)),
  ].join("");
}

/** Every cell as a square of its own, with its number. */
function cellsWithNumbers(shown, colours) {
  const { rows: T, columns: S, queries, keys, matrix } = shown;
  return eachCell(T, S, (n, i, j) =>
    isBlocked(shown, n)
      ? ""
      : tagged(
          "rect",
          { x: j, y: i, width: 1, height: 1, fill: svgHex(svgColour(shown, n, colours)) },
          tagged("title", {}, safe(`${queries[i]} → ${keys[j]}: ${matrix[n]}`)),
        ),
  );
}

/** All cells of one colour as one path, so that a long text makes no long file. Cells of the panel's colour are it. */
function cellsByColour(shown, colours) {
  const { rows: T, columns: S } = shown;
  const paths = new Map();
  const zero = svgHex(svgColour({ ...shown, matrix: [0] }, 0, colours));
  eachCell(T, S, (n, i, j) => {
    if (isBlocked(shown, n)) return;
    const fill = svgHex(svgColour(shown, n, colours));
    if (fill === zero) return;
    if (!paths.has(fill)) paths.set(fill, []);
    paths.get(fill).push(`M${j} ${i}h1v1h-1z`);
  });
  return Array.from(paths, ([fill, squares]) => tagged("path", { fill, d: squares.join("") }));
}

/** Strokes across each cell that the mask closes: one path, since a pattern is not drawn alike everywhere. */
function blockedCells(shown, colours) {
  const { rows: T, columns: S } = shown;
  const strokes = eachCell(T, S, (n, i, j) =>
    isBlocked(shown, n) ? `M${j} ${i + 1}l1-1M${j} ${i + 0.5}l.5-.5M${j + 0.5} ${i + 1}l.5-.5` : "",
  ).join("");
  if (!strokes) return "";
  return tagged("path", {
    class: "blocked",
    d: strokes,
    fill: "none",
    stroke: colours.quiet,
    "stroke-opacity": 0.4,
    "stroke-width": 0.04,
    "shape-rendering": "auto",
  });
}

const isBlocked = ({ mask }, n) => Boolean(mask) && !mask[n];

const svgColour = ({ matrix, largest, signed }, n, colours) =>
  (signed ? signedColour : weightColour)(matrix[n], largest, colours);

function eachCell(T, S, of) {
  const made = [];
  for (let i = 0; i < T; i++) for (let j = 0; j < S; j++) made.push(of(i * S + j, i, j));
  return made;
}

/** Names of rows and columns, or their numbers where there are too many, and what rows and columns are. */
function svgNames({ rows: T, columns: S, queries, keys, across, flow }, { left, top, cell, named }, colours) {
  const every = named ? 1 : ([10, 20, 50, 100].find((step) => step * cell >= 3 * SIZE) ?? 200);
  const texts = [];
  const middle = (n) => hundredths((n + 0.5) * cell);
  for (let i = 0; i < T; i += every)
    texts.push(
      tagged(
        "text",
        {
          class: "query",
          x: left - 7,
          y: hundredths(top + middle(i) + SIZE * 0.35),
          "text-anchor": "end",
          fill: colours.ink,
        },
        safe(named ? shorten(queries[i], 14) : i),
      ),
    );
  for (let j = 0; j < S; j += every) {
    const x = left + middle(j);
    const turned = { transform: `translate(${hundredths(x + SIZE * 0.3)} ${top - 7}) rotate(-60)` };
    const upright = { x: hundredths(x), y: top - 7, "text-anchor": "middle" };
    texts.push(
      tagged(
        "text",
        { class: "key", ...(named ? turned : upright), fill: colours.ink },
        safe(named ? shorten(keys[j], 14) : j),
      ),
    );
  }
  const axis = { x: left - 7, "text-anchor": "end", "font-weight": "bold" };
  const roles = rolesOf({ flow });
  const isFeature = across === "feature";
  const name = isFeature ? across : roles.key;
  texts.push(
    tagged("text", { ...axis, y: top - 24, fill: isFeature ? colours.value : colours.key }, `${name} →`),
    tagged("text", { ...axis, y: top - 8, fill: colours.query }, `${roles.query} ↓`),
  );
  return tagged("g", { class: "names", "xml:space": "preserve" }, ...texts);
}

/** Which axis is which, as below the map on screen. */
function svgAxes(shown, y, colours) {
  const parts = axesOf(shown).map(([words, side]) =>
    tagged("tspan", side ? { fill: colours[side], "font-weight": "bold" } : {}, safe(words)),
  );
  return tagged("text", { class: "axes", x: 12, y, fill: colours.quiet, "xml:space": "preserve" }, ...parts);
}

/** The scale: steps of colour, the numbers they stand for, and how colour follows number. */
function svgScale({ largest, signed, rows: T }, { left, top, cell }, colours) {
  const { width, height, steps } = SCALE;
  const y = hundredths(top + cell * T + 16);
  const lowest = signed ? -largest : 0;
  const value = (share) => lowest + share * (largest - lowest);
  const bars = Array.from({ length: steps }, (_, n) => {
    const fill = svgHex(svgColour({ matrix: [value(n / (steps - 1))], largest, signed }, 0, colours));
    return tagged("rect", {
      x: hundredths(left + (n * width) / steps),
      y,
      width: hundredths(width / steps + 0.2),
      height,
      fill,
    });
  });
  const shares = largest > 0 ? [0, 0.25, 0.5, 0.75, 1] : [0];
  const numbers = shares.map((share) =>
    tagged(
      "text",
      {
        class: "tick",
        x: hundredths(left + share * width),
        y: y + height + SIZE + 3,
        "text-anchor": "middle",
        fill: colours.ink,
      },
      scaleNumber(value(share), largest),
    ),
  );
  const note = tagged(
    "text",
    { x: left + width + 24, y: y + height - 0.5, fill: colours.quiet },
    `colour: (${signed ? "|value|" : "weight"} / largest)^${EXPONENT}`,
  );
  const frame = tagged("rect", { x: left, y, width, height, fill: "none", stroke: colours.line });
  return tagged("g", { class: "scale", "shape-rendering": "crispEdges" }, ...bars, frame, ...numbers, note);
}

/** A number of the scale: two digits that count, also where even the largest is small. */
const scaleNumber = (x, largest) => (largest >= 0.1 ? brief(x) : x === 0 ? "0" : minus(x.toPrecision(2)));

const hundredths = (x) => Math.round(100 * x) / 100;

const svgHex = (colour) =>
  "#" +
  Array.from(colour, (part) =>
    Math.round(Math.min(255, Math.max(0, part)))
      .toString(16)
      .padStart(2, "0"),
  ).join("");

/** Text as XML may hold it: markup is written as text, and what no XML may hold as a replacement sign. */
function safe(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return Array.from(String(text), (sign) => {
    const code = sign.codePointAt(0);
    const known = code >= 32 ? !(code >= 0xd800 && code < 0xe000) && (code & 0xfffe) !== 0xfffe : code === 9;
    return known ? (entities[sign] ?? sign) : "\ufffd";
  }).join("");
}

/** An element as text; children are texts that are safe already. */
function tagged(tag, properties, ...children) {
  const written = Object.entries(properties).map(([name, value]) => ` ${name}="${safe(value)}"`);
  const inside = children.flat().join("");
  return inside ? `<${tag}${written.join("")}>${inside}<${"/"}${tag}>` : `<${tag}${written.join("")}/>`;
}

// ---- ribbons --------------------------------------------------------------------------------------------------

const RIBBONS = { width: 560, step: 17 };

/** The ribbons of what is shown as a vector picture: queries on the left, the keys they look at on the right. */
export function ribbonsSvg(shown, colours) {
  const { rows, columns, each, threshold, spot } = shown;
  const sides = { T: rows, S: columns };
  const list = ribbonsOf(
    sides,
    each.map((weights) => ({ weights })),
    threshold,
    spot,
  );
  const most = Math.max(rows, columns);
  const step = most <= MOST_NAMED ? RIBBONS.step : Math.max(2, (RIBBONS.step * MOST_NAMED) / most);
  const layout = ribbonsLayout(sides, RIBBONS.width, most * step + 38);
  const [y, width, height] = [(n) => hundredths(50 + layout.y(n)), layout.width, Math.ceil(50 + layout.height + 30)];
  const named = (tokens, side) =>
    svgSideNames(tokens, side, rolesOf(shown)[side], { ...layout, y, named: most <= MOST_NAMED }, colours);
  return svgPage(
    { width, height },
    shown,
    colours,
    tagged("g", { class: "ribbons", fill: "none" }, ...svgCurves(list, shown, { ...layout, y }, colours)),
    tagged(
      "g",
      { class: "names", "xml:space": "preserve" },
      ...named(shown.queries, "query"),
      ...named(shown.keys, "key"),
    ),
    tagged(
      "text",
      { x: 12, y: height - 12, fill: colours.quiet },
      safe(`${list.weights.length} of ${list.total} ribbons of ${brief(threshold)} and more; as wide as the weight`),
    ),
  );
}

function svgCurves({ weights, heads, queries, keys }, shown, { left, right, step, y }, colours) {
  const largest = Math.max(0.3, weights.at(-1) ?? 0);
  const lane = Math.min(3, step / (shown.heads.length + 1));
  const middle = hundredths((left + right) / 2);
  return weights.map((weight, n) => {
    const share = Math.min(1, weight / largest);
    const shift = (heads[n] - (shown.heads.length - 1) / 2) * lane;
    const [from, to] = [y(queries[n]) + shift, y(keys[n]) + shift].map(hundredths);
    return tagged(
      "path",
      {
        stroke: colours.heads[heads[n] % colours.heads.length],
        "stroke-opacity": hundredths(0.2 + 0.7 * share),
        "stroke-width": hundredths(0.4 + 8 * share),
        d: `M${hundredths(left + 8)} ${from}C${middle} ${from} ${middle} ${to} ${hundredths(right - 8)} ${to}`,
      },
      tagged("title", {}, safe(`${shown.queries[queries[n]]} → ${shown.keys[keys[n]]}: ${weight}`)),
    );
  });
}

function svgSideNames(tokens, side, role, { left, right, step, y, named }, colours) {
  const isLeft = side === "query";
  const every = named ? 1 : ([10, 20, 50, 100].find((n) => n * step >= 3 * SIZE) ?? 200);
  const place = { x: isLeft ? left - 2 : right + 2, "text-anchor": isLeft ? "end" : "start" };
  const texts = [tagged("text", { ...place, y: 60, fill: colours[side], "font-weight": "bold" }, role)];
  for (let n = 0; n < tokens.length; n += every)
    texts.push(
      tagged(
        "text",
        { class: side, ...place, y: hundredths(y(n) + SIZE * 0.35), fill: colours.ink },
        safe(named ? shorten(tokens[n], 15) : n),
      ),
    );
  return texts;
}
