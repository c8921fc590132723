// One row through all stages in one chart: a column per key that stays where it is, and a bar in it that moves from
// stage to stage. Scores become attention weights; at the end, the values are mixed by them. A bar can be dragged;
// all shares then answer.

import { el, fixed, mix, pointIn, put, rewrite, strength, windowHeight } from "../../../../attention_view/lab.js";
import { drag, inRow } from "../../../../attention_view/controls.js";
import { KEYS, reachOf, spoken } from "./held_row.js";
import { bold } from "./reasons.js";
import { reach, share, short, total } from "./stages.js";

const OUTSIDE = 214; // pixels of a window above and below the figure
const FOR_NUMBER = 34; // pixels, above the bars and below them
const FOR_OUTLINE = 24; // pixels that an outline is longer than its bar
const FOR_GRIP = 11; // pixels between the end of the bar that can be dragged and its number
const LOWEST = 110; // pixels of a chart below which values are mixed
const NARROW = 44; // pixels: in narrower columns names stand upright, and only the chosen key has its number
const PHONE = 640; // pixels: in a narrower figure the chart is no taller than its words leave room for
const LEAST = 0.005; // a share that rounds to 0.01
const MEASURED = {
  scores: "score of each word",
  scaled: "scores, divided",
  biased: "scores with their bias",
  masked: "scores that the mask leaves",
  weights: "attention weight",
  output: "attention weight",
};

/** [least, most] of some scores, null for those that are blocked; 0 is always within. */
export const span = (scores) => {
  const open = scores.filter((x) => x != null);
  return [Math.min(0, ...open), Math.max(0, ...open)];
};

/** The score that gives a key this share, where the others keep their scores (null: blocked). */
export function scoreFor(target, scores, j) {
  const others = scores.filter((x, n) => n !== j && x != null);
  if (!others.length) return scores[j];
  const most = Math.max(...others);
  const sum = most + Math.log(total(others.map((x) => Math.exp(x - most))));
  const within = Math.max(0.001, Math.min(0.999, target));
  return sum + Math.log(within / (1 - within));
}

/** What an output is mixed from: the two largest shares, the chosen key, and all others together.
 *
 * Returns [{keys, weight}], in the order of the keys; the others last, if they come to anything. */
export function ingredients(weights, chosen) {
  const order = weights.map((_, j) => j).sort((a, b) => weights[b] - weights[a]);
  const own = [...new Set([...order.slice(0, 2), chosen])].sort((a, b) => a - b);
  const others = order.filter((j) => !own.includes(j));
  const rest = total(others.map((j) => weights[j]));
  const parts = own.map((j) => ({ keys: [j], weight: weights[j] }));
  return rest < LEAST ? parts : [...parts, { keys: others, weight: rest }];
}

export class RowFigure {
  /** steps: has the data, the stages as they are now, set(), moveScore(), and the formula, which is the stepper */
  constructor(steps) {
    this.steps = steps;
    const { labels } = steps.data;
    const most = (row) => steps.stages.weights[row].indexOf(Math.max(...steps.stages.weights[row]));
    this.queries = this.words("query", "The query: whose row is shown", "row", (row) => ({ row, col: most(row) }));
    this.keys = this.words("key", "The key: which number is followed", "col", (col) => ({ col }));
    this.columns = labels.map((_, j) => {
      const [was, bar, number] = [el("i.was"), el("i"), el("span")];
      const onpointerdown = (event) => this.take(event, j);
      return { node: el("div.at", { onpointerdown }, was, bar, number), was, bar, number };
    });
    this.grip = this.hand();
    this.name = el("span.measure.quiet");
    this.bars = el("div.bars.from-left", { "aria-hidden": "true" }, ...this.columns.map(({ node }) => node));
    const { line: said, glass } = steps.guess;
    glass.addEventListener("pointerdown", (event) => event.button || this.foresee(event));
    this.chart = el("div.chart", this.bars, said, glass, this.grip);
    const onclick = ({ target }) => target.dataset.f && steps.set({ feature: Number(target.dataset.f) });
    this.mixed = el("div.mixed", { onclick });
    this.cell = el("p.unseen", { role: "status" });
    const line = el("div.stepper", steps.formula.node, this.name);
    const axis = (name, { node }) => el("div.axis", el(`b.${name}`, name), node);
    const props = { "data-figure": "", style: `--S: ${labels.length}` };
    const axes = [axis("key", this.keys), axis("query", this.queries)];
    this.node = el("div.one-row", props, line, this.chart, ...axes, this.mixed, this.cell);
  }

  /** The words of the sentence, of which one is chosen: {node, buttons}. */
  words(role, label, place, change) {
    const { steps } = this;
    const choose = (i) => steps.set(change(i));
    const word = (text, i) => steps.marked(el("button", { role: "radio", onclick: () => choose(i) }, text), i);
    const buttons = steps.data.labels.map(word);
    const onkeydown = (event) => {
      const to = inRow(event, steps.state[place], buttons.length);
      if (to === null) return;
      choose(to);
      buttons[to].focus({ preventScroll: true });
    };
    const node = el(`div.words.${role}`, { role: "radiogroup", "aria-label": label, onkeydown }, ...buttons);
    return { node, buttons };
  }

  // ---- a bar in the hand --------------------------------------------------------------------------------------

  /** What a score is divided by before softmax. */
  get divisor() {
    return this.steps.tuner.set.divided ? this.root : 1;
  }

  get root() {
    return Math.sqrt(this.steps.data.matrices.q[0].length);
  }

  get isShare() {
    return ["weights", "output"].includes(this.steps.state.stage);
  }

  /** The scores of the row at a stage, with what a hand has added. */
  rowOf(stage) {
    const { given, tuner, state } = this.steps;
    const by = (j) =>
      (tuner.moved.get(`${state.row},${j}`) ?? 0) * (this.divisor / (stage === "scores" ? 1 : this.root));
    return given[stage][state.row].map((x, j) => (x == null ? null : x + by(j)));
  }

  /** How far a score can be dragged: [least, most]. */
  get limits() {
    return reachOf(this.steps.given.scores[this.steps.state.row]);
  }

  isFixed(j) {
    const { steps } = this;
    return steps.tuner.base(steps.given, steps.state.row, j) == null;
  }

  moveTo(j, score) {
    const { steps } = this;
    const { row } = steps.state;
    const [low, high] = this.limits;
    const by = Math.max(low, Math.min(high, score)) - steps.given.scores[row][j];
    steps.moveScore(j, steps.tuner.base(steps.given, row, j) + by / this.divisor);
  }

  /** The score to which a hand brings the bar of a key by moving so many pixels up. */
  pulled(j, { score, weight, fed }, up) {
    const { stage, row } = this.steps.state;
    const { tau, along } = this.steps.tuner.set;
    if (this.isShare && along === "keys") {
      const own = scoreFor(weight + up / this.unit, fed, j);
      return score + (own - fed[j]) * tau * this.divisor;
    }
    const [low, high] = this.limits;
    if (this.isShare) return score + (up / this.bars.clientHeight) * (high - low);
    return this.steps.given[stage][row][j] == null
      ? score
      : score + (up / this.unit) * (stage === "scores" ? 1 : this.root);
  }

  take(event, j) {
    if (event.button) return;
    const { steps } = this;
    steps.set({ col: j });
    if (steps.asks || this.isFixed(j) || steps.state.stage === "output") return;
    event.preventDefault();
    const { row } = steps.state;
    const from = { score: this.rowOf("scores")[j], weight: steps.stages.weights[row][j], fed: [...steps.fed[row]] };
    this.hold((to) => this.moveTo(j, this.pulled(j, from, event.clientY - to.clientY)));
  }

  hold(move) {
    this.grip.focus({ preventScroll: true });
    this.node.classList.add("dragged");
    this.steps.endDrag = drag(move, () => this.node.classList.remove("dragged"));
  }

  /** Before softmax a hand says how high the share of the chosen key will stand: the glass is a share of 1. */
  foresee(event) {
    event.preventDefault();
    const { guess } = this.steps;
    const { glass } = guess;
    const to = (at) => guess.say(1 - pointIn(at, glass)[1] / glass.clientHeight);
    to(event);
    this.hold(to);
  }

  /** What can hold the focus: the handle, or the chosen key where its bar cannot be dragged. */
  get holder() {
    return this.grip.hidden ? this.keys.buttons[this.steps.state.col] : this.grip;
  }

  /** The handle on the bar of the chosen key. */
  hand() {
    const onkeydown = (event) => this.key(event);
    const onpointerdown = (event) => (this.steps.asks ? this.foresee(event) : this.take(event, this.steps.state.col));
    return el("b.grip", { role: "slider", tabindex: 0, "aria-orientation": "vertical", onkeydown, onpointerdown });
  }

  /** Home takes a score back to that of the model; of a guess there is nothing to take back to. */
  key(event) {
    const { col, row } = this.steps.state;
    const by = KEYS[event.key];
    const { asks, guess } = this.steps;
    if ((!by && event.key !== "Home") || (this.isFixed(col) && !asks)) return;
    event.preventDefault();
    event.stopPropagation();
    if (asks) return by && guess.say(guess.level + by / 100);
    const [low, high] = this.limits;
    const own = this.steps.given.scores[row][col];
    this.moveTo(col, by ? this.rowOf("scores")[col] + (by * (high - low)) / 60 : own);
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  paint() {
    const { stages, state, data, root } = this.steps;
    const { stage, row, col, feature } = state;
    this.choose(this.queries.buttons, row);
    this.choose(this.keys.buttons, col);
    this.node.classList.toggle("asking", this.steps.asks);
    const width = this.bars.clientWidth / data.labels.length;
    this.node.classList.toggle("dense", width > 0 && width < NARROW);
    const isFree = stage !== "output" && !this.steps.asks;
    this.name.textContent = `bars: ${MEASURED[stage]}${isFree ? ", yours to drag" : ""}`;
    this.mixed.hidden = stage !== "output";
    if (stage === "output") this.paintMix();
    this.paintBars();

    const value = stages[stage][row][stage === "output" ? feature : col];
    const of = stage === "output" ? `feature ${feature + 1}` : data.labels[col];
    this.cell.textContent = `${data.labels[row]}, ${of}: ${value == null ? "blocked by the mask" : short(value, 4)}`;
    root.dataset.value = value == null ? "" : String(value);
  }

  choose(buttons, chosen) {
    buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", String(i === chosen));
      button.tabIndex = i === chosen ? 0 : -1;
    });
  }

  /** The shares of the row; null where the mask blocks. */
  weights() {
    const { stages, state } = this.steps;
    return stages.weights[state.row].map((w, j) => (this.steps.isBlocked(state.row, j) ? null : w));
  }

  /** Pixels that the chart has for its bars. */
  get room() {
    const fixed = [...this.node.children].filter((part) => ![this.chart, this.mixed].includes(part));
    const other = total(fixed.map((part) => part.offsetHeight));
    const most = this.node.clientWidth < PHONE ? 296 : 720;
    return Math.max(230, Math.min(most, windowHeight(this.node) - OUTSIDE - other));
  }

  /** Bars from nought: of all scores on one scale, and shares of 1 on another. */
  paintBars() {
    const { stage, row, col } = this.steps.state;
    const { room, isShare } = this;
    const values = isShare ? this.weights() : this.rowOf(stage);
    const signed = this.steps.order.filter((name) => !["weights", "output"].includes(name));
    const scores = signed.flatMap((name) => [...this.rowOf(name), ...this.steps.given[name][row]]);
    const [low, high] = isShare ? [0, 1] : span(scores);
    const tall = stage === "output" ? Math.max(LOWEST, room - this.mixed.offsetHeight) : room;
    const below = low < 0 ? FOR_NUMBER : 0;
    this.unit = (tall - FOR_NUMBER - below) / (high - low || 1);
    const zero = FOR_NUMBER + high * this.unit;
    this.bars.style.setProperty("--tall", `${tall}px`);
    this.bars.style.setProperty("--zero", `${zero}px`);
    const before = isShare || stage === "scores" ? null : this.rowOf("scores");
    const all = tall - FOR_NUMBER;
    this.columns.forEach((column, j) => this.paintColumn(column, values[j], before?.[j], j === col, zero));
    this.steps.guess.paint(this.grip, tall, all);
    const isFixed = this.isFixed(col) || stage === "output";
    this.grip.hidden = isFixed && !this.steps.asks;
    this.grip.style.left = this.steps.asks ? "" : `${(100 * (col + 0.5)) / values.length}%`;
    if (isFixed || this.steps.asks) return;
    const [least, most] = this.limits;
    this.grip.style.top = `${zero - (values[col] ?? 0) * this.unit}px`;
    put(this.grip, spoken(this.steps, col, { score: this.rowOf("scores")[col], low: least, high: most }));
  }

  /** x: its value now; before: what it was before the division, which stays as an outline */
  paintColumn({ node, was, bar, number }, x, before, isOn, zero) {
    const { isShare, unit } = this;
    const lay = (line, value) => {
      line.style.top = `${value > 0 ? zero - value * unit : zero}px`;
      line.style.height = `${Math.abs(value) * unit}px`;
    };
    node.className = `at ${isOn ? "on" : ""} ${x == null ? "blocked" : ""}`;
    bar.className = isShare ? "weight" : x < 0 ? "negative" : "positive";
    lay(bar, x ?? 0);
    lay(was, before ?? 0);
    const longer = (Math.abs(before ?? 0) - Math.abs(x ?? 0)) * unit;
    was.hidden = longer < FOR_OUTLINE; // it would cross the number
    number.textContent = this.numberOf(x, isOn);
    const away = isOn && this.steps.state.stage !== "output" ? FOR_GRIP : 3;
    const end = zero - (x ?? 0) * unit;
    number.className = x < 0 ? "low" : "";
    number.style.top = `${x < 0 ? end + away : end - away}px`;
  }

  numberOf(x, isOn) {
    const { isShare } = this;
    if (x == null) return isOn ? (isShare ? "0" : "−∞") : "";
    if (isShare) return isOn || x >= LEAST ? share(x) : "";
    return fixed(x, 1);
  }

  /** The values, each times its share, and the output, which is their sum: all on one scale. */
  paintMix() {
    const { data, stages, state } = this.steps;
    const { v } = data.matrices;
    const output = stages.output[state.row];
    const weights = stages.weights[state.row];
    const parts = ingredients(weights, state.col).map(({ keys, weight }) => ({
      name: this.nameOf(keys, weight),
      row: output.map((_, f) => total(keys.map((j) => weights[j] * v[j][f]))),
      kind: keys.includes(state.col) && keys.length === 1 ? "part followed" : "part",
    }));
    const sum = { name: ["= output of ", bold("query", data.labels[state.row])], row: output, kind: "sum" };
    const rows = [...parts, sum];
    const most = reach(rows.flatMap(({ row }) => row));
    const line = ({ name, row, kind }) => {
      const cells = row.map((x, f) => this.feature(x, f, most, kind === "sum"));
      return el("div", { class: `line-of ${kind}` }, el("span.of", ...name), el("div.features", ...cells));
    };
    rewrite(this.mixed, ...rows.map(line));
  }

  nameOf(keys, weight) {
    const { labels } = this.steps.data;
    const of = keys.length === 1 ? ["value of ", bold("value", labels[keys[0]])] : ["the other values"];
    return [bold("weight", share(weight)), " × ", ...of];
  }

  feature(x, f, most, isSum) {
    const { state, isChosen } = this.steps;
    const isOn = isSum && isChosen && f === state.feature; // below it says why the feature is what it is
    const background = mix(x < 0 ? "negative" : "positive", 100 * strength(Math.abs(x) / most));
    const props = { class: isOn ? "on" : "", style: `background: ${background}`, "data-f": f };
    return el("i", { ...props, title: `feature ${f + 1}: ${short(x, 3)}` });
  }
}
