// A picture that is painted on. One token asks: the class token, or a patch. Where a head looks, the picture is
// bright; beside it stand the answers, which follow the hand, and the heads of one layer, small, with the rollout
// behind them.

import {
  brief,
  capital,
  el,
  mirror,
  mix,
  mount,
  param,
  percent,
  rewrite,
  strength,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { choice, drawnIn } from "../../../../attention_view/controls.js";
import { Latest } from "../../../../lab/kit/components/latest.js";
import { placeOf, show, stepped } from "../../../../lab/kit/components/patches.js";
import { questionOf } from "../answers.js";
import { frameOf } from "../light.js";
import { Brush } from "./brush.js";
import { Spotlight } from "./spotlight.js";
import { mostOf, Thumbs } from "./thumbs.js";
import { bestOf, changeOf, isNew, longOf, scaleOf, verdictOf } from "../verdicts.js";

const A_PATCH = "patch";

class PatchView {
  constructor(root) {
    this.root = root;
    this.pointed = null; // the patch under the pointer
    [this.isOver, this.isPainting] = [false, false]; // the pointer is on the picture; it has painted since it came
    this.link = mirror((put) => {
      put("vision_at", this.at, 0);
      put("vision_layer", this.layer, this.opens[0]);
      put("vision_head", this.head, this.opens[1]);
      put(this.paint.link, this.brush.code, this.paint.usual);
    });
    this.brush = new Brush({
      changed: () => this.stroked(),
      picked: () => this.choose(false),
      framed: () => [Math.floor(this.spot / this.across), this.spot % this.across, this.across],
    });
    this.asks = new Latest((message) => this.send("painted", message));
    this.picture = el("canvas", { "aria-hidden": "true" });
    this.light = new Spotlight();
    this.frame = el("span.frame");
    this.patches = el("div.grid", {
      role: "listbox",
      tabindex: 0,
      "aria-label": "Which patch asks: arrow keys move.",
      onkeydown: (event) => this.key(event),
    });
    this.square = el(
      "div.square",
      {
        onpointermove: (event) => this.point(this.patchAt(event)),
        onpointerleave: () => this.point(null),
      },
      this.picture,
      this.light.node,
      this.frame,
      this.light.others,
      this.light.spot,
      this.patches,
      this.brush.node,
    );
    this.askers = choice("div.askers", "Who asks", (value) => this.askedBy(value));
    this.thumbs = new Thumbs({ open: (layer, h) => this.open(layer, h), peek: (place) => this.peek(place) });
    this.said = el("p.finding.said", { "aria-live": "polite" });
    this.legend = el("p.legend");
    this.asked = el("div.answers");
    root.replaceChildren(el("div.stage", el("section", this.square, this.brush.bar), this.beside()));
  }

  /** What stands beside the picture: the answers, and, folded, who looks and every head. */
  beside() {
    const quiet = (words) => el("span.quiet", { "aria-hidden": "true" }, words);
    const who = el("div.who", quiet("Who looks?"), this.askers.node, quiet("In which layer?"), this.thumbs.layers);
    this.fold = el("details.fold", el("summary", "Every head"), who, this.thumbs.node, this.legend);
    return el("section.seen", this.said, this.asked, this.fold);
  }

  update(data, { setStateValue }) {
    this.send = setStateValue;
    this.violet = frameOf(this.root);
    if (data !== this.data) this.take(data);
    this.draw();
  }

  destroy() {
    this.asks.end();
  }

  take(data) {
    this.data = data;
    const { header, arrays } = unpack(data);
    Object.assign(this, { pixels: arrays.pixels, weights: arrays.weights, flows: arrays.rollout }, header, {
      under: arrays.under,
      first: header.first.length,
      names: header.first,
    });
    this.asks.heard(this.message(this.paint.code));
    this.brush.take(this.paint, this.asks.waits);
    this.side = arrays.pixels.shape[0];
    this.T = this.first + this.across ** 2;
    const kept = (now, name, end, usual) => Math.min(now ?? wholeParam(name, end) ?? usual, end - 1);
    this.at = kept(this.at, "vision_at", this.T, 0);
    this.layer = kept(this.layer, "vision_layer", this.weights.shape[0], this.opens[0]);
    this.head = kept(this.head, "vision_head", this.weights.shape[1] + 1, this.opens[1]);
    if (!this.built) drawnIn(this.root, "patches");
    if (!this.built) {
      this.isAsking = this.at >= this.first;
      this.fold.open = ["vision_at", "vision_layer", "vision_head"].some((name) => param(name) !== null);
    }
    this.build();
  }

  build() {
    const { across, first } = this;
    if (this.built !== `${across} ${first}`) {
      this.built = `${across} ${first}`;
      this.root.style.setProperty("--across", across);
      const option = (n) =>
        el("div", {
          role: "option",
          id: `token-${n}`,
          "aria-label": `patch in ${placeOf(n - first, across)}`,
          onclick: () => this.ask(n),
        });
      this.options = Array.from({ length: across ** 2 }, (_, n) => option(n + first));
      this.patches.replaceChildren(...this.options);
      this.askers.offer([...this.names.map((name, n) => [String(n), name]), [A_PATCH, "a patch"]]);
    }
    this.fillAnswers();
  }

  /** What goes to the server: where the code belongs, and the code. */
  message(code) {
    return `${this.paint.link}:${code}`;
  }

  stroked() {
    Object.assign(this, { pointed: null, isTurned: false, isPainting: this.isOver });
    this.drawPicture();
    this.asks.want(this.message(this.brush.code));
    this.link.later();
  }

  /** The hand chooses patches, or paints. */
  choose(isAsking) {
    this.isAsking = isAsking;
    this.draw();
  }

  askedBy(value) {
    this.isAsking = value === A_PATCH;
    const middle = this.first + Math.floor((this.across * (this.across + 1)) / 2);
    this.ask(this.isAsking ? (this.at >= this.first ? this.at : middle) : Number(value));
  }

  /** What the chosen token gives to every token, in a head; the column after the last head is the rollout. */
  row(layer, h) {
    const [, H, T] = this.weights.shape;
    if (h === H) return this.flows.subarray((layer * T + this.at) * T, (layer * T + this.at + 1) * T);
    const from = ((layer * H + h) * T + this.at) * T;
    return this.weights.subarray(from, from + T);
  }

  draw() {
    const { first, across } = this;
    this.thumbs.fill(this.weights.shape, this.layer);
    const rows = this.thumbs.shown.map(({ layer, h }) => this.row(layer, h).subarray(first));
    const [layer, head] = this.peeked ?? [this.layer, this.head];
    const chosen = this.row(layer, head);
    const largest = mostOf(chosen.subarray(first));
    this.thumbs.draw(rows, [this.layer, this.head], this);
    this.drawPicture();
    this.light.fall(chosen.subarray(first), largest, across, this.violet);
    this.drawHand();
    const H = this.weights.shape[1];
    const name = head === H ? "By rollout" : `Layer ${layer}, head ${head}`;
    const best = chosen.subarray(first).reduce((b, w, n, all) => (w > all[b] ? n : b), 0);
    this.light.node.setAttribute("aria-label", `${name}: ${this.asker()} looks most at ${placeOf(best, across)}.`);
    const shades = Array.from({ length: 24 }, (_, n) =>
      el("i", { style: `background: ${mix("weight", Math.round(100 * strength(n / 23)))}` }),
    );
    const own = this.names.map((token, n) => `On the ${token}: ${brief(chosen[n])}.`).join(" ");
    this.legend.title = `${own} Each map is scaled to its own largest weight.`;
    this.legend.replaceChildren(
      "0",
      el("span.scale", ...shades),
      `${brief(largest)} `,
      el("span.weight", "attention weight"),
    );
    Object.assign(this.root.dataset, {
      at: this.at,
      layer: this.layer,
      head: this.head,
      best,
      painted: this.paint.code,
    });
    this.say();
  }

  /** The picture as it lies there, with what was painted a moment ago. */
  drawPicture() {
    const { side, under, brush } = this;
    const pixels = Uint8Array.from(under);
    const cells = Array.from({ length: side }, (_, n) => Math.floor((n * this.paint.side) / side));
    for (let n = 0; n < side * side; n++) {
      const colour = brush.colourAt(cells[Math.floor(n / side)] * this.paint.side + cells[n % side]);
      if (colour) pixels.set(colour, 3 * n);
    }
    show(this.picture, Object.assign(pixels, { shape: under.shape }));
    this.root.dataset.code = brush.code;
  }

  /** Who asks, and whether the hand paints or chooses. */
  drawHand() {
    const { at, first, across } = this;
    this.options.forEach((option, n) => option.setAttribute("aria-selected", n + first === at));
    this.patches.setAttribute("aria-activedescendant", `token-${at}`);
    this.patches.hidden = !this.isAsking;
    this.brush.node.hidden = this.isAsking;
    this.brush.pressed(!this.isAsking);
    this.askers.show(at < first ? at : A_PATCH);
    this.frame.hidden = at < first;
    this.frame.style.left = `${(100 * ((at - first) % across)) / across}%`;
    this.frame.style.top = `${(100 * Math.floor((at - first) / across)) / across}%`;
  }

  asker() {
    return this.at < this.first
      ? `the ${this.names[this.at]}`
      : `the patch in ${placeOf(this.at - this.first, this.across)}`;
  }

  /** What the patch that is pointed at gets, or the one that gets most. */
  say() {
    const [layer, head] = this.peeked ?? [this.layer, this.head];
    const row = this.row(layer, head);
    const spot = (this.spot = this.pointed ?? Number(this.root.dataset.best));
    const w = row[this.first + spot];
    const pointed = this.pointed === null ? `one of ${this.across ** 2} patches` : placeOf(spot, this.across);
    const [asker, place] = [this.asker(), pointed];
    this.light.mark(spot, row.subarray(this.first), this.across);
    const said =
      head === this.weights.shape[1]
        ? [`By rollout, ${percent(w)} of what ${asker} holds after layer ${layer} comes from ${place}.`]
        : this.pointed === null && this.at < this.first
          ? [`Layer ${layer}, head ${head} gives `, el("b.weight", brief(w)), ` of its attention to ${place}.`]
          : [`${capital(asker)} gives `, el("b.weight", brief(w)), ` of its attention to ${place}.`];
    const isPointing = this.pointed !== null && !this.isPainting; // the hand that paints does not take the word
    const isElsewhere = this.isTurned || this.isAsking || this.peeked || isPointing;
    const change = isElsewhere ? [] : this.toldOfPaint(row.subarray(this.first));
    rewrite(this.said, ...(change.length ? change : said));
    this.brush.offer();
  }

  /** The parts of what is said: before anybody has painted, the question; then what the paint has changed, and whether
   * this head follows. */
  toldOfPaint(row) {
    const n = this.across ** 2;
    const painted = this.brush.patches(this.across);
    if (!painted.size) return [`How few of the ${n} patches must you paint to change an answer?`];
    const change = changeOf(this.groups, `${painted.size} of ${n} patches`);
    if (!change) return [];
    const isPlain = this.groups.length === 1 || this.groups.some(isNew);
    const isSeen = isPlain || [...painted].some((patch) => row[patch] > row[this.spot] / 2);
    return isSeen ? [change] : [change, el("span.more", " The head looks elsewhere.")];
  }

  ask(n) {
    Object.assign(this, { at: n, pointed: null, isTurned: true });
    this.draw();
    this.link.later();
  }

  open(layer, h) {
    Object.assign(this, { layer, head: h, pointed: null, peeked: null, isTurned: true });
    this.draw();
    this.link.later();
  }

  /** Shows a head over the picture for as long as the pointer is on its map. */
  peek(place) {
    this.peeked = place;
    this.draw();
  }

  point(patch) {
    this.isOver = patch !== null;
    if (!this.isOver) this.isPainting = false;
    if (patch === this.pointed || this.brush.held) return;
    this.pointed = patch;
    this.say();
  }

  patchAt(event) {
    const box = this.square.getBoundingClientRect();
    const cell = (at, size) => Math.min(this.across - 1, Math.max(0, Math.floor((at / size) * this.across)));
    return cell(event.clientY - box.top, box.height) * this.across + cell(event.clientX - box.left, box.width);
  }

  key(event) {
    const to = Math.max(this.first, stepped(this.at, event.key, this.first, this.across));
    if (to === this.at) return;
    event.preventDefault();
    this.ask(to);
  }

  fillAnswers() {
    // Of the thousand names that a model of photographs knows there are a few lines; of our four questions one each.
    const isOne = this.groups.length === 1;
    this.asked.classList.toggle("one", isOne);
    rewrite(
      this.asked,
      ...(isOne ? this.groups.map(questionOf) : [...this.groups.map((group) => verdictOf(group, longOf)), scaleOf()]),
    );
    if (!this.brush.held)
      this.brush.spoken.textContent = `It answers ${this.groups.map((group) => bestOf(group)[0]).join(", ")}.`;
  }
}

export default mount(".patch-view", PatchView);
