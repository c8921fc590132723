// The frame around the words that a word may see, with a grip at each end; or one around each group of words.

import { put, svg } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { groupsOf, spanOf } from "./kept.js";

export const VALUES = ["aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"]; // of a slider
const ACROSS = 44, // pixels across the words
  MIDDLE = 27; // its middle, below the line from which arcs rise

export class Frame {
  /** moved(side, event): a grip is dragged, -1 the one before the word; stepped(by): so many words wider by a key;
   * ended(): the hand lets go */
  constructor(moved, stepped, ended) {
    this.frame = svg("rect.frame", { rx: 11 });
    this.groups = svg("g.groups");
    this.hint = svg("text.hint.middle", "drag");
    this.node = svg("g", this.frame, this.groups, this.hint);
    this.grips = [-1, 1].map((side) => this.grip(side, moved, stepped, ended));
  }

  grip(side, moved, stepped, ended) {
    const onpointerdown = (event) => {
      if (event.button) return;
      event.stopPropagation(); // which would take another word
      drag((move) => moved(side, move), ended);
    };
    const onkeydown = (event) => {
      const by = { ArrowUp: 1, ArrowDown: -1, ArrowRight: side, ArrowLeft: -side }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      stepped(by);
      ended();
    };
    const label = side < 0 ? "The window's beginning" : "The window's end";
    const slider = { role: "slider", tabindex: 0, "aria-label": label, onkeydown };
    return svg(
      "g.grip",
      { onpointerdown, ontouchstart: (event) => event.preventDefault() }, // or the page would go along
      svg("rect.touch", { x: -15, y: -34, width: 30, height: 68 }),
      svg("rect.bar", { x: -6, y: -ACROSS / 2 - 3, width: 12, height: ACROSS + 6, rx: 6, ...slider }),
      svg("path.ridge", { d: "M-2 -7V7M2 -7V7" }),
    );
  }

  /** Around what the held word may see in a way: a window of this size, all words of full attention, or groups.
   *
   * edges: where words begin and the last one ends; base: the line from which arcs rise */
  place(name, size, { n, held, edges, isWide, base }) {
    const reach = { window: size, full: n }[name];
    const around = (first, last) => {
      const [from, long] = [edges[first], edges[last + 1] - edges[first]];
      if (isWide) return { x: from, y: base + MIDDLE - ACROSS / 2, width: long, height: ACROSS };
      return { x: 2, y: from, width: base - 8, height: long };
    };
    const rects = groupsOf(name, size, n).map(([first, last]) => svg("rect", { ...around(first, last), rx: 11 }));
    this.groups.replaceChildren(...rects);
    this.frame.style.display = reach ? "" : "none";
    this.grips.forEach((grip, at) => (grip.style.display = reach && held !== (at ? n - 1 : 0) ? "" : "none"));
    this.hint.style.display = reach && isWide ? "" : "none";
    if (!reach) return;
    const [first, last] = spanOf(held, reach, n);
    put(this.frame, around(first, last));
    put(this.hint, { x: edges[last + 1], y: base + MIDDLE + ACROSS / 2 + 22 });
    this.grips.forEach((grip, at) => {
      const end = edges[at ? last + 1 : first];
      put(grip, {
        transform: isWide ? `translate(${end} ${base + MIDDLE})` : `translate(${base / 2} ${end}) rotate(90)`,
      });
      const values = [1, n - 1, reach - 1, `${reach - 1} word${reach > 2 ? "s" : ""} to either side`];
      put(grip.querySelector(".bar"), Object.fromEntries(VALUES.map((key, k) => [key, values[k]])));
    });
  }
}
