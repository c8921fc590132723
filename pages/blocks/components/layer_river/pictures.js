// One picture per station: what happens there to the token that is followed.

import { asShare, brief, el, shorten, svg } from "../../../../attention_view/lab.js";
import { firstGuesses, guessesAround, normLengths, partOf, triangle } from "./told.js";

const LEAST_ROW = 15, // pixels of a token's row
  LEAST_ROW_TIGHT = 21, // and on a phone
  HEADING = 26, // pixels above the rows
  SEEN = 0.01, // an attention weight that has a thread
  KEYS = 230, // pixels for what the arrows are, beside them
  FOOT = 24; // and below them

const path = (kind, d) => svg(`path.${kind}`, { d });
const label = (kind, x, y, text, size) => svg(`text.${kind}`, { x, y, ...(size && { "font-size": size }) }, text);
const sheet = (width, height, ...parts) => svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, ...parts);

/** Every token, and the word it would say. */
function guesses(data, n, lane, { width, height, isNarrow }) {
  const N = data.words.length;
  const columns = isNarrow ? 4 : Math.max(1, Math.min(9, N, Math.ceil(Math.sqrt((N * width) / (1.5 * height)))));
  const cell = ({ word, says, isSame }, i) =>
    el(
      `div.cell${isSame ? ".same" : ""}${i === lane ? ".on" : ""}`,
      el("span", shorten(word, 9)),
      el("b", shorten(says, 9)),
    );
  const style = `grid-template-columns:repeat(${columns},1fr);${isNarrow ? "" : `height:${height}px`}`;
  return el("div.cells", { style }, ...firstGuesses(data).map(cell));
}

/** The vectors of all tokens by their lengths, before the norm and after it; where there is none, as they come in. */
function lengths(data, n, lane, { width, height, isNarrow }) {
  const isNorm = data.stations[n].step.startsWith("norm");
  const { before, after } = isNorm ? normLengths(data, n) : { before: data.stations[n].lengths, after: null };
  const N = before.length;
  const row = Math.max(isNarrow ? LEAST_ROW_TIGHT : LEAST_ROW, Math.min(44, (height - HEADING) / N));
  const [left, number, gap] = isNarrow ? [76, 44, 10] : [112, 60, 40];
  const room = width - left - (after ? 2 * number + gap : number);
  const most = Math.max(...before) + (after ? Math.max(...after) : 0) || 1;
  const second = left + (room * Math.max(...before)) / most + number + gap;
  const size = Math.min(16, Math.max(13, 0.72 * row));
  const bar = (kind, x, length, i) => {
    const [y, long] = [HEADING + row * (i + 0.5), (room * length) / most];
    const is = i === lane ? `${kind}.on` : kind;
    return [
      svg(`rect.${is}`, { x, y: y - 0.36 * row, width: Math.max(1, long), height: 0.72 * row, rx: 2 }),
      label(`count${i === lane ? ".on" : ""}`, x + long + 7, y, brief(length), size),
    ];
  };
  const parts = before.flatMap((length, i) => [
    label(i === lane ? "name.on" : "name", left - 10, HEADING + row * (i + 0.5), shorten(data.words[i], 11), size),
    ...bar("was", left, length, i),
    ...(after ? bar("now", second, after[i], i) : []),
  ]);
  const headings = after
    ? [
        ["before the norm", left],
        ["after it", second],
      ]
    : [["length of each vector", left]];
  const heads = headings.map(([text, x]) => label("heading", x, 10, text));
  return sheet(width, HEADING + row * N, ...heads, ...parts);
}

/** A thread between two edges, [x, top, bottom] each. */
const thread = ([x0, a0, b0], [x1, a1, b1]) => {
  const m = (x0 + x1) / 2;
  return `M${x0} ${a0}C${m} ${a0} ${m} ${a1} ${x1} ${a1}V${b1}C${m} ${b1} ${m} ${b0} ${x0} ${b0}Z`;
};

/** What each head gathers for the token, from every token that it sees. */
function threads(data, n, lane, { width, height, isNarrow }) {
  const { words, weights, heads } = data;
  const [least, ofHead] = isNarrow ? [LEAST_ROW_TIGHT, 40] : [LEAST_ROW, 26]; // and what a head needs
  const row = Math.max(least, (ofHead * heads.length) / words.length, Math.min(110, height / words.length));
  const tall = row * words.length;
  const [left, aside] = isNarrow ? [112, 88] : [160, 190];
  const right = width - aside;
  const size = Math.min(19, Math.max(13, 0.8 * row));
  const sums = words.map((_, source) => heads.reduce((sum, rows) => sum + rows[lane][source], 0));
  const scale = (0.94 * row) / Math.max(...sums, 1e-9);
  const begins = sums.map((sum, source) => row * (source + 0.5) - (sum * scale) / 2);
  const each = tall / heads.length;
  const block = Math.min(150, each - Math.min(16, 0.2 * each));
  const parts = heads.flatMap((rows, h) => {
    const start = each * (h + 0.5) - block / 2;
    let top = start;
    const drawn = rows[lane].flatMap((weight, source) => {
      const [from, to] = [begins[source], top];
      begins[source] += weight * scale;
      top += weight * block;
      if (weight < SEEN) return [];
      const d = thread([left, from, begins[source]], [right, to, top]);
      const title = `head ${h} looks at ${words[source]}: ${asShare(weight)}`;
      return [svg("path.thread", { d }, svg("title", title))];
    });
    const most = rows[lane].indexOf(Math.max(...rows[lane]));
    const gives = [shorten(words[most], isNarrow ? 7 : 11), asShare(rows[lane][most])];
    const middle = start + block / 2;
    const apart = Math.min(11, 0.25 * each);
    const isFlat = apart < 9; // both in one line
    return [
      ...drawn,
      svg("rect.head", { x: right, y: start, width: 7, height: block, rx: 2 }),
      ...(isFlat
        ? [label("gives", right + 18, middle, `head ${h}: ${gives[0]} ${gives[1]}`, 13)]
        : [
            label("heading", right + 18, middle - apart, `head ${h}`),
            label("gives", right + 18, middle + apart, gives.join(" "), isNarrow ? 14 : 22),
          ]),
    ];
  });
  const names = words.flatMap((word, source) => {
    const y = row * (source + 0.5);
    const share = weights[lane][source];
    const is = share >= SEEN ? ".on" : "";
    return [
      label(`name${is}`, left - 58, y, shorten(word, isNarrow ? 7 : 11), size),
      ...(is ? [label("share", left - 8, y, asShare(share), Math.min(16, size))] : []),
    ];
  });
  return sheet(width, tall, ...parts, ...names);
}

/** An arrow from one place to another. */
function arrow(kind, [x0, y0], [x1, y1], thick) {
  const long = Math.hypot(x1 - x0, y1 - y0);
  if (long < 1) return [];
  const [ux, uy] = [(x1 - x0) / long, (y1 - y0) / long];
  const head = Math.min(2.6 * thick, long);
  const [bx, by] = [x1 - head * ux, y1 - head * uy];
  const side = (by_) => `${bx - by_ * uy} ${by + by_ * ux}`;
  return [
    svg(`path.shaft.${kind}`, { d: `M${x0} ${y0}L${bx + ux} ${by + uy}`, "stroke-width": thick }),
    path(`tip.${kind}`, `M${x1} ${y1}L${side(1.25 * thick)}L${side(-1.25 * thick)}Z`),
  ];
}

/** The stream, what is added, and their sum, as a triangle; at its corners the guess before and after. */
function addition(data, n, lane, { width, height, isNarrow }) {
  const drawn = triangle(data, n, lane);
  if (!drawn) return el("div");
  const around = guessesAround(data, n, lane);
  const { met, push, sum, angle } = drawn;
  const rad = (angle * Math.PI) / 180;
  const corner = [met * Math.cos(rad), met * Math.sin(rad)];
  const [low, high] = [Math.min(0, corner[0]), Math.max(sum, corner[0])];
  const [words, numbers, aside, above] = isNarrow ? [30, 14, 84, 46] : [64, 19, 230, 70];
  const wide = isNarrow ? width : width - KEYS;
  const tall = isNarrow ? 280 : height;
  const [across, deep] = [wide - aside - 40, tall - above - FOOT];
  const scale = Math.min(across / (high - low), deep / Math.max(corner[1], 1e-9));
  const floor = above + (deep + scale * corner[1]) / 2;
  const left = 20 + (across - scale * (high - low)) / 2;
  const at = ([x, y]) => [left + scale * (x - low), floor - scale * y];
  const [start, bend, end] = [[0, 0], corner, [sum, 0]].map(at);
  const part = partOf(data.stations, n);
  const sure = (chance) => `${asShare(chance)} sure`;
  const far = Math.min(92, 0.4 * scale * Math.min(met, sum));
  const turn = [start[0] + far * Math.cos(rad), start[1] - far * Math.sin(rad)];
  const arc = path("turned", `M${turn}A${far} ${far} 0 0 1 ${start[0] + far} ${start[1]}`);
  const half = [far + 26, rad / 2];
  const degrees = label(
    "degrees",
    start[0] + half[0] * Math.cos(half[1]),
    start[1] - half[0] * Math.sin(half[1]),
    `${Math.round(angle)}°`,
  );
  const before = ([word, chance], [x, y]) => {
    const text = label("before", Math.max(x, 0.3 * wide), y - 0.45 * words - 6, shorten(word, 10), 0.75 * words);
    text.append(svg("tspan.sure", { dx: 10, "font-size": numbers }, sure(chance)));
    return text;
  };
  const after = ([word, chance], [x, y]) => [
    label("after", x + 16, y - 0.5 * words, shorten(word, 10), words),
    label("after.sure", x + 16, y + 0.5 * numbers, sure(chance), numbers),
  ];
  const picture = sheet(
    wide,
    tall,
    ...(angle > 12 ? [arc, degrees] : []),
    ...arrow("came", start, bend, 9),
    ...arrow(part, bend, end, 9),
    ...arrow("sum", start, end, 15),
    ...(around ? [before(around[0], bend), ...after(around[1], end)] : []),
  );
  const line = (kind, text, length) => el(`li.${kind}`, el("b", brief(length)), el("span", text));
  const adds = part === "attention" ? "attention adds" : "feed-forward adds";
  const keys = el("ul.keys", line("came", "came in", met), line(part, adds, push), line("sum", "goes on", sum));
  return el("div.sum", keys, picture);
}

/** The hidden units of feed-forward: those that are awake as large as their share of what it adds. */
function units(data, n, lane, { width, height, isNarrow }) {
  const { drawn, at, does, half } = data.units;
  const tall = isNarrow ? 320 : height;
  const columns = Math.max(1, Math.ceil(Math.sqrt((drawn * width) / tall)));
  const pitch = Math.min(width / columns, tall / Math.ceil(drawn / columns), 40);
  const across = Math.max(1, Math.floor(width / pitch));
  const place = (unit) => ({ cx: pitch * ((unit % across) + 0.5), cy: pitch * (Math.floor(unit / across) + 0.5) });
  const shares = new Map(at[lane].map((unit, k) => [unit, does[lane][k] / 1e4]));
  const order = [...shares].sort((a, b) => b[1] - a[1]);
  const best = new Set(order.slice(0, half[lane] ?? 0).map(([unit]) => unit));
  const largest = Math.max(...[...shares.values()].map(Math.abs), 1e-9);
  const dot = (_, unit) => {
    const share = shares.get(unit);
    if (share === undefined) return svg("circle.asleep", { ...place(unit), r: Math.max(1, 0.07 * pitch) });
    const r = Math.max(0.13 * pitch, 0.5 * pitch * Math.sqrt(Math.abs(share) / largest));
    const kind = share < 0 ? "against" : best.has(unit) ? "best" : "awake";
    return svg(`circle.${kind}`, { ...place(unit), r }, svg("title", `unit ${unit}: ${(100 * share).toFixed(1)}%`));
  };
  const all = Array.from({ length: drawn }, dot);
  return sheet(width, pitch * Math.ceil(drawn / across), ...all);
}

const PICTURES = { norm: lengths, attention: threads, add: addition, feed_forward: units };

/** The picture of the nth station, in this much room: {width, height, isNarrow}. */
export function pictureAt(data, n, lane, room) {
  const step = data.stations[n].step.replace(/\d$/, "");
  const draw = step === "in" ? (firstGuesses(data) ? guesses : lengths) : PICTURES[step];
  return draw(data, n, lane, room);
}
