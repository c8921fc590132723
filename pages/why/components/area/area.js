// The area: what attention multiplies is a square of n x n, a recurrent layer's a rectangle of n x d, to one scale.
// A hand pulls the square's corner: a page is a tile, and one counts how many of them a longer text takes.

import { boxOf, el, mount, pointIn, put, still, svg, write } from "../../../../attention_view/lab.js";
import { drag, smoothly, tween } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { comparison, hauled, nearest, onTheWay, following, SIZE, times, unitFor, whole } from "./sizes.js";

const LEFT = 20;
const BESIDE = 150; // for what stands beside the square
const WIDE = LEFT + SIZE + BESIDE;
const ABOVE = 46;
const BELOW = 34;
const GLIDE = [700, 2400]; // milliseconds to a text twice as long, and to a novel: a page is seen to shrink
const ROOMY = 70; // units of a page's side from which on its name is in it

const text = (x, y, words, more = "", size = null) =>
  words ? svg("text", { x, y, class: more, ...(size && { style: `font-size: ${size}px` }) }, ...[words].flat()) : "";

export class Area {
  constructor(root) {
    this.root = root;
    this.square = this.shape("weight");
    this.strip = this.shape("strip");
    this.grip = svg("circle.grip", {
      r: 12,
      role: "slider",
      tabindex: 0,
      "aria-label": "Number of words n",
      onpointerdown: (event) => event.button || this.hold(event),
      ontouchstart: (event) => event.preventDefault(), // or the page would go along
      onkeydown: (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const next = this.stops[this.stops.indexOf(nearest(this.n, this.stops)) + by];
        if (next) this.glide(next);
      },
    });
    this.square.drawing.append(this.grip);
    this.finding = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.glide(following(this.n, this.page, this.texts)[0]) });
    const picture = el("div.picture", this.square.drawing, this.strip.drawing);
    root.replaceChildren(el("div.headline", this.finding, this.act), picture);
    this.presses = new Presses(() => ((this.n = this.told), this.draw()));
  }

  shape(kind) {
    const [rect, tiles, words] = [svg("rect"), svg("path.tiles"), svg("g")];
    return { rect, tiles, words, drawing: svg(`svg.${kind}`, { role: "group" }, rect, tiles, words) };
  }

  update({ n, texts, ...more }, { setTriggerValue }) {
    Object.assign(this, more, { texts: Object.fromEntries(texts), told: n, tell: setTriggerValue });
    if (this.presses.isNews(n) && !this.held) this.n = n; // else the hand has it
    this.draw();
  }

  destroy() {
    this.stopGlide?.();
  }

  /** The square's corner follows the hand, and the scale holds as long as the square has room. */
  hold(event) {
    this.stopGlide?.();
    this.view = null;
    event.preventDefault();
    this.grip.focus({ preventScroll: true });
    const unit = unitFor(this.n, this.d, this.page) * (boxOf(this.square.drawing).width / WIDE);
    const [x, y] = pointIn(event, this.square.drawing);
    this.held = true;
    this.endDrag = drag(
      (move) => {
        const [right, down] = pointIn(move, this.square.drawing);
        const by = Math.abs(right - x) > Math.abs(y - down) ? right - x : y - down;
        this.view = hauled(Math.max(1, this.n + by / unit), this.lengths, this.stops);
        this.draw();
      },
      () => {
        this.held = false;
        const to = this.view ?? this.n;
        this.view = null;
        if (to === this.n) this.draw();
        else this.send(to);
      },
    );
  }

  /** The text becomes so long, and its picture grows out of the one before. */
  glide(to) {
    const from = this.view ?? this.n;
    this.stopGlide?.();
    this.view = null;
    this.send(to);
    if (still()) return;
    const [soon, late] = GLIDE;
    this.stopGlide = tween(Math.abs(Math.log(to / from)) > 2 ? late : soon, (share) => {
      this.view = share < 1 ? onTheWay(from, to, smoothly(share)) : null;
      this.draw();
    });
  }

  send(n) {
    this.n = n;
    this.presses.add(n);
    this.draw();
    this.tell("n", n);
  }

  draw() {
    const { d, page, heads, texts } = this;
    const n = this.view ?? this.n;
    const told = this.held ? n : this.n; // on the way by itself, what it comes to is said at once
    const name = Object.keys(texts).find((one) => texts[one] === told && told !== page);
    const unit = unitFor(n, d, page);
    const isAsked = n === page;
    write(this.finding, comparison(told, page, heads, name));
    write(this.act, following(this.n, page, texts)[1]);
    const [wide, high] = [n * unit, d * unit];
    const many = (power) => (isAsked ? "" : `${times((n / page) ** power)}×`);
    const first = unitFor(page, d, page);
    this.fill(this.square, { n, unit, high: wide, wide: WIDE, tall: SIZE, isSquare: true }, many(2), [
      text(
        LEFT + (isAsked ? 12 : 0),
        SIZE - Math.max(wide, n < page ? page * unit : 0) - 16,
        ["attention", svg("tspan.roomy", ": words × words")],
        "strong",
      ),
      ...this.beside(n, wide),
    ]);
    const tall = Math.min(SIZE, d * first);
    this.fill(this.strip, { n, unit, high, wide: LEFT + SIZE + 8, tall }, many(1), [
      text(LEFT, SIZE - high - 32, `a recurrent layer: words × ${whole(d)}`, "strong"),
      text(LEFT, SIZE - high - 12, `each word updates one memory of ${whole(d)} numbers`, "quiet"),
    ]);
    put(this.grip, { cx: LEFT + wide, cy: SIZE - wide, "aria-valuenow": Math.round(n) });
    put(this.grip, { "aria-valuemin": this.lengths[0], "aria-valuemax": this.lengths.at(-1) });
    put(this.grip, { "aria-valuetext": `${whole(n)} words` });
    const shapes = `attention is a square of ${whole(n)} by ${whole(n)}, a recurrent layer a rectangle of`;
    put(this.square.drawing, { "aria-label": `${whole(n)} words: ${shapes} ${whole(n)} by ${whole(d)}.` });
    this.root.classList.toggle("asked", isAsked);
    Object.assign(this.root.dataset, { n: Math.round(n), d });
  }

  /** A shape that is n words long, with a page's tiles, how many times a page's it is, and words around it. */
  fill({ rect, tiles, words, drawing }, { n, unit, high, wide, tall, isSquare }, many, around) {
    const [long, page] = [n * unit, this.page * unit];
    const isLess = n < this.page;
    put(drawing, { viewBox: `0 ${SIZE - tall - ABOVE} ${wide} ${tall + ABOVE + BELOW}` });
    put(rect, { x: LEFT, y: SIZE - high, width: long, height: high });
    const side = isSquare ? page : high;
    const seams = Array.from({ length: Math.ceil(n / this.page) - 1 }, (_, k) => (k + 1) * page);
    const lines = seams.map((at) => `M${LEFT + at} ${SIZE}v${-high}${isSquare ? `M${LEFT} ${SIZE - at}h${long}` : ""}`);
    const d = isLess ? `M${LEFT} ${SIZE}v${-side}h${page}v${side}z` : lines.join("");
    put(tiles, { d, class: `tiles${isLess ? " longer" : ""}`, "stroke-width": Math.min(2, 0.12 * page) });
    const product = `${whole(n)} × ${whole(isSquare ? n : this.d)}`;
    const middle = text(LEFT + long / 2, SIZE - high / 2 + 11, product, "on middle strong", 32);
    const kept = isSquare && !isLess && many ? page : 0;
    const inside = many ? this.share(many, product, long, high, kept) : [middle];
    const above = isLess ? [] : [text(LEFT, SIZE - high - (isSquare ? 48 : 62), many, "share", 100)];
    words.replaceChildren(
      ...around,
      ...(kept ? this.kept(kept) : []),
      ...(inside ?? above),
      text(LEFT + Math.max(long / 2, 32), SIZE + 26, `${whole(n)} words`, "middle"),
    );
  }

  /** The page, which stays where it was while the text grows, however small. */
  kept(side) {
    const [x, y] = [LEFT + side, SIZE - side];
    const square = svg("rect.page", { x: LEFT, y, width: side, height: side });
    if (side >= ROOMY) return [square, text(LEFT + 10, SIZE - 12, "a page", "on")];
    return [
      square,
      svg("path.lead", { d: `M${x + 3} ${y - 3}l26 -26` }),
      text(x + 34, y - 30, "a page", "on strong", 24),
    ];
  }

  /** How many times a page's a shape is, and what it multiplies, on a ground without seams; null without room.
   * low: how high the page stands in it, which stays whole */
  share(many, product, long, high, low) {
    const size = Math.min(130, 0.5 * (high - low), (1.4 * long) / Math.max(2, many.length));
    if (size < 34) return null;
    const isLarge = size > 60; // and leaves room for a second line
    const [x, y] = [LEFT + long / 2, SIZE - (high + low) / 2 + (isLarge ? 0.2 : 0.35) * size];
    const across = Math.max(0.56 * size * many.length, isLarge ? 9 * product.length : 0) + 16;
    const ground = { x: x - across / 2, y: y - 0.8 * size, width: across, height: 0.8 * size + (isLarge ? 50 : 8) };
    const second = isLarge ? text(x, y + 36, product, "on middle product") : "";
    return [svg("rect", ground), text(x, y, many, "share on middle", size), second];
  }

  /** What stands beside the square: how far a hand can drag it. */
  beside(n, wide) {
    if (n < this.page || n > 1.9 * this.page) return [];
    const [x, y] = [LEFT + wide, SIZE - wide];
    const [to, words] = [(2 * this.page * wide) / n, `${whole(2 * this.page)} words`];
    return [
      svg("path.guide", { d: `M${LEFT} ${SIZE - to}V${SIZE}H${LEFT + to}` }),
      svg("path.guide.dashed", { d: `M${x} ${y}L${LEFT + to - 9} ${SIZE - to + 9}` }),
      svg("circle.guide", { cx: LEFT + to, cy: SIZE - to, r: 12 }),
      text(LEFT + to + 24, SIZE - to + 6, words, "quiet"),
      text(x + 22, y + 22, "drag", "strong hint"),
    ];
  }
}

export default mount(".area", Area);
