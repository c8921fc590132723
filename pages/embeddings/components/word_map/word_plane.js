// Words on a plane: dots, labels that cover nothing, a hull around each kind, and lines to the nearest.

import { el, still, svg } from "../../../../attention_view/lab.js";
import { smoothly, tween } from "../../../../attention_view/controls.js";
import { hull } from "../../../../lab/kit/components/hull.js";
import {
  besideAll,
  colourOf,
  companions,
  framed,
  LED,
  makeRoom,
  markOf,
  nearestPoint,
  partedNames,
  placeLabels,
} from "./placing.js";

const LINE = 22; // pixels of a label's height
const NEAR = 24; // pixels from a point at which it is pointed at
const LETTER = 8.9; // of a letter of it
const TRAVEL = 200; // milliseconds to other places
const FILM = 5000; // milliseconds from where words stood before training to where they stand now
const LOCK = 1000; // milliseconds after its end was seen, in which a press meant for what was before does nothing
const REST = 0.2; // of them, before the words move: their labels can be read then

export class WordPlane {
  /** view: has the data, its words as buttons, and its width and height */
  constructor(view) {
    this.view = view;
    this.node = svg("svg", { "aria-hidden": "true" });
  }

  layOut(isMoving) {
    const { waits, isLed, share } = this;
    this.stop();
    const from = this.shown;
    this.shown = this.lay(this.view.data.places);
    this.start = null;
    this.placeKinds();
    this.view.timed(1);
    if (waits && this.view.data.before) this.mix();
    else if (isLed && this.view.data.before) this.go(share, true);
    else if (!isMoving || !from || still()) this.draw(this.shown);
    else
      this.end = tween(TRAVEL, (share) =>
        this.draw(share < 1 ? between(from, this.shown, smoothly(share)) : this.shown),
      );
  }

  /** Words stand where they stood before training, and wait to be parted. */
  mix() {
    this.rest();
    this.waits = true;
    this.hideNames();
    this.view.timed(0);
    this.draw(this.beforeTraining);
  }

  get beforeTraining() {
    return (this.start ??= this.lay(this.view.data.before, true));
  }

  /** Words go from where they stood before training to where they stand now, up to the next press; where nothing should
   * move, a press shows the one or the other. */
  again() {
    if (!this.waits && performance.now() - this.ended < LOCK) return;
    const { parted } = this.view.root.dataset;
    if (parted && (!this.waits || still())) return this.settle(!still());
    const isNext = this.view.asks && !this.waits;
    if (isNext) this.view.another();
    if (isNext) this.start = null; // that word's label is the first to find room
    if (isNext || still()) return this.mix();
    this.part();
  }

  part() {
    this.end = tween(FILM, (share) => {
      if (share < 1) this.go(Math.max(0.001, (share - REST) / (1 - REST)));
      else this.settle(true);
    });
  }

  /** A hand leads the words so far on their way through the training: from 0 to 1. */
  lead(share) {
    this.end?.();
    if (share <= 0) this.mix();
    else if (share >= 1) this.settle(true);
    else this.go(share, true);
  }

  /** The words have gone so far, and the names of a few go with them. isLed: by a hand, so that they stay there. */
  go(share, isLed = false) {
    const { data, nodes, buttons, at, root } = this.view;
    const from = this.beforeTraining;
    const { isMoving } = this;
    Object.assign(this, { waits: false, isMoving: true, isLed, share });
    if (!isMoving) {
      this.hideNames();
      const kept = companions(at, data.words, (n) => from.labels[n] && this.shown.labels[n]).concat(this.view.guess);
      buttons.forEach((button, n) => button.classList.toggle("kept", kept.includes(n)));
      nodes.stage.classList.add("moving");
    }
    root.dataset.parted = share.toFixed(2);
    this.view.timed(share);
    this.draw(between(from, this.shown, smoothly(share)));
    const { names, stage } = nodes;
    names.style.visibility = "visible";
    stage.classList.toggle("named", carry([...names.children], data.words, this.drawn));
  }

  /** Words stand where they stand now; wasMoving: they came there, and the button means another thing from the moment
   * that this is seen, which on a slow machine is a while after. */
  settle(wasMoving) {
    this.ended = wasMoving ? Infinity : undefined;
    if (wasMoving) requestAnimationFrame(() => requestAnimationFrame(() => (this.ended = performance.now())));
    this.stop();
    this.view.timed(1);
    if (!this.shown) return;
    this.placeKinds();
    this.draw(this.shown);
    this.view.mark();
  }

  /** The names of kinds stand where the kinds are once the words have come there. */
  hideNames() {
    this.view.nodes.names.style.visibility = "hidden";
    this.view.root.dataset.parted = "0.00";
    this.view.mark();
  }

  /** Other words come: what moves those that were here ends, and nothing of it stays. */
  forget() {
    this.shown = this.start = null;
    this.stop();
  }

  stop() {
    this.end?.();
    this.view.nodes.names.style.visibility = "";
    this.rest();
    this.waits = false;
    delete this.view.root.dataset.parted;
  }

  /** No word is on its way. */
  rest() {
    this.view.nodes.stage.classList.remove("moving", "named");
    this.isMoving = this.isLed = false;
  }

  /** Points, labels and their sizes for these places, in the frame of the map or in one that they fill. */
  lay(places, fills = false) {
    const points = this.points(places, fills);
    this.view.root.classList.toggle("waits", fills); // when labels are larger
    const sizes = this.view.buttons.map((button) => {
      button.classList.remove("out", "on");
      button.classList.add("near"); // in bold, as it can be: the widest that it gets
      button.style.transform = "";
      return [button.offsetWidth, LINE];
    });
    const { width, height } = this.view;
    const { at } = this.view;
    const far = (n) => (fills && n === at ? Infinity : Math.hypot(points[n][0] - width / 2, points[n][1] - height / 2));
    const order = points.map((_, n) => n).sort((a, b) => far(b) - far(a));
    return {
      points,
      labels: placeLabels(points, sizes, outward(points, this.view.data.words), order, [width, height]),
      sizes,
    };
  }

  /** Where words stand, in pixels. */
  points(places, fills = false) {
    const { width, height, bounds } = this.view;
    return framed(places, bounds, [width, height], fills);
  }

  /** The name of a kind stands outside of all its labels, where there is room. */
  placeKinds() {
    const { data, nodes } = this.view;
    const { points, labels, sizes } = this.shown;
    const boxes = labels.map((l, n) => (l ? [[l.x, l.y, l.x + sizes[n][0], l.y + LINE]] : []));
    const dots = points.map(([x, y]) => [x - 6, y - 6, x + 6, y + 6]);
    const taken = [...boxes.flat(), ...dots];
    this.shown.names = [];
    const names = data.kinds.map((name, kind) => el("button.kind", this.view.zoomer(kind), name.toUpperCase()));
    nodes.names.replaceChildren(...names);
    names.forEach((node, kind) => {
      const own = data.words.flatMap((word, n) => (word.kind === kind ? [dots[n], ...boxes[n]] : []));
      const foreign = data.words.flatMap((word, n) => (word.kind === kind ? [] : [dots[n], ...boxes[n]]));
      const place = own.length
        ? besideAll(own, foreign, [node.offsetWidth, LINE], taken, [this.view.width, this.view.height])
        : null;
      node.hidden = !place;
      if (!place) return;
      const [x, y] = place;
      node.style.transform = `translate(${x}px,${y}px)`;
      taken.push([x, y, x + node.offsetWidth, y + LINE]);
      this.shown.names.push({ x, y, w: node.offsetWidth, h: LINE });
    });
  }

  draw(lay) {
    const { points } = lay;
    const { data, width, height } = this.view;
    const colour = (i) => colourOf(data.words[i].kind);
    const at = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
    const hulls = data.kinds.map((_, kind) => {
      const own = hull(points.filter((_, i) => data.words[i].kind === kind));
      const d = own.length ? `M${own.map(at).join("L")}Z` : "";
      return svg("path.hull", { d, fill: colourOf(kind), stroke: colourOf(kind) });
    });
    const dot = (p, i) => {
      const d = markOf(this.waits ? 0 : data.words[i].kind); // which are of one kind is the answer
      return svg("path", { d, transform: `translate(${at(p)})`, fill: colour(i) });
    };
    this.leaders = svg("g");
    this.links = svg("g");
    this.dots = points.map(dot);
    this.node.setAttribute("width", width);
    this.node.setAttribute("height", height);
    this.node.replaceChildren(...hulls, this.leaders, this.links, ...this.dots);
    this.drawn = points;
    this.putLabels(lay, new Map());
    this.view.mark();
  }

  /** Labels where they stand, but for those that have moved, and lines to those that are far from their dots. */
  putLabels({ points, labels, sizes }, moved) {
    const { data, buttons } = this.view;
    const places = labels.map((label, i) => (moved.has(i) ? moved.get(i) : label));
    const lines = places.flatMap((place, i) =>
      place ? leader(points[i], place, sizes[i][0], colourOf(data.words[i].kind)) : [],
    );
    this.leaders.replaceChildren(...lines);
    buttons.forEach((button, i) => {
      const [x, y] = places[i] ? [places[i].x, places[i].y] : [points[i][0] + 9, points[i][1] - 8];
      button.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
      button.classList.toggle("out", !places[i]);
    });
  }

  /** The number of the nearest word, or null where none is near. */
  find(place) {
    const n = nearestPoint(this.drawn ?? [], place, NEAR);
    return n < 0 ? null : n;
  }

  /** Where the nearest of a word would stand that are not on the map: [its number among them, x, y]. */
  guestsOf(at, near) {
    const { width, height, data } = this.view;
    const places = near.map((i, rank) => (i < 0 ? data.words[at].nearest[rank][4] : null));
    return places.flatMap((place, rank) => {
      if (!place) return [];
      const [[x, y]] = this.points([place]);
      return x > 6 && y > 6 && x < width - 6 && y < height - 6 ? [[rank, x, y]] : [];
    });
  }

  /** Where the labels of those stand, each beside its ring, and which labels of the map give way. */
  spotsOf(at, guests, near) {
    const { nearest } = this.view.data.words[at];
    const { points, labels, sizes, names } = this.shown;
    const rings = guests.map(([, x, y]) => [x, y]);
    const [x0, y0] = points[at];
    const away = rings.map(([x, y]) => [x - x0 || 1, y - y0]);
    const wide = guests.map(([rank]) => [LETTER * nearest[rank][0].length + 4, LINE]);
    const boxes = labels.map((l, n) => l && { x: l.x, y: l.y, w: sizes[n][0], h: LINE });
    const room = [this.view.width, this.view.height];
    return makeRoom({ rings, wide, away, points, labels: boxes, at, near, names }, room);
  }

  /** Those, each with a line from the word, a ring and its label where there is room. */
  guests(at, near) {
    const { nearest } = this.view.data.words[at];
    const guests = this.guestsOf(at, near);
    this.hasGuests = guests.length > 0;
    const [x0, y0] = this.shown.points[at];
    const { spots, moved } = this.spotsOf(at, guests, near);
    this.putLabels(this.shown, moved);
    const lines = guests.map(([rank, x, y]) => {
      const width = 0.5 + 2.5 * Math.max(0, nearest[rank][2]);
      return svg("line.link", { x1: x0, y1: y0, x2: x, y2: y, "stroke-width": width });
    });
    const rings = guests.map(([rank, x, y]) =>
      svg("circle.guest", { cx: x, cy: y, r: 4.5, stroke: colourOf(nearest[rank][3]) }),
    );
    const names = guests.flatMap(([rank], n) => {
      const [label, , , kind] = nearest[rank];
      const at = () => ({ x: spots[n].x + 2, y: spots[n].y + 16, fill: colourOf(kind) });
      const [, x, y] = guests[n];
      const width = LETTER * label.length;
      return spots[n] ? [...leader([x, y], spots[n], width, colourOf(kind)), svg("text.guest", at(), label)] : [];
    });
    return [...lines, ...rings, ...names];
  }

  /** Lines from a word to its neighbours, and a thread to the one that is guessed. */
  mark(at, near, guess = null) {
    if (!this.dots) return;
    const points = this.drawn;
    const thread = ([[x1, y1], [x2, y2]]) => svg("line.thread", { x1, y1, x2, y2 });
    const links = near.flatMap((i, rank) => {
      const cosine = this.view.data.words[at].nearest[rank][2];
      if (i < 0) return [];
      const [[x1, y1], [x2, y2]] = [points[at], points[i]];
      return svg("line.link", { x1, y1, x2, y2, "stroke-width": 0.5 + 2.5 * Math.max(0, cosine) });
    });
    const lit = guess === null ? near : [...near, guess];
    const threads = guess === null || guess === at ? [] : [thread([points[at], points[guess]])];
    const isRest = points === this.shown.points;
    this.links.replaceChildren(...threads, ...links, ...(isRest ? this.guests(at, lit) : []));
    this.dots.forEach((dot, i) => {
      dot.setAttribute("stroke", i === at ? "var(--ink)" : "none");
      dot.setAttribute("stroke-width", 3);
      dot.setAttribute("opacity", i === at || lit.includes(i) ? 1 : 0.75);
    });
  }
}

/** The name of each kind goes along with its words once these have parted from the others; whether any has. */
function carry(names, words, points) {
  const kinds = names.map((_, kind) => points.filter((_, n) => words[n].kind === kind));
  const sizes = names.map((node) => [node.offsetWidth, LINE]);
  const places = partedNames(kinds, sizes);
  names.forEach(({ style }, kind) => {
    const place = places[kind];
    style.visibility = place ? "" : "hidden";
    if (place) style.transform = `translate(${place.x}px,${place.y}px)`;
  });
  return places.some(Boolean);
}

/** A line from a point to its label, where that is far: [] or [line]. */
function leader([x1, y1], label, width, stroke) {
  if (label.far < LED) return [];
  const x2 = Math.max(label.x, Math.min(x1, label.x + width));
  const y2 = Math.max(label.y + 2, Math.min(y1, label.y + 15));
  return [svg("line.leader", { x1, y1, x2, y2, stroke })];
}

/** Which way each label would rather go: away from the middle of its kind. */
function outward(points, words) {
  const middles = new Map();
  for (const { kind } of words) {
    const own = points.filter((_, n) => words[n].kind === kind);
    middles.set(kind, middles.get(kind) ?? [0, 1].map((k) => own.reduce((sum, p) => sum + p[k], 0) / own.length));
  }
  return points.map(([x, y], n) => {
    const [mx, my] = middles.get(words[n].kind);
    return Math.hypot(x - mx, y - my) > 1 ? [x - mx, y - my] : [1, 0];
  });
}

/** So much of the way from one lay-out to another; a label goes beside its point, even if it ends far off. */
function between(from, to, share) {
  const mid = (a, b) => a + (b - a) * share;
  const points = to.points.map(([x, y], n) => [mid(from.points[n][0], x), mid(from.points[n][1], y)]);
  const labels = to.labels.map((label, n) => {
    if (!label) return null;
    const [a, [x, y], [wide, high]] = [from.labels[n] ?? label, points[n], to.sizes[n]];
    const beside = (place, at, size, gap) => Math.max(at - size - gap, Math.min(at + gap, place));
    return { x: beside(mid(a.x, label.x), x, wide, 9), y: beside(mid(a.y, label.y), y, high, 9), far: 0 };
  });
  return { points, labels, sizes: to.sizes };
}
