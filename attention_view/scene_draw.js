// What a scene draws: the model, and in it, the nearer one comes, heads, cells and products. Everything is placed in the
// world and written on the screen, so that text keeps its size and stays sharp.

import { palette, pixelsOf, signedCss, weightColour, css } from "./colours.js";
import { brief, fixed, shorten, strength } from "./lab.js";
import { project, ramp } from "./scene_camera.js";

const SMALL = 12.5; // pixels of the smallest text
const THREAD = 9; // pixels of a thread that has all attention
const FAINT = 0.03; // of attention: threads below it are left out
const CELLS_FROM = 9; // pixels of a cell from which on cells are drawn one by one
const WORDS_FROM = 250; // pixels of a map that has words and vectors around it
const OPENING = [90, 260]; // pixels of a cell between which it opens into its products

/** Draws a scene on a canvas: paint(state), where state is
 *
 * numbers, geometry, camera  what is seen, and from where
 * place, hover   paths: where one is, and what the pointer is on
 * stage          of the heads: "scores", "scaled", "masked" or "weights"
 * opens          [layer, head] whose threads are drawn
 * isTold         whether the threads of the last token are drawn, too
 * wave           from 0 to 1: how far a pass has come; 1 at rest */
export class Painter {
  constructor(canvas, root) {
    Object.assign(this, { canvas, root, pen: canvas.getContext("2d"), images: new Map() });
  }

  /** Forgets the images of other numbers or colours. */
  renew(colours, numbers) {
    if (this.colours === colours && this.numbers === numbers) return;
    Object.assign(this, { colours, numbers });
    this.images.clear();
  }

  paint(state) {
    const { canvas, pen } = this;
    this.renew(palette(this.root, this.colours), state.numbers);
    Object.assign(this, state);
    const { width, height } = state.geometry;
    const sharp = Math.min(3, globalThis.devicePixelRatio || 1) * (canvas.currentCSSZoom ?? 1);
    const [w, h] = [Math.round(width * sharp), Math.round(height * sharp)];
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.textBaseline = "middle";
    // What is inside of a cell covers the model: it need not be drawn.
    const inside = this.openCell();
    if (!inside || inside.open < 1) {
      this.drawColumns();
      this.drawThreads();
      this.drawLayerNames();
      for (let l = 0; l < this.numbers.L; l++) for (let h = 0; h < this.numbers.H; h++) this.drawHead(l, h);
    }
    if (inside) this.drawInside(inside);
    this.drawHover();
  }

  // ---- tools ------------------------------------------------------------------------------------------------------

  /** Where a box of the world is on the screen, or null if it is out of sight. */
  seen(box) {
    const on = project(box, this.camera, this.geometry);
    const { width, height } = this.geometry;
    return on.x > width || on.y > height || on.x + on.w < 0 || on.y + on.h < 0 ? null : on;
  }

  /** A point of the world on the screen. */
  point(x, y) {
    const on = project({ x, y, w: 0, h: 0 }, this.camera, this.geometry);
    return [on.x, on.y];
  }

  write(text, x, y, { colour = "ink", size = SMALL, weight = 400, align = "left", turn = 0 } = {}) {
    const { pen } = this;
    pen.font = `${weight} ${size}px ${this.colours.font}`;
    pen.fillStyle = this.colours[colour] ?? colour;
    pen.textAlign = align;
    if (!turn) {
      pen.fillText(text, x, y);
      return;
    }
    pen.save();
    pen.translate(x, y);
    pen.rotate(turn);
    pen.fillText(text, 0, 0);
    pen.restore();
  }

  box({ x, y, w, h }, { fill = null, line = null, thick = 1, round = 0 }) {
    const { pen } = this;
    pen.beginPath();
    pen.roundRect(x, y, w, h, Math.min(round, w / 2, h / 2));
    if (fill) {
      pen.fillStyle = fill;
      pen.fill();
    }
    if (line) {
      pen.lineWidth = thick;
      pen.strokeStyle = line;
      pen.stroke();
    }
  }

  /** An image of so many numbers, made once: pixels() gives its bytes. */
  image(key, across, down, pixels) {
    if (!this.images.has(key)) {
      const made = document.createElement("canvas");
      Object.assign(made, { width: across, height: down });
      made.getContext("2d").putImageData(new ImageData(pixels(), across, down), 0, 0);
      this.images.set(key, made);
    }
    return this.images.get(key);
  }

  picture(image, from, on) {
    this.pen.imageSmoothingEnabled = false;
    this.pen.drawImage(image, ...from, on.x, on.y, on.w, on.h);
  }

  /** How much of what stands at a height of the world is there, while a pass runs up. */
  lit(y) {
    const { wave, geometry } = this;
    if (wave >= 1) return 1;
    const front = geometry.floor - wave * (geometry.floor + 60);
    return 0.16 + 0.84 * ramp(y - front, -20, 40);
  }

  // ---- the stream -------------------------------------------------------------------------------------------------

  drawColumns() {
    const { pen, colours, geometry, numbers } = this;
    const { L, T } = numbers;
    for (let t = 0; t < T; t++) {
      const [x, low] = this.point(geometry.column(t), geometry.bottom(0) + 6);
      const [, high] = this.point(geometry.column(t), geometry.strip(L, t).y - 8);
      pen.strokeStyle = colours.line;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x, low);
      pen.lineTo(x, high);
      pen.stroke();
      this.drawFoot(t);
      for (let p = 0; p <= L; p++) this.drawVector("stream", p, t, geometry.strip(p, t));
      for (let l = 0; l < L; l++) this.drawVector("hidden", l, t, geometry.forward(l, t));
    }
  }

  /** What a column stands on: a line to its word below the scene, or the word itself, where that is out of sight. */
  drawFoot(t) {
    const { geometry, numbers, feet, camera, pen, colours } = this;
    const gap = (geometry.column(1) - geometry.column(0)) * camera.k;
    const [x, y] = this.point(geometry.column(t), geometry.bottom(0) + 6);
    if (camera.k > 1.02) {
      const low = Math.min(y + 12, geometry.height - 10);
      if (camera.k < 5 && gap > 24) {
        const word = shorten(numbers.tokens[t], Math.max(3, Math.floor(gap / 8)));
        this.write(word, x, low, { align: "center", size: 15, weight: 600 });
      }
      return;
    }
    if (!feet?.[t]) {
      if (t === 0 && !geometry.isNarrow) this.write("(start)", x, y + 12, { colour: "quiet", align: "center" });
      return;
    }
    const low = geometry.height - (this.words ?? 0);
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.bezierCurveTo(x, (y + low) / 2, feet[t], (y + low) / 2, feet[t], low);
    pen.stroke();
  }

  /** The vector of a token, one band for each of its numbers: the stream signed, hidden units 0 or more. */
  drawVector(name, p, t, box) {
    const on = this.seen(box);
    const array = this.numbers[name];
    if (!on || !array) return;
    const [, T, n] = array.shape;
    const from = p * T * n;
    const image = this.image(`${name} ${p}`, T, n, () => {
      const turned = new Float32Array(T * n);
      for (let at = 0; at < T; at++)
        for (let c = 0; c < n; c++) turned[c * T + at] = array[from + at * n + c] - (name === "stream" ? 128 : 0);
      return pixelsOf(turned, T * n, name === "stream" ? 127 : 255, this.colours, null, true);
    });
    this.pen.globalAlpha = this.lit(box.y + box.h / 2);
    this.picture(image, [t, 0, 1, n], on);
    this.box(on, { line: this.colours.line, round: 2 });
    this.pen.globalAlpha = 1;
  }

  drawLayerNames() {
    const { geometry, numbers } = this;
    if (geometry.isNarrow) return;
    const isNear = this.camera.k > 1.25;
    // Names keep to the left edge of what is seen: one always knows where one is.
    const say = (text, y, style) => {
      const [x, at] = this.point(14, y);
      if (!isNear) this.write(text, Math.max(14, x), at, style);
    };
    for (let l = 0; l < numbers.L; l++) {
      const forward = geometry.forward(l, 0);
      const [keys, queries] = geometry.threads(l);
      say(`layer ${l}`, (keys + queries) / 2 - 9, { weight: 650, size: 15 });
      say("attention", (keys + queries) / 2 + 9, { colour: "quiet", size: 13 });
      if (geometry.tall > 70) say("feed-forward", forward.y + forward.h / 2, { colour: "quiet", size: 13 });
    }
    say("read out", geometry.strip(numbers.L, 0).y + 6, { colour: "quiet", size: 13 });
    if (isNear && this.camera.k < 3.4) this.drawStations();
  }

  /** The stations of a layer beside the last token, where there is room to read them. */
  drawStations() {
    const { geometry, numbers } = this;
    for (let l = 0; l < numbers.L; l++) {
      const [keys, queries] = geometry.threads(l);
      const right = geometry.column(numbers.T - 1) + geometry.thick;
      const forward = geometry.forward(l, 0);
      const at = (text, y, colour = "quiet") => {
        const [x, on] = this.point(right, y);
        this.write(text, x, on, { colour, size: 13, weight: colour === "ink" ? 650 : 400 });
      };
      at(`layer ${l}`, geometry.strip(l, 0).y + 0.25 * geometry.strip(l, 0).h, "ink");
      at("stream in", geometry.strip(l, 0).y + 0.75 * geometry.strip(l, 0).h);
      at("norm, attention, +", (keys + queries) / 2);
      at("norm, feed-forward, +", forward.y + forward.h / 2);
    }
    const out = geometry.strip(numbers.L, 0);
    const [x, on] = this.point(geometry.column(numbers.T - 1) + geometry.thick, out.y + out.h / 2);
    this.write("to the next word", x, on, { colour: "quiet", size: 13 });
  }

  drawThreads() {
    const { geometry, numbers, opens, pen } = this;
    const { L, T } = numbers;
    const near = ramp(this.camera.k, 3.4, 6);
    if (near === 1) return; // far inside of a head
    const [open, head] = opens;
    for (let l = 0; l < L; l++) {
      const matrix = l === open ? numbers.matrix(l, head) : numbers.mean(l);
      const [keys, queries] = geometry.threads(l);
      const alpha = this.lit((keys + queries) / 2) * (1 - near);
      for (let i = 0; i < T; i++)
        for (let j = 0; j <= (numbers.isCausal ? i : T - 1); j++) {
          const w = matrix[i * T + j];
          const isLast = i === T - 1;
          if (w < (l === open ? FAINT : 4 * FAINT) || (isLast && l === open && !this.isTold)) continue;
          const strong = l === open && isLast && this.isTold;
          const [x0, y0] = this.point(geometry.column(j), keys);
          const [x1, y1] = this.point(geometry.column(i), queries);
          pen.globalAlpha = alpha * (strong ? 0.35 + 0.65 * w : l === open ? 0.1 + 0.28 * w : 0.1 + 0.1 * w);
          pen.strokeStyle = this.colours.weight;
          pen.lineCap = "round";
          pen.lineWidth = Math.max(1, (strong ? THREAD : 4) * w * Math.sqrt(this.camera.k));
          pen.beginPath();
          pen.moveTo(x0, y0);
          pen.bezierCurveTo(x0, y0 + 0.6 * (y1 - y0), x1, y1 - 0.6 * (y1 - y0), x1, y1);
          pen.stroke();
        }
      pen.globalAlpha = 1;
      if (l === open && this.isTold && this.wave >= 1) this.labelThread(l, head);
    }
  }

  labelThread(l, h) {
    const { geometry, numbers } = this;
    if (this.camera.k > 2) return;
    const i = numbers.T - 1;
    const j = this.looksAt ?? numbers.topKey(l, h, i);
    const [keys, queries] = geometry.threads(l);
    const [x, y] = this.point((geometry.column(i) + geometry.column(j)) / 2, (keys + queries) / 2);
    const text = `looks at ${shorten(numbers.tokens[j])} ${brief(numbers.weight(l, h, i, j))}`;
    this.pen.font = `700 14px ${this.colours.font}`;
    const wide = this.pen.measureText(text).width + 12;
    this.box({ x: x - wide / 2, y: y - 22, w: wide, h: 20 }, { fill: this.colours.ground, round: 6 });
    this.write(text, x, y - 11, { colour: "weight", weight: 700, size: 14, align: "center" });
  }

  // ---- heads --------------------------------------------------------------------------------------------------------

  drawHead(l, h) {
    const { geometry, camera, colours, numbers, pen } = this;
    const on = this.seen(geometry.head(l, h));
    if (!on) return;
    const map = project(geometry.map(l, h, camera.k), camera, geometry);
    const cell = map.w / numbers.T;
    pen.globalAlpha = this.lit(geometry.head(l, h).y + geometry.side / 2);
    this.box(map, { fill: colours.panel });
    if (cell < CELLS_FROM) this.drawMapImage(l, h, map);
    else this.drawCells(l, h, map, cell);
    const isOpen = l === this.opens[0] && h === this.opens[1];
    const frame = { x: map.x - 1.5, y: map.y - 1.5, w: map.w + 3, h: map.h + 3 };
    this.box(frame, { line: isOpen ? colours.weight : colours.line, thick: isOpen ? 2 : 1, round: 4 });
    if (map.w < WORDS_FROM) {
      const text = on.w > 92 ? `head ${h}` : String(h);
      const style = { colour: isOpen ? "weight" : "quiet", size: 13, weight: isOpen ? 700 : 400 };
      if (on.w > 24) this.write(text, map.x, map.y - 9, style);
    } else this.drawAround(l, h, on, map, cell);
    pen.globalAlpha = 1;
  }

  largest(matrix) {
    return matrix.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  }

  drawMapImage(l, h, map) {
    const { numbers, stage } = this;
    const { T } = numbers;
    const key = `map ${l} ${h} ${this.stageOf()}`;
    const image = this.image(key, T, T, () => {
      const matrix = numbers.matrix(l, h, this.stageOf());
      const allowed = matrix.map((_, n) => (numbers.sees(Math.floor(n / T), n % T) ? 1 : 0));
      const isWeights = this.stageOf() === "weights";
      const bytes = pixelsOf(
        matrix,
        T * T,
        isWeights ? 1 : this.largest(matrix),
        this.colours,
        null,
        stage !== "weights",
      );
      for (let n = 0; n < T * T; n++) if (!allowed[n] && isWeights) bytes[4 * n + 3] = 0;
      return bytes;
    });
    this.picture(image, [0, 0, T, T], map);
  }

  /** The stage that can be drawn: without q and k there are only weights. */
  stageOf() {
    return this.numbers.q ? this.stage : "weights";
  }

  /** The colour of a number of a head at the stage in view. */
  shade(x, largest, stage) {
    if (stage === "weights") return css(weightColour(x, 1, this.colours));
    return signedCss(x, largest, this.colours);
  }

  drawCells(l, h, map, cell) {
    const { numbers, colours, pen, geometry } = this;
    const { T } = numbers;
    const stage = this.stageOf();
    const matrix = numbers.matrix(l, h, stage);
    const largest = this.largest(matrix);
    const gap = Math.min(2.5, 0.06 * cell);
    const first = (start) => Math.max(0, Math.floor(-start / cell));
    const last = (start, long) => Math.min(T - 1, Math.floor((long - start) / cell));
    const hasHatch = stage === "weights" || stage === "masked";
    for (let i = first(map.y); i <= last(map.y, geometry.height); i++)
      for (let j = first(map.x); j <= last(map.x, geometry.width); j++) {
        const x = matrix[i * T + j];
        const on = { x: map.x + j * cell + gap, y: map.y + i * cell + gap, w: cell - 2 * gap, h: cell - 2 * gap };
        if (hasHatch && !numbers.sees(i, j)) {
          this.hatch(on);
          continue;
        }
        const fill = this.shade(x, largest, stage);
        this.box(on, { fill, line: colours.line, round: Math.min(6, 0.1 * cell) });
        if (cell >= 34 && cell < 800) {
          const share = stage === "weights" ? strength(x) : strength(Math.abs(x) / (largest || 1));
          pen.font = `${SMALL}px ${colours.font}`;
          const isLarge = cell > 70;
          const style = { colour: share > 0.55 ? "panel" : "ink", align: "center", size: isLarge ? 17 : SMALL };
          this.write(brief(x), on.x + on.w / 2, on.y + on.h / 2, { ...style, weight: isLarge ? 650 : 400 });
        }
      }
  }

  hatch({ x, y, w, h }) {
    const { pen } = this;
    pen.strokeStyle = this.colours.line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, y + h);
    pen.lineTo(x + w, y);
    pen.stroke();
  }

  /** The words and the vectors around a map: queries beside its rows, keys above and below its columns, and what comes
   * out. */
  drawAround(l, h, on, map, cell) {
    const { numbers, pen, place, hover } = this;
    const { T, tokens } = numbers;
    const shown = ramp(map.w, WORDS_FROM, WORDS_FROM + 60);
    pen.globalAlpha *= shown;
    const chosen = place[2] === h && place[0] === l ? place : hover?.[2] === h && hover?.[0] === l ? hover : [];
    const reach = (on.w - map.w) / 2;
    const strip = Math.min(34, 0.32 * reach);
    const every = Math.max(1, Math.ceil(15 / cell)); // words that have room
    const vectors = numbers.q !== null;
    // Words keep beside the map where it is wider than the screen.
    const left = Math.max(map.x, vectors ? strip + 74 : 66);
    const top = Math.max(map.y, 62);
    for (let t = 0; t < T; t++) {
      if (t % every && t !== T - 1) continue;
      const middle = (t + 0.5) * cell;
      const [isRow, isColumn] = [chosen[3] === t, chosen[4] === t];
      const size = Math.min(16, Math.max(SMALL, 0.4 * cell));
      const word = shorten(tokens[t], 10);
      const gap = vectors ? strip + 14 : 8;
      this.write(word, left - gap, map.y + middle, {
        colour: "query",
        align: "right",
        size,
        weight: isRow ? 700 : 400,
      });
      this.write(word, map.x + middle, top - 8, {
        colour: "key",
        size,
        turn: -Math.PI / 4,
        weight: isColumn ? 700 : 400,
      });
      if (!vectors) continue;
      const bar = 0.72 * Math.min(cell, 40);
      this.drawFeatures(numbers.vector("q", l, h, t), {
        x: left - strip - 8,
        y: map.y + middle - bar / 2,
        w: strip,
        h: bar,
      });
      const below = map.y + map.h + 6;
      this.drawFeatures(
        numbers.vector("k", l, h, t),
        { x: map.x + middle - bar / 2, y: below, w: bar, h: strip },
        true,
      );
      const out = { x: map.x + map.w + 10, y: map.y + middle - bar / 2, w: strip, h: bar };
      this.drawFeatures(numbers.output(l, h, t), out);
    }
    if (vectors) {
      this.write("q", left - strip / 2 - 8, map.y - 12, { colour: "query", weight: 700, size: 15, align: "center" });
      this.write("k", map.x - 12, map.y + map.h + 6 + strip / 2, {
        colour: "key",
        weight: 700,
        size: 15,
        align: "right",
      });
      this.write("v, mixed", map.x + map.w + 10, map.y - 12, { colour: "value", weight: 700, size: 15 });
    }
    this.write(`head ${h}`, on.x + on.w / 2, on.y + on.h - 12, { colour: "quiet", size: 14, align: "center" });
    if (chosen[3] !== undefined) {
      const row = { x: map.x - 2, y: map.y + chosen[3] * cell - 1, w: map.w + 4, h: cell + 2 };
      this.box(row, { line: this.colours.query, thick: 2, round: 5 });
    }
    if (chosen[4] !== undefined) {
      const column = { x: map.x + chosen[4] * cell - 1, y: map.y - 2, w: cell + 2, h: map.h + 4 };
      this.box(column, { line: this.colours.key, thick: 2, round: 5 });
    }
  }

  /** A vector as bands, from left to right or from top to bottom. */
  drawFeatures(vector, { x, y, w, h }, isDown = false) {
    const largest = this.largest(vector);
    const n = vector.length;
    for (let c = 0; c < n; c++) {
      this.pen.fillStyle = signedCss(vector[c], largest, this.colours);
      if (isDown) this.pen.fillRect(x, y + (c * h) / n, w, h / n + 0.3);
      else this.pen.fillRect(x + (c * w) / n, y, w / n + 0.3, h);
    }
    this.box({ x, y, w, h }, { line: this.colours.line, round: 2 });
  }

  // ---- inside of a cell -----------------------------------------------------------------------------------------------

  /** The cell that is large enough to be seen into: {l, h, i, j, open}, `open` from 0 to 1; or null. */
  openCell() {
    const { place, numbers, camera, geometry } = this;
    if (place.length < 4) return null;
    const [l, , h, i] = place;
    const size = (geometry.map(l, h, camera.k).w / numbers.T) * camera.k;
    const open = ramp(size, ...OPENING);
    const inCentre = geometry.within([camera.x, camera.y], camera.k).at(-1);
    const j = place[4] ?? inCentre[4];
    return open > 0 && j !== undefined ? { l, h, i, j, open } : null;
  }

  drawInside({ l, h, i, j, open }) {
    const { numbers, geometry, pen, colours, place } = this;
    const on = this.seen(geometry.stage(l, h, i, j));
    const cell = this.seen(geometry.cell(l, h, i, j));
    if (!on || !cell) return;
    pen.globalAlpha = open;
    this.box(cell, { fill: colours.panel, line: colours.weight, thick: 2, round: 10 });
    pen.globalAlpha = ramp(open, 0.5, 1);
    const [x, y] = [(share) => on.x + share * on.w, (share) => on.y + share * on.h];
    const { tokens } = numbers;
    const title = Math.max(16, Math.min(24, 0.02 * on.w));
    const top = y(0.045);
    if (!numbers.sees(i, j) || !numbers.q) {
      const why = numbers.sees(i, j)
        ? `${tokens[i]} looks at ${tokens[j]}: ${fixed(numbers.weight(l, h, i, j))}`
        : `${tokens[i]} may not look at ${tokens[j]}: it comes later`;
      this.write(why, on.x + on.w / 2, on.y + on.h / 2, { align: "center", size: title, weight: 650 });
      pen.globalAlpha = 1;
      return;
    }
    const [q, k] = [numbers.vector("q", l, h, i), numbers.vector("k", l, h, j)];
    const products = numbers.products(l, h, i, j);
    const n = products.length;
    const wide = (0.86 * on.w) / n;
    this.write(
      `Why ${fixed(numbers.weight(l, h, i, j))}? The query of “${tokens[i]}” meets the key of “${tokens[j]}”`,
      x(0.02),
      top,
      { weight: 650, size: title },
    );
    const digits = wide > 40 ? 2 : 1;
    const isLegible = wide > 26;
    const size = Math.max(SMALL, Math.min(17, 0.3 * wide));
    const chosen = place[5];
    const row = (vector, from, to, name, colour) => {
      const largest = this.largest(vector);
      this.write(name, x(0.09), y((from + to) / 2), { colour, weight: 700, size: 18, align: "right" });
      for (let c = 0; c < n; c++) {
        const box = { x: x(0.1) + c * wide + 1, y: y(from), w: wide - 2, h: y(to) - y(from) };
        const isStrong = strength(Math.abs(vector[c]) / (largest || 1)) > 0.6;
        this.box(box, { fill: signedCss(vector[c], largest, colours), line: colours.line, round: 4 });
        const style = { colour: isStrong ? "panel" : "ink", align: "center", size };
        if (isLegible) this.write(fixed(vector[c], digits), box.x + box.w / 2, box.y + box.h / 2, style);
      }
    };
    row(q, 0.1, 0.21, "q", "query");
    row(k, 0.23, 0.34, "k", "key");
    this.drawBars(products, { x, y, wide, size, digits, isLegible, chosen });
    if (chosen !== undefined) {
      const box = { x: x(0.1) + chosen * wide, y: y(0.085), w: wide, h: y(0.7) - y(0.085) };
      this.box(box, { line: colours.ink, thick: 2, round: 6 });
    }
    this.drawSum({ l, h, i, j, products, chosen, q, k, x, y });
    this.drawSoftmax({ l, h, i, j, x, y });
    pen.globalAlpha = 1;
  }

  drawBars(products, { x, y, wide, size, digits, isLegible }) {
    const { colours } = this;
    const [most, least] = [Math.max(0, ...products), Math.min(0, ...products)];
    const [high, low] = [y(0.4), y(0.67)];
    const unit = (low - high) / (most - least || 1);
    const zero = high + most * unit;
    this.write("q × k", x(0.09), zero, { weight: 700, size: 15, align: "right" });
    products.forEach((value, c) => {
      const left = x(0.1) + c * wide;
      const [from, to] = value > 0 ? [zero - value * unit, zero] : [zero, zero - value * unit];
      const fill = value < 0 ? colours.negative : colours.positive;
      this.box({ x: left + 0.14 * wide, y: from, w: 0.72 * wide, h: Math.max(1, to - from) }, { fill, round: 2 });
      const at = value < 0 ? to + 9 : from - 9;
      if (isLegible) this.write(fixed(value, digits), left + wide / 2, at, { align: "center", size });
    });
    this.box({ x: x(0.1), y: zero, w: 0.86 * (x(1) - x(0)), h: 1 }, { fill: colours.quiet });
  }

  drawSum({ l, h, i, j, products, chosen, q, k, x, y }) {
    const { numbers } = this;
    const sum = products.reduce((a, b) => a + b, 0);
    const size = Math.max(18, Math.min(38, 0.07 * (y(1) - y(0))));
    const parts = [
      [fixed(sum), `q · k, the sum of ${products.length} products`, "ink"],
      [fixed(sum / numbers.scale), `divided by √${numbers.d} = ${fixed(numbers.scale)}`, "ink"],
      [fixed(numbers.weight(l, h, i, j)), "after softmax over the row", "weight"],
    ];
    if (chosen !== undefined)
      parts[0] = [
        `${fixed(q[chosen])} × ${fixed(k[chosen])} = ${fixed(products[chosen])}`,
        `product ${chosen}, of a sum of ${fixed(sum)}`,
        "ink",
      ];
    parts.forEach(([number, text, colour], n) => {
      const left = x(0.1 + 0.3 * n);
      this.write(number, left, y(0.77), { size, weight: 700, colour });
      this.write(text, left, y(0.77) + 0.5 * size + 10, { colour: "quiet", size: 14 });
    });
  }

  /** The row that the softmax compares: every scaled score, the one that one is in marked. */
  drawSoftmax({ l, h, i, j, x, y }) {
    const { numbers, colours } = this;
    const [scaled, weights] = ["scaled", "weights"].map((stage) => numbers.row(l, h, i, stage));
    const n = numbers.isCausal ? i + 1 : numbers.T;
    const wide = (0.86 * (x(1) - x(0))) / n;
    const [top, low] = [y(0.9), y(0.96)];
    this.write("row", x(0.09), (top + low) / 2, { colour: "query", weight: 700, size: 15, align: "right" });
    for (let t = 0; t < n; t++) {
      const box = { x: x(0.1) + t * wide + 1, y: top, w: wide - 2, h: low - top };
      const fill = css(weightColour(weights[t], 1, colours));
      this.box(box, { fill, line: t === j ? colours.key : colours.line, thick: t === j ? 2.5 : 1, round: 4 });
      if (wide < 30) continue;
      const colour = strength(weights[t]) > 0.55 ? "panel" : "ink";
      this.write(fixed(scaled[t], 1), box.x + box.w / 2, (top + low) / 2, { colour, align: "center" });
      const style = { colour: "key", align: "center", weight: t === j ? 700 : 400 };
      this.write(shorten(numbers.tokens[t], Math.max(3, Math.floor(wide / 8))), box.x + box.w / 2, low + 10, style);
    }
  }

  // ---- under the pointer ------------------------------------------------------------------------------------------------

  drawHover() {
    const { hover, geometry, colours, camera } = this;
    if (!hover || hover.length < 1 || hover.length > 3) return;
    const [l, , h] = hover;
    if (h !== undefined) {
      const map = project(geometry.map(l, h, camera.k), camera, geometry);
      this.box({ x: map.x - 4, y: map.y - 4, w: map.w + 8, h: map.h + 8 }, { line: colours.ink, thick: 2, round: 6 });
    }
  }
}
