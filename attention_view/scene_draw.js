// What a scene draws: the model, and in it, the nearer one comes, heads, cells and products. Everything is placed in
// the world and written on the screen, so that text keeps its size and stays sharp.

import { pixelsOf } from "./colours.js";
import { brief, shorten } from "./lab.js";
import { project, ramp, WHOLE } from "./scene_camera.js";
import { StationsPen } from "./scene_stations_draw.js";
import { isForward } from "./scene_units.js";

const LEADING = 3; // pixels of the stream that leads to the answer, until that is told
const THREAD = 9; // pixels of a thread that has all attention
const RESTING = 0.4; // of a thread's colour is left where it leads to the start of a text
const FAINT = 0.03; // of attention: threads below it are left out

const SHOWN = [
  "geometry",
  "camera",
  "place",
  "hover",
  "stage",
  "opens",
  "isTold",
  "looksAt",
  "covered",
  "alone",
  "pale",
  "isLone",
  "wave",
  "words",
];

/** Draws a scene on a canvas: paint(state), where state is
 *
 * numbers, geometry, camera  what is seen, and from where
 * place, hover   paths: where one is, and what the pointer is on
 * stage          of the heads: "scores", "scaled", "masked" or "weights"
 * opens          [layer, head] whose threads are drawn
 * isTold         whether the threads of the last token are drawn, too; looksAt: the key that its label names
 * covered        the row of every head that must not be seen yet, or null
 * alone          {l, h, from, to}: the head beside which no other is drawn, or null
 * pale           how much of the stream and threads is there, from afar, beside those that decide
 * isFlying       whether the camera moves by itself
 * wave           from 0 to 1: how far a pass has come; 1 at rest
 * words          pixels that the words below take of the canvas */
export class Painter extends StationsPen {
  paint(state) {
    this.clear(state.numbers, state.geometry, state.isFlying);
    for (const name of SHOWN) this[name] = state[name];
    const inside = this.openCell();
    if (inside?.open === 1) this.drawHead(inside.l, inside.h); // what is beside the cell; all else is out of sight
    else this.drawModel();
    if (inside) this.drawInside(inside);
    this.drawUnits();
    this.drawHover();
  }

  drawModel() {
    const { numbers, geometry } = this;
    geometry.sides.forEach((side, n) => {
      [this.side, this.here] = [side, numbers.sides[n]];
      this.drawColumns();
    });
    geometry.sides.forEach((side, n) => {
      [this.side, this.here] = [side, numbers.sides[n]];
      this.drawThreads();
      this.drawWords();
      this.drawLayerNames();
    });
    const { L, H } = numbers;
    for (let l = L - 1; l >= 0; l--) for (let h = 0; h < H; h++) this.drawHead(l, h); // names over what is above them
  }

  /** How much of what stands at a height of the world is there, while a pass runs up. */
  lit(y) {
    const { wave, geometry } = this;
    if (wave >= 1) return 1;
    const front = geometry.floor + 20 - wave * (geometry.floor - geometry.top + 60);
    return 0.12 + 0.88 * ramp(y - front, -10, 30);
  }

  /** How much of the stream and threads is there: from afar as little as is asked for, near by all. */
  paled() {
    return 1 - (1 - (this.pale ?? 1)) * (1 - ramp(this.camera.k, 1.1, 1.8));
  }

  // ---- the stream -------------------------------------------------------------------------------------------------

  drawColumns() {
    const { pen, colours, side, here } = this;
    const { L, T } = here;
    for (let t = 0; t < T; t++) {
      const [x, low] = this.point(side.column(t), side.bottom(0) + 6);
      const [, high] = this.point(side.column(t), side.strip(L, t).y - 8);
      const leads = t === this.covered;
      pen.strokeStyle = leads ? colours.ink : colours.line;
      pen.lineWidth = leads ? LEADING : 1.5;
      pen.beginPath();
      pen.moveTo(x, low);
      pen.lineTo(x, high);
      pen.stroke();
      this.drawFoot(t);
      for (let p = 0; p <= L; p++) this.drawVector("stream", p, t, side.strip(p, t));
      for (let l = 0; l < L; l++) if (here.hasForward(l)) this.drawVector("hidden", l, t, side.forward(l, t));
    }
    this.drawPicture();
  }

  /** What a column stands on: a line to its word, where that stands below the scene. */
  drawFoot(t) {
    const { side, camera, colours } = this;
    const [x, y] = this.point(side.column(t), side.bottom(0) + 6);
    if (camera.k > WHOLE) return; // the words are out of sight
    if (!side.feet) this.nameFoot(t, x, y);
    else if (t) {
      const [wide, fill] = t === this.covered ? [LEADING, colours.ink] : [1.5, colours.line];
      this.box({ x: x - wide / 2, y, w: wide, h: side.height - this.words - y }, { fill });
    } else this.write(this.here.tokens[0], x, Math.min(side.height - 8, y + 22), { colour: "quiet", align: "center" });
  }

  /** The word of a column that has none below: the start of a text; or all words, where they stand nowhere else. */
  nameFoot(t, x, y) {
    const { side, here, words } = this;
    const wide = Math.min(24, 0.9 * side.gap);
    if (this.drawPatch(t, x - wide / 2, y + 4, wide)) return;
    const word = shorten(here.tokens[t], 12);
    if (here.patches) this.write(word, x - 6, y + 36, { colour: "quiet", size: 13 });
    else if (!words) this.write(word, x + 4, y + 10, { align: "right", size: 14, turn: -Math.PI / 4 });
    else if (t === 0 && !side.isNarrow) this.write(word, x - 8, y + 8, { colour: "quiet", align: "right" });
  }

  /** The whole picture that is read, beside the columns of its patches. */
  drawPicture() {
    const { side, here, camera } = this;
    if (!here.patches || side.isNarrow || camera.k > WHOLE) return;
    const n = here.patches.shape[0];
    const across = Math.round(Math.sqrt(n));
    const wide = Math.floor(96 / across);
    const [left, top] = [14, side.height - across * wide - 4];
    for (let t = 0; t < n; t++)
      this.drawPatch(here.T - n + t, left + (t % across) * wide, top + Math.floor(t / across) * wide, wide);
    this.box({ x: left, y: top, w: across * wide, h: across * wide }, { line: this.colours.line });
  }

  /** The words at the lower edge, under their columns, as long as these are to be seen but the words themselves not. */
  drawWords() {
    const { side, here, camera } = this;
    const gap = here.T > 1 ? side.gap * camera.k : Infinity;
    if (camera.k <= WHOLE || camera.k > 5 || gap < 24) return;
    const [start] = this.point(side.from, 0);
    const [end, floor] = this.point(side.right + side.thick, side.floor + 12);
    const y = Math.min(floor, side.height - 14);
    const x0 = Math.max(0, start);
    this.box({ x: x0, y: y - 14, w: Math.max(0, end - x0), h: 40 }, { fill: this.colours.ground });
    for (let t = 0; t < here.T; t++) {
      const word = shorten(here.tokens[t], Math.max(3, Math.floor(gap / 8)));
      const [x] = this.point(side.column(t), 0);
      const wide = Math.min(24, 0.8 * gap);
      if (!this.drawPatch(t, x - wide / 2, y - wide / 2, wide))
        this.write(word, x, y, { align: "center", size: 15, weight: 600 });
    }
  }

  /** The vector of a token, one band for each of its numbers: the stream signed, hidden units 0 or more. */
  drawVector(name, p, t, box) {
    const on = this.seen(box);
    const array = this.here[name];
    if (!on || !array) return;
    const [, T, n] = array.shape;
    const from = p * T * n;
    const image = this.image(`${name} ${this.here.first} ${p}`, T, n, () => {
      const turned = new Float32Array(T * n);
      for (let at = 0; at < T; at++)
        for (let c = 0; c < n; c++) turned[c * T + at] = array[from + at * n + c] - (name === "stream" ? 128 : 0);
      return pixelsOf(turned, T * n, name === "stream" ? 127 : 255, this.colours, null, true);
    });
    if (t === this.covered) this.box(on, { fill: this.colours.panel }); // its line ends here and goes on above
    this.pen.globalAlpha = (t === this.covered ? 1 : this.paled()) * this.lit(box.y + box.h / 2);
    this.picture(image, [t, 0, 1, n], on);
    this.box(on, { line: this.colours.line, round: 2 });
    this.pen.globalAlpha = 1;
  }

  drawLayerNames() {
    const { side, here, camera, geometry } = this;
    if (side.isNarrow) return;
    const isNear = camera.k > 1.25;
    const isCrossed = side !== geometry.sides[0]; // by threads from the stack beside it
    // Names keep to the left edge of what is seen: one always knows where one is.
    const say = (text, y, style) => {
      const [x, at] = this.point(side.from + 14, y);
      if (!isNear) this[isCrossed ? "writeOver" : "write"](text, Math.max(14, x), at, style);
    };
    for (let l = 0; l < here.L; l++) {
      const forward = side.forward(l, 0);
      const [keys, queries] = side.threads(l);
      const [name, below] = here.titles(l);
      say(name, (keys + queries) / 2 - 9, { weight: 650, size: 15 });
      say(below, (keys + queries) / 2 + 9, { colour: "quiet", size: 13 });
      if (here.hasForward(l) && side.tall > 70)
        say("feed-forward", forward.y + forward.h / 2, { colour: "quiet", size: 13 });
    }
    const start = side.strip(0, 0);
    say("embedding", start.y + start.h / 2, { colour: "quiet", size: 13 });
    if (here.answer) say(here.sign ?? "read out", side.strip(here.L, 0).y + 6, { colour: "quiet", size: 13 });
    if (isNear) this.drawStations();
  }

  /** The stations of a layer beside the last token, where there is room to read them. */
  drawStations() {
    const { side, here } = this;
    const right = side.column(here.T - 1) + side.thick;
    for (let l = 0; l < here.L; l++) {
      const [keys, queries] = side.threads(l);
      const forward = side.forward(l, 0);
      const [name, below] = here.titles(l);
      const isPassed = this.drawPassed(side, here, l);
      const [, middle] = this.point(0, (keys + queries) / 2);
      const isClear = middle > 10 && middle < side.height - 44; // of the edge, and of the words that stand there
      if (isPassed && isClear && side === this.geometry.sides[0])
        // its place beside the last token is taken
        this.writeOver(name, 14, middle, { weight: 650, size: 15 });
      if (isPassed || this.camera.k > 3.4) continue;
      const at = (text, y, colour = "quiet") => {
        const [x, on] = this.point(right, y);
        const style = { colour, size: 13, weight: colour === "ink" ? 650 : 400 };
        if (this.kept(text, x, style) === x) this.write(text, x, on, style); // else it would be cut off
      };
      at(name, side.strip(l, 0).y + side.strip(l, 0).h / 2, "ink");
      at(`norm, ${below}, +`, (keys + queries) / 2);
      if (here.hasForward(l)) at("norm, feed-forward, +", forward.y + forward.h / 2);
    }
    const style = { colour: "quiet", size: 13 };
    const out = side.strip(here.L, 0);
    const [x, on] = this.point(right, out.y);
    if (here.answer && this.camera.k < 3.4 && this.kept(here.answer, x, style) === x)
      this.write(here.answer, x, on - 10, style);
  }

  drawThreads() {
    const { here, numbers, opens } = this;
    const alpha = 1 - ramp(this.camera.k, 3.4, 6); // far inside of a head there are none
    if (!alpha) return;
    for (let own = 0; own < here.L; own++) {
      const l = here.first + own;
      const part = numbers.part(l);
      const isOpen = l === opens[0] && this.covered === null; // before that, no head is singled out
      const matrix = isOpen ? numbers.matrix(...opens) : numbers.mean(l);
      const ends = this.endsOf(l, own);
      this.pen.globalAlpha = alpha * this.lit((ends.keys + ends.queries) / 2);
      for (let i = 0; i < part.T; i++)
        for (let j = 0; j < part.S; j++)
          if (i !== this.covered && part.sees(i, j))
            this.drawThread(matrix[i * part.S + j], { i, j, ...ends, isOpen, part });
      this.pen.globalAlpha = 1;
      if (isOpen && this.isTold && this.wave >= 1) this.labelThread(...opens, ends);
    }
  }

  /** Between what threads of a layer run: the columns of `from` at the height `keys`, and those here at `queries`. */
  endsOf(l, own) {
    const { side, numbers, geometry } = this;
    const [keys, queries] = side.threads(own);
    const from = geometry.sides[numbers.keysIn(l)];
    return { from, keys: from === side ? keys : from.strip(from.L, 0).y, queries };
  }

  /** The thread from a key up to the query that looks at it, as thick as its weight. Those of the last token of the
   * open head, which decide, are strong. */
  drawThread(w, { i, j, from, keys, queries, isOpen, part }) {
    const { side, pen } = this;
    const decides = isOpen && i === part.decisive;
    if (w < (isOpen ? FAINT : 4 * FAINT) || (decides && this.wave < 1)) return;
    const [x0, y0] = this.point(from.column(j), keys);
    const [x1, y1] = this.point(side.column(i), queries);
    const alpha = pen.globalAlpha;
    const rests = j === 0 && part.keys[0].startsWith("⟨"); // on the start: a head that finds nothing looks there
    const isAsked = this.covered !== null; // there is nothing else to see yet
    const shade = decides ? 0.35 + 0.65 * w : 0.1 + (isAsked ? 0.75 : isOpen ? 0.4 : 0.1) * w;
    const wide = decides ? THREAD : isAsked ? Math.min(7, side.gap / 3.5) : 4;
    pen.globalAlpha = alpha * shade * (decides ? 1 : this.paled() * (rests ? RESTING : 1));
    pen.strokeStyle = this.colours.weight;
    pen.lineCap = "round";
    pen.lineWidth = Math.max(1, wide * w * Math.sqrt(this.camera.k));
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.bezierCurveTo(x0, y0 + 0.6 * (y1 - y0), x1, y1 - 0.6 * (y1 - y0), x1, y1);
    pen.stroke();
    pen.globalAlpha = alpha;
  }

  labelThread(l, h, { from, keys, queries }) {
    const { side, numbers } = this;
    if (this.camera.k > 2) return;
    const part = numbers.part(l);
    const i = part.decisive;
    const j = this.looksAt ?? numbers.topKey(l, h, i);
    const share = from === side ? 0.5 : 0.36; // of two stacks: over the heads of the first
    const x0 = from.column(j);
    const [x, y] = this.point(x0 + share * (side.column(i) - x0), keys + share * (queries - keys));
    const writes = part.next ? `to write ${shorten(part.next)}, ` : ""; // below the column is the word before it
    const text = `${writes}looks at ${shorten(part.keys[j])} ${brief(numbers.weight(l, h, i, j))}`;
    this.pen.font = `700 14px ${this.colours.font}`;
    const wide = this.pen.measureText(text).width + 12;
    const middle = Math.max(x, wide / 2 + 4);
    this.box({ x: middle - wide / 2, y: y - 22, w: wide, h: 20 }, { fill: this.colours.ground, round: 6 });
    this.write(text, middle, y - 11, { colour: "weight", weight: 700, size: 14, align: "center" });
  }

  // ---- under the pointer -----------------------------------------------------------------------------------------

  drawHover() {
    const { hover, geometry, colours, camera } = this;
    if (!hover || hover.length < 1 || hover.length > 3 || isForward(hover)) return;
    const [l, , h] = hover;
    if (h !== undefined) {
      const map = project(geometry.map(l, h, camera.k), camera, geometry);
      this.box({ x: map.x - 4, y: map.y - 4, w: map.w + 8, h: map.h + 8 }, { line: colours.ink, thick: 2, round: 6 });
    }
  }
}
