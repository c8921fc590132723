// Shares that add up to 1, one bar each: moving one makes room by shrinking or growing the others alike. With them
// values are mixed here; guess.js has the guess.

import { el, fixed, mount, put, rewrite, still, svg, trimmed, write } from "../../../../attention_view/lab.js";
import { drag, firstBeat, slider, smoothly, tween } from "../../../../attention_view/controls.js";
import { areAlike, beside, DIGITS, evenly, mixOf, moved, onward, printedPlace, sharesAt, weightsAt } from "./mixing.js";
import { Guess } from "./guess.js";
import { hull } from "../../../../lab/kit/components/hull.js";

const BEAT = 3000; // milliseconds from an even mix to that of the weights, when the page opens
const GLIDE = 600; // the same when it is asked for
const PULL = 1600; // of the ring to a place that it does not reach

class Shares {
  constructor(root) {
    this.root = root;
  }

  update(data, { setTriggerValue }) {
    const signature = JSON.stringify(data);
    if (this.guess) this.guess.send = setTriggerValue;
    if (signature === this.signature) return;
    this.signature = signature;
    if (!data.points) return this.showGuess(data, setTriggerValue);
    this.stop?.(); // a glide to what was there before
    this.data = data;
    this.shares = data.start;
    this.beyond = null; // where a hand pulls the ring, if no mix reaches there
    this.outside = beside(data.points); // where it is asked to pull, until the ring or a bar moves
    this.buildMix();
    this.refresh();
    if (!this.isOpen) this.open();
    this.isOpen = true;
  }

  resized() {
    this.guess?.draw();
  }

  showGuess(data, send) {
    this.guess ??= new Guess(this.root);
    this.guess.send = send;
    this.guess.update(data);
  }

  destroy() {
    this.stop?.();
    this.ended?.();
    this.guess?.endDrag?.();
  }

  bar(i, name) {
    const range = slider(`Share of ${name}`, { max: 1, step: 0.01, class: "share-bar" }, (x) => {
      this.stop?.();
      this.outside = null;
      this.set(moved(this.shares, i, x));
    });
    const [value, under] = [el("output"), el("i.under")];
    this.bars[i] = { range, value, under };
    return [el("span.track", under, range), value];
  }

  refresh() {
    const wanted = this.beyond ? weightsAt(this.data.points, this.beyond) : this.shares;
    const least = wanted.indexOf(Math.min(...wanted));
    this.shares.forEach((share, i) => {
      const { range, value, under } = this.bars[i];
      range.value = String(share);
      range.style.setProperty("--w", `${100 * share}%`);
      range.setAttribute("aria-valuetext", `${Math.round(100 * share)} percent`);
      under.hidden = !this.beyond || i !== least;
      under.textContent = fixed(wanted[i], 2);
      value.textContent = fixed(share, 2);
    });
    this.root.classList.toggle("out", Boolean(this.beyond));
    this.draw();
    this.root.dataset.shares = JSON.stringify(this.shares);
  }

  // ---- mix values -------------------------------------------------------------------------------------------

  buildMix() {
    this.bars = [];
    const list = el("div.mixer");
    this.data.words.forEach((word, j) => list.append(el("span.value.name", word), ...this.bar(j, word)));
    this.finding = el("h2.finding");
    this.act = el("button.primary", { onclick: () => this.turn() });
    this.svg = svg("svg", { viewBox: "0 0 460 340", role: "img" });
    this.svg.addEventListener("pointerdown", (event) => this.grab(event));
    this.readout = el("p.readout", { role: "status" });
    this.root.replaceChildren(
      el("div.headline", this.finding, this.act),
      el("div.mix", el("div", list, this.readout, el("p.quiet", "Drag a bar, or the ring.")), el("figure", this.svg)),
    );
  }

  /** The first beat: an even mix goes to where the weights of the row draw it. */
  open() {
    const begin = () => {
      this.root.dataset.beat = "mix";
      this.glide(evenly(this.shares), this.data.start, BEAT);
    };
    const end = () => {
      this.stop();
      delete this.root.dataset.beat;
      this.set(this.data.start);
    };
    this.ended = firstBeat("mix", BEAT, begin, end);
  }

  /** What the button says, and where it leads from where a glide goes. */
  get onward() {
    return onward(this.aim ?? this.shares, this.data.start, this.data.words);
  }

  turn() {
    if (this.outside) return this.pullOut(mixOf(this.shares, this.data.points), this.outside);
    const [, to] = this.onward;
    if (still()) return this.set(to);
    this.glide(this.shares, to, GLIDE);
  }

  pullOut(from, to) {
    this.outside = null;
    if (still()) return this.pull(to);
    this.run(PULL, (at) => this.pull(from.map((x, d) => x + smoothly(at) * (to[d] - x))));
  }

  glide(from, to, milliseconds) {
    this.run(milliseconds, (at) => this.set(from.map((share, i) => share + at * (to[i] - share))), to);
  }

  run(milliseconds, move, aim = null) {
    this.stop?.();
    this.aim = aim;
    const isHeard = (yes) => put(this.readout, { "aria-live": yes ? "polite" : "off" });
    const halt = tween(milliseconds, (at) => {
      isHeard(at === 1);
      move(at);
    });
    this.stop = () => (halt(), isHeard(true), (this.aim = null)); // a hand that stops it is heard
  }

  set(shares) {
    this.shares = [...shares];
    this.beyond = null;
    this.refresh();
  }

  /** The ring follows a hand to a place, as far as a mix reaches. */
  pull(place) {
    const { points } = this.data;
    this.shares = sharesAt(points, place);
    const [x, y] = mixOf(this.shares, points);
    this.beyond = Math.hypot(place[0] - x, place[1] - y) > 8 * this.span ? place : null;
    this.refresh();
  }

  draw() {
    const { points, start, words } = this.data;
    this.act.hidden = !this.outside && areAlike(start, evenly(start)); // an even mix is all there is
    write(this.act, this.outside ? "Pull it outside" : this.onward[0]);
    const finding = this.beyond ? refused(weightsAt(points, this.beyond), words) : found(this.shares, this.data);
    rewrite(this.finding, ...(this.outside ? asked() : finding));
    const mix = mixOf(this.shares, points);
    const place = printedPlace(this.shares, points);
    this.svg.replaceChildren(...this.plane(mix, place));
    const label = `The mix lies at ${place}, inside the area between the values.`;
    this.svg.setAttribute("aria-label", label);
    const product = (_, j) => [
      j ? " + " : "",
      el("b.weight", this.shares[j].toFixed(DIGITS)),
      " × ",
      el("b.value", `(${points[j].map((x) => trimmed(x)).join(", ")})`),
    ];
    this.readout.replaceChildren(...points.flatMap(product), " = ", el("b.value", `(${place})`));
    this.root.dataset.mix = JSON.stringify(mix);
  }

  /** The ring is dragged: of three values the shares follow from where it is. */
  grab(event) {
    if (event.button || !event.target.classList.contains("mixed") || !sharesAt(this.data.points, [0, 0])) return;
    event.preventDefault();
    this.stop?.();
    const move = ({ clientX, clientY }) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
      this.outside = null;
      this.pull(this.from([x, y]));
    };
    this.endDrag = drag(move, () => {});
  }

  /** The values and their mix on a plane, with one scale for both axes, so that directions are true. */
  plane(mix, place) {
    const { points, axes, words } = this.data;
    const all = [...points, [0, 0]];
    const low = [0, 1].map((d) => Math.min(...all.map((p) => p[d])));
    const high = [0, 1].map((d) => Math.max(...all.map((p) => p[d])));
    const span = (this.span = Math.max((high[0] - low[0]) / 250, (high[1] - low[1]) / 230) || 0.01);
    const centre = [0, 1].map((d) => (low[d] + high[d]) / 2);
    const at = (p) => [235 + (p[0] - centre[0]) / span, 160 - (p[1] - centre[1]) / span];
    this.from = ([x, y]) => [(x - 235) * span + centre[0], centre[1] - (y - 160) * span];
    const middle = at([0, 1].map((d) => points.reduce((sum, p) => sum + p[d], 0) / points.length));
    const [[ox, oy], [mx, my]] = [[0, 0], mix].map(at);
    const corners = hull(points).map((p) => at(p).join(","));
    const pull = (p, j) => {
      const [x, y] = at(p);
      const strong = { "stroke-width": 0.5 + 11 * this.shares[j], opacity: this.shares[j] > 0 ? 0.55 : 0.12 };
      return svg("line.pull", { x1: mx, y1: my, x2: x, y2: y, ...strong });
    };
    return [
      svg("line.axis", { x1: 20, x2: 450, y1: oy, y2: oy }),
      svg("line.axis", { x1: ox, x2: ox, y1: 12, y2: 312 }),
      svg("text.small.end", { x: 450, y: Math.min(334, oy + 42) }, `${axes[0]} of a value →`),
      svg("text.small", { x: ox + 8, y: 22 }, `↑ ${axes[1]} of a value`),
      svg("polygon.hull", { points: corners.join(" ") }),
      ...points.map(pull),
      ...points.flatMap((p, j) => valueAt(at(p), middle, `${words[j]} (${trimmed(p[0])}, ${trimmed(p[1])})`)),
      ...(this.beyond ? outOfReach([mx, my], at(this.beyond)) : []),
      svg("circle.mixed", { cx: mx, cy: my, r: 13 }),
      ...(points.some((p) => isNear(at(p), [mx, my])) ? [] : [outputAt([mx, my], `output (${place})`)]),
    ];
  }
}

/** What the output of the word that asks is made of, in one sentence with elements. */
function found(shares, { words, query }) {
  const name = (j) => el("b.value", words[j]);
  const output = ["The output of ", el("b.query", words[query]), " is "];
  const [all] = shares.map((share, j) => [share, j]).filter(([share]) => share > 0.995);
  if (all) return [...output, "the value of ", name(all[1]), " alone."];
  if (areAlike(shares, evenly(shares))) return [...output, `the mean of all values: ${shares[0].toFixed(2)} of each.`];
  const parts = shares.flatMap((share, j) => {
    const before = j === 0 ? "" : j < shares.length - 1 ? ", " : " and ";
    return [before, el("b.weight", share.toFixed(2)), " ", name(j)];
  });
  return [...output, ...parts, "."];
}

const asked = () => ["The ", el("b.value", "output"), " is a mix of three values. Drag it out of their triangle."];

/** Why no mix lies at a place: the weight that it asks for. */
function refused(weights, words) {
  const least = weights.indexOf(Math.min(...weights));
  const weight = el("b.weight", fixed(weights[least], 2));
  return [
    "Out of reach: ",
    el("b.value", words[least]),
    " would need a weight of ",
    weight,
    ", and softmax gives none below 0.",
  ];
}

/** Whether the ring lies on a value, whose name says where it is. */
const isNear = ([x, y], [a, b]) => Math.hypot(x - a, y - b) < 14;

/** What the ring is, on the side where there is room. */
const outputAt = ([x, y], label) => {
  const isLeft = x > 300;
  return svg("text", { x: x + (isLeft ? -16 : 16), y: y - 12, class: `label ring-name${isLeft ? " end" : ""}` }, label);
};

/** Where a hand would have the ring. */
const outOfReach = ([x1, y1], [x2, y2]) => [
  svg("line.beyond", { x1, y1, x2, y2 }),
  svg("circle.beyond", { cx: x2, cy: y2, r: 10 }),
];

/** A value as a point, with its label on the side away from the middle. */
function valueAt([x, y], middle, label) {
  const [left, above] = [x < middle[0], y < middle[1]];
  const place = { x: x + (left ? -10 : 10), y: y + (above ? -9 : 21), class: `label ${left ? "end" : ""}` };
  return [svg("circle.value", { cx: x, cy: y, r: 6 }), svg("text", place, label)];
}

export default mount(".shares", Shares);
