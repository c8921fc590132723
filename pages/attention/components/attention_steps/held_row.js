// The row that is held: one bar per key before softmax; at softmax the scores as bars to drag, beside the shares that
// they make; ribbons after it.

import { el, svg } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { isDrawn } from "./reasons.js";
import { reach, share, short } from "./stages.js";

/** From the query to each key, as thick as the weight. */
function ribbons(weights, height) {
  const tall = height * weights.length;
  const most = reach(weights);
  const ribbon = (w, j) => {
    const y = height * (j + 0.5);
    const d = `M2 ${tall / 2} C60 ${tall / 2} 50 ${y} 108 ${y}`;
    return svg("path.ribbon", { d, "stroke-width": Math.max(0.6, 12 * w), opacity: 0.2 + 0.8 * (w / most) });
  };
  const props = { viewBox: `0 0 110 ${tall}`, preserveAspectRatio: "none", "aria-hidden": "true" };
  const picture = svg("svg", props, ...weights.map((w, j) => (w ? ribbon(w, j) : null)));
  picture.style.height = `${tall}px`;
  return picture;
}

/** A bar from nought to x, on a track from the least to the most of these values. */
function trackOf(values) {
  const low = Math.min(0, ...values.map((x) => x ?? 0));
  const span = Math.max(0, ...values.map((x) => x ?? 0)) - low || 1;
  const zero = (100 * -low) / span;
  const style = (x) => {
    if (x == null) return "--from: 0%; --w: 100%";
    return `--from: ${x < 0 ? zero - (100 * -x) / span : zero}%; --w: ${(100 * Math.abs(x)) / span}%`;
  };
  const kind = (x) => (x == null ? "blocked" : x < 0 ? "negative" : "positive");
  return (x) => el("span.track", { style: `--zero: ${zero}%` }, el("i", { class: kind(x), style: style(x) }));
}

/** How far bars of scores reach: [least, most], a third beyond those of the model on each side. */
export function reachOf(scores) {
  const open = scores.filter((x) => x != null);
  const [low, high] = [Math.min(0, ...open), Math.max(0, ...open)];
  const room = (high - low || 1) / 3;
  return [low - room, high + room];
}

/** Keys that move a score, and by how many steps. */
export const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** What a voice hears of a score that can be dragged. */
export const spoken = (steps, j, { score, low, high }) => ({
  "aria-label": `Score of ${steps.names(false).columns[j]}`,
  "aria-valuemin": low.toFixed(2),
  "aria-valuemax": high.toFixed(2),
  "aria-valuenow": score.toFixed(2),
  "aria-valuetext": `score ${short(score)}, attention weight ${share(steps.stages.weights[steps.state.row][j])}`,
});

/** The bar of one score, which can be dragged.
 *
 * j: its key; score, own: as it is now, and as the model has it; low, high: how far it can go */
export function hand(steps, j, { score, own, low, high }) {
  const span = high - low;
  const at = (x) => `${(100 * (x - low)) / span}%`;
  const moveTo = (x) => steps.moveScore(j, Math.max(low, Math.min(high, x)));
  const onpointerdown = (event) => {
    if (event.button) return;
    const [from, { width }] = [event.clientX, event.currentTarget.getBoundingClientRect()];
    event.preventDefault();
    steps.set({ col: j });
    steps.row.querySelector(`[data-col="${j}"]`).focus({ preventScroll: true });
    steps.endDrag = drag(
      (to) => moveTo(score + ((to.clientX - from) / width) * span),
      () => {},
    );
  };
  const onkeydown = (event) => {
    const by = KEYS[event.key];
    if (!by && event.key !== "Home") return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(by ? score + (by * span) / 60 : own);
  };
  const props = {
    class: `hand ${Math.abs(score - own) > 1e-9 ? "moved" : ""}`,
    role: "slider",
    tabindex: 0,
    "data-col": j,
    ...spoken(steps, j, { score, low, high }),
    style:
      `--zero: ${at(0)}; --own: ${at(own)}; --from: ${at(Math.min(0, score))}; ` +
      `--w: ${(100 * Math.abs(score)) / span}%`,
    onpointerdown,
    onkeydown,
  };
  return el("span", props, el("i", { class: score < 0 ? "negative" : "positive" }));
}

/** At softmax: a bar for each score, and beside it the share that it gets. */
function scoresToDrag(steps) {
  const { row, col } = steps.state;
  const { names, columns } = steps.names(false);
  const scores = columns.map((_, j) => steps.tuner.base(steps.given, row, j));
  const [low, high] = reachOf(scores);
  const item = (weight, j) => {
    const name = steps.marked(el("span.key.name", columns[j]), j);
    const own = scores[j];
    const isBlocked = own == null;
    const score = isBlocked ? null : steps.fed[row][j] * steps.tuner.set.tau;
    const bar = isBlocked ? el("span.hand.blocked") : hand(steps, j, { score, own, low, high });
    const part = el("span.share", { "aria-hidden": "true" }, el("i", { style: `width: ${100 * weight}%` }));
    const amount = el("span.amount", isBlocked ? "blocked" : share(weight));
    return el("div", { class: `item ${j === col ? "on" : ""}` }, name, bar, part, amount);
  };
  const height = columns.length <= 6 ? 30 : columns.length <= 14 ? 24 : 17;
  const list = el("div.keys.hands", { style: `--h: ${height}px` }, ...steps.stages.weights[row].map(item));
  const hint = el("p.quiet", "Drag a score. Every share of the row answers.");
  const title = [el("b.query", names[row]), ": scores, and the shares that they make"];
  return [el("h3", ...title), list, steps.tuner.moved.size ? steps.back : hint];
}

/** What stands beside the matrix of a stage: nothing where the products of one score take the room, since its row is
 * in the matrix itself. */
export function heldRow(steps) {
  const { stage, row, col } = steps.state;
  if (stage === "scores" && isDrawn(steps.data.matrices)) return [];
  if (stage === "weights" && steps.tuner.set.along === "keys") return scoresToDrag(steps);
  const { names, columns } = steps.names(false);
  const isShare = stage === "weights" || stage === "output";
  const values = steps.stages[isShare ? "weights" : stage][row];
  const height = columns.length <= 6 ? 26 : columns.length <= 14 ? 21 : 17;
  const track = trackOf(values);
  const amount = (x, j) => {
    if (x == null || (isShare && steps.isBlocked(row, j))) return "blocked";
    return isShare ? share(x) : short(x);
  };
  const item = (x, j) => {
    const name = steps.marked(el("span.key.name", columns[j]), j);
    const props = { class: `item ${j === col ? "on" : ""}`, onclick: () => steps.set({ col: j }) };
    return el("div", props, name, isShare ? null : track(x), el("span.amount", amount(x, j)));
  };
  const list = el("div.keys", { style: `--h: ${height}px` }, ...values.map(item));
  const asks = names[row];
  const title = [isShare ? "Where " : "The row of ", el("b.query", asks), isShare ? " looks" : `: ${stage}`];
  const picture = isShare
    ? el("div.ribbons", el("b.query.from", asks), ribbons(values, height), list)
    : el("div.bars", list);
  return [el("h3", ...title), picture];
}
