// The walk through the stages: what leads to each of them, and the first beat, which takes the whole way once.

import { firstBeat, Player } from "../../../../attention_view/controls.js";

/** What the button says that leads to a stage. */
export const ACTS = {
  scores: "Start again",
  scaled: "Divide by √dₖ",
  biased: "Add the bias",
  masked: "Apply the mask",
  weights: "Take softmax",
  output: "Mix the values",
};
/** What it says at the rest, where nobody has gone through the stages yet. */
export const BEGIN = "Start at the scores";
const WALK = 3000; // milliseconds

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
