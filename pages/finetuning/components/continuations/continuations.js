// A race of five trainings in one plane: to the right is what a model has learned of the new task, upwards what it has
// kept of the old one. Each is a dot with a trail and its name; beside the plane stands what the one that
// is taken writes. A fact that was told stands in ink, one that was not is struck. The beginning of the training is
// played once when the page opens.

import {
  boxOf,
  el,
  mirror,
  mount,
  param,
  put,
  rewrite,
  still,
  svg,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { firstBeat, slider, tween } from "../../../../attention_view/controls.js";
import { apart } from "../../../../lab/kit/components/apart.js";

const PAUSE = 300; // milliseconds from one measured step to the next
const BEAT = 3000; // of the training until the first is there, when the page opens
const LABEL = 27; // pixels of a name
const NAME = 128; // pixels from one dot to the next that a name takes
const ROOM = { left: 46, right: 138, top: 30, bottom: 44 };
const NARROW = { left: 38, right: 104, top: 28, bottom: 40 };
const NARROWEST = 480; // pixels of width below which there is less room
const TICKS = [0, 0.5, 1];

const TRAINING = new Map([
  ["all weights", "training all weights"],
  ["last layer", "training the last layer"],
  ["output only", "training the output only"],
  ["from scratch", "training from scratch"],
]);
const TAGS = new Map([
  [true, "b"],
  [false, "s"],
  [null, "span"],
]);

const whole = (share) => `${Math.round(100 * share)}%`;

/** What is written, word by word: what was told in ink, what is wrong struck. */
const written = (text) => text.flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]);

/** A runner at a step, in pieces of a sentence; those at odd places are set off. before: what it kept at first. */
export function told(way, step, learned, kept, before) {
  const when = step ? `After ${step} step${step > 1 ? "s" : ""}, ` : "Before step 1, ";
  const [then, now] = [whole(before), whole(kept)];
  const moved = then === now ? ["."] : [`, ${kept < before ? "down" : "up"} from `, then, "."];
  const gets = [when, TRAINING.get(way) ?? way, " gets ", whole(learned), " right in new dialogues"];
  const but = learned > 0.5 && before - kept > 0.1 ? ", but only " : " and ";
  return [...gets.slice(0, 4), `${gets[4]}${but}`, now, ` in old stories${moved[0]}`, ...moved.slice(1)];
}

/** The point of a path of points that is reached at a place which may lie between two of them. */
export function along(path, at) {
  const n = Math.min(path.length - 1, Math.max(0, Math.floor(at)));
  const next = path[Math.min(path.length - 1, n + 1)];
  return path[n].map((x, axis) => x + (at - n) * (next[axis] - x));
}

class Continuations {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.steps && this.put(put));
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.slider = slider("Step of the training", {}, (at) => this.go(at));
    this.step = el("output.step");
    this.finding = el("h2.finding");
    this.plane = new Plane((way) => this.choose(way));
    this.name = el("h3.way");
    this.talk = new Passage("A new dialogue", "dialogues");
    this.story = new Passage("An old story", "stories");
    const key = el("p.told", { "aria-hidden": "true" }, el("b", "as told"), " · ", el("s", "not told"));
    root.replaceChildren(
      el("div.headline", this.finding, this.play),
      el(
        "div.stage",
        this.plane.node,
        el("div.controls", this.slider, this.step),
        el("section.said", this.name, this.talk.node, this.story.node, key),
      ),
    );
    this.resized = () => this.steps && this.show(this.at);
  }

  destroy() {
    this.stop();
    this.ended?.();
  }

  update(data) {
    this.stop();
    const { race, trained, talk, story } = data;
    const isFirst = !this.steps;
    const share = isFirst ? 1 : this.at / this.last;
    Object.assign(this, { data, steps: talk.steps, last: talk.steps.length - 1 });
    this.opens = Math.max(0, this.steps.indexOf(race.opens)) || this.last;
    this.slider.max = String(this.last);
    this.usual = race.ways[0].way;
    if (isFirst) this.way = param("fine_runner");
    if (!race.ways.some(({ way }) => way === this.way)) this.way = this.usual;
    this.plane.take(race, Object.keys(trained));
    this.talk.begin(talk.begins);
    this.story.begin(story.begins);
    const asked = isFirst ? this.steps.indexOf(wholeParam("fine_race_step")) : -1;
    if (asked >= 0) this.show(asked);
    else if (!isFirst) this.show(Math.round(share * this.last));
    else if (!this.begin()) this.show(this.opens);
  }

  /** Which runner is taken and where it is, in the address. */
  put(put) {
    put("fine_runner", this.way, this.usual);
    put("fine_race_step", this.steps[Math.round(this.at)], this.steps[this.opens]);
  }

  /** The first beat is the training itself, until the first runner is there. */
  begin() {
    let stop;
    const begin = () => (stop = tween(BEAT, (share) => this.show(share * this.opens)));
    const end = () => {
      stop();
      this.show(this.opens);
    };
    this.ended = firstBeat("finetuning", BEAT, begin, end);
    return this.ended;
  }

  // ---- the training goes on ---------------------------------------------------------------------------------------

  get isOn() {
    return Boolean(this.halt);
  }

  stop() {
    this.halt?.();
    this.halt = null;
  }

  toggle() {
    this.link.later();
    if (this.isOn) {
      this.stop();
      return this.show(Math.round(this.at));
    }
    if (still()) return this.show(this.at === this.last ? 0 : this.last);
    const from = this.at === this.last ? 0 : this.at;
    const way = this.last - from;
    this.halt = tween(PAUSE * Math.max(6, way), (share) => this.goOn(from + share * way));
  }

  goOn(at) {
    this.show(at);
    if (at < this.last) return;
    this.stop();
    this.label();
    this.link.later();
  }

  go(at) {
    this.stop();
    this.show(at);
    this.link.later();
  }

  choose(way) {
    this.way = way;
    this.show(this.at);
    this.link.later();
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  /** at: which of the steps, or between two of them while it plays. */
  show(at) {
    this.at = Math.min(this.last, Math.max(0, at));
    const n = Math.round(this.at);
    const step = this.steps[n];
    put(this.root, { "data-step": step, "data-way": this.way });
    this.slider.value = String(n);
    this.step.textContent = step ? `after ${step} of ${this.steps[this.last]} steps` : "before step 1";
    this.slider.setAttribute("aria-valuetext", this.step.textContent);
    const { race } = this.data;
    const places = this.steps.map((one) => race.steps.indexOf(one));
    const [between] = along(
      places.map((place) => [place]),
      this.at,
    );
    this.plane.show(between, this.way);
    this.tell(n, step);
    this.label();
  }

  /** What the runner that is taken has learned and kept, and what it writes. */
  tell(n, step) {
    const { race, trained, tests, talk, story } = this.data;
    const now = race.steps.indexOf(step);
    const { learned, kept } = race.ways.find(({ way }) => way === this.way);
    const pieces = told(this.way, step, learned[now], kept[now], kept[0]);
    rewrite(this.finding, ...pieces.map((piece, at) => (at % 2 ? el("b", piece) : el("span", piece))));
    const [some, all] = trained[this.way];
    const part = some === all ? "all" : whole(some / all);
    const counted = `trains ${part === "all" ? "all " : ""}${some.toLocaleString("en")} parameters`;
    rewrite(this.name, el("b", this.way), " ", el("small", part === "all" ? counted : `${counted}, ${part} of all`));
    const text = ({ ways }) => ways.find(({ way }) => way === this.way).texts;
    this.talk.show(text(talk)[n], learned[now], tests);
    this.story.show(text(story)[story.steps.indexOf(step)], kept[now], tests);
  }

  label() {
    const next = this.at === this.last ? "▶ Train again" : "▶ Keep training";
    this.play.textContent = this.isOn ? "❚❚ Pause" : next;
  }
}

/** What is learned to the right, what is kept upwards: a dot per model, with its trail and its name. */
class Plane {
  constructor(choose) {
    this.choose = choose;
    this.back = svg("g");
    this.front = svg("g");
    this.drawing = svg("svg", { "aria-hidden": "true" }, this.back, this.front);
    this.labels = el("div.labels", { role: "group", "aria-label": "The five ways: right in dialogues, in stories" });
    this.node = el("div.plane", this.drawing, this.labels);
  }

  /** order: of the buttons, which the keyboard walks. */
  take(race, order) {
    this.runners = order.map((way) => {
      const { learned, kept } = race.ways.find((one) => one.way === way);
      const label = el("button.label", { "data-way": way, onclick: () => this.choose(way) }, el("b", way));
      return { way, label, shares: learned.map((share, n) => [share, kept[n]]) };
    });
    this.labels.replaceChildren(...this.runners.map(({ label }) => label));
  }

  show(at, taken) {
    const { width, height } = boxOf(this.node);
    if (!width) return;
    const room = width < NARROWEST ? NARROW : ROOM;
    const [wide, high] = [width - room.left - room.right, height - room.top - room.bottom];
    const place = ([learned, kept]) => [room.left + learned * wide, room.top + (1 - kept) * high];
    const box = `0 0 ${width} ${height}`;
    if (this.drawing.getAttribute("viewBox") !== box)
      this.back.replaceChildren(...backOf(place, { width, height, room }));
    put(this.drawing, { viewBox: box });
    const runners = this.runners.map((one) => ({ ...one, path: one.shares.map(place), isTaken: one.way === taken }));
    for (const one of runners) one.dot = along(one.path, at);
    for (const column of groupsOf(runners)) {
      if (column.length === 1) column[0].end = besideOf(column[0].dot, height - room.bottom);
      else stack(column, room.top + 14, height - room.bottom - LABEL / 2);
    }
    const last = runners.filter(({ isTaken }) => !isTaken).concat(runners.filter(({ isTaken }) => isTaken));
    this.front.replaceChildren(...last.flatMap((one) => trailOf(one, at)), ...last.flatMap((one) => this.dotOf(one)));
    for (const one of runners) this.name(one, width, at);
  }

  dotOf({ way, dot: [cx, cy], end: [x, y], isTaken, isLed }) {
    const circle = svg("circle.dot", { cx, cy, r: isTaken ? 11 : 7, onclick: () => this.choose(way) });
    circle.classList.toggle("taken", isTaken);
    return isLed ? [svg("line.leader", { x1: cx, y1: cy, x2: x - 2, y2: y }), circle] : [circle];
  }

  name({ label, way, shares, end: [x, y], isTaken }, width, at) {
    const [learned, kept] = along(shares, Math.round(at)).map(whole);
    put(label, {
      "aria-pressed": isTaken,
      "aria-label": `${way}: ${learned} right in dialogues, ${kept} right in stories`,
      style: `left: ${x.toFixed(1)}px; max-width: ${Math.max(80, width - x).toFixed(1)}px; top: ${y.toFixed(1)}px`,
    });
  }
}

/** Runners whose names would cover one another: those near to each other, or to one that is. */
export function groupsOf(runners) {
  const groups = [];
  const isNear = ({ dot: a }, { dot: b }) => Math.abs(a[0] - b[0]) < NAME && Math.abs(a[1] - b[1]) < LABEL;
  for (const one of runners) {
    const near = groups.filter((group) => group.some((other) => isNear(one, other)));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), one]);
  }
  return groups;
}

/** Where the name of a runner stands that is alone: below its dot, which trails reach from above, or else above it. */
const besideOf = ([x, y], bottom) => [x - 12, y + (y + 1.6 * LABEL < bottom ? 1 : -1) * LABEL];

/** Names of a group in one column, to the right of all its dots. */
function stack(group, top, bottom) {
  const x = Math.max(...group.map(({ dot }) => dot[0])) + 24;
  const tops = apart(
    group.map(({ dot }) => dot[1]),
    LABEL,
    top,
    bottom,
  );
  group.forEach((one, n) => Object.assign(one, { end: [x, tops[n]], isLed: true }));
}

/** The frame of the plane, its axes, and where one would like to be. */
function backOf(place, { width, height, room }) {
  const [[left, bottom], [right, top]] = [place([0, 0]), place([1, 1])];
  const ticks = TICKS.flatMap((share) => {
    const [x, y] = place([share, share]);
    return [
      svg("line", { x1: x, x2: x, y1: top, y2: bottom }),
      svg("line", { x1: left, x2: right, y1: y, y2: y }),
      svg("text", { x, y: bottom + 19, "text-anchor": "middle" }, whole(share)),
      svg("text", { x: left - 8, y: y + 5, "text-anchor": "end" }, whole(share)),
    ];
  });
  const goal = width < NARROWEST ? "" : "learns all and forgets nothing";
  return [
    ...ticks,
    svg("text.axis", { x: (left + right) / 2, y: height - 4, "text-anchor": "middle" }, "right in new dialogues →"),
    svg("text.axis", { x: 2, y: room.top - 13 }, "↑ right in old stories"),
    svg("text", { x: right - 16, y: top + 5, "text-anchor": "end" }, goal),
    svg("circle.goal", { cx: right, cy: top, r: 8 }),
  ];
}

/** The way that a dot has gone. */
function trailOf({ path, dot, isTaken }, at) {
  const trail = svg("polyline.past", { points: [...path.slice(0, Math.floor(at) + 1), dot].join(" ") });
  trail.classList.toggle("taken", isTaken);
  return trail;
}

/** The end of a text, from a whole word on: what comes after it has to have room. */
export function endOf(text, most = 110) {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `… ${end.slice(end.indexOf(" ") + 1)}`;
}

/** How a text goes on: its beginning in quiet letters, what was written in large ones, and how much is right in all. */
class Passage {
  constructor(kind, kinds) {
    this.kinds = kinds;
    this.right = el("output");
    this.begins = el("span.begins");
    this.text = el("span.text");
    this.node = el("div.passage", el("p.kind", kind, this.right), el("p.letters", this.begins, this.text));
  }

  begin(text) {
    rewrite(this.begins, endOf(text));
    this.begins.title = text;
  }

  show(text, share, tests) {
    this.right.textContent = `${whole(share)} right in ${tests} ${this.kinds}`;
    this.text.replaceChildren(...written(text));
  }
}

export default mount(".continuations", Continuations);
