// The walk through the stages: what leads to each of them, and the first beat, which takes the whole way once.

import { firstBeat, Player } from "../../../../attention_view/controls.js";

/** What the button says that leads to a stage. */
const ACTS = {
  scores: "Start again",
  scaled: "Divide by √dₖ",
  biased: "Add the bias",
  masked: "Apply the mask",
  weights: "Take softmax",
  output: "Mix the values",
};
const WALK = 3000; // milliseconds

/** Whether a row stands at its attention weights, and nobody has gone through its stages yet. */
const isAtRest = (steps) => steps.isRow && !steps.isChosen;

/** What the button says: from the rest it leads to the scores, and from there on through one stage after another. */
export function leadsTo(steps) {
  const { order, state } = steps;
  return isAtRest(steps) ? "Start at the scores" : ACTS[order[(order.indexOf(state.stage) + 1) % order.length]];
}

export function onward(steps) {
  if (isAtRest(steps)) steps.set({ stage: steps.order[0] });
  else steps.step(1);
}

/** The bars of a row go from its scores to its attention weights. Returns what ends it early. */
export function firstWalk(steps) {
  const { root, order, usual } = steps;
  const way = order.slice(0, order.indexOf(usual) + 1);
  const show = (stage) => {
    steps.state.stage = stage;
    steps.refresh();
  };
  const onward = () => show(way[Math.min(way.length - 1, way.indexOf(steps.state.stage) + 1)]);
  const player = new Player(onward, WALK / way.length, () => {});
  const begin = () => {
    root.dataset.beat = "scores";
    show(way[0]);
    player.start();
  };
  const end = () => {
    player.stop();
    delete root.dataset.beat;
    if (!steps.isChosen) show(usual);
  };
  return firstBeat("scores", WALK, begin, end);
}
