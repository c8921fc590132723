// The first beat of the river: the token that is followed runs through the layer, and the river fills behind it.

import { firstBeat, tween } from "../../../../attention_view/controls.js";

const BEAT = 3000; // milliseconds

/** Plays it; returns what ends it early, null where it does not play. head: pixels above the lanes */
export function pulse(river, head) {
  const { root, sheet, followed: lane } = river;
  let stop;
  const begin = () => {
    sheet.classList.add("flows");
    river.ask(lane);
    stop = tween(BEAT, (share) => show(river, head, lane, share));
  };
  const end = () => {
    stop();
    sheet.classList.remove("flows");
    river.ask(null);
    delete root.dataset.pulse;
  };
  return firstBeat("river", BEAT, begin, end);
}

/** The pulse of a lane after a share of its way, and the name of the station that it is at. */
function show(river, head, lane, share) {
  const { at, data, dot, note, root, sheet, width } = river;
  const x = share * width;
  const found = at.findIndex((place) => x <= place.x + place.width);
  const n = found < 0 ? at.length - 1 : found;
  const { label, step } = data.stations[n];
  const [top, bottom] = river.edges(n, lane);
  sheet.style.setProperty("--flown", `${x}px`);
  dot.style.top = `${head + (top + bottom) / 2}px`;
  if (step !== "attention") note.textContent = `“${data.words[lane]}”: ${label.toLowerCase()}`;
  root.dataset.pulse = step;
}
