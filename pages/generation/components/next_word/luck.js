// Chance: the random numbers that fall on the line from 0 to 1, and one sentence on what fell, or on what may fall.

import { capital, el, still } from "../../../../attention_view/lab.js";
import { draw, REASON } from "./sampling.js";

const MANY = 100; // draws at once
const [DOT, LARGE] = [7, 30]; // pixels of one of many, and of one alone
const [FALL, REST] = [600, 900]; // milliseconds: of one alone, and before its word is taken
const RARE = 0.01; // less than one of 100 draws

const [FOOT, SIDE] = [4, 8]; // pixels below the lowest, and from the sides of a word to the middle of a dot
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Heights from 0 to 1 for these numbers: neighbours on the line lie far from each other, and all heights come up
 * equally often. The lowest number lies at the foot. */
export function spread(numbers) {
  const order = [...numbers.keys()].sort((a, b) => numbers[a] - numbers[b]);
  const heights = [];
  for (const [rank, n] of order.entries()) heights[n] = (rank * GOLDEN) % 1;
  return heights;
}

const bold = (text) => el("b", text);

export class Luck {
  constructor(story) {
    this.story = story;
    this.took = false; // the last word was drawn, not pressed
    this.falls = false; // one number is still in the air
    this.forget();
    const one = { onclick: () => this.drawOne(), title: "The next random number falls on the words." };
    const many = { onclick: () => this.drawMany(), title: "The next 100 random numbers fall on the words." };
    this.one = el("button.primary", one, "Draw one");
    this.many = el("button.second", many, `Draw ${MANY}`);
    this.why = el("p.why", { role: "status" });
    this.acts = el("div.acts");
    this.node = el("div.luck", this.one, this.many, this.why);
  }

  /** The dark button is what a lesson asks for: many draws from the same beginning. Elsewhere one draw writes on. */
  lead(isLed) {
    const [first, other] = isLed ? [this.many, this.one] : [this.one, this.many];
    if (first.matches(".primary")) return;
    [first.className, other.className] = ["primary", "second"];
    this.node.prepend(first, other);
  }

  /** Of another text: dots lie on the line of one. */
  forget() {
    this.drop();
    this.fallen = [];
    this.shown = null; // the draw that was made last: {u, number, id, low, high}
  }

  /** What was drawn is no longer true: the knobs were turned. */
  clear() {
    this.drop();
    this.shown = null;
    this.took = false;
  }

  /** The number that is in the air, or that has just landed, takes no word. */
  drop() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.falls = this.story.waiting = false;
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
    this.why.replaceChildren(...this.told(dist, counts));
    this.lay(false); // the words have moved under them
  }

  /** The dots of the numbers that fell: one lies at the foot of its word; many are spread below what is written there,
   * and strike through nothing. */
  lay(moves) {
    const { wall } = this.story;
    const numbers = this.shown ? [this.shown.u] : this.fallen;
    const px = numbers.length === 1 ? LARGE : DOT;
    const heights = spread(numbers);
    const dot = (u, n) => {
      const [{ x, y, w, h, foot }, along] = wall.placeOf(u);
      const [wide, tall] = wall.size;
      const room = Math.max(0, h * tall - (foot ?? 0) - px - 2 * FOOT); // of the place, in pixels
      const delay = moves ? n * DOT : 0;
      const top = (y + h) * tall - px - FOOT - heights[n] * room;
      const aside = this.shown ? 0 : Math.min(w / 2, SIDE / wide);
      const left = Math.max(x + aside, Math.min(x + w - aside, x + along * w));
      const style = `left:${100 * left}%;top:${top}px;animation-delay:${delay}ms`;
      const number = this.shown ? el("b", { style: left > 0.9 ? "left:-64px" : "" }, u.toFixed(3)) : "";
      return el(moves ? "i.dot.falls" : "i.dot", { style }, number);
    };
    wall.rain.classList.toggle("single", numbers.length === 1);
    wall.rain.replaceChildren(...numbers.map(dot));
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
    this.falls = !still();
    story.draw();
    this.lay(this.falls);
    const { id } = this.shown;
    story.waiting = true;
    const taken = () => {
      this.drop();
      story.pick(id);
      this.took = true;
    };
    const landed = () => {
      this.falls = false;
      story.draw();
      this.timer = setTimeout(taken, REST);
    };
    this.timer = this.falls ? setTimeout(landed, FALL) : setTimeout(taken, 0);
  }

  drawMany() {
    if (this.story.over || this.story.waiting) return;
    this.clear();
    this.fallen = this.next(MANY);
    this.story.draw();
    this.lay(!still());
    this.story.link.later();
  }

  // ---- what is said of it -------------------------------------------------------------------------------------

  /** What fell; before anything has, how sure the likeliest is. */
  told(dist, counts) {
    if (counts.size) {
      const best = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
      const most = best.flatMap(([id, count], n) => [
        n ? `, ${count} on ` : `${count} fell on `,
        bold(this.story.label(id)),
        this.story.wall.shown.includes(id) ? "" : " (among the other words)",
      ]);
      return [`Of ${this.fallen.length} random numbers, `, ...most, "."];
    }
    if (this.shown && this.falls) return ["The random number ", bold(this.shown.u.toFixed(3)), " falls …"];
    if (this.shown && dist.left.length > 1) return this.reason(dist, this.shown, this.shown.u);
    if (dist.left.length === 1) return this.reason(dist, this.story.drawn, 0);
    const [top] = dist.order;
    const last = this.story.text.at(-1);
    const after = last === undefined ? "" : this.story.label(last).trim();
    const label = this.story.label(top);
    const isBeginning = begins(label, top, this.story.data.whole);
    const name = isBeginning ? `${label}…` : label;
    const { temperature, wall } = this.story;
    const others = 1 - wall.shown.reduce((sum, id) => sum + dist.final[id], 0);
    const said =
      temperature === 1
        ? expects(dist.final[top], after, name, isBeginning)
        : warmed(temperature, name, dist.final[top], others);
    return [...said.map((part, n) => (n % 2 ? bold(part) : part)), ...filtered(dist)];
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
    const [number, end] = apart(u, drawn.id === top ? drawn.high : dist.final[top]);
    const said = ["The random number ", bold(number), " falls on ", name(drawn.id)];
    if (drawn.id === top) return [...said, ", the likeliest: it holds the line from 0 to ", end, "."];
    return [...said, ". The likeliest, ", name(top), ", ends at ", end, "."];
  }
}

/** Two numbers with as many digits as tell them apart, three at least. */
export function apart(...two) {
  const digits = [3, 4, 5, 6, 7, 8].find((n) => two[0].toFixed(n) !== two[1].toFixed(n)) ?? 9;
  return two.map((x) => x.toFixed(digits));
}

/** How often a word of this probability is to be expected. */
const times = (p) =>
  `${p > 0.995 ? "more than 99" : p < 0.005 ? "less than 1" : `about ${Math.round(100 * p)}`} of 100 draws`;

/** How often the likeliest is drawn at another temperature, and one that is not seen, if that is more often. */
export function warmed(temperature, label, p, others) {
  const many = others > p ? ["; in ", String(Math.round(100 * others)), ", a word not shown."] : [".", "", ""];
  return ["At temperature ", temperature.toFixed(2), ", expect ", label, " in ", times(p), ...many];
}

/** Whether a token is the beginning of a word. whole: the ids of those that are words, null where none is in pieces. */
export const begins = (label, id, whole) => Boolean(whole) && /^\p{L}+$/u.test(label) && !whole.includes(id);

/** How sure the likeliest word is, after the last one; every second part is bold. isBeginning: it goes on. */
export function expects(p, after, label, isBeginning = false) {
  const beginning = after ? `After “${after}”, ` : "";
  const none = `${after ? "no" : "No"} favourite: every word has less than `;
  if (p < RARE) return [beginning + none, "1 chance in 100", "."];
  const comes = p >= 0.5 ? " is most likely: expect it in " : " is most likely, but expect it in only ";
  if (!isBeginning) return [beginning, label, comes, times(p), "."];
  return [`${beginning}${after ? "the" : "The"} beginning `, label, comes, times(p), "."];
}

/** What the filters took out. */
function filtered({ counts, removed }) {
  const count = (which) => (counts ? counts[which] : [...removed.values()].filter((by) => by === which).length);
  const filters = ["top_k", "top_p"].filter(count);
  const took = filters.map((by) => `${REASON[by]} took out ${count(by).toLocaleString("en")}`).join(", ");
  return took ? [` ${capital(took)}; the others share their part.`] : [];
}
