// Answers in words and as lines, as both pages of a room show them.

import { fixed } from "../../../attention_view/lab.js";

export const WIDE = 320; // of a curve on a phone, in the units of its picture
export const HIGH = 220;

const [SIDE, EDGE_OF_PAPER] = [0.04, 0.03]; // of a picture's width and height, so that no stroke is cut

/** Where the nth of so many points lies, from 0 at the left edge of a picture to 1 at its right. */
export const acrossOf = (n, size) => SIDE + (1 - 2 * SIDE) * (size > 1 ? n / (size - 1) : 0.5);

/** A place in the picture as one among the points: from 0, the first and the highest, to 1. */
export const amongPoints = ([x, y]) => [(x - SIDE) / (1 - 2 * SIDE), (y - EDGE_OF_PAPER) / (1 - 2 * EDGE_OF_PAPER)];

/** The points of a curve as the path of a line, in a picture of this size. */
export function pathOf(values, { low, high }, wide = WIDE, tall = HIGH) {
  const x = (n) => acrossOf(n, values.length) * wide;
  const down = (value) => 1 - (value - low) / (high - low);
  const y = (value) => (EDGE_OF_PAPER + (1 - 2 * EDGE_OF_PAPER) * down(value)) * tall;
  return values.map((value, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
}

/** A number as it is said: 99.96%, 50%; without a unit, as everywhere in the app. */
export const amount = (value, unit) => (unit ? `${Number(value.toFixed(2))}${unit}` : fixed(value));

/** An answer in words: what a phone says that its owner said, or what the model says. */
export function inWords(step, value) {
  if (step.kind === "number") return amount(value, step.unit);
  if (step.kind === "map") return value.map((n) => step.labels[n]).join(" → ");
  return step.kind === "curve" ? "a curve" : (step.labels[value] ?? "");
}

/** What a phone asks for before there is an answer. */
export const wanted = ({ kind }) =>
  ({ curve: "Draw a line", map: "Press a cell", number: "Set the number" })[kind] ?? "Choose an answer";

/** Until when an answer can be changed. */
export const changeTold = ({ part }) =>
  `You can change it until ${part ? "the class goes on" : "the votes are shown"}.`;

/** What is said to who answered n: its own reply, or the one that there is. */
export const replyTo = ({ replies, labels }, n) => (replies.length === labels.length ? replies[n] : replies[0]);

/** What is said to who gave no answer to a question whose answers are counted; wasAsked: it was open before them. */
export function lateTold({ step, at, of, free }, wasAsked) {
  if (wasAsked && !step.shown) return "The votes were shown before you sent yours.";
  if (wasAsked)
    return step.round ? "You sent no answer in the second vote." : "The answer was shown before you sent yours.";
  const isNext = !free && at + 1 < of;
  return `The class has answered this one already.${isNext ? " You come in with the next." : ""}`;
}

/** What an answer is held against: a model's own, or the one that is right. */
export const judge = ({ kind }) => (["options", "test"].includes(kind) ? "right" : "the model");

/** What comes once the votes are on the board: a phone waits for it. */
export const nextTold = (step) => `Next comes ${judge(step) === "right" ? "the right answer" : "what the model does"}.`;

/** What the button on the board calls it. */
export const whatOf = (step) => (judge(step) === "right" ? "answer" : "model");

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

/** Whether the votes have to wait for whoever rehearses: once they are counted, nobody votes any more. */
export const waitsForYou = ({ step, invented, mine }) =>
  Boolean(invented) && mine === undefined && step.kind !== "talk" && !step.counted;

/** The button that is dark: what a teacher does next. hasLooked: the view was shown at this question. */
export function leading(news, hasLooked) {
  const { step, seats, answered, done } = news;
  if (done || waitsForYou(news)) return "";
  const n = answered.at(-1);
  if (step.kind === "test") return n > 0 && n === seats ? "next" : "";
  const isSeenInTheView = ["options", "talk"].includes(step.kind) && step.view; // others draw what the model does
  if (step.shown) return isSeenInTheView && !hasLooked ? "look" : "next";
  return n > 0 ? "reveal" : step.kind === "talk" ? "next" : "";
}
