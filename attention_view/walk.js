// One kind of head after the other: a press of one button lights the next head that is named on the map.

import { el, write } from "./lab.js";
import { MAX_TAGS } from "./tags.js";

const NEARLY = 0.9;
// What a head does that is named for where it looks; other names begin with what it does.
const DOES = {
  "previous word": "looks at the previous word",
  "next word": "looks at the next word",
  "looks at itself": "looks at the word itself",
  "same word, earlier": "looks back at the same word",
  "from a colour to its noun": "looks from a repeated colour to its noun",
  "what followed it last time": "looks at what followed last time",
};

/** In how many of the cases in which a word could do what a head is named for it does so: " in 10 of 16 cases", or
 * where those are less than half, " (here 2 of 5)"; "" of a single case, which the sentence then tells. */
export const timesOf = ([shown, all]) =>
  all === 1
    ? shown
      ? ""
      : ", though not in the one case here"
    : shown === all
      ? ` in all ${all} cases`
      : isRare([shown, all])
        ? ` (here ${shown} of ${all})`
        : ` in ${shown} of ${all} cases`;

/** Whether a word does in some, but less than half of so many cases what the head is named for. */
const isRare = ([shown, all]) => shown > 0 && shown < all / 2;

/** How a sentence on a head begins, `head` as in "Layer 1, head 8": with what it is named for; "" where its name tells
 * of one word alone, as the sentence does. */
export function beginning(head, { name, times } = {}) {
  if (!name || name.startsWith("“")) return "";
  if (name.startsWith("everyone")) return `In ${head[0].toLowerCase()}${head.slice(1)}, ${name}: `;
  const often = times && isRare(times) ? "often " : "";
  const does = DOES[name] ?? (name.startsWith("from ") ? `looks ${name}` : name);
  return `${head} ${often}${does}${times ? timesOf(times) : ""}: `;
}

/** The kind that follows on the name of the head in view; the first where it has none. */
export const following = (kinds, name) => kinds[(kinds.findIndex((kind) => kind.name === name) + 1) % kinds.length];

/** Whether a row shows nearly as well as the best what a head does: it looks at the same token, or as far aside. */
export const isAlike = (row, best) =>
  row.weight >= NEARLY * best.weight && (row.key === best.key || row.way === best.way);

export class Walk {
  constructor(view) {
    this.view = view;
    this.node = el("button.primary", { onclick: () => this.next() }, "Next kind of head");
  }

  get kinds() {
    return this.view.whole.leading(MAX_TAGS);
  }

  /** The kind that is looked for, if any. */
  get goal() {
    return this.view.overview.hunt.goal;
  }

  /** Where a sentence says what is in view, and there is more than one kind. */
  show() {
    this.node.hidden = !this.view.isTold || this.kinds.length < 2;
    write(this.node, this.goal ? "Show me one" : "Next kind of head");
  }

  /** A head and a row of it, while all heads stand as they stood. */
  light(layer, head, row) {
    const pinned = [row, this.looks(layer, head, row).key];
    const staysAway = true;
    this.view.show({ selected: true, layer, head, more: [], solo: null, hover: null, pinned }, staysAway);
  }

  /** How a row of a head looks at a key, by default at its strongest. */
  looks(layer, head, i, j = this.view.picture.topKey(i, layer, head)) {
    const { picture } = this.view;
    return { key: j, weight: picture.matrix("weights", layer, head)[i * picture.S + j], way: j - i };
  }

  /** The tag of a head, where this cell of it shows what that says, and nobody is to find it out. */
  tagIn(layer, head, [i, j]) {
    const { overview, picture } = this.view;
    const tag = picture.tag(layer, head) ?? undefined;
    if (tag && overview.hunt.hides(tag.name)) return undefined;
    const query = tag?.query ?? null;
    const best = query === null ? -1 : picture.rowOf(query);
    const isShown = best < 0 || isAlike(this.looks(layer, head, i, j), this.looks(layer, head, best));
    return isShown ? tag : undefined;
  }

  next() {
    const { view } = this;
    const { picture } = view;
    const { name, layer, head, query } =
      this.goal ?? following(this.kinds, view.whole.tag(view.layer, view.head)?.name);
    const best = query === null ? -1 : picture.rowOf(query);
    const looks = (i) => this.looks(layer, head, i);
    const [now] = view.cell;
    this.light(layer, head, best < 0 || isAlike(looks(now), looks(best)) ? now : best);
    view.speak(`${picture.name(layer, head)}: ${name}. `);
  }
}
