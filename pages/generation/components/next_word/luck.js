// Chance: the line from 0 to 1, cut into slices as long as the probabilities, the random numbers that fall on it, and
// one sentence on what fell.

import { el, still } from "../../../../attention_view/lab.js";
import { draw, REASON, share } from "./sampling.js";

const MANY = 100; // draws at once
const DOT = 7; // pixels
const FALL = 180; // milliseconds
const [LETTER, LINE] = [10, 17]; // pixels that a slice needs for each letter of its word, or for one written upwards

const bold = (text) => el("b", text);

export class Luck {
  constructor(story) {
    this.story = story;
    this.forget();
    const one = { onclick: () => this.drawOne(), title: "The next random number falls on the strip." };
    const many = { onclick: () => this.drawMany(), title: "The next 100 random numbers fall on the strip." };
    this.one = el("button.primary", one, "Draw one");
    this.many = el("button.act", many, `Draw ${MANY}`);
    this.rain = el("div.rain", { "aria-hidden": "true" });
    this.slices = el("div.slices", { role: "img" });
    this.rail = el("div.rail", this.rain, this.slices);
    this.why = el("p.why", { role: "status" });
    this.foot = el("div.foot", this.why);
    this.node = el("div.luck", this.one, this.rail, this.foot);
  }

  /** Of another text: dots lie on the line of one. */
  forget() {
    this.fallen = [];
    this.shown = null; // the draw that was made last: {u, number, id, low, high}
    this.rain?.replaceChildren();
  }

  /** What was drawn is no longer true: the knobs were turned. */
  clear() {
    this.shown = this.last = null;
  }

  /** How many of the numbers that fell lie on each word. */
  counts(dist) {
    const counts = new Map();
    for (const number of this.fallen) {
      const { id } = draw(dist, number);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  paint(dist, counts) {
    this.rail.hidden = this.why.hidden = this.story.over;
    this.paintSlices(dist, counts);
    this.why.replaceChildren(...this.told(dist, counts));
  }

  paintSlices(dist, counts) {
    const parts = [];
    const width = this.slices.clientWidth || 1000;
    let [low, upright] = [0, ""];
    for (const id of dist.left) {
      const p = dist.final[id];
      if (p < 0.004) break;
      const label = this.story.label(id);
      const style = `left:${100 * low}%;width:${100 * p}%`;
      const title = `${label}: ${share(low)} to ${share(Math.min(1, low + p))}`;
      const drawn = this.shown?.id === id ? ".drawn" : "";
      if (p * width < LETTER * label.length + 8) upright = ".upright"; // and all that follow: they are narrower
      parts.push(el(`span.slice${drawn}${upright}`, { style, title }, p * width > LINE ? label : ""));
      low += p;
    }
    if (low < 0.9) parts.push(el("span.slice.others", { style: `left:${100 * low}%;right:0` }, "all others"));
    if (this.shown) parts.push(el("i.u", { style: `left:${100 * this.shown.u}%` }));
    this.slices.replaceChildren(...parts);
    const fell = counts.size ? ` ${this.fallen.length} random numbers lie on it.` : "";
    const label = `The line from 0 to 1, cut into slices as long as the probabilities.${fell}`;
    this.slices.setAttribute("aria-label", label);
  }

  /** The dots of these numbers: each falls on the line where it belongs, and on those that lie there already. */
  rainDown(numbers) {
    this.rain.classList.toggle("single", numbers.length === 1);
    const width = this.rain.clientWidth || 600;
    const piles = new Map();
    const moves = !still();
    const dot = (u, n) => {
      const column = Math.min(Math.floor((u * width) / DOT), Math.floor(width / DOT) - 1);
      const height = piles.get(column) ?? 0;
      piles.set(column, height + 1);
      const delay = `animation-delay:${moves ? n * DOT : 0}ms`;
      const style = `left:${column * DOT}px;bottom:${height * DOT}px;${delay}`;
      return el(moves ? "i.dot.falls" : "i.dot", { style });
    };
    this.rain.replaceChildren(...numbers.map(dot));
  }

  /** The numbers that come next, and the knob turned past them. */
  next(n) {
    const { data, settings } = this.story;
    const { draws } = data;
    const numbers = Array.from({ length: n }, (_, at) => draws[(settings.seed + at) % draws.length]);
    settings.seed = (settings.seed + n) % draws.length;
    return numbers;
  }

  drawOne() {
    const { story } = this;
    if (story.over || story.data.full || story.waiting) return;
    const number = story.settings.seed;
    const [u] = this.next(1);
    this.shown = { u, number, ...draw(story.dist, u) };
    this.fallen = [];
    story.draw();
    this.rainDown([u]);
    // It stays to be read when the text has grown.
    this.last = this.why.textContent.replace("The random number is", "Last draw:");
    const { id } = this.shown;
    story.waiting = true;
    const taken = () => {
      story.waiting = false;
      story.pick(id);
    };
    setTimeout(taken, still() ? 0 : 4 * FALL);
  }

  drawMany() {
    if (this.story.over) return;
    this.clear();
    this.fallen = this.next(MANY);
    this.story.draw();
    this.rainDown(this.fallen);
    this.story.paintFan();
    this.story.link.later();
  }

  // ---- what is said of it -------------------------------------------------------------------------------------

  /** What fell on the line; before anything has, what the line is. */
  told(dist, counts) {
    if (counts.size) {
      const best = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
      const most = best.map(([id, count]) => `${this.story.label(id)} ${count}`).join(", ");
      return [`${this.fallen.length} random numbers fell: ${most}. Turn a knob, and the slices move under them.`];
    }
    if (this.shown && dist.left.length > 1) return this.reason(dist, this.shown, this.shown.u);
    if (this.last) return [this.last];
    if (dist.left.length === 1) return this.reason(dist, this.story.drawn, 0);
    return [
      "A random number falls on this strip. The slice of each word is as wide as its probability.",
      ...filtered(dist),
    ];
  }

  /** Why the token that is drawn is drawn, and why the top one is not: one sentence of the real draw. */
  reason(dist, drawn, u) {
    const name = (id) => bold(this.story.label(id));
    const [top] = dist.order;
    const own = dist.own ?? dist.probs.indexOf(Math.max(...dist.probs));
    const penalty = [" The model’s first choice, ", name(own), ", is in the text already: the penalty put it back."];
    return [...this.fell(dist, drawn, u, name), ...(own === top ? [] : penalty), ...filtered(dist)];
  }

  fell(dist, drawn, u, name) {
    const [top] = dist.order;
    if (dist.left.length === 1) {
      const cold = this.story.settings.temperature ? "" : " at temperature 0";
      return ["Only ", name(top), " is left", cold, ", so nothing has to be drawn."];
    }
    const said = ["The random number is ", bold(u.toFixed(3)), ". "];
    if (drawn.id === top) {
      const held = `, which holds the line from 0 to ${drawn.high.toFixed(3)}.`;
      return [...said, "It falls on the most probable, ", name(top), held];
    }
    const beyond = `, holds the line only from 0 to ${dist.final[top].toFixed(3)}, so the number falls beyond it, on `;
    const slice = `: ${drawn.low.toFixed(3)} to ${drawn.high.toFixed(3)}.`;
    return [...said, "The most probable, ", name(top), beyond, name(drawn.id), slice];
  }
}

/** What the filters took out. */
function filtered({ counts, removed }) {
  const count = (which) => (counts ? counts[which] : [...removed.values()].filter((by) => by === which).length);
  const filters = ["top_k", "top_p"].filter(count);
  const took = filters.map((by) => `${REASON[by]} took out ${count(by).toLocaleString("en")}`).join(", ");
  return took ? [` ${took.replace(/^./, (c) => c.toUpperCase())}; the others share their part.`] : [];
}
