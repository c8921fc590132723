// What a scene draws: the model, and in it, the nearer one comes, heads, cells and products. Everything is placed in
// the world and written on the screen, so that text keeps its size and stays sharp.

import { pixelsOf } from "./colours.js";
import { brief, shorten } from "./lab.js";
import { project, ramp, WHOLE } from "./scene_camera.js";
import { CellPen } from "./scene_cell.js";

const THREAD = 9; // pixels of a thread that has all attention
const FAINT = 0.03; // of attention: threads below it are left out

/** Draws a scene on a canvas: paint(state), where state is
 *
 * numbers, geometry, camera  what is seen, and from where
 * place, hover   paths: where one is, and what the pointer is on
 * stage          of the heads: "scores", "scaled", "masked" or "weights"
 * opens          [layer, head] whose threads are drawn
 * isTold         whether the threads of the last token are drawn, too; looksAt: the key that its label names
 * wave           from 0 to 1: how far a pass has come; 1 at rest
 * feet, words    where the word of each column stands, from the left, or null; pixels that words take below */
export class Painter extends CellPen {
  paint(state) {
    this.clear(state.numbers, state.geometry);
    Object.assign(this, state);
    const inside = this.openCell();
    if (inside?.open === 1) this.drawHead(inside.l, inside.h); // what is beside the cell; all else is out of sight
    else this.drawModel();
    if (inside) this.drawInside(inside);
    this.drawHover();
  }

  drawModel() {
    this.drawColumns();
    this.drawThreads();
    this.drawWords();
    this.drawLayerNames();
    const { L, H } = this.numbers;
    for (let l = L - 1; l >= 0; l--) for (let h = 0; h < H; h++) this.drawHead(l, h); // names over what is above them
  }

  /** How much of what stands at a height of the world is there, while a pass runs up. */
  lit(y) {
    const { wave, geometry } = this;
    if (wave >= 1) return 1;
    const front = geometry.floor + 20 - wave * (geometry.floor - geometry.top + 60);
    return 0.12 + 0.88 * ramp(y - front, -10, 30);
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

  /** What a column stands on: a line to its word, where that stands below the scene. */
  drawFoot(t) {
    const { geometry, feet, camera, pen, colours } = this;
    const [x, y] = this.point(geometry.column(t), geometry.bottom(0) + 6);
    if (camera.k > WHOLE) return; // the words are out of sight
    if (!feet?.[t]) {
      this.nameFoot(t, x, y);
      return;
    }
    const low = geometry.height - this.words;
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, y);
    pen.bezierCurveTo(x, (y + low) / 2, feet[t], (y + low) / 2, feet[t], low);
    pen.stroke();
  }

  /** The word of a column that has none below: the start of a text; or all words, where they stand nowhere else. */
  nameFoot(t, x, y) {
    const { geometry, numbers, words } = this;
    const word = shorten(numbers.tokens[t], 12);
    if (!words) this.write(word, x + 4, y + 10, { align: "right", size: 14, turn: -Math.PI / 4 });
    else if (t === 0 && !geometry.isNarrow) this.write(word, x - 8, y, { colour: "quiet", align: "right" });
  }

  /** The words at the lower edge, under their columns, as long as these are to be seen but the words themselves not. */
  drawWords() {
    const { geometry, numbers, camera } = this;
    const gap = numbers.T > 1 ? (geometry.column(1) - geometry.column(0)) * camera.k : Infinity;
    if (camera.k <= WHOLE || camera.k > 5 || gap < 24) return;
    const [end, floor] = this.point(geometry.right + geometry.thick, geometry.floor + 12);
    const y = Math.min(floor, geometry.height - 14);
    this.box({ x: 0, y: y - 14, w: Math.max(0, end), h: 40 }, { fill: this.colours.ground });
    for (let t = 0; t < numbers.T; t++) {
      const word = shorten(numbers.tokens[t], Math.max(3, Math.floor(gap / 8)));
      const [x] = this.point(geometry.column(t), 0);
      this.write(word, x, y, { align: "center", size: 15, weight: 600 });
    }
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
      at(`layer ${l}`, geometry.strip(l, 0).y + geometry.strip(l, 0).h / 2, "ink");
      at("norm, attention, +", (keys + queries) / 2);
      at("norm, feed-forward, +", forward.y + forward.h / 2);
    }
    const out = geometry.strip(numbers.L, 0);
    const [x, on] = this.point(geometry.column(numbers.T - 1) + geometry.thick, out.y + out.h / 2);
    this.write("to the next word", x, on, { colour: "quiet", size: 13 });
  }

  drawThreads() {
    const { geometry, numbers, opens } = this;
    const alpha = 1 - ramp(this.camera.k, 3.4, 6); // far inside of a head there are none
    if (!alpha) return;
    for (let l = 0; l < numbers.L; l++) {
      const isOpen = l === opens[0];
      const matrix = isOpen ? numbers.matrix(...opens) : numbers.mean(l);
      const [keys, queries] = geometry.threads(l);
      this.pen.globalAlpha = alpha * this.lit((keys + queries) / 2);
      for (let i = 0; i < numbers.T; i++)
        for (let j = 0; j < numbers.T; j++)
          if (numbers.sees(i, j)) this.drawThread(matrix[i * numbers.T + j], { i, j, keys, queries, isOpen });
      this.pen.globalAlpha = 1;
      if (isOpen && this.isTold && this.wave >= 1) this.labelThread(...opens);
    }
  }

  /** The thread from a key up to the query that looks at it, as thick as its weight. Those of the last token of the
   * open head, which decide, are strong; and before the answer is told they are not there. */
  drawThread(w, { i, j, keys, queries, isOpen }) {
    const { geometry, numbers, pen } = this;
    const decides = isOpen && i === numbers.T - 1;
    if (w < (isOpen ? FAINT : 4 * FAINT) || (decides && (!this.isTold || this.wave < 1))) return;
    const [x0, y0] = this.point(geometry.column(j), keys);
    const [x1, y1] = this.point(geometry.column(i), queries);
    const alpha = pen.globalAlpha;
    pen.globalAlpha = alpha * (decides ? 0.35 + 0.65 * w : 0.1 + (isOpen ? 0.28 : 0.1) * w);
    pen.strokeStyle = this.colours.weight;
    pen.lineCap = "round";
    pen.lineWidth = Math.max(1, (decides ? THREAD : 4) * w * Math.sqrt(this.camera.k));
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.bezierCurveTo(x0, y0 + 0.6 * (y1 - y0), x1, y1 - 0.6 * (y1 - y0), x1, y1);
    pen.stroke();
    pen.globalAlpha = alpha;
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

  // ---- under the pointer -----------------------------------------------------------------------------------------

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
