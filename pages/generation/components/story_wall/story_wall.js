// A hundred texts, a line each and a cell for every word: slate as long as it is right, amber where it goes wrong,
// faint from there on. The text of a line is read beside the wall.
//
// The temperature is dragged here. A wall that has come once is kept; the server draws the others one by one, those
// that are nearest first, once somebody touches the slider.

import { el, mirror, mount, pointIn, svg, write } from "../../../../attention_view/lab.js";
import { inRow, slider } from "../../../../attention_view/controls.js";

const words = (text) => text.split(/\s+/).filter(Boolean);

/** Lines with their words counted, those that are right the longest first: whole ones, then by the first wrong word. */
export function sorted(lines) {
  const counted = lines.map((line, number) => {
    const [good, rest] = [words(line.right), words(line.rest)];
    return { ...line, number, good: good.length, all: good.length + rest.length, wrong: rest[0] ?? "" };
  });
  const isWhole = ({ wrong }) => (wrong ? 0 : 1);
  return counted.sort((a, b) => isWhole(b) - isWhole(a) || b.good - a.good || a.number - b.number);
}

/** Which temperature to ask for: the one that is shown, else, if all are wanted, the nearest one; null for none. */
export function missing(temperatures, known, shown, wantsAll) {
  const order = temperatures.map((t, n) => [Math.abs(n - shown), n, t]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const next = order.find(([, , t]) => !known.has(t));
  return next && (wantsAll || next[0] === 0) ? next[2] : null;
}

class StoryWall {
  constructor(root) {
    this.root = root;
    this.walls = new Map(); // by temperature
    this.link = mirror((put) => put("gen_left", this.temperature, 1), 200);
    this.heat = slider("Temperature of all texts", { max: 0, class: "heat" }, (n) => this.show(n));
    for (const touch of ["pointerdown", "focus"]) this.heat.addEventListener(touch, () => this.want());
    this.heated = el("output");
    this.title = el("p.title");
    this.wall = svg("svg.wall", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.frame = el(
      "div.frame",
      {
        tabindex: "0",
        role: "slider",
        "aria-label": "Text that is read",
        "aria-valuemin": "1",
        onpointermove: (event) => this.point(event),
        onpointerdown: (event) => this.point(event),
        onkeydown: (event) => this.walk(event),
      },
      this.wall,
    );
    this.story = el("p.story", { role: "status" });
    const axis = el("p.axis", el("span", "first word"), el("span", "words →"));
    const knob = el("label.knob", "Temperature", this.heat, this.heated);
    root.replaceChildren(knob, el("div.sheet", el("div", this.title, this.frame, axis), this.story));
  }

  update(data, { setStateValue }) {
    this.ask = (temperature) => setStateValue("asked", { of: data.of, temperature });
    const { of, temperatures, opens, temperature } = data;
    const isNew = of !== this.of;
    if (isNew) this.walls.clear();
    this.walls.set(temperature, data);
    if (this.asked === temperature || isNew) this.asked = null;
    this.temperatures = temperatures;
    this.heat.max = String(temperatures.length - 1);
    const isOpened = isNew || opens !== this.opens;
    Object.assign(this, { of, opens });
    this.show(isOpened ? temperatures.indexOf(opens) : this.n);
  }

  get temperature() {
    return this.temperatures[this.n];
  }

  /** Somebody is about to drag: all temperatures are wanted. */
  want() {
    this.wantsAll = true;
    this.next();
  }

  next() {
    const wanted = missing(this.temperatures, this.walls, this.n, this.wantsAll);
    if (wanted === null || this.asked != null) return; // one at a time
    this.asked = wanted;
    this.ask(wanted);
  }

  /** Show the texts at the nth temperature, or, until they have come, those that are there, faint. */
  show(n) {
    if (this.n !== undefined && n !== this.n) this.link.later();
    this.n = n;
    this.heat.value = String(n);
    this.heat.setAttribute("aria-valuetext", `temperature ${this.temperature}`);
    write(this.heated, String(this.temperature));
    const wall = this.walls.get(this.temperature);
    this.root.classList.toggle("waits", !wall);
    this.root.dataset.temperature = String(this.temperature);
    if (!wall) write(this.title, "The model writes a hundred texts …");
    else if (wall !== this.data) this.put(wall);
    else write(this.title, wall.said);
    this.next();
  }

  put(wall) {
    const read = this.data?.of === wall.of ? this.lines[this.line].number : null;
    this.data = wall;
    this.lines = sorted(wall.lines);
    write(this.title, wall.said);
    this.build();
    // The same text is read on: with the same random numbers it is the same story, hotter or colder.
    const same = this.lines.findIndex(({ number }) => number === read);
    const wrong = this.lines.findIndex((line) => line.wrong);
    this.read(same >= 0 ? same : Math.max(0, wrong));
    this.root.dataset.lines = String(this.lines.length);
  }

  build() {
    const longest = Math.max(1, ...this.lines.map(({ all }) => all));
    const n = this.lines.length;
    this.wall.setAttribute("viewBox", `0 0 ${longest} ${n}`);
    this.frame.setAttribute("aria-valuemax", n);
    const cells = this.lines.flatMap(({ good, all, wrong }, y) => {
      const bar = (kind, x, width) => (width > 0 ? [svg(`rect.${kind}`, { x, y: y + 0.12, width, height: 0.76 })] : []);
      const kind = this.data.graded ? "good" : "ended";
      return [
        ...bar(kind, 0, good),
        ...(wrong ? [...bar("wrong", good, 1), ...bar("after", good + 1, all - good - 1)] : []),
      ];
    });
    this.at = svg("rect.at", { x: 0, width: longest, height: 1.5 });
    this.wall.replaceChildren(...cells, this.at);
  }

  point(event) {
    const y = pointIn(event, this.frame)[1] / this.frame.clientHeight;
    this.read(Math.max(0, Math.min(this.lines.length - 1, Math.floor(y * this.lines.length))));
  }

  walk(event) {
    const next = inRow(event, this.line, this.lines.length);
    if (next === null) return;
    event.preventDefault();
    this.read(next);
  }

  /** Show the text of a line. */
  read(line) {
    this.line = line;
    this.at.setAttribute("y", line - 0.25);
    const { right, rest, wrong, fate, good } = this.lines[line];
    const after = rest.slice(rest.indexOf(wrong) + wrong.length);
    const said = wrong ? `wrong from word ${good + 1} on` : fate;
    this.frame.setAttribute("aria-valuenow", line + 1);
    this.frame.setAttribute("aria-valuetext", `Text ${line + 1}: ${said}`);
    const glue = /^[.,?!]/.test(wrong) || !right ? "" : " ";
    this.story.replaceChildren(
      el("small", said),
      right,
      ...(wrong ? [glue, el("b", wrong), el("span.after", after)] : []),
    );
  }
}

export default mount(".story-wall", StoryWall);
