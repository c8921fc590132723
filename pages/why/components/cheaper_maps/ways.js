// The ways to attend as small maps in groups: below each what it still takes, and what it sees and misses.

import { el, paintPixels, put, rgb, strength, svg, theme, write } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { sharing } from "./sharing.js";

const HIDDEN = 24; // pixels of a row that one does not miss
const SMALL = 88; // units of the picture of what is shared
const UNTOLD = "What it misses, only training can tell."; // of shared keys and values

/** A share in whole percent, which is 0% or 100% only where it is so to a hundredth. */
export function inPercent(share) {
  const whole = Math.round(100 * share);
  return `${whole === 100 && share < 0.9999 ? 99 : whole === 0 && share > 0.0001 ? 1 : whole}%`;
}

/** Neighbours that have the same heading: [[heading, [number of a way, ...]], ...]. */
export function groupsOf(ways) {
  const groups = [];
  ways.forEach(({ group }, at) => {
    if (groups.at(-1)?.[0] !== group) groups.push([group, []]);
    groups.at(-1)[1].push(at);
  });
  return groups;
}

/** What a way takes and what it loses, in a sentence; numbers are in lists of their own: ["It does ", ["23%"], ...]. */
export function found({ subject, of, share, loses, missed }) {
  const takes = [`${subject} ${of === "work" ? "does" : "needs"} `, [inPercent(share)]];
  if (missed === null) return [...takes, ` of their memory. ${UNTOLD}`];
  return [...takes, ` of the ${of} and ${loses} `, [inPercent(missed)], " of the attention weight."];
}

/** What the button beside it says, which leads to the next way; the first is full attention. */
export const nextSaid = (at, n) => (at === 0 ? "Make it cheaper" : at === n - 1 ? "Start again" : "Next way");

export class Ways {
  /** take(n): what a press on the nth does. */
  constructor(take) {
    this.take = take;
    const onscroll = () => this.rolled();
    this.node = el("div.ways", { role: "radiogroup", "aria-label": "Cheaper attention", onscroll });
  }

  /** The cells of these ways. */
  build({ ways, n_heads }) {
    this.cells = ways.map((way, at) => this.cell(way, at, n_heads));
    const groups = groupsOf(ways).map(([heading, group]) =>
      el(
        "div.group",
        { style: `--n: ${group.length}` },
        el("p.heading", heading),
        el("div.cells", ...group.map((at) => this.cells[at].node)),
      ),
    );
    this.node.replaceChildren(...groups);
  }

  cell({ name, missed }, at, n_heads) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const parts = {
      gloss: el("span.gloss"),
      price: el("i.bar.price"),
      takes: el("span.takes"),
      sight: el(missed === null ? "i.bar.unknown" : "i.bar.sight"),
      loses: el("span.loses"),
    };
    const onkeydown = (event) => {
      const next = inRow(event, at, this.cells.length);
      if (next === null) return;
      this.take(next);
      this.cells[next].node.focus();
    };
    const map = missed === null ? el("span.map.sharing", smallSharing(n_heads)) : el("span.map", canvas);
    const node = el(
      "button.way",
      { role: "radio", onclick: () => this.take(at), onkeydown },
      map,
      el("b", name),
      ...Object.values(parts),
    );
    return { node, canvas, ...parts };
  }

  /** Which one is chosen, and the maps and numbers of all; weights(n): of the nth. */
  show({ ways, largest }, chosen, weights) {
    const colours = ["panel", "weight"].map(theme(this.node)).map(rgb);
    this.cells.forEach(({ node, canvas, ...parts }, at) => {
      const { name, gloss, of, share, loses, missed } = ways[at];
      node.setAttribute("aria-checked", String(at === chosen));
      node.tabIndex = at === chosen ? 0 : -1;
      const takes = `${inPercent(share)} of the ${of === "work" ? "work" : "memory"}`;
      const lost = missed === null ? "needs new training" : `${loses} ${inPercent(missed)}`;
      put(node, { "aria-label": `${name}: ${gloss}, ${takes}, ${lost}` });
      write(parts.gloss, gloss);
      write(parts.takes, takes);
      write(parts.loses, lost);
      parts.price.style.setProperty("--share", share);
      parts.sight.style.setProperty("--share", 1 - missed);
      draw(canvas, weights(at), largest, colours);
    });
    this.reveal(chosen);
  }

  /** Where the row is wider than the screen, it goes to what is chosen; the page stays where it is. */
  reveal(chosen) {
    const { node } = this.cells[chosen];
    const [row, cell] = [this.node, node].map((one) => one.getBoundingClientRect());
    const by = Math.min(0, cell.left - row.left - 8) || Math.max(0, cell.right - row.right + 8);
    if (by) this.node.scrollLeft += by;
    this.rolled();
  }

  /** Whether there are more to the right: a sign says so. */
  rolled() {
    const { scrollLeft, clientWidth, scrollWidth } = this.node;
    this.node.classList.toggle("more", scrollLeft + clientWidth < scrollWidth - HIDDEN);
  }
}

/** Weights as pixels; what is not computed is left open, and the hatched ground shows. */
function draw(canvas, weights, largest, [panel, weight]) {
  const n = Math.sqrt(weights.length);
  const shareOf = (w) => strength((Number.isNaN(w) ? 0 : w) / largest);
  paintPixels(canvas, weights, n, [panel, panel, weight], shareOf);
  const pen = canvas.getContext("2d");
  weights.forEach((w, at) => Number.isNaN(w) && pen.clearRect(at % n, Math.floor(at / n), 1, 1));
}

/** What heads share, as a small picture. */
function smallSharing(n_heads) {
  const picture = sharing(true, n_heads, SMALL, SMALL, true);
  return svg("svg", { viewBox: `0 0 ${SMALL} ${SMALL}`, "aria-hidden": "true" }, picture);
}
