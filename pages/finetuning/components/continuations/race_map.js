// The race as one drawing: every way of training is a runner, further right the more of the new task it has learned,
// higher up the more of the old one it has kept. One takes a runner and moves it along its track, from measured step to
// measured step.

import { boxOf, el, pointIn, put, svg } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

const DISC = 9; // pixels, the radius of a runner
const REACH = 26; // pixels, from a pointer to a runner that it takes
const LINE = 26; // pixels, from one label to the next below it
const GAP = 9; // pixels, from a disc to its label
const APART = 10; // pixels, from a label to the next beside it
const SHARES = [0, 0.5, 1];

const whole = (share) => `${Math.round(100 * share)}%`;

/** Where labels stand: [x, y] of the upper left corner of each, so that none lies on a disc or on another label, and as
 * little as can be on tracks. The first takes its place first; the others in the order in which all of them fit best.
 * labels: [{at: [x, y], size: [wide, high]}]; discs: [x, y] of all runners; dots: points of tracks; room: left, top,
 * right and bottom of where labels may be; others: boxes of what else stands there. */
export function placed(labels, discs, dots, room, others = []) {
  const taken = [...others, ...discs.map(([x, y]) => [x - DISC, y - DISC, x + DISC, y + DISC])];
  const places = labels.map((label) => around(label.at, label.size).map((place) => weighed(place, label, dots, room)));
  const fitted = ([first, ...rest]) => {
    const corners = [];
    const boxes = [...taken];
    let total = 0;
    for (const n of [first, ...rest]) {
      const cost = ({ box, free, cost: own }) => {
        const struck = free.filter(([x, y]) => boxes.some((other) => meet(other, [x, y, x, y]))).length;
        return own + 1e3 * struck + 1e4 * boxes.filter((other) => meet(other, box)).length;
      };
      const costs = places[n].map(cost);
      const least = Math.min(...costs);
      const { corner, box } = places[n][costs.indexOf(least)];
      corners[n] = corner;
      boxes.push([box[0] - APART, box[1], box[2] + APART, box[3]]);
      total += least;
    }
    return { corners, total };
  };
  const [first, ...rest] = labels.keys();
  return orders(rest)
    .map((order) => fitted([first, ...order]))
    .reduce((best, one) => (one.total < best.total ? one : best)).corners;
}

/** A place of a label: its corner and box, the points of its leader, and what it costs whatever else stands there. */
function weighed([corner, far], { at, size }, dots, [l0, t0, r0, b0]) {
  const box = [...corner, corner[0] + size[0], corner[1] + size[1]];
  const isOut = box[0] < l0 || box[1] < t0 || box[2] > r0 || box[3] > b0;
  const covered = dots.filter(([x, y]) => meet(box, [x - 3, y - 3, x + 3, y + 3])).length;
  const line = leader(at, corner, size);
  const isAway = ([x, y]) => Math.hypot(x - at[0], y - at[1]) > DISC + 3;
  const crossed = line ? dots.filter((dot) => isAway(dot) && isOn(line, dot)).length : 0;
  const free = line ? along(line, 5).filter(isAway) : [];
  return { corner, box, free, cost: 1e6 * isOut + 8 * covered + 3 * crossed + far };
}

/** Every order of a few things. */
const orders = (things) =>
  things.length
    ? things.flatMap((one) => orders(things.filter((other) => other !== one)).map((o) => [one, ...o]))
    : [[]];

/** Where a label may stand around a disc, and what each place costs for being far from it. */
function around([x, y], [w, h]) {
  const near = DISC + 6; // clear of its own track
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

/** The line from a disc to a label that is far above or below it, or null: [[x, y], [x, y]]. */
export function leader([x, y], [l, t], [w, h]) {
  if (t <= y + h && t + h >= y - h) return null;
  const end = [Math.max(l + 4, Math.min(l + w - 4, x)), t > y ? t + 3 : t + h - 3];
  return [[x, y], end];
}

/** Whether a point lies within 6 pixels of a line. */
function isOn([[x1, y1], [x2, y2]], [px, py]) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const share = ((px - x1) * (x2 - x1) + (py - y1) * (y2 - y1)) / length ** 2;
  const beside = Math.abs((px - x1) * (y2 - y1) - (py - y1) * (x2 - x1)) / length;
  return share > 0 && share < 1 && beside < 6;
}

/** The box of a text: left, top, right, bottom. */
function edges(text) {
  const { x, y, width, height } = text.getBBox();
  return [x, y, x + width, y + height];
}

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

  runner({ way, learned, kept }) {
    const [ahead, past, leader] = ["ahead", "past", "leader"].map((kind) => svg(`path.${kind}`));
    const disc = svg("circle", { r: DISC });
    const onclick = () => this.choose(way);
    const name = el("button", { "data-way": way, onclick }, el("b", way));
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
    const [left, right, top, bottom] = isNarrow ? [52, 14, 26, 54] : [84, 16, 34, 58];
    this.room = { left, top, wide: width - left - right, high: height - top - bottom, width, height };
    put(this.drawing, { viewBox: `0 0 ${width} ${height}`, width, height });
    for (const runner of this.runners)
      runner.points = runner.learned.map((share, n) => this.place(share, runner.kept[n]));
    this.dots = this.runners.flatMap(({ points }) => along(points, 6));
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
      [nudged(at(0.5, 0), 12, -14), "corner", "knows only the new"],
      [nudged(at(0, 0.17), 14, 0), "corner", "knows neither"],
    ];
    this.ticks = SHARES.flatMap((share) => [
      text(nudged(at(0, share), -8, 5), "tick end", whole(share)),
      text(nudged(at(share, 0), 0, 20), "tick middle", whole(share)),
    ]);
    this.before = text(nudged(this.highest(), 14, -3), "corner", "before the training");
    this.ground.replaceChildren(
      svg("rect.both", { x: left + wide / 2, y: top, width: wide / 2, height: this.room.high / 2 }),
      ...SHARES.map((share) => line(at(0, share), at(1, share), share ? "rule" : "base")),
      ...SHARES.map((share) => line(at(share, 0), at(share, 1), share ? "rule" : "base")),
      ...this.ticks,
      text([0, 16], "title", isNarrow ? "↑ right in old stories" : `↑ ${this.words.kept}`),
      text(nudged(at(1, 0), 0, 52), "title end", isNarrow ? "right in new dialogues →" : `${this.words.learned} →`),
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
      svg("text.end", { x: left - 8, y: y + 10 }, old),
      svg("text.middle", { x, y: foot + 27 }, new_),
    );
    for (const tick of this.ticks) {
      const isUpright = tick.classList.contains("end");
      const by = isUpright ? Number(tick.getAttribute("y")) - 5 - y : Number(tick.getAttribute("x")) - x;
      tick.classList.toggle("covered", Math.abs(by) < (isUpright ? 26 : 58));
    }
    const start = this.highest();
    const isThere = ({ points: ways }) => Math.hypot(ways[at][0] - start[0], ways[at][1] - start[1]) < 60;
    this.before.classList.toggle("covered", this.runners.some(isThere));
    for (const corner of this.corners.children) {
      if (corner === this.before) continue;
      const { x: from, width } = corner.getBBox();
      corner.classList.toggle(
        "covered",
        corner.classList.contains("end") ? false : from - 8 < x && x < from + width + 8,
      );
    }
    put(this.drawing, {
      "aria-label": `${way}: ${new_} of the ${this.words.learned}, ${old} of the ${this.words.kept}`,
    });
  }

  drawNames(chosen, at) {
    const { left, top, high, wide } = this.room;
    const order = [chosen, ...this.runners.filter((runner) => runner !== chosen)];
    const [x0, y0] = chosen.points[at];
    const labels = order.map(({ name, points }) => ({
      at: points[at],
      size: [name.offsetWidth, name.offsetHeight],
    }));
    const corners = placed(
      labels,
      this.runners.map(({ points }) => points[at]),
      [...this.dots, ...along([[left, y0], chosen.points[at], [x0, top + high]])],
      [left + 2, top + 2, left + wide - 4, top + high - 2],
      [...this.corners.children].filter((corner) => !corner.classList.contains("covered")).map(edges),
    );
    order.forEach(({ name, leader: path }, n) => {
      const [[x, y], [l, t], [w, h]] = [labels[n].at, corners[n], labels[n].size];
      name.style.translate = `${l}px ${t}px`;
      const line = leader([x, y], [l, t], [w, h]);
      put(path, { d: line ? `M${line.join("L")}` : "" });
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
