// The plane of a race: each model is a dot, as far to the right as it has learned and as high as it remembers, with the
// trail that it leaves. A press on it, or on its name, takes it; a pull moves it along its own way, and all others too.

import { asShare, el, pointIn, put, still, svg, write } from "../../../../attention_view/lab.js";
import { drag, inRow } from "../../../../attention_view/controls.js";

const RADIUS = 0.8; // of a dot, in heights of a letter
const PULLED = 5; // pixels that a press may stray
const HEAVY = 9; // pixels of the hand per step, at least: a dot that hardly moves is not hurried
const ROUNDS = 40; // of pushing names apart
const GLIDE = 60; // milliseconds in which a name goes most of the way to where it has room
const APART = 0.3; // of the first beat: then the one name has gone, and the five come
const NEWER = 0.3; // pixels: of two places as near to the hand, the one fewer steps away

const ramp = (x) => Math.max(0, Math.min(1, x));

/** Where the names of dots stand, [x, y] of the middle of their left sides: right of the dots and clear of other dots;
 * where they would overlap one below the other, those of dots about as high in the given order. Where it is narrow,
 * those that have no room on the right are on the left.
 *
 * dots: [x, y] each; sizes: how wide each name is; em: the height of a letter; room: {right, top, bottom, isNarrow} */
export function fanned(dots, sizes, em, room) {
  const turns = dots.map(([x], n) => room.isNarrow && x + 2.1 * em + sizes[n] > room.right);
  let places = apart(
    dots.map(([x, y], n) => [turns[n] ? x - 2.1 * em - sizes[n] : x + 2.1 * em, y]),
    dots,
    sizes,
    em,
    room,
  );
  for (let round = 0; round < 3; round++) {
    const moved = places.map(([x, y], n) => {
      if (turns[n]) return [x, dots[n][1]];
      const past = dots.map(([a, b]) => Math.max(0, a + 1.5 * em - x) * covers(a - x - sizes[n], b - y, em));
      return [Math.min(room.right - sizes[n], x + Math.max(...past)), dots[n][1]];
    });
    places = apart(moved, dots, sizes, em, room);
  }
  return places;
}

/** How much, from 0 to 1, a dot is in the way of a name that ends so far left of it, at a height so far off. */
const covers = (beyond, off, em) => ramp(1 - beyond / em) * ramp((2.3 * em - Math.abs(off)) / (0.5 * em));

/** Names at these places, pushed up and down until none covers another. */
function apart(places, dots, sizes, em, { top, bottom, isNarrow }) {
  const gap = (isNarrow ? 2.7 : 2.35) * em;
  const ys = places.map(([, y]) => y);
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 1; j < dots.length; j++)
      for (let i = 0; i < j; i++) {
        const [up, low] = dots[i][1] - dots[j][1] > 4 * em ? [j, i] : [i, j];
        const [a, b] = [places[i][0], places[j][0]];
        const shared = Math.min(a + sizes[i], b + sizes[j]) - Math.max(a, b);
        const lack = gap - ys[low] + ys[up];
        if (lack <= 0 || shared <= 0) continue;
        ys[up] -= lack / 2;
        ys[low] += lack / 2;
      }
    ys.forEach((y, n) => (ys[n] = Math.max(top, Math.min(bottom, y))));
  }
  return places.map(([x], n) => [x, ys[n]]);
}

/** How clearly the one name and the five stand there, by how far the first beat has gone: never both. */
export const seen = (share) => [ramp(1 - share / APART), ramp((share - APART) / (1 - APART))];

/** The first of these heights at which words from one x to another meet no name; undefined where all do. */
export const freeOf = (heights, [from, to], names, sizes, em) =>
  heights.find((h) =>
    names.every(([x, y], n) => x > to || x + sizes[n] < from || Math.abs(y + 0.35 * em - h) > 1.5 * em),
  );

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

/** How many points were lost, "28 lost"; "" for none. */
export function lossOf(before, kept) {
  const points = Math.round(100 * before) - Math.round(100 * kept);
  return points > 0 ? `${points} lost` : "";
}

const line = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
const shift = (x, y) => `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translateY(-50%)`;
const spots = (points) => points.map(([x, y]) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join("");

export class Plane {
  /** hands: press(way), walk(way), pull(way, at), drop(). */
  constructor(hands) {
    this.hands = hands;
    this.ground = svg("g");
    this.trails = svg("g");
    this.dots = svg("g");
    this.lost = svg("text.lost.end");
    this.picture = svg("svg", { "aria-hidden": "true" }, this.ground, this.trails, this.dots, this.lost);
    this.one = el("b.one", "the storyteller");
    this.names = el("div.names", { role: "group", "aria-label": "Five models: right in dialogues, right in stories" });
    this.node = el("div.plane", this.picture, this.one, this.names);
  }

  /** race: all shares by measured step; places: which of these the steps of the slider are; trained: [how many
   * parameters, of how many] by way. */
  take(race, places, trained) {
    this.places = places;
    const order = [...race.ways].sort((a, b) => trained[b.way][0] - trained[a.way][0]); // which tells no end
    this.runners = order.map(({ way, learned, kept }, n) => {
      const own = { onpointerdown: (event) => this.grab(event, way), onclick: () => this.press(way) };
      const [seen, trail, marks] = [svg("path.seen"), svg("path.trail"), svg("path.marks")];
      const [dot, lead] = [svg("circle.dot", { ...own, "data-way": way }), svg("line.lead")];
      const [bet, said] = [el("span.bet"), el("span.unseen")];
      const onkeydown = (event) => this.walk(event, n);
      const name = el("button.runner", { ...own, onkeydown, "data-way": way }, el("b", way), bet, said);
      return { way, learned, kept, seen, trail, marks, dot, lead, bet, said, name };
    });
    this.trails.replaceChildren(...this.runners.flatMap(({ seen, trail, marks }) => [seen, trail, marks]));
    this.dots.replaceChildren(...this.runners.flatMap(({ lead, dot }) => [lead, dot]));
    this.names.replaceChildren(...this.runners.map(({ name }) => name));
    this.room = null;
  }

  /** Everything is measured anew. */
  measure() {
    const [wide, tall] = [this.node.clientWidth, this.node.clientHeight];
    const em = parseFloat(getComputedStyle(this.node).fontSize);
    const isNarrow = wide < 34 * em;
    this.spots = null;
    const [left, right] = isNarrow ? [2.4 * em, wide - 1.2 * em] : [3.2 * em, wide - 9.4 * em];
    const room = { left, right, top: 1.1 * em, bottom: tall - 2.4 * em };
    this.room = { ...room, wide, tall, em, isNarrow };
    put(this.picture, { width: wide, height: tall });
    for (const one of this.runners) {
      one.points = one.learned.map((share, n) => this.place(share, one.kept[n]));
      put(one.dot, { r: RADIUS * em });
    }
    this.drawGround();
  }

  place(learned, kept) {
    const { left, right, top, bottom } = this.room;
    return [left + learned * (right - left), bottom - kept * (bottom - top)];
  }

  drawGround() {
    const { left, right, top, bottom, em, isNarrow } = this.room;
    const text = (name, x, y, words, more = {}) => svg(`text${name}`, { x, y, ...more }, words);
    const [middle, height] = [(left + right) / 2, (top + bottom) / 2];
    const [, before] = this.runners.reduce((one, other) => (other.kept[0] > one.kept[0] ? other : one)).points[0];
    this.loss = svg("line.loss");
    const [from, down] = [this.runners[0].points[0][0] + 10.4 * em, before + 0.8 * em];
    this.hint = svg(
      "g.hint",
      svg("path", { d: `M${from} ${down}l${7 * em} ${4 * em}m-12 0l12 0l-6 -10` }),
      text(".middle", from + 7 * em, down + 5.4 * em, "or pull it"),
    );
    const low = bottom + 1.6 * em;
    this.ground.replaceChildren(
      svg("path.frame", { d: `M${left} ${top}V${bottom}H${right}V${top}Z` }),
      svg("path.grid", { d: `M${left} ${height}H${right}M${middle} ${top}V${bottom}` }),
      svg("path.free", { d: `M${left} ${before}H${right}` }),
      this.loss,
      text(".free-says.end", right - 0.9 * em, before + 1.35 * em, isNarrow ? "" : "if learning cost nothing"),
      svg("circle.best", { cx: right, cy: top, r: RADIUS * em }),
      ...(isNarrow ? ["best corner"] : ["best corner:", "all learned,", "nothing lost"]).map((words, n) =>
        isNarrow
          ? text(".best-says.end", right - 1.3 * em, top + (1.2 + 1.25 * n) * em, words)
          : text(n ? ".corner" : ".best-says", right + 1.3 * em, top + (0.35 + 1.25 * n) * em, words),
      ),
      this.hint,
      text(".corner.end", right - 0.9 * em, bottom - 0.9 * em, isNarrow ? "" : "all learned, all lost"),
      text(".tick.end", left - 0.3 * em, top + 0.6 * em, isNarrow ? "" : "100%"),
      text(".tick.end", left - 1.2 * em, bottom, isNarrow ? "" : "0%"),
      text(".tick", left, low, isNarrow ? "" : "0%"),
      isNarrow ? text(".tick.end", right + em, low, "100%") : text(".tick.end", right, low, "100%"),
      text(".axis.middle", middle, low, "right in new dialogues →"),
      text(".axis.middle", 0, 0, isNarrow ? "right in old stories, to 100% →" : "right in old stories →", {
        transform: `translate(${left - (isNarrow ? 0.7 : 1.1) * em} ${height}) rotate(-90)`,
      }),
    );
  }

  /** at: place on the slider, also between two; n: the step that numbers are of; far: the farthest place seen; way: the
   * one that is taken; bet: the one that is bet on, or null; fan: how far the names are fanned out. */
  show(state) {
    this.state = state;
    if (!this.node.clientWidth) return;
    if (!this.room) this.measure();
    const { at, n, far, way, bet, fan } = state;
    this.hint.classList.toggle("gone", far > 0 || fan < 1); // who has pulled once knows how
    const [now, seen, step] = [this.along(at), this.along(far), this.places[n]];
    for (const one of this.runners) {
      const [x, y] = (one.at = between(one.points, now));
      const trail = [...one.points.slice(0, Math.floor(now) + 1), [x, y]];
      put(one.trail, { d: line(trail) });
      put(one.marks, { d: spots(trail.slice(0, -1)) });
      put(one.seen, { d: line(one.points.slice(0, Math.floor(seen) + 1)) });
      put(one.dot, { cx: x, cy: y });
      for (const node of [one.seen, one.trail, one.marks, one.dot, one.lead])
        node.classList.toggle("taken", one.way === way);
      put(one.name, { "aria-pressed": one.way === way, tabindex: one.way === way ? 0 : -1 });
      write(one.bet, one.way === bet ? " · your bet" : "");
      const [learned, kept] = [asShare(one.learned[step]), asShare(one.kept[step])];
      write(one.said, `: ${learned} right in dialogues, ${kept} in stories`);
    }
    this.fan(fan);
    this.drop(
      this.runners.find((one) => one.way === way),
      step,
    );
  }

  /** How far along the measured steps a place on the slider is. */
  along(at) {
    const [a, b] = [this.places[Math.floor(at)], this.places[Math.ceil(at)]];
    return a + (b - a) * (at - Math.floor(at));
  }

  /** The names go where they have room; share: how far the first beat has fanned them out. */
  fan(share) {
    const { em, wide, top, bottom, isNarrow } = this.room;
    const sizes = (this.sizes = this.runners.map(({ name }) => name.offsetWidth));
    const dots = this.runners.map((one) => one.at);
    const room = { isNarrow, right: wide, top: top + 0.6 * em, bottom: bottom - 0.6 * em };
    this.goals = fanned(dots, sizes, em, room).map(([x, y], n) => [x - dots[n][0], y - dots[n][1]]);
    if (still() || share < 1 || !this.spots) this.spots = this.goals;
    if (this.spots !== this.goals) this.ask();
    this.drawNames(share);
    const knows = this.runners.find(({ kept }) => kept[0] > 0) ?? this.runners[0];
    this.one.hidden = share === 1;
    this.one.style.opacity = seen(share)[0];
    this.one.style.transform = shift(knows.at[0] + 1.6 * em, knows.at[1] + 0.8 * em);
  }

  ask(before = performance.now()) {
    this.request ??= requestAnimationFrame((now) => this.glide(now - before, now));
  }

  /** Names keep with their dots, and turn to another side of them within some frames. */
  glide(passed, now) {
    this.request = null;
    const far = Math.max(...this.spots.map(([x, y], n) => Math.hypot(x - this.goals[n][0], y - this.goals[n][1])));
    const share = ramp(passed / GLIDE);
    this.spots = far < 1 ? this.goals : this.spots.map((spot, n) => between([spot, this.goals[n]], share));
    if (far >= 1) this.ask(now);
    this.drawNames(1);
  }

  drawNames(share) {
    for (const [n, { at, name, lead, dot }] of this.runners.entries()) {
      const [x, y] = this.spots[n].map((off, axis) => at[axis] + off);
      name.style.transform = shift(x, y);
      name.style.opacity = lead.style.opacity = seen(share)[1];
      put(lead, { x1: at[0], y1: at[1], x2: x < at[0] ? x + this.sizes[n] : x, y2: y });
      if (dot.classList.contains("taken") && this.dots.lastChild !== dot) this.dots.append(dot);
    }
  }

  /** What the one that is taken has lost: from what it knew down to where it is. */
  drop({ at: [x, y], points, kept }, step) {
    const { em, isNarrow } = this.room;
    const [top, lost] = [points[0][1], lossOf(kept[0], kept[step])];
    put(this.loss, { x1: x, y1: top, x2: x, y2: Math.max(top, y) });
    const heights = isNarrow ? [top + 2.4 * em, (top + y) / 2, y - 0.5 * em] : [(top + y) / 2 + 0.8 * em];
    const names = this.goals.map((off, n) => this.runners[n].at.map((own, axis) => own + off[axis]));
    const free = freeOf(heights, [x - 4.5 * em, x], names, this.sizes, em);
    put(this.lost, { x: x - 0.5 * em, y: free ?? heights[0] });
    write(this.lost, y - top > 4 * em && (free || !isNarrow) ? lost : "");
  }

  // ---- hands -----------------------------------------------------------------------------------------------------

  press(way) {
    if (!this.isPulled) this.hands.press(way);
  }

  walk(event, n) {
    const next = inRow(event, n, this.runners.length);
    if (next === null) return;
    this.runners[next].name.focus();
    this.hands.walk(this.runners[next].way);
  }

  grab(event, way) {
    if (event.button || !this.room) return;
    const one = this.runners.find((other) => other.way === way);
    const start = pointIn(event, this.node);
    const off = one.at.map((x, axis) => x - start[axis]);
    const ways = this.places.map((place) => one.points[place]);
    const from = this.state.at;
    const move = (moved) => {
      const hand = pointIn(moved, this.node);
      const far = Math.hypot(hand[0] - start[0], hand[1] - start[1]);
      this.isPulled ||= far > PULLED;
      const to = hand.map((x, axis) => x + off[axis]);
      const at = nearest(ways, to, this.state.at);
      if (!this.isPulled) return;
      this.hands.pull(way, Math.max(from - far / HEAVY, Math.min(from + far / HEAVY, at)));
    };
    this.endDrag = drag(move, () => {
      if (this.isPulled) this.hands.drop();
      setTimeout(() => (this.isPulled = false)); // the click of this pull, if there is one, has come by then
    });
  }
}
