// Answers in words and as lines, as both pages of a room show them.

import { fixed } from "../../../attention_view/lab.js";

export const WIDE = 320; // of a curve on a phone, in the units of its picture
export const HIGH = 220;

/** The points of a curve as the path of a line, in a picture of this size. */
export function pathOf(values, { low, high }, wide = WIDE, tall = HIGH) {
  const x = (n) => (values.length > 1 ? (n / (values.length - 1)) * wide : 0);
  const y = (value) => tall - ((value - low) / (high - low)) * tall;
  return values.map((value, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/** So many of something: 0 curves, 1 curve, 2 curves. */
export const howMany = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;

/** A number as it is said: 99.96%, 50%; without a unit, as everywhere in the app. */
export const amount = (value, unit) => (unit ? `${Number(value.toFixed(2))}${unit}` : fixed(value));

/** An answer in words: what a phone says that its owner said, or what the model says. */
export function inWords(step, value) {
  if (step.kind === "number") return amount(value, step.unit);
  if (step.kind === "map") return value.map((n) => step.labels[n]).join(" → ");
  return step.kind === "curve" ? "a curve" : (step.labels[value] ?? "");
}

/** What is said to who answered n: its own reply, or the one that there is. */
export const replyTo = ({ replies, labels }, n) => (replies.length === labels.length ? replies[n] : replies[0]);

/** What is said to who gave no answer to a question whose answer is shown; wasAsked: it was open before them. */
export function lateTold({ step, at, of, free }, wasAsked) {
  if (wasAsked)
    return step.round ? "You sent no answer in the second vote." : "The answer was shown before you sent yours.";
  const isNext = !free && at + 1 < of;
  return `The class has answered this one already.${isNext ? " You come in with the next." : ""}`;
}

/** What an answer is held against: a model's own, or the one that is right. */
export const judge = ({ kind }) => (["options", "test"].includes(kind) ? "right" : "the model");

/** The cell of a map with the largest weight: its row and its column. */
export function bestCell({ labels, truth }) {
  const best = truth.indexOf(Math.max(...truth));
  return [Math.floor(best / labels.length), best % labels.length];
}

/** What is shown as the answer, in words: the right option, the label with the largest weight, or the number. */
export function truthOf({ kind, labels, truth, unit }) {
  if (!truth?.length || kind === "curve") return "";
  if (kind === "number") return amount(truth[0], unit);
  const best = truth.indexOf(Math.max(...truth));
  if (kind === "map") {
    const [row, column] = bestCell({ labels, truth });
    return `${labels[row]} → ${labels[column]} ${fixed(truth[best])}`;
  }
  return kind === "options" ? labels[best] : `${labels[best]} ${fixed(truth[best])}`;
}
