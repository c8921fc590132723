// The plane of all trainings: a model is a dot, as far to the right as it has learned and as high as it remembers. The
// hand pulls it towards the best corner; it goes where its training went, and its trail stays. Below all trails is room
// for what the one that is taken says.

import { asShare, el, pointIn, put, svg, write } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

const RADIUS = 1.2; // of the dot that is taken, in heights of a letter; others have half of it
const [ROOM, BELOW] = [11, 6.4]; // in heights of a letter: for names beside the plane, and for words below all trails
const HEAVY = 9; // pixels of the hand per step, at least: a dot that hardly moves is not hurried
const NEWER = 0.3; // pixels: of two places as near to the hand, the one fewer steps away

const ramp = (x) => Math.max(0, Math.min(1, x));

/** A point between two of a row of points. */
export function between(points, at) {
  const [a, b] = [points[Math.floor(at)], points[Math.ceil(at)]];
  return a.map((x, n) => x + (b[n] - x) * (at - Math.floor(at)));
}

/** How far along a row of points the place is that is nearest to a point; from: where one comes from. */
export function nearest(points, [x, y], from) {
  let best = { far: Infinity, at: from };
  for (let n = 0; n + 1 < points.length; n++) {
    const [[ax, ay], [bx, by]] = [points[n], points[n + 1]];
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const share = ramp(length ? ((x - ax) * dx + (y - ay) * dy) / length : from - n);
    const far = Math.hypot(ax + share * dx - x, ay + share * dy - y) + NEWER * Math.abs(n + share - from);
    if (far < best.far) best = { far, at: n + share };
  }
  return best.at;
}

/** Heights of names, each as near to its own as the others leave room: so far apart, in the order of their own. */
export function spread(heights, gap) {
  const placed = [];
  for (const n of [...heights.keys()].sort((a, b) => heights[a] - heights[b])) {
    const above = Math.max(-Infinity, ...placed.filter((y) => y !== undefined));
    placed[n] = Math.max(heights[n], above + gap);
  }
  return placed;
}

/** How many points were lost, "28 lost"; "" for none. */
export function lossOf(before, kept) {
  const points = Math.round(100 * before) - Math.round(100 * kept);
  return points > 0 ? `${points} lost` : "";
}

/** What was measured, as dots, and the line through them to where the dot is: [dots, line]. */
export function trailOf(points, tip) {
  const at = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return [points.map((point) => `M${at(point)}h0`).join(""), `M${[...points, tip].map(at).join("L")}`];
}

/** The lowest round share that leaves room for words below all that is kept. below: the part of the height for them. */
export function lowest(kept, below) {
  const least = Math.min(...kept);
  return Math.max(0, Math.floor(10 * (1 - (1 - least) / (1 - below))) / 10);
}

export class Plane {
  /** slider: what moves the dot by keys; words: what its model says. hands: pull(way, at), drop(), and endDrag, which
   * is set. */
  constructor(slider, words, hands) {
    Object.assign(this, { words, hands });
    [this.ground, this.trails, this.dots] = [svg("g"), svg("g"), svg("g")];
    [this.tether, this.loss, this.lost] = [svg("line.tether"), svg("line.loss"), svg("text.lost.end")];
    this.stem = svg("line.stem");
    this.picture = svg(
      "svg",
      { "aria-hidden": "true" },
      this.ground,
      this.trails,
      this.stem,
      this.loss,
      this.tether,
      this.dots,
      this.lost,
    );
    this.node = el("div.plane", slider, this.picture, words);
  }

  /** race: all shares by measured step; places: which of these the steps of the slider are. */
  take(race, places) {
    this.places = places;
    this.runners = race.ways.map(({ way, learned, kept }) => {
      const onpointerdown = (event) => this.grab(event, way);
      const [trail, marks, name] = [svg("path.trail"), svg("path.trail.marks"), svg("text.name")];
      return { way, learned, kept, trail, marks, name, dot: svg("circle.dot", { onpointerdown, "data-way": way }) };
    });
    this.trails.replaceChildren(...this.runners.flatMap(({ trail, marks }) => [trail, marks]));
    this.dots.replaceChildren(...this.runners.flatMap(({ name, dot }) => [name, dot]));
    this.room = null;
  }

  /** Everything is measured anew. */
  measure() {
    const wide = this.node.clientWidth;
    const isNarrow = getComputedStyle(this.words).position === "static"; // names stand on the plane, words below it
    const tall = isNarrow ? this.words.offsetTop : this.node.clientHeight;
    const em = parseFloat(getComputedStyle(this.node).fontSize);
    const [right, top, bottom] = [wide - (isNarrow ? 1.8 : ROOM) * em, 1.7 * em, tall - 2.2 * em];
    const below = isNarrow ? 0.3 : (BELOW * em) / (bottom - top);
    const low = lowest(
      this.runners.flatMap(({ kept }) => kept),
      below,
    );
    this.room = { left: 3.4 * em, right, top, bottom, em, low, isNarrow };
    put(this.picture, { width: wide, height: tall });
    for (const one of this.runners) one.points = one.learned.map((share, n) => this.place(share, one.kept[n]));
    this.foot = Math.max(...this.runners.flatMap(({ points }) => points.map(([, y]) => y)));
    this.drawGround();
  }

  place(learned, kept) {
    const { left, right, top, bottom, low } = this.room;
    return [left + learned * (right - left), bottom - ((kept - low) / (1 - low)) * (bottom - top)];
  }

  drawGround() {
    const { left, right, top, bottom, em, low } = this.room;
    const text = (name, x, y, words, more = {}) => svg(`text${name}`, { x, y, ...more }, words);
    const [x, before] = this.runners[0].points[0];
    const goal = right - 2.2 * em;
    this.before = before;
    this.hint = svg(
      "g.hint",
      svg("path", { d: `M${x + 2 * em} ${before}L${goal} ${before}m-14 -9l14 9l-14 9` }),
      text(".middle", (x + goal) / 2, before + 2 * em, "pull it there"),
    );
    this.ground.replaceChildren(
      svg("path.frame", { d: `M${left} ${top}V${bottom}H${right}V${top}Z` }),
      svg("path.free", { d: `M${left} ${before}H${right}` }),
      svg("circle.best", { cx: right, cy: top, r: 1.5 * em }),
      this.hint,
      text(".axis.end", right - 2.2 * em, top - 0.55 * em, "best: all learned, nothing lost"),
      text(".axis.middle", (left + right) / 2, bottom + 1.6 * em, "right in new dialogues →"),
      text("", left, bottom + 1.6 * em, "0%"),
      text(".end", right, bottom + 1.6 * em, "100%"),
      text(".end", left - 0.5 * em, top + 0.4 * em, "100%"),
      text(".low.end", left - 0.5 * em, bottom, asShare(low)),
      text(".axis.middle", 0, 0, `right in old stories${low ? `, from ${asShare(low)}` : ""} →`, {
        transform: `translate(${left - 0.9 * em} ${(top + bottom) / 2}) rotate(-90)`,
      }),
    );
  }

  /** way: the one that is taken; at: place on the slider of each that has begun, also between two; far: how far each
   * has ever been; n: the step that numbers are of; best: the way that ended nearest to the corner, once all have. */
  show(state) {
    this.state = state;
    if (!this.node.clientWidth) return;
    if (!this.room) this.measure();
    const { em } = this.room;
    const taken = this.runners.find((one) => one.way === state.way);
    for (const one of this.runners) {
      const isTaken = one === taken;
      const [at, far] = [state.at, state.far].map((some) => this.along(some[one.way] ?? 0));
      one.at = between(one.points, at);
      one.tip = between(one.points, far);
      const [marks, line] = trailOf(one.points.slice(0, Math.floor(far) + 1), one.tip);
      put(one.marks, { d: marks });
      put(one.trail, { d: line });
      put(one.dot, { cx: one.at[0], cy: one.at[1], r: RADIUS * em * (isTaken ? 1 : 0.5) });
      one.dot.classList.toggle("waits", !isTaken && !at);
      for (const node of [one.trail, one.marks, one.dot]) node.classList.toggle("taken", isTaken);
    }
    if (this.dots.lastChild !== taken.dot) this.dots.append(taken.dot);
    this.hint.classList.toggle("gone", Boolean(state.at[state.way]));
    this.name(taken);
    this.tellLoss(taken);
    this.pulls();
  }

  /** Every trail bears its name, and at its end its loss: beside its tip, or at the edge, where no dot lies on it. */
  name(taken) {
    const { right, em, isNarrow } = this.room;
    const { at, far, best } = this.state;
    const isAtEdge = ({ tip }) => tip[0] > right - 4 * em;
    const isFree = (one) => one !== taken || isAtEdge(one) || at[one.way] < far[one.way];
    const named = this.runners.filter((one) => far[one.way] && isFree(one));
    for (const one of this.runners) one.name.classList.toggle("waits", !named.includes(one));
    const own = (one) =>
      isNarrow && isAtEdge(one) ? this.foot + 1.9 * em + 0.01 * one.tip[1] : one.tip[1] + 0.35 * em;
    const heights = spread(named.map(own), 1.35 * em);
    for (const [n, one] of named.entries()) {
      const isLeft = isNarrow && isAtEdge(one);
      const x = isAtEdge(one) ? right + (isNarrow ? 0 : 1.7 * em) : one.tip[0] + 0.9 * em;
      put(one.name, { x, y: heights[n] });
      const lost = far[one.way] === this.places.length - 1 ? lossOf(one.kept[0], one.kept.at(-1)) : ""; // at the end
      write(one.name, [one.way, lost].filter(Boolean).join(" · "));
      one.name.classList.toggle("end", isLeft);
      one.name.classList.toggle("best", one.way === (best ?? taken.way));
    }
  }

  /** What the taken one has lost, as a bar of that height; below it hangs what it says. */
  tellLoss(taken) {
    const { left, right, em, isNarrow } = this.room;
    const [x, y] = taken.at;
    const lost = lossOf(taken.kept[0], taken.kept[this.places[this.state.n]]);
    put(this.loss, { x1: x, y1: this.before, x2: x, y2: lost ? y : this.before });
    const isRight = x < (left + right) / 2; // clear of the trail, which comes from the left
    put(this.lost, { x: x + (isRight ? 0.7 : -0.7) * em, y: (this.before + y) / 2 });
    this.lost.classList.toggle("end", !isRight);
    write(this.lost, y - this.before > 3.4 * em ? lost : "");
    const top = this.foot + 1.7 * em;
    put(this.stem, { x1: x, y1: y, x2: x, y2: isNarrow ? y : top });
    const aside = ((x - left) / (right - left)) * (right - left - this.words.clientWidth);
    put(this.words, { style: isNarrow ? "" : `left: ${left + aside}px; top: ${top}px` });
  }

  /** What the hand pulls with, from the dot to where the hand is. */
  pulls() {
    const [x1, y1] = this.runners.find((one) => one.way === this.state.way).at;
    const [x2, y2] = this.hand ?? [x1, y1];
    put(this.tether, { x1, y1, x2, y2 });
  }

  /** How far along the measured steps a place on the slider is. */
  along(at) {
    const [a, b] = [this.places[Math.floor(at)], this.places[Math.ceil(at)]];
    return a + (b - a) * (at - Math.floor(at));
  }

  grab(event, way) {
    if (event.button || !this.room) return;
    const one = this.runners.find((other) => other.way === way);
    const ways = this.places.map((place) => one.points[place]);
    const start = pointIn(event, this.node);
    const from = this.state.at[way] ?? 0;
    const move = (moved) => {
      this.hand = pointIn(moved, this.node);
      const [x, y] = this.hand.map((to, axis) => to - start[axis]);
      const far = Math.hypot(x, y) / HEAVY;
      let at = nearest(ways, this.hand, this.state.at[way] ?? 0);
      const [goes, end] = [between(ways, at), ways.at(-1)];
      if (Math.hypot(goes[0] - end[0], goes[1] - end[1]) < this.room.em) at = ways.length - 1; // as good as there
      this.hands.pull(way, Math.max(from - far, Math.min(from + far, at)));
    };
    this.hands.pull(way, from);
    this.hands.endDrag = drag(move, () => {
      this.hand = null;
      this.hands.drop();
    });
  }
}

/** What a screen reader hears of a model at a step. */
export const heard = (learned, kept) => `${asShare(learned)} right in new dialogues, ${asShare(kept)} in old stories`;
