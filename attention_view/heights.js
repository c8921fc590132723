// How high the parts of the view may be.

import { enlarged, windowHeight } from "./lab.js";
import { isMany } from "./thumb_sizes.js";
import { MAX_TAGS } from "./tags.js";

const TWO_COLUMNS = 960; // pixels of a view with one head large and all beside it, as in beside.css
const SECOND = 0.66; // of its height, for few heads: they come after the large one
const AFTER = 0.52; // the same below a large text
const AFTER_TEXT = 36; // pixels from it to the map, and of what leans over its columns
const LARGE_READOUT = 42; // for what the pointer is on, in large letters
const [AROUND_CAPTIONED, AROUND_RESTING] = [86, 42]; // pixels above and below the small maps that have captions, with
// a line on one of them, and without where the large map is away
const UNDER = 50; // pixels around all heads where no row is below them
const ABOVE = 140; // pixels above it, at least
const MOST_TEXT = 260; // pixels of the text above a stage; a longer one takes of the next screen

/** Pixels for the map, and for the thumbnails: so many that all of the view is on one screen, as far as that goes. */
export function heights(view) {
  if (view.picture.header.compact) return { mapHeight: Math.min(470, view.picture.T * 38) + 60 };
  const by = enlarged(view.root);
  const above = Math.max(by > 1 ? 100 : 150, Math.min(260, view.root.getBoundingClientRect().top));
  if (view.isStaged)
    return staged(
      windowHeight(view.root) - above / by - Math.min(MOST_TEXT, view.nodes.top.clientHeight),
      view.isResting ? null : Math.ceil(view.whole.leading(MAX_TAGS).length / 2),
    );
  const left = windowHeight(view.root) - above / by - view.nodes.top.clientHeight;
  const isMuch = isMany(view.whole);
  const { scoreNames } = view.whole;
  const { beside } = view.whole.header;
  if (beside && view.width > TWO_COLUMNS) return ofTwoColumns(view, by);
  const below = 27 * view.whole.leading(MAX_TAGS).length + 34 * Math.min(5, scoreNames.length);
  // Many heads come first: what is said of them may stand below the screen.
  const thumbRoom = isMuch
    ? Math.max(view.isLarge ? 640 : 300, Math.min(640, left - 84))
    : Math.max(by > 1 ? 100 : 150, Math.min(400, left - 84 - below));
  return { mapHeight: Math.max(by > 1 ? 200 : 300, Math.min(720, left - 114)), thumbRoom };
}

/** One head large and all beside it, perhaps below a large text. */
function ofTwoColumns(view, by) {
  const { isLined, whole } = view;
  const isAlone = whole.header.beside === "tabs";
  const text = isLined ? Math.min(MOST_TEXT, view.nodes.top.clientHeight + AFTER_TEXT) : 0;
  const above = Math.max(ABOVE, Math.min(260, view.root.getBoundingClientRect().top));
  const room = windowHeight(view.root) - above / by - text;
  const tags = 28 * Math.ceil(whole.leading(MAX_TAGS).length / 2);
  const measures = isAlone ? LARGE_READOUT : 20 + 34 * Math.ceil(Math.min(5, whole.scoreNames.length) / 2);
  const below = tags + (isLined ? 0 : measures);
  const few = Math.min((isLined ? AFTER : SECOND) * room, room - 140 - below);
  const around = view.isResting ? AROUND_RESTING : AROUND_CAPTIONED;
  const heads = view.isCaptioned ? room - around : isMany(whole) ? room - 110 : few;
  const foot = isLined ? 20 : 44; // beside the map, or below it
  return { mapHeight: Math.max(300, Math.min(900, room - foot)), thumbRoom: Math.max(by > 1 ? 100 : 150, heads) };
}

/** A stage, with rows of sentences below it, and the map beside it share the screen below the text. */
const staged = (room, rows) => ({
  mapHeight: Math.max(280, Math.min(720, room - 78)),
  thumbRoom: Math.max(240, Math.min(720, room - (rows === null ? UNDER : Math.max(92, 0.15 * room) + 34 * rows))),
});
