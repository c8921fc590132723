// How a scene draws heads: a map from afar; and nearer, its cells, its words, and the vectors that they are made of.

import { pixelsOf, signedCss, weightCss } from "./colours.js";
import { brief, shorten, strength } from "./lab.js";
import { project, ramp, WHOLE } from "./scene_camera.js";
import { Pen, SMALL } from "./scene_pen.js";
import { hidesHeads } from "./scene_places.js";
import { isForward } from "./scene_units.js";

const CELLS_FROM = 9; // pixels of a cell from which on cells are drawn one by one
const ROUND_FROM = 24; // from which on their corners are round
const NUMBERS_FROM = 36; // and from which on they have numbers
const WORDS = [262, 280]; // pixels of a head between which words and vectors come around its map
const CLOSE = 0.4; // of the screen's width: a cell from which on only cells are in sight
const NEEDED = 160; // pixels on both sides of a map that words and long vectors need
const BESIDE = [34, 20]; // pixels of a long and of a short vector beside a map
const AT_EDGE = 76; // pixels that words and vectors take where they keep to the edge of the screen
const HAS_MASK = ["masked", "weights", "output"]; // stages to which the mask has come

const COME = 1.5; // enlarged so far, heads that are not beside the whole model are there

const barOf = (cell) => 0.72 * Math.min(cell, 40); // pixels of a vector across
const sizeOf = (cell) => Math.min(16, Math.max(SMALL, 0.4 * cell)); // and of a word

/** Whether the word of the tth of n cells has room. */
const hasRoom = (t, n, cell) => t % Math.max(1, Math.ceil(14 / cell)) === 0 || t === n - 1;

export class HeadPen extends Pen {
  drawHead(l, h) {
    const { geometry, camera, colours, numbers, pen } = this;
    const on = this.seen(geometry.head(l, h));
    const comes = hidesHeads(this, geometry) ? ramp(camera.k, WHOLE, COME) : 1;
    const there = comes * (1 - this.away(l, h));
    if (!on || !there) return;
    const map = project(geometry.map(l, h, camera.k), camera, geometry);
    const part = numbers.part(l);
    const cell = map.h / part.T;
    pen.globalAlpha = there * this.lit(geometry.head(l, h).y + geometry.head(l, h).h / 2);
    this.box(map, { fill: colours.panel });
    if (cell < CELLS_FROM) this.drawMap(l, h, map);
    else this.drawCells(l, h, map, cell);
    const isOpen = this.covered === null && l === this.opens[0] && h === this.opens[1];
    const frame = { x: map.x - 1.5, y: map.y - 1.5, w: map.w + 3, h: map.h + 3 };
    this.box(frame, { line: isOpen ? colours.weight : colours.line, thick: isOpen ? 2 : 1, round: 4 });
    const isInside = cell > CLOSE * this.geometry.width; // of a cell: nothing stands around the map
    if (on.w >= WORDS[0] && !isInside) this.drawAround(l, h, { on, map, cell });
    else if (on.w > 24 && !isInside) this.nameHead(l, h, map, on.w > 50 ? `head ${h}` : String(h));
    pen.globalAlpha = 1;
  }

  /** How far a head has gone, so that another is seen alone. */
  away(l, h) {
    const { alone, camera } = this;
    return !alone || (l === alone.l && h === alone.h) ? 0 : ramp(camera.k, alone.from, alone.to);
  }

  /** A head's name, above its map, and before the first of a layer the layer's. */
  nameHead(l, h, map, name) {
    const { geometry, numbers, camera, opens } = this;
    const isAbove = this.hasRoomAbove(l, h, map);
    const isHere = isAbove || this.hasRoomBelow(l, h, map);
    const isOpen = this.covered === null && l === opens[0] && h === opens[1];
    const style = { colour: isOpen ? "weight" : "quiet", size: 13, weight: isOpen ? 700 : 400 };
    if (isHere) this.write(name, map.x, isAbove ? map.y - 9 : map.y + map.h + 11, style);
    if (h || geometry.isNarrow || camera.k > WHOLE) return;
    const strong = { size: 13, weight: 650 };
    if (geometry.sides.length === 1)
      this.write(numbers.layerName(l), map.x - 12, map.y - 9, { ...strong, align: "right" });
    else if (isHere) this.writeOver(numbers.layerName(l), map.x, map.y - 28, strong);
  }

  /** Whether a head's name fits between its map and the one above: of its own layer, or of the one above, which has the
   * same number. */
  hasRoomAbove(l, h, map) {
    const { geometry, camera, numbers } = this;
    const { across } = geometry;
    const isFirst = h < across;
    if (isFirst && l + 1 >= numbers.L) return true;
    const other = isFirst ? geometry.map(l + 1, h, camera.k) : geometry.map(l, h - across, camera.k);
    const above = project(other, camera, geometry);
    const gap = map.y - above.y - above.h;
    return Math.abs(above.x - map.x) > 1 || gap < 0 || gap > SMALL + 6;
  }

  /** Whether it fits below the map, in the last row of its layer, above the names of the layer below. */
  hasRoomBelow(l, h, map) {
    const { geometry, camera, numbers } = this;
    const { across } = geometry;
    if (h + across < numbers.H) return false;
    const below = l ? project(geometry.map(l - 1, h % across, camera.k), camera, geometry).y : Infinity;
    return below - map.y - map.h > 2 * (SMALL + 6);
  }

  /** The stage that is drawn in the cells: without q and k there are only weights, and these mix the output. */
  get stageHere() {
    return this.numbers.q && this.stage !== "output" ? this.stage : "weights";
  }

  /** Whether below the columns stand the values that are mixed, in place of the keys. */
  get showsValues() {
    return this.stage === "output" && this.numbers.v;
  }

  drawMap(l, h, map) {
    const { numbers, stageHere: stage } = this;
    const { T, S } = numbers.part(l);
    const image = this.image(`map ${l} ${h} ${stage} ${this.covered}`, S, T, () => {
      const isMasked = (i, j) => HAS_MASK.includes(stage) && !numbers.part(l).sees(i, j);
      const hides = (n) => Math.floor(n / S) === this.covered || isMasked(Math.floor(n / S), n % S);
      const matrix = numbers.matrix(l, h, stage).map((x, n) => (hides(n) ? 0 : x));
      const most = stage === "weights" ? 1 : this.largest(matrix);
      const bytes = pixelsOf(matrix, T * S, most, this.colours, null, stage !== "weights");
      for (let n = 0; n < T * S; n++) if (hides(n)) bytes[4 * n + 3] = 0;
      return bytes;
    });
    this.picture(image, [0, 0, S, T], map);
  }

  drawCells(l, h, map, cell) {
    const { numbers, geometry, stageHere: stage } = this;
    const part = numbers.part(l);
    const { T, S } = part;
    const matrix = numbers.matrix(l, h, stage);
    const largest = stage === "weights" ? 1 : this.largest(matrix);
    const gap = Math.min(2.5, 0.06 * cell);
    const round = cell < ROUND_FROM ? 0 : Math.min(6, 0.1 * cell);
    const from = (start) => Math.max(0, Math.floor(-start / cell));
    const to = (start, long, n) => Math.min(n - 1, Math.floor((long - start) / cell));
    for (let i = from(map.y); i <= to(map.y, geometry.height, T); i++)
      for (let j = from(map.x); j <= to(map.x, geometry.width, S); j++) {
        const on = { x: map.x + j * cell + gap, y: map.y + i * cell + gap, w: cell - 2 * gap, h: cell - 2 * gap };
        if (HAS_MASK.includes(stage) && !part.sees(i, j)) this.hatch(on);
        else if (i === this.covered) this.drawCovered(on);
        else this.drawCell(matrix[i * S + j], largest, on, round);
      }
  }

  drawCell(x, largest, on, round) {
    const { colours, stageHere: stage } = this;
    const fill = stage === "weights" ? weightCss(x, colours) : signedCss(x, largest, colours);
    this.box(on, { fill, line: colours.line, round });
    if (on.w < NUMBERS_FROM || on.w > 400) return;
    const isDeep = strength(Math.abs(x) / (largest || 1)) > 0.55;
    const style = on.w > 66 ? { size: 17, weight: 650 } : { size: SMALL };
    this.write(brief(x), on.x + on.w / 2, on.y + on.h / 2, {
      ...style,
      colour: isDeep ? "panel" : "ink",
      align: "center",
    });
  }

  /** A cell that is not shown yet. */
  drawCovered(on) {
    this.box(on, { fill: this.colours.ground, line: this.colours.line, round: Math.min(6, 0.1 * on.w) });
    if (on.w > SMALL) this.write("?", on.x + on.w / 2, on.y + on.h / 2, { colour: "quiet", align: "center" });
  }

  /** Which row and column of a head are marked: those one is in, or points at. */
  marked(l, h) {
    const path =
      [this.place, this.hover ?? []].find((one) => one.length > 3 && !isForward(one) && one[0] === l && one[2] === h) ??
      [];
    return path.slice(3);
  }

  /** The words and the vectors around a map: queries beside its rows, keys above and below its columns, and what comes
   * out. Where the map is larger than the screen, they keep to the edge. */
  drawAround(l, h, { on, map, cell }) {
    const { numbers, pen, geometry, camera } = this;
    const alpha = pen.globalAlpha;
    pen.globalAlpha = alpha * ramp(on.w, ...WORDS);
    const head = geometry.head(l, h);
    const isHere = camera.x >= head.x && camera.x < head.x + head.w && camera.y >= head.y && camera.y < head.y + head.h;
    const isClose = isHere && map.w > 0.7 * geometry.width;
    const strip = numbers.q ? BESIDE[isClose || on.w - map.w > NEEDED ? 0 : 1] : 0;
    const edge = geometry.isNarrow ? 44 : AT_EDGE;
    const left = isClose ? Math.max(map.x, strip + edge) : map.x;
    const top = isClose ? Math.max(map.y, 64) : map.y;
    const ground = { fill: this.colours.ground };
    if (left > map.x) this.box({ x: 0, y: 0, w: left - 2, h: geometry.height }, ground);
    if (top > map.y) this.box({ x: 0, y: 0, w: geometry.width, h: top - 3 }, ground);
    const [row, column] = this.marked(l, h);
    this.drawRows(l, h, { row, left, top, map, strip, cell });
    this.drawColumnsOf(l, h, { column, left, top, map, strip, cell });
    this.nameVectors(h, { on, map, left, top, strip });
    this.drawMarks([row, column], map, cell);
    pen.globalAlpha = alpha;
  }

  /** Beside each row its word, its query and what comes out. */
  drawRows(l, h, { row, left, top, map, strip, cell }) {
    const { tokens, T } = this.numbers.part(l);
    const bar = barOf(cell);
    for (let t = 0; t < T; t++) {
      const y = map.y + (t + 0.5) * cell;
      if (strip) this.drawQuery(l, h, t, { y, left, top, map, strip, bar });
      const most = strip === BESIDE[0] && !this.geometry.isNarrow ? 10 : 7; // letters of a word
      if (!hasRoom(t, T, cell) || y <= top || this.drawPatch(t, left - strip - 14 - bar, y - bar / 2, bar)) continue;
      const style = { colour: "query", align: "right", size: sizeOf(cell), weight: t === row ? 700 : 400 };
      this.write(shorten(tokens[t], most), left - strip - 14, y, style);
    }
  }

  /** Above each column its word, below it its key. */
  drawColumnsOf(l, h, { column, left, top, map, strip, cell }) {
    const { keys, S } = this.numbers.part(l);
    const bar = barOf(cell);
    for (let t = 0; t < S; t++) {
      const x = map.x + (t + 0.5) * cell;
      if (strip && x - bar / 2 > left - 4) this.drawKey(l, h, t, { x, map, strip, bar });
      if (!hasRoom(t, S, cell) || x <= left || this.drawPatch(t, x - bar / 2, top - 8 - bar, bar)) continue;
      const style = { colour: "key", size: sizeOf(cell), turn: -Math.PI / 4, weight: t === column ? 700 : 400 };
      this.write(shorten(keys[t], 10), x, top - 8, style);
    }
  }

  /** A frame around the row that one is in, and around the column. */
  drawMarks([row, column], { x, y, w, h }, cell) {
    const { query, key } = this.colours;
    const frame = { thick: 2, round: 5 };
    if (row !== undefined)
      this.box({ x: x - 2, y: y + row * cell - 1, w: w + 4, h: cell + 2 }, { ...frame, line: query });
    if (column !== undefined)
      this.box({ x: x + column * cell - 1, y: y - 2, w: cell + 2, h: h + 4 }, { ...frame, line: key });
  }

  /** The query and the output of a token, beside its row. */
  drawQuery(l, h, t, { y, left, top, map, strip, bar }) {
    const { numbers } = this;
    const of = { l, h, t, n: numbers.part(l).T };
    const across = { y: y - bar / 2, w: strip, h: bar };
    if (across.y <= top - 2) return;
    this.drawFeatures("q", of, { ...across, x: left - strip - 8 });
    if (numbers.v && t !== this.covered) this.drawFeatures("output", of, { ...across, x: map.x + map.w + 10 });
  }

  /** The key of a token, below its column, or its value. */
  drawKey(l, h, t, { x, map, strip, bar }) {
    const below = { x: x - bar / 2, y: map.y + map.h + 6, w: bar, h: strip };
    this.drawFeatures(this.showsValues ? "v" : "k", { l, h, t, n: this.numbers.part(l).S }, below, true);
  }

  nameVectors(h, { on, map, left, top, strip }) {
    const name = { weight: 700, size: 15 };
    if (strip) {
      this.write("q", left - strip / 2 - 8, top - 12, { ...name, colour: "query", align: "center" });
      const [below, colour] = this.showsValues ? ["v", "value"] : ["k", "key"];
      this.write(below, left - 12, map.y + map.h + 6 + strip / 2, { ...name, colour, align: "right" });
      if (this.numbers.v)
        this.write(strip === BESIDE[0] ? "output" : "out", map.x + map.w + 10, top - 12, {
          ...name,
          colour: "value",
        });
    }
    this.write(`head ${h}`, on.x + on.w / 2, Math.max(on.y + on.h - 10, map.y + map.h + strip + 18), {
      colour: "quiet",
      size: 14,
      align: "center",
    });
  }
}
