// One row through all stages: its query above; for each stage a strip with a bar per key, all scores on one scale; the
// keys below their shares; and the output beside the value of the chosen key. A score can be dragged; all shares then
// answer.

import { el, mix, put, strength, trimmed, windowHeight } from "../../../../attention_view/lab.js";
import { drag, inRow } from "../../../../attention_view/controls.js";
import { KEYS, reachOf, spoken } from "./held_row.js";
import { reach, share, short } from "./stages.js";

const OUTSIDE = 222; // pixels of a window above and below the figure
const FOR_NUMBERS = 17; // pixels, above the bars of a strip and below them
const FOR_GRIP = 7; // pixels between the end of the bar that can be dragged and its number
const FIXED = 96; // pixels that the output and the gaps between the strips take
const IDLE = 58; // pixels that a mask takes which hides nothing: the height of its name
const SIGNED = 0.66; // of the room for bars is for scores, the rest for shares
const NARROW = 44; // pixels: in narrower columns names stand upright, and only the chosen key has its number

/** The room for the bars of each strip: pixels per unit of a score, and for a share of 1.
 *
 * spans: from least to most, of each strip of scores; room: pixels for all bars together */
export function scaleOf(spans, room) {
  return { unit: (SIGNED * room) / (spans.reduce((sum, span) => sum + span, 0) || 1), whole: (1 - SIGNED) * room };
}

/** [least, most] of some scores, null for those that are blocked; 0 is always within. */
export const span = (scores) => {
  const open = scores.filter((x) => x != null);
  return [Math.min(0, ...open), Math.max(0, ...open)];
};

export class RowFigure {
  /** steps: has the data, the stages as they are now, set(), moveScore(), and the formula, which names the strips */
  constructor(steps) {
    this.steps = steps;
    const { labels, matrices } = steps.data;
    const most = (row) => steps.stages.weights[row].indexOf(Math.max(...steps.stages.weights[row]));
    this.queries = this.words("query", "The query: whose row is shown", "row", (row) => ({ row, col: most(row) }));
    this.keys = this.words("key", "The key: which number is followed", "col", (col) => ({ col }));
    this.columns = {};
    this.grip = this.hand();
    this.strips = steps.order.map((stage, n) => this.strip(stage, n));
    this.value = el("p.value");
    this.lines = [matrices.v[0], matrices.v[0]].map((row) =>
      el("div.features", ...row.map((_, feature) => el("i", { onclick: () => steps.set({ feature }) }))),
    );
    this.strips.at(-1).append(this.value, this.lines[0], el("p", "the output"), this.lines[1]);
    this.cell = el("p.unseen", { role: "status" });
    steps.order.forEach((stage, n) => steps.formula.parts[stage].style.setProperty("--n", n));
    const asks = el("span.asks.quiet", "query");
    const props = { "data-figure": "", style: `--S: ${labels.length}` };
    const hint = el("span.quiet.drag", "Drag a score: every share changes.");
    const line = el("div.asked", this.queries.node, hint);
    this.node = el("div.one-row", props, asks, line, steps.formula.node, ...this.strips, this.cell);
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

  strip(stage, n) {
    const { steps } = this;
    const bars = el("div.bars", { "aria-hidden": "true" });
    if (stage !== "output") {
      this.columns[stage] = steps.data.labels.map((_, j) => {
        const [bar, number] = [el("i"), el("span")];
        const node = el("div.at", { onclick: () => steps.set({ col: j }) }, bar, number);
        if (stage === "scores") node.onpointerdown = (event) => this.take(event, j);
        return { node, bar, number };
      });
      bars.append(...this.columns[stage].map(({ node }) => node));
    }
    const idle = el("p.hides-nothing.quiet", "hides nothing: no word comes after it");
    const more = { scores: [this.grip], masked: [idle], weights: [this.keys.node] }[stage] ?? [];
    return el(`div.strip.${stage}`, { style: `--n: ${n}` }, stage === "output" ? null : bars, ...more);
  }

  // ---- a score in the hand ------------------------------------------------------------------------------------

  /** What a score is divided by before softmax. */
  get divisor() {
    return this.steps.tuner.set.divided ? Math.sqrt(this.steps.data.matrices.q[0].length) : 1;
  }

  /** The scores of the row at a stage, with what a hand has added. */
  rowOf(stage) {
    const { given, tuner, state } = this.steps;
    const root = Math.sqrt(this.steps.data.matrices.q[0].length);
    const by = (j) => (tuner.moved.get(`${state.row},${j}`) ?? 0) * (this.divisor / (stage === "scores" ? 1 : root));
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

  take(event, j) {
    if (event.button || this.isFixed(j)) return;
    const from = event.clientY;
    const score = this.rowOf("scores")[j];
    const { unit } = this;
    event.preventDefault();
    this.steps.set({ col: j });
    this.grip.focus({ preventScroll: true });
    drag(
      (to) => this.moveTo(j, score + (from - to.clientY) / unit),
      () => {},
    );
  }

  /** The handle on the bar of the chosen score. */
  hand() {
    const onkeydown = (event) => {
      const { col, row } = this.steps.state;
      const by = KEYS[event.key];
      if ((!by && event.key !== "Home") || this.isFixed(col)) return;
      event.preventDefault();
      event.stopPropagation();
      const [low, high] = this.limits;
      const own = this.steps.given.scores[row][col];
      this.moveTo(col, by ? this.rowOf("scores")[col] + (by * (high - low)) / 60 : own);
    };
    const onpointerdown = (event) => this.take(event, this.steps.state.col);
    return el("b.grip", { role: "slider", tabindex: 0, "aria-orientation": "vertical", onkeydown, onpointerdown });
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  paint() {
    const { stages, state, order, data, root } = this.steps;
    const { stage, row, col, feature } = state;
    const now = order.indexOf(stage);
    this.strips.forEach((strip, n) => strip.classList.toggle("ahead", n > now));
    this.choose(this.queries.buttons, row);
    this.choose(this.keys.buttons, col);
    const width = this.strips[0].clientWidth / data.labels.length;
    this.node.classList.toggle("dense", width > 0 && width < NARROW);

    const isIdle = order.includes("masked") && stages.masked[row].every((x) => x != null);
    this.strips[order.indexOf("masked")]?.classList.toggle("idle", isIdle);
    const isSigned = (name) => !["weights", "output"].includes(name) && !(isIdle && name === "masked");
    const signed = order.filter(isSigned);
    const rows = Object.fromEntries(signed.map((name) => [name, this.rowOf(name)]));
    const words = this.queries.node.offsetHeight + this.keys.node.offsetHeight + (isIdle ? IDLE : 0);
    const high = windowHeight(this.node) - OUTSIDE - FIXED - words - FOR_NUMBERS * (2 * signed.length + 1);
    const spans = signed.map((name) => span([...rows[name], ...this.steps.given[name][row]]));
    const scale = scaleOf(
      spans.map(([low, most]) => most - low),
      Math.max(190, Math.min(620, high)),
    );
    this.unit = scale.unit;
    signed.forEach((name, n) => this.paintStrip(name, rows[name], spans[n], scale.unit));
    this.paintStrip("weights", this.weights(), [0, 1], scale.whole);
    this.paintGrip(rows.scores[col], spans[0]);
    this.paintOutput();

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

  /** Bars from nought, `unit` pixels per one. */
  paintStrip(stage, values, [low, high], unit) {
    const { col } = this.steps.state;
    const isShare = stage === "weights";
    const zero = FOR_NUMBERS + (stage === "scores" ? FOR_GRIP : 0) + high * unit;
    const bars = this.columns[stage][0].node.parentElement;
    bars.style.setProperty("--tall", `${zero - low * unit + (isShare ? 0 : FOR_NUMBERS)}px`);
    bars.style.setProperty("--zero", `${zero}px`);
    this.columns[stage].forEach(({ node, bar, number }, j) => {
      const x = values[j];
      const isOn = j === col;
      node.className = `at ${isOn ? "on" : ""} ${x == null ? "blocked" : ""}`;
      bar.className = isShare ? "weight" : x < 0 ? "negative" : "positive";
      bar.style.top = `${x > 0 ? zero - x * unit : zero}px`;
      bar.style.height = `${Math.abs(x ?? 0) * unit}px`;
      number.textContent = this.numberOf(x, isShare, isOn);
      const away = isOn && stage === "scores" ? FOR_GRIP : 0;
      number.style.top = `${x < 0 ? zero - x * unit + away : zero - (x ?? 0) * unit - FOR_NUMBERS - away}px`;
    });
  }

  numberOf(x, isShare, isOn) {
    if (x == null && isOn) return isShare ? "0" : "−∞";
    if (x == null) return "";
    if (isShare) return isOn || x >= 0.005 ? share(x) : "";
    return isOn ? short(x) : trimmed(x, 1);
  }

  paintGrip(score, [, high]) {
    const { state, data } = this.steps;
    const [low, most] = this.limits;
    this.grip.hidden = this.isFixed(state.col);
    this.grip.style.left = `${(100 * (state.col + 0.5)) / data.labels.length}%`;
    this.grip.style.top = `${FOR_NUMBERS + FOR_GRIP + (high - score) * this.unit}px`;
    put(this.grip, spoken(this.steps, state.col, { score, low, high: most }));
  }

  /** The value of the chosen key, and the output, which all values make: on one scale. */
  paintOutput() {
    const { data, stages, state, isChosen } = this.steps;
    const rows = [data.matrices.v[state.col], stages.output[state.row]];
    const most = reach(rows.flat());
    const isAsked = isChosen && state.stage === "output"; // below it says why the feature is what it is
    this.value.textContent = `the value of ${data.labels[state.col]}`;
    rows.forEach((row, n) =>
      row.forEach((x, f) => {
        const cell = this.lines[n].children[f];
        cell.classList.toggle("on", isAsked && f === state.feature);
        cell.title = `feature ${f + 1}: ${short(x, 3)}`;
        cell.style.background = mix(x < 0 ? "negative" : "positive", 100 * strength(Math.abs(x) / most));
      }),
    );
  }
}
