// The plane of five trainings: a model is a dot, as far to the right as it has learned and as high as it remembers. The
// hand pulls it towards the best corner; it goes where its training went, and leaves a trail.

import { asShare, el, pointIn, put, svg, write } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

const RADIUS = 1.5; // of the dot that is taken, in heights of a letter; others have half of it
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

const line = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

export class Plane {
  /** slider: what moves the dot by keys. hands: pull(way, at), drop(), and endDrag, which is set. */
  constructor(slider, hands) {
    this.hands = hands;
    [this.ground, this.trails, this.dots] = [svg("g"), svg("g"), svg("g")];
    [this.tether, this.loss, this.lost] = [svg("line.tether"), svg("line.loss"), svg("text.lost.end")];
    this.picture = svg(
      "svg",
      { "aria-hidden": "true" },
      this.ground,
      this.trails,
      this.loss,
      this.tether,
      this.dots,
      this.lost,
    );
    this.node = el("div.plane", slider, this.picture);
  }

  /** race: all shares by measured step; places: which of these the steps of the slider are. */
  take(race, places) {
    this.places = places;
    this.runners = race.ways.map(({ way, learned, kept }) => {
      const onpointerdown = (event) => this.grab(event, way);
      const [trail, name] = [svg("path.trail"), svg("text.end", way)];
      return { way, learned, kept, trail, name, dot: svg("circle.dot", { onpointerdown, "data-way": way }) };
    });
    this.trails.replaceChildren(...this.runners.map(({ trail }) => trail));
    this.dots.replaceChildren(...this.runners.flatMap(({ name, dot }) => [name, dot]));
    this.room = null;
  }

  /** Everything is measured anew. */
  measure() {
    const [wide, tall] = [this.node.clientWidth, this.node.clientHeight];
    const em = parseFloat(getComputedStyle(this.node).fontSize);
    this.room = { left: 2 * em, right: wide - 1.8 * em, top: 1.7 * em, bottom: tall - 2.2 * em, em };
    put(this.picture, { width: wide, height: tall });
    for (const one of this.runners) one.points = one.learned.map((share, n) => this.place(share, one.kept[n]));
    this.drawGround();
  }

  place(learned, kept) {
    const { left, right, top, bottom } = this.room;
    return [left + learned * (right - left), bottom - kept * (bottom - top)];
  }

  drawGround() {
    const { left, right, top, bottom, em } = this.room;
    const text = (name, x, y, words, more = {}) => svg(`text${name}`, { x, y, ...more }, words);
    const [x, before] = this.runners.reduce((one, other) => (other.kept[0] > one.kept[0] ? other : one)).points[0];
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
      text(".axis.middle", (left + right) / 2, bottom + 1.7 * em, "right in new dialogues, to 100% →"),
      text(".axis.middle", 0, 0, "right in old stories, to 100% →", {
        transform: `translate(${left - 0.7 * em} ${(top + bottom) / 2}) rotate(-90)`,
      }),
    );
  }

  /** way: the one that is taken; at: place on the slider of each that has begun, also between two; n: the step that
   * numbers are of. */
  show(state) {
    this.state = state;
    if (!this.node.clientWidth) return;
    if (!this.room) this.measure();
    const { em } = this.room;
    const taken = this.runners.find((one) => one.way === state.way);
    for (const one of this.runners) {
      const [isTaken, at] = [one === taken, this.along(state.at[one.way] ?? 0)];
      one.at = between(one.points, at);
      put(one.trail, { d: line([...one.points.slice(0, Math.floor(at) + 1), one.at]) });
      put(one.dot, { cx: one.at[0], cy: one.at[1], r: RADIUS * em * (isTaken ? 1 : 0.5) });
      for (const node of [one.trail, one.dot, one.name]) {
        node.classList.toggle("taken", isTaken);
        node.classList.toggle("waits", !isTaken && !at);
      }
    }
    const others = this.runners.filter((one) => one !== taken && state.at[one.way]);
    const ys = spread(
      others.map((one) => one.at[1] + 1.6 * em),
      1.3 * em,
    );
    for (const [n, { name, at }] of others.entries()) put(name, { x: at[0] - 1.3 * em, y: ys[n] });
    if (this.dots.lastChild !== taken.dot) this.dots.append(taken.dot);
    this.hint.classList.toggle("gone", Boolean(state.at[state.way]) || !taken.kept[0]);
    const [x, y] = taken.at;
    const lost = lossOf(taken.kept[0], taken.kept[this.places[state.n]]);
    put(this.loss, { x1: x, y1: this.before, x2: x, y2: lost ? y : this.before });
    put(this.lost, { x: x - 0.7 * em, y: (this.before + y) / 2 });
    write(this.lost, y - this.before > 3.4 * em ? lost : "");
    this.pulls();
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
