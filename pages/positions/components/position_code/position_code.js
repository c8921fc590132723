// One figure of the sinusoidal codes. Its middle is the table itself: a row per position, two columns per pair. All
// around it says the same numbers otherwise: above each pair stands its clock, below it how long a turn takes, and to
// the right, on the same rows, run the wave of one pair and the similarity of every code to that of the chosen
// position. Nothing here knows the formula: hands, waves and products are read from the table that the model's code
// made.

import {
  el,
  fixed,
  mirror,
  mount,
  pointIn,
  rgb,
  svg,
  theme,
  trimmed,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { magnifier, perTurn, rises, ticksTo, wedge } from "./reading.js";

const CLOCKS = 8; // that fit above the table; each stands for a group of neighbouring pairs
const NARROW = 560; // pixels below which waves and likeness stand under the table

class PositionCode {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pos_at", this.a, this.usual.a);
      put("pos_offset", this.k, 3);
      put("pos_pair", this.pair, this.usual.pair);
      put("pos_anchor", null); // how links once named the position
    }, 200);
    const slider = (name, label) => {
      const input = el("input", {
        type: "range",
        min: 0,
        "aria-label": label,
        oninput: () => this.set({ [name]: Number(input.value) }),
      });
      const output = el("output");
      return { input, output, label: el("label", el("span", label), input, output) };
    };
    this.sliders = { a: slider("a", "Position"), k: slider("k", "Step k"), pair: slider("pair", "Pair i") };
    this.play = el("button", { onclick: () => this.toggle() }, "Play");
    this.cells = el("canvas", { "aria-hidden": "true" });
    this.fixed = svg("g");
    this.marks = svg("g");
    this.drawing = svg("svg", { role: "img" }, this.fixed, this.marks);
    this.turn = el("div.turn-says");
    this.stage = el("div.stage", this.cells, this.drawing, this.turn);
    this.spoken = el("p.say", { "aria-live": "off" });
    root.replaceChildren(
      el("div.bar", ...Object.values(this.sliders).map((one) => one.label), this.play),
      this.stage,
      this.spoken,
    );
    this.drawing.onpointermove = (event) => this.point(event);
    this.drawing.onpointerdown = (event) => this.point(event, true);
    this.drawing.onpointerleave = () => this.look({});
    this.observer = new ResizeObserver(() => this.head && this.arrange());
    this.observer.observe(root);
  }

  update(bytes) {
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      this.head = header;
      this.table = arrays.table;
      this.pairs = header.d >> 1; // with a sine and a cosine
      this.groups = header.turns.length;
      this.usual = { a: header.at, pair: Math.min(4, this.groups - 1) };
      if (this.a === undefined) {
        this.a = wholeParam("pos_at") ?? wholeParam("pos_anchor") ?? header.at;
        this.k = wholeParam("pos_offset") ?? 3;
        this.pair = wholeParam("pos_pair") ?? this.usual.pair;
      }
      this.seen = {};
      this.a = Math.min(this.a, header.length - 1);
      this.k = Math.min(this.k, header.most);
      this.pair = Math.min(this.pair, this.groups - 1);
      this.sliders.a.input.max = header.length - 1;
      this.sliders.k.input.max = header.most;
      this.sliders.pair.input.max = this.groups - 1;
      this.rounding = undefined;
    }
    this.paint();
    this.arrange();
  }

  row(position) {
    const { d } = this.head;
    return this.table.subarray(position * d, (position + 1) * d);
  }

  /** The table, a pixel per number; the style sheet makes the pixels large. */
  paint() {
    const { d, length } = this.head;
    const [negative, panel, positive] = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    Object.assign(this.cells, { width: d, height: length });
    const pen = this.cells.getContext("2d"),
      image = pen.createImageData(d, length);
    for (let n = 0; n < d * length; n++) {
      const value = this.table[n],
        end = value < 0 ? negative : positive,
        share = Math.min(1, Math.abs(value));
      for (let c = 0; c < 3; c++) image.data[4 * n + c] = panel[c] + share * (end[c] - panel[c]);
      image.data[4 * n + 3] = 255;
    }
    pen.putImageData(image, 0, 0);
  }

  /** Where everything stands, for the width that there is. */
  arrange() {
    const width = this.stage.clientWidth;
    if (!width) return;
    const { length, d } = this.head,
      isNarrow = width < NARROW,
      left = 46;
    const groups = Math.min(CLOCKS, this.groups),
      across = isNarrow ? width - left - 4 : Math.round(0.52 * width) - left,
      radius = Math.min(27, across / groups / 2 - 3);
    const map = { x: left, y: 2 * radius + 60, w: across, h: isNarrow ? 230 : 212 };
    const strip = { x: left, y: map.y + map.h + 8, w: across, h: 52 };
    const space = isNarrow ? width - left : width - map.x - map.w,
      foot = strip.y + strip.h + 24; // of the table and what stands below it
    const low = isNarrow ? foot + 104 : map.y;
    const wave = {
      x: isNarrow ? left : map.x + map.w + 44,
      y: low,
      w: Math.round(0.36 * (space - 70)),
      h: isNarrow ? 190 : map.h,
    };
    const near = { ...wave, x: wave.x + wave.w + 34 };
    near.w = width - near.x - 8;
    const height = isNarrow ? near.y + near.h + 42 : foot;
    this.box = { map, strip, wave, near, isNarrow, radius };
    this.y = (p, box = map) => box.y + ((p + 0.5) / length) * box.h;
    this.x = (column) => map.x + (column / d) * map.w;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    Object.assign(this.drawing.style, { width: `${width}px`, height: `${height}px` });
    Object.assign(this.cells.style, {
      left: `${map.x}px`,
      top: `${map.y}px`,
      width: `${map.w}px`,
      height: `${map.h}px`,
    });
    Object.assign(this.turn.style, { left: isNarrow ? "0" : `${wave.x}px`, top: isNarrow ? `${foot}px` : "0" });
    this.stage.style.height = `${height}px`;
    this.scales();
    this.draw();
  }

  /** What stays while a visitor points about: frames, axes, names, the length of every pair's turn. */
  scales() {
    const { map, strip, wave, near, isNarrow } = this.box,
      { length, turns } = this.head;
    const parts = [];
    const text = (x, y, words, more = {}) => {
      const node = svg("text", { x, y, ...more });
      node.textContent = words;
      parts.push(node);
    };
    const line = (x1, y1, x2, y2, more = {}) => parts.push(svg("line.rule", { x1, y1, x2, y2, ...more }));
    text(
      map.x,
      13,
      isNarrow ? "a clock per pair; positions per turn" : "Every pair is a clock; below it, positions per turn",
      { class: "name" },
    );
    for (const box of [map, wave, near]) {
      parts.push(svg("rect.frame", { x: box.x, y: box.y, width: box.w, height: box.h }));
      if (box === near || (box === wave && !isNarrow)) continue;
      for (const p of ticksTo(length)) text(box.x - 8, this.y(p, box) + 4, p, { "text-anchor": "end" });
      const at = { x: 12, y: box.y + box.h / 2 };
      text(at.x, at.y, "position", { "text-anchor": "middle", transform: `rotate(-90 ${at.x} ${at.y})` });
    }
    // How many positions a turn takes, from the shortest to the longest, on a logarithmic scale.
    const [shortest, longest] = [turns[0], turns[turns.length - 1]].map(Math.log10);
    const up = (value) =>
      strip.y + strip.h - 5 - ((Math.log10(value) - shortest) / (longest - shortest || 1)) * (strip.h - 10);
    this.dots = turns.map((turn, pair) => svg("circle.dot", { cx: this.middle(pair), cy: up(turn), r: 2.3 }));
    for (let power = Math.ceil(shortest); power <= longest; power++) {
      line(strip.x, up(10 ** power), strip.x + strip.w, up(10 ** power));
      const isShown = longest - shortest < 3 || power % 2 === 1;
      if (isShown) text(strip.x - 8, up(10 ** power) + 4, perTurn(10 ** power), { "text-anchor": "end" });
    }
    parts.push(...this.dots);
    const under = strip.y + strip.h + 16;
    text(strip.x, under, "pair 0");
    text(strip.x + strip.w, under, `pair ${turns.length - 1}`, { "text-anchor": "end" });
    text(strip.x + strip.w / 2, under, isNarrow ? "positions per turn" : "positions per turn of every pair", {
      "text-anchor": "middle",
    });
    // The axes of the wave and of likeness.
    const across = (value) => wave.x + ((value + 1.1) / 2.2) * wave.w;
    for (const value of [-1, 0, 1]) {
      line(across(value), wave.y, across(value), wave.y + wave.h);
      text(across(value), wave.y + wave.h + 16, fixed(value, 0), { "text-anchor": "middle" });
    }
    this.across = across;
    const below = wave.y + wave.h + 34;
    parts.push(svg("path.sine", { d: `M${wave.x} ${below - 4}h22` }));
    text(wave.x + 27, below, "sin");
    parts.push(svg("path.cosine", { d: `M${wave.x + 56} ${below - 4}h22` }));
    text(wave.x + 83, below, "cos");
    parts.push(svg("path.rise", { d: `M${near.x} ${below - 4}h18` }));
    text(near.x + 24, below, isNarrow ? "farther, yet closer" : "farther, yet more similar");
    this.fixed.replaceChildren(...parts);
  }

  /** The middle of a pair's columns; a last sine may be alone. */
  middle(pair) {
    return this.x(Math.min(2 * pair + 1, (2 * pair + this.head.d) / 2));
  }

  /** The code of `a` times every code: how alike they are, as a dot product has it. */
  likeness(a) {
    const code = this.row(a);
    return Float64Array.from({ length: this.head.length }, (_, p) => {
      const other = this.row(p);
      let sum = 0;
      for (let n = 0; n < code.length; n++) sum += code[n] * other[n];
      return sum;
    });
  }

  set(values) {
    Object.assign(this, values);
    this.draw();
    this.link.later();
  }

  /** What the pointer is over, for as long as it is. */
  look(seen) {
    if (seen.a === this.seen.a && seen.pair === this.seen.pair) return;
    this.seen = seen;
    this.draw();
  }

  point(event, isHeld = false) {
    const [x, y] = pointIn(event, this.drawing);
    const { map, wave, near, strip } = this.box,
      { length, d } = this.head;
    const seen = {};
    const onMap = x >= map.x && x < map.x + map.w;
    const box = [map, wave, near].find((b) => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + b.h);
    if (box) seen.a = Math.floor(((y - box.y) / box.h) * length);
    if (onMap && y >= 20 && y < strip.y + strip.h) {
      seen.pair = Math.floor((((x - map.x) / map.w) * d) / 2);
      if (y < map.y)
        seen.pair =
          this.clocks[Math.min(this.clocks.length - 1, Math.floor(((x - map.x) / map.w) * this.clocks.length))];
    }
    if (!isHeld) return this.look(seen);
    this.seen = {};
    this.set(seen);
  }

  draw() {
    const a = this.seen.a ?? this.a,
      pair = this.seen.pair ?? this.pair,
      { k } = this;
    const { length, turns, most } = this.head;
    for (const [name, value] of Object.entries({ a, k, pair })) {
      this.sliders[name].input.value = value;
      this.sliders[name].output.value = value;
    }
    const products = this.likeness(a);
    this.marks.replaceChildren(
      ...this.drawClocks(a, k, pair),
      ...this.drawRows(a, k, pair),
      ...this.drawWave(a, k, pair),
      ...this.drawLikeness(a, k, products),
    );
    this.dots.forEach((dot, n) => {
      dot.classList.toggle("chosen", n === pair);
      dot.setAttribute("r", n === pair ? 4.5 : 2.3);
    });
    this.say(a, k, pair, products);
    this.drawing.setAttribute(
      "aria-label",
      `The codes of positions 0 to ${length - 1} as a table, with a clock per pair of columns, the wave of pair ` +
        `${pair}, which turns once in ${trimmed(turns[pair], 1)} positions, and the similarity of every code to ` +
        `that of position ${a}.`,
    );
    const later = this.row(a + k);
    const product = this.row(a).reduce((sum, value, n) => sum + value * later[n], 0);
    Object.assign(this.root.dataset, { a, k, pair, product, worst: this.worst(), pairs: this.pairs, most });
  }

  /** A clock per group of pairs: the chosen pair in its own group, the first one in all others. */
  drawClocks(a, k, chosen) {
    const { map, radius } = this.box,
      { turns } = this.head;
    const n = Math.min(CLOCKS, this.groups),
      wide = map.w / n;
    const now = this.row(a),
      later = this.row(a + k);
    this.clocks = Array.from({ length: n }, (_, group) => {
      const first = Math.floor((group * this.groups) / n),
        next = Math.floor(((group + 1) * this.groups) / n);
      return chosen >= first && chosen < next ? chosen : first;
    });
    return this.clocks.map((pair, group) => {
      const x = map.x + (group + 0.5) * wide,
        y = 24 + radius,
        tip = (row, times = 1) => {
          const angle = Math.atan2(row[2 * pair], row[2 * pair + 1] ?? 0) * times;
          return [Math.sin(angle) * radius * 0.86, -Math.cos(angle) * radius * 0.86];
        };
      const hand = (name, [dx, dy]) => svg("line", { class: name, x1: x, y1: y, x2: x + dx, y2: y + dy });
      const times = magnifier(turns[pair]),
        p = tip(now),
        q = tip(later);
      const name = (at, words, more) => {
        const node = svg("text", { x, y: at, "text-anchor": "middle", ...more });
        node.textContent = words;
        return node;
      };
      const isWhole = 2 * pair + 1 < now.length;
      return svg(
        "g",
        { class: pair === chosen ? "clock chosen" : "clock" },
        svg("path.leader", { d: `M${x} ${y + radius + 20}V${map.y - 10}L${this.middle(pair)} ${map.y - 1}` }),
        svg("circle.rim", { cx: x, cy: y, r: radius }),
        !k || !isWhole ? null : svg("path.wedge", { d: wedge(p, q, radius * 0.6), transform: `translate(${x} ${y})` }),
        times > 1 && isWhole ? hand("vernier", tip(now, times)) : null,
        isWhole ? hand("hand then", q) : null,
        isWhole ? hand("hand", p) : null,
        name(y + radius + 15, perTurn(turns[pair])),
      );
    });
  }

  drawRows(a, k, pair) {
    const { map, wave, near } = this.box,
      { length, d } = this.head;
    const tall = Math.max(3, map.h / length),
      row = (p, name) =>
        p < length && [
          svg("rect", { class: name, x: map.x - 1, y: this.y(p) - tall / 2, width: map.w + 2, height: tall }),
          ...[wave, near].map((box) =>
            svg("line", { class: name, x1: box.x, x2: box.x + box.w, y1: this.y(p, box), y2: this.y(p, box) }),
          ),
        ];
    const right = this.x(Math.min(2 * pair + 2, d));
    return [
      svg("rect.columns", { x: this.x(2 * pair), y: map.y, width: right - this.x(2 * pair), height: map.h }),
      ...((k && row(a + k, "row then")) || []),
      ...(row(a, "row") || []),
    ];
  }

  drawWave(a, k, pair) {
    const { wave } = this.box,
      { length, d } = this.head;
    const column = (n) => Array.from({ length }, (_, p) => [this.across(this.row(p)[n]), this.y(p, wave)]);
    const dot = (p, n) =>
      p < length && svg("circle.point", { cx: this.across(this.row(p)[n]), cy: this.y(p, wave), r: p === a ? 4 : 3 });
    const isWhole = 2 * pair + 1 < d;
    const name = svg("text.name", { x: wave.x, y: wave.y - 8 });
    name.textContent = `wave of pair ${pair}`;
    return [
      name,
      isWhole && svg("path.cosine", { d: path(column(2 * pair + 1)) }),
      svg("path.sine", { d: path(column(2 * pair)) }),
      isWhole && dot(a, 2 * pair + 1),
      dot(a, 2 * pair),
    ].filter(Boolean);
  }

  drawLikeness(a, k, products) {
    const { near, isNarrow } = this.box,
      { length } = this.head;
    const low = Math.min(0, ...products),
      high = Math.max(...products),
      x = (value) => near.x + 4 + ((value - low) / (high - low || 1)) * (near.w - 12),
      points = Array.from(products, (value, p) => [x(value), this.y(p, near)]);
    const parts = [];
    const text = (at, words, anchor) => {
      const node = svg("text", { x: at, y: near.y + near.h + 16, "text-anchor": anchor });
      node.textContent = words;
      parts.push(node);
    };
    parts.push(svg("line.rule", { x1: x(0), x2: x(0), y1: near.y, y2: near.y + near.h }));
    text(x(0), "0", "middle");
    text(x(high), fixed(high, 1), "end");
    const name = svg("text.name", { x: near.x, y: near.y - 8 });
    name.textContent = isNarrow ? `similarity to ${a}` : `similarity to position ${a}`;
    parts.push(name, svg("path.likeness", { d: path(points) }));
    const steps = (all) => all.map(([p, q]) => path([points[p], points[q]])).join("");
    parts.push(svg("path.rise", { d: steps(rises(products, a)) }));
    const below = Array.from({ length: length - 1 }, (_, p) => [p, p + 1]).filter((step) =>
      step.some((p) => products[p] < 0),
    );
    if (below.length) parts.push(svg("path.below", { d: steps(below) }));
    for (const p of k && a + k < length ? [a + k, a] : [a])
      parts.push(svg("circle.point", { cx: points[p][0], cy: points[p][1], r: p === a ? 4.5 : 3.5 }));
    return parts;
  }

  /** What the step does to the chosen pair, as a multiplication, and the chosen numbers in words. */
  say(a, k, pair, products) {
    const { turns, length, d } = this.head;
    const isWhole = 2 * pair + 1 < d;
    const two = (row) => [row[2 * pair], row[2 * pair + 1]];
    if (isWhole) {
      const [sin, cos] = two(this.row(k));
      const block = (values, across = 1) =>
        el("span.block", { style: `--across: ${across}` }, ...values.map((value) => el("span", fixed(value))));
      this.turn.replaceChildren(
        el("b", `k = ${k} turns pair ${pair} by ${degrees((360 * k) / turns[pair])}, wherever it starts`),
        el(
          "span.product",
          block([cos, sin, -sin, cos], 2),
          "×",
          block(two(this.row(a))),
          "=",
          block(two(this.row(a + k))),
          el("span.quiet", "sin", el("br"), "cos"),
        ),
      );
    } else {
      this.turn.replaceChildren(el("b", `Pair ${pair} is a sine alone: d_model = ${d} is odd`));
    }
    const columns = isWhole ? `columns ${2 * pair} and ${2 * pair + 1}` : `column ${2 * pair}`;
    const nearby = a + k < length ? ` Similarity of ${a} and ${a + k}: ${fixed(products[a + k])}.` : "";
    this.spoken.textContent =
      `Pair ${pair} is ${columns}: ${trimmed(turns[pair], 1)} positions per turn. Thick hand: position ${a}; dotted: ` +
      `${a + k}; thin: the same hand, magnified so that slow clocks move.${nearby}`;
  }

  /** How far M_k PE(pos) is from PE(pos + k), at most, with M_k made of PE(k) alone. */
  worst() {
    if (this.rounding?.k === this.k) return this.rounding.worst;
    let worst = 0;
    const block = this.row(this.k);
    for (let p = 0; p < this.head.length; p++) {
      const code = this.row(p),
        wanted = this.row(p + this.k);
      for (let n = 0; n < 2 * this.pairs; n += 2) {
        const sin = block[n] * code[n + 1] + block[n + 1] * code[n],
          cos = block[n + 1] * code[n + 1] - block[n] * code[n];
        worst = Math.max(worst, Math.abs(sin - wanted[n]), Math.abs(cos - wanted[n + 1]));
      }
    }
    this.rounding = { k: this.k, worst };
    return worst;
  }

  toggle() {
    if (this.timer) return this.stop();
    this.play.textContent = "Pause";
    this.timer = setInterval(() => this.set({ a: this.a >= this.head.length - 1 ? 0 : this.a + 1 }), 220);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  }

  destroy() {
    this.stop();
    this.observer.disconnect();
    this.link.end();
  }
}

const path = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const degrees = (angle) => (angle < 0.995 ? `${trimmed(angle, 3)}°` : `${trimmed(angle, 1)}°`);

export default mount(".position-code", PositionCode);
