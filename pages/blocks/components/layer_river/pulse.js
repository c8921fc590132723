// The first beat: the stream of the token comes in, and what the layer adds joins it, one after the other.

import { firstBeat, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds

/** Plays it; returns what ends it early, null where it does not play. */
export function pulse(river) {
  const { root } = river;
  let stop;
  const begin = () => {
    stop = tween(BEAT, (share) => (root.dataset.pulse = river.whole.draw(share)));
  };
  const end = () => {
    stop();
    delete root.dataset.pulse;
    if (river.isWhole) river.whole.draw();
  };
  return firstBeat("river", BEAT, begin, end);
}
