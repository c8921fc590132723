// The row that is held: one bar per key before softmax, ribbons after it.

import { el, svg } from "../../../../attention_view/lab.js";
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

/** What stands beside the matrix of a stage. */
export function heldRow(steps) {
  const { stage, row, col } = steps.state;
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
