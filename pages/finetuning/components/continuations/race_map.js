// The race as one drawing: every way of training is a runner, further right the more of the new task it has learned,
// higher up the more of the old one it has kept. One takes a runner and moves it along its track, from measured step to
// measured step.

import { boxOf, el, pointIn, put, svg } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

const DISC = 9; // pixels, the radius of a runner
const REACH = 26; // pixels, from a pointer to a runner that it takes
const LINE = 24; // pixels, from one label to the next below it
const GAP = 7; // pixels, from a disc to its label
const SHARES = [0, 0.5, 1];

const whole = (share) => `${Math.round(100 * share)}%`;

/** Where labels stand, in their order: [x, y] of the upper left corner of each, so that none lies on a disc or on
 * another label, and as little as can be on tracks. labels: [{at: [x, y], size: [wide, high]}]; discs: [x, y] of all
 * runners; dots: points of tracks; room: left, top, right and bottom of where labels may be. */
export function placed(labels, discs, dots, [l0, t0, r0, b0]) {
  const taken = discs.map(([x, y]) => [x - DISC, y - DISC, x + DISC, y + DISC]);
  return labels.map(({ at: [x, y], size: [w, h] }) => {
    const cost = ([l, t], far) => {
      const box = [l, t, l + w, t + h];
      const isOut = l < l0 || t < t0 || l + w > r0 || t + h > b0;
      const covered = dots.filter(([px, py]) => meet(box, [px - 2, py - 2, px + 2, py + 2])).length;
      return 1e6 * isOut + 1e4 * taken.filter((other) => meet(other, box)).length + covered + far;
    };
    const places = around([x, y], [w, h]).map(([corner, far]) => [corner, cost(corner, far)]);
    const [corner] = places.reduce((best, place) => (place[1] < best[1] ? place : best));
    taken.push([corner[0], corner[1], corner[0] + w, corner[1] + h]);
    return corner;
  });
}

/** Where a label may stand around a disc, and what each place costs for being far from it. */
function around([x, y], [w, h]) {
  const near = DISC + 2;
  const columns = [x + DISC + GAP, x - w / 2, x - DISC - GAP - w];
  const rows = [0, -1, 1, -2, 2, -3, 3, -4, 4];
  return rows.flatMap((row) => {
    const top = row ? y - h / 2 + Math.sign(row) * (near + h / 2 + (Math.abs(row) - 1) * LINE) : y - h / 2;
    return columns.map((left, n) => [[left, top], 6 * Math.abs(row) + 2 * n]).filter((_, n) => row || n !== 1);
  });
}

/** Points along a path, at most so far apart. */
export const along = (points, apart = 10) =>
  points.slice(1).flatMap(([x, y], n) => {
    const [x0, y0] = points[n];
    const many = Math.max(1, Math.ceil(Math.hypot(x - x0, y - y0) / apart));
    return Array.from({ length: many }, (_, k) => [x0 + ((x - x0) * k) / many, y0 + ((y - y0) * k) / many]);
  });

const meet = ([l, t, r, b], [l2, t2, r2, b2]) => l < r2 && l2 < r && t < b2 && t2 < b;

/** The point of tracks that is nearest to [x, y]: {track, at, distance}; tracks: [[[x, y], ...], ...]. */
export function nearest(tracks, [x, y]) {
  let best = { distance: Infinity };
  tracks.forEach((points, track) =>
    points.forEach(([px, py], at) => {
      const distance = Math.hypot(px - x, py - y);
      if (distance < best.distance) best = { track, at, distance };
    }),
  );
  return best;
}

export class RaceMap {
  /** choose(way) hears which runner is taken, go(step) where it is moved to. */
  constructor({ choose, go }) {
    Object.assign(this, { choose, go, runners: [] });
    this.ground = svg("g");
    this.lanes = svg("g");
    this.values = svg("g", { class: "values" });
    this.corners = svg("g");
    this.drawing = svg("svg", { role: "img" }, this.ground, this.values, this.corners, this.lanes);
    this.names = el("div.names", { role: "group", "aria-label": "Runner" });
    this.node = el("div.race-map", { onpointerdown: (event) => this.press(event) }, this.drawing, this.names);
  }

  /** steps: those to which runners can be moved; the others are drawn all the same. */
  take({ steps, ways }, reachable, words) {
    Object.assign(this, { steps, reachable, words });
    this.runners = ways.map((one) => this.runner(one));
    this.lanes.replaceChildren(...this.runners.map(({ group }) => group));
    this.names.replaceChildren(...this.runners.map(({ name }) => name));
    this.measured = null;
  }

  runner({ way, learned, kept, trained }) {
    const [ahead, past, leader] = ["ahead", "past", "leader"].map((kind) => svg(`path.${kind}`));
    const disc = svg("circle", { r: DISC });
    const share = trained < 0.995 ? `trains ${Math.round(100 * trained)}%` : "trains all";
    const onclick = () => this.choose(way);
    const name = el("button", { "data-way": way, onclick }, el("b", way), " ", el("small", share));
    return { way, learned, kept, ahead, past, disc, leader, name, group: svg("g.lane", ahead, past, leader, disc) };
  }

  /** Where a pair of shares is, in pixels. */
  place(learned, kept) {
    const { left, top, wide, high } = this.room;
    return [left + wide * learned, top + high * (1 - kept)];
  }

  resized() {
    const { width, height } = boxOf(this.node);
    if (!width || !this.runners.length || this.measured === `${width} ${height}`) return;
    this.measured = `${width} ${height}`;
    const isNarrow = width < 700;
    const [left, right, top, bottom] = isNarrow ? [40, 14, 26, 48] : [54, 150, 32, 48];
    this.room = { left, top, wide: width - left - right, high: height - top - bottom, width, height };
    put(this.drawing, { viewBox: `0 0 ${width} ${height}`, width, height });
    for (const runner of this.runners)
      runner.points = runner.learned.map((share, n) => this.place(share, runner.kept[n]));
    this.dots = this.runners.flatMap(({ points }) => along(points));
    this.drawGround(isNarrow);
    if (this.step !== undefined) this.show(this.step, this.way);
  }

  drawGround(isNarrow) {
    const at = (x, y) => this.place(x, y);
    const line = ([x1, y1], [x2, y2], kind) => svg(`line.${kind}`, { x1, y1, x2, y2 });
    const text = ([x, y], kind, words) => svg(`text.${kind}`, { x, y }, words);
    const nudged = ([x, y], dx, dy) => [x + dx, y + dy];
    const { top, left, wide } = this.room;
    const starts = new Map(this.runners.map(({ points: [[x, y]] }) => [`${Math.round(x)} ${Math.round(y)}`, [x, y]]));
    const corners = [
      [nudged(at(1, 0.97), -8, 8), "corner end in", "knows both"],
      [nudged(at(1, 0.17), -8, 0), "corner end", "knows only the new"],
      [nudged(at(0, 0.17), 14, 0), "corner", "knows neither"],
    ];
    this.ticks = SHARES.flatMap((share) => [
      text(nudged(at(0, share), -8, 5), "tick end", whole(share)),
      text(nudged(at(share, 0), 0, 20), "tick middle", whole(share)),
    ]);
    this.before = text(nudged(this.highest(), 14, -3), "corner", "before: knows only the old");
    this.ground.replaceChildren(
      svg("rect.both", { x: left + wide / 2, y: top, width: wide / 2, height: this.room.high / 2 }),
      ...SHARES.map((share) => line(at(0, share), at(1, share), share ? "rule" : "base")),
      ...SHARES.map((share) => line(at(share, 0), at(share, 1), share ? "rule" : "base")),
      ...this.ticks,
      text([0, 16], "title", isNarrow ? "↑ kept of the old" : `↑ ${this.words.kept}`),
      text(nudged(at(1, 0), 0, 42), "title end", isNarrow ? "learned of the new →" : `${this.words.learned} →`),
      ...[...starts.values()].map(([cx, cy]) => svg("circle.start", { cx, cy, r: DISC - 3 })),
    );
    const shown = corners.map(([where, kind, words]) => text(where, kind.replaceAll(" ", "."), words));
    this.corners.replaceChildren(...(isNarrow ? shown.slice(0, 1) : [this.before, ...shown]));
  }

  /** Where the runner begins that knows most of the old. */
  highest() {
    return this.runners.map(({ points }) => points[0]).reduce((a, b) => (b[1] < a[1] ? b : a));
  }

  show(step, way) {
    Object.assign(this, { step, way });
    if (!this.room || !this.runners.length) return;
    const at = this.steps.indexOf(step);
    const path = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    for (const { way: name, points, ahead, past, disc, group, name: label } of this.runners) {
      put(ahead, { d: path(points) });
      put(past, { d: path(points.slice(0, at + 1)) });
      put(disc, { cx: points[at][0], cy: points[at][1] });
      group.classList.toggle("chosen", name === way);
      put(label, { "aria-pressed": name === way });
    }
    const chosen = this.runners.find((runner) => runner.way === way);
    this.lanes.append(chosen.group);
    this.drawValues(chosen, at);
    this.drawNames(chosen, at);
  }

  /** What the chosen runner has learned and kept, on the axes. */
  drawValues({ way, points, learned, kept }, at) {
    const [x, y] = points[at];
    const [[left], [, foot]] = [this.place(0, 0), this.place(0, 0)];
    const [new_, old] = [whole(learned[at]), whole(kept[at])];
    this.values.replaceChildren(
      svg("line", { x1: left, x2: x - DISC, y1: y, y2: y }),
      svg("line", { x1: x, x2: x, y1: y + DISC, y2: foot }),
      svg("text.end", { x: left - 8, y: y + 6 }, old),
      svg("text.middle", { x, y: foot + 21 }, new_),
    );
    for (const tick of this.ticks) {
      const isUpright = tick.classList.contains("end");
      const by = isUpright ? Number(tick.getAttribute("y")) - 5 - y : Number(tick.getAttribute("x")) - x;
      tick.classList.toggle("covered", Math.abs(by) < (isUpright ? 18 : 42));
    }
    const start = this.highest();
    const isThere = ({ points: ways }) => Math.hypot(ways[at][0] - start[0], ways[at][1] - start[1]) < 60;
    this.before.classList.toggle("covered", this.runners.some(isThere));
    put(this.drawing, {
      "aria-label": `${way}: ${new_} of the ${this.words.learned}, ${old} of the ${this.words.kept}`,
    });
  }

  drawNames(chosen, at) {
    const { left, top, high, width } = this.room;
    const order = [chosen, ...this.runners.filter((runner) => runner !== chosen)];
    const labels = order.map(({ name, points }) => ({
      at: points[at],
      size: [name.offsetWidth, name.offsetHeight],
    }));
    const corners = placed(
      labels,
      this.runners.map(({ points }) => points[at]),
      this.dots,
      [left, top - LINE / 3, width, top + high],
    );
    order.forEach(({ name, leader }, n) => {
      const [[x, y], [l, t], [w, h]] = [labels[n].at, corners[n], labels[n].size];
      name.style.translate = `${l}px ${t}px`;
      const isFar = t > y + h || t + h < y - h;
      const [end, foot] = [Math.max(l + 4, Math.min(l + w - 4, x)), t > y ? t + 3 : t + h - 3];
      put(leader, { d: isFar ? `M${x} ${y}L${end} ${foot}` : "" });
    });
  }

  press(event) {
    if (event.button || event.target.closest("button") || !this.room) return;
    const now = this.steps.indexOf(this.step);
    const point = pointIn(event, this.node);
    const here = nearest(
      this.runners.map(({ points }) => [points[now]]),
      point,
    );
    const taken = here.distance <= REACH ? here : nearest(this.tracks(), point);
    if (taken.distance > 3 * REACH) return;
    event.preventDefault();
    const runner = this.runners[taken.track];
    this.choose(runner.way);
    const move = (to) => this.follow(runner, pointIn(to, this.node));
    if (taken !== here) move(event);
    drag(move, () => {});
  }

  /** The points of all tracks to which one can go. */
  tracks(runners = this.runners) {
    return runners.map(({ points }) => this.reachable.map((step) => points[this.steps.indexOf(step)]));
  }

  follow(runner, point) {
    this.go(this.reachable[nearest(this.tracks([runner]), point).at]);
  }
}
