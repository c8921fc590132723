// Shares that add up to 1, one bar each: moving one makes room by shrinking or growing the others alike.

import { el, fixed, mount, put, rewrite, still, svg, trimmed, write } from "../../../../attention_view/lab.js";
import { drag, firstBeat, slider, smoothly, tween } from "../../../../attention_view/controls.js";
import { areAlike, beside, DIGITS, evenly, mixOf, onward, printedPlace, sharesAt, weightsAt } from "./mixing.js";
import { outcome, taskOf, turnedOn, worked } from "./answer.js";
import { hull } from "../../../../lab/kit/components/hull.js";

const BEAT = 3000; // milliseconds from an even mix to that of the weights, when the page opens
const GLIDE = 600; // the same when it is asked for
const HEADS = ["match ÷ 2: the score", "doubled once per point", "share of the total"]; // of the steps to a share
const PULL = 1600; // of the ring to a place that it does not reach

/** The shares once share i has become x: the others keep their proportions, or share alike if they had nothing. */
export function moved(shares, i, x) {
  const rest = shares.reduce((sum, share, j) => (j === i ? sum : sum + share), 0);
  return shares.map((share, j) => (j === i ? x : rest > 0 ? (share / rest) * (1 - x) : (1 - x) / (shares.length - 1)));
}

class Shares {
  constructor(root) {
    this.root = root;
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.stop?.(); // a glide to what was there before
    this.data = data;
    const n = (data.points ?? data.keys).length;
    this.shares = data.shares ?? data.start ?? Array(n).fill(1 / n);
    this.beyond = null; // where a hand pulls the ring, if no mix reaches there
    this.outside = data.points ? beside(data.points) : null; // where it is asked to pull, until the ring or a bar moves
    if (data.points) this.buildMix();
    else this.buildGuess();
    this.refresh();
    if (data.points && !this.isOpen) this.open();
    this.isOpen = true;
  }

  destroy() {
    this.stop?.();
    this.ended?.();
  }

  bar(i, name, locked) {
    const range = slider(`Share of ${name}`, { max: 1, step: 0.01, disabled: locked, class: "share-bar" }, (x) => {
      this.stop?.();
      this.outside = null;
      this.isTouched = true;
      this.set(moved(this.shares, i, x));
    });
    const value = el("output");
    this.bars[i] = { range, value };
    return [range, value];
  }

  refresh() {
    this.shares.forEach((share, i) => {
      const { range, value } = this.bars[i];
      range.value = String(share);
      range.style.setProperty("--w", `${100 * share}%`);
      range.setAttribute("aria-valuetext", `${Math.round(100 * share)} percent`);
      value.textContent = share.toFixed(2);
    });
    if (this.data.points) this.draw();
    else this.offer();
    this.root.dataset.shares = JSON.stringify(this.shares);
  }

  // ---- guess the row ----------------------------------------------------------------------------------------

  buildGuess() {
    const { query, keys, revealed } = this.data;
    this.bars = [];
    this.asked = query; // what was guessed of; a hand turns its numbers once the shares are known
    this.query = query;
    const body = el("div.guess");
    body.classList.toggle("over", revealed);
    const cell = (x, d) => {
      const number = el("b", String(x));
      return revealed ? el("button", { onclick: () => this.turnNumber(d) }, number) : el("i", number);
    };
    this.numbers = query.map(cell);
    body.append(
      named("query", "query", revealed ? "press a number" : "a word asks"),
      el("span.vector.query", ...this.numbers),
      el("span.quiet.head", "match"),
      ...(revealed
        ? [el("span.steps.quiet.head", ...HEADS.map((name) => el("span", name)))]
        : [el("span.quiet.head", "share of the attention"), el("span")]),
    );
    this.lines = keys.map((key, i) => {
      const cells = key.map((x) => el("i", el("b", String(x)), el("small")));
      const match = el("b.total");
      const line = { cells, match, ...(revealed ? this.result(i) : null) };
      const shares = revealed ? [line.result] : this.bar(i, `key ${i + 1}`, false);
      body.append(named("key", `key ${i + 1}`, "a word answers"), el("span.vector.key", ...cells), match, ...shares);
      return line;
    });
    if (!this.scroll) this.openGuess();
    this.isTouched = false;
    this.scroll.replaceChildren(body);
    this.work();
  }

  /** The headline, which stays from puzzle to puzzle, and with it the focus on its button: the rule to guess by, or
   * what softmax says, and what one does next. */
  openGuess() {
    this.finding = el("h2.finding", { "aria-live": "polite" });
    const onclick = () => {
      if (this.data.revealed) this.send("next", this.data.number);
      else if (this.isTouched) this.send("reveal", this.shares);
    };
    this.act = el("button.primary", { onclick });
    this.scroll = el("div.scroll");
    this.root.replaceChildren(el("div.headline", this.finding, this.act), this.scroll);
  }

  /** Bars that nobody has moved are no guess. */
  offer() {
    const { revealed } = this.data;
    put(this.act, { "aria-disabled": String(!revealed && !this.isTouched) });
    write(this.act, revealed ? "Next puzzle" : this.isTouched ? "Reveal the shares" : "Drag a bar first");
  }

  /** How one gets from the match of key i to its share, that share, and below it what was guessed. */
  result(i) {
    const [steps, bar, share] = [HEADS.map(() => el("b")), el("span.truth"), el("b")];
    const [guess, value] = this.bar(i, `key ${i + 1}`, true);
    const guessed = el("span.amount.guessed", value, " your guess");
    const known = [el("span.steps", ...steps), bar, el("span.amount.weight", share, " softmax")];
    return { steps, bar, share, result: el("div.result", ...known, guess, guessed) };
  }

  /** A number of the query becomes the next one, and all shares answer. */
  turnNumber(d) {
    this.query = this.query.map((x, n) => (n === d ? turnedOn(x) : x));
    this.work();
  }

  /** Matches, and once the shares are known, all steps to them. */
  work() {
    const { query, lines, data } = this;
    const { keys, revealed } = data;
    const now = worked(query, keys);
    const isMet = (d) => keys.some((key) => query[d] * key[d] > 0);
    this.numbers.forEach((cell, d) => {
      cell.classList.toggle("lit", isMet(d));
      write(cell.firstChild, String(query[d]));
      if (revealed) put(cell, { "aria-label": `${query[d]}: number ${d + 1} of the query` });
    });
    lines.forEach(({ cells, match, steps, bar, share }, i) => {
      cells.forEach((cell, d) => {
        const product = query[d] * keys[i][d];
        cell.classList.toggle("lit", product > 0);
        write(cell.lastChild, `× ${query[d]} = ${product}`);
      });
      write(match, String(now.matches[i]));
      if (!revealed) return;
      stepsTo(i, now, query).forEach((texts, n) => rewrite(steps[n], ...texts));
      bar.style.setProperty("--w", `${100 * now.shares[i]}%`);
      write(share, now.shares[i].toFixed(2));
    });
    const isTurned = String(query) !== String(this.asked);
    this.root.classList.toggle("turned", isTurned);
    write(this.finding, revealed ? `${outcome(now)}${taskOf(this.asked, keys, now)}` : data.finding);
  }

  // ---- mix values -------------------------------------------------------------------------------------------

  buildMix() {
    this.bars = [];
    const list = el("div.mixer");
    this.data.words.forEach((word, j) => list.append(el("span.value.name", word), ...this.bar(j, word, false)));
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
      svg("text.small.end", { x: 450, y: 334 }, `${axes[0]} →`),
      svg("text.small", { x: 14, y: 16 }, `${axes[1]} ↑`),
      svg("polygon.hull", { points: corners.join(" ") }),
      ...points.map(pull),
      ...points.flatMap((p, j) => valueAt(at(p), middle, `${words[j]} (${trimmed(p[0])}, ${trimmed(p[1])})`)),
      ...(this.beyond ? outOfReach([mx, my], at(this.beyond)) : []),
      svg("circle.mixed", { cx: mx, cy: my, r: 13 }),
      ...(points.some((p) => isNear(at(p), [mx, my])) ? [] : [outputAt([mx, my], `output (${place})`)]),
    ];
  }
}

/** From the match of key i to its share, in pieces of text. */
function stepsTo(i, { matches, scores, doubled, total }, query) {
  const [score, power] = [trimmed(scores[i], 1), trimmed(doubled[i], 1)];
  return [
    [`${matches[i]} ÷ ${Math.sqrt(query.length)} = ${score}`],
    ["2", el("sup", score), ` = ${power}`],
    [`${power} of ${trimmed(total, 1)}`],
  ];
}

/** The name of a row, and what its word does. */
const named = (kind, name, does) => el(`span.${kind}.who`, el("b", name), el("small", does));

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
