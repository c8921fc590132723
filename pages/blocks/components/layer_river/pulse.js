// The first beat of the river: the token that is followed runs through the layer, and the river fills behind it until
// all of it is there.

import { firstBeat, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds

/** Plays it; returns what ends it early, null where it does not play. */
export function pulse(river) {
  const { root, followed: lane } = river;
  let stop;
  const begin = () => {
    root.classList.add("flows");
    stop = tween(BEAT, (share) => show(river, lane, share));
  };
  const end = () => {
    stop();
    root.classList.remove("flows");
    delete root.dataset.pulse;
    river.shine(); // drawn anew, a button would lose the press that ends the beat
    for (const button of river.heads.children) button.classList.remove("at");
  };
  return firstBeat("river", BEAT, begin, end);
}

/** The pulse of a lane after a share of its way, and the light on the station that it is at. */
function show(river, lane, share) {
  const { at, data, dot, head, heads, root, width } = river;
  const x = share * width;
  const found = at.findIndex((place) => x <= place.x + place.width);
  const n = found < 0 ? at.length - 1 : found;
  const [top, bottom] = river.edges(n, lane);
  river.shine(n, x);
  [...heads.children].forEach((button, i) => button.classList.toggle("at", i <= n));
  dot.style.top = `${head + (top + bottom) / 2}px`;
  root.dataset.pulse = data.stations[n].step;
}
