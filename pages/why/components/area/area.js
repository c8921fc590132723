// The area: a square of n x n beside a strip of n x d, to one scale. The right edge drags n, the dashed line d.

import { el, mount, svg } from "../../../../attention_view/lab.js";

const SIZE = 400; // of the drawing, in its own units
const LEFT = 84;
const BELOW = 38;
const ROOM = 1.16; // how much more than the larger side fits

const UNITS = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];

/** A large number in words: 537 million. */
export function inWords(x) {
  for (const [size, name] of UNITS) if (x >= size) return `${Number((x / size).toPrecision(3))} ${name}`;
  return Math.round(x).toLocaleString("en");
}

/** "33.6 MB"; a kB is 1000 B. */
export function inBytes(x) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  while (x >= 1000 && units.length > 1) {
    x /= 1000;
    units.shift();
  }
  return `${x < 1000 ? Number(x.toPrecision(3)) : Math.round(x).toLocaleString("en")} ${units[0]}`;
}

/** The option that is nearest on a logarithmic scale. */
export const nearest = (value, options) =>
  options.reduce((a, b) => (Math.abs(Math.log(b / value)) < Math.abs(Math.log(a / value)) ? b : a));

/** "twice as many", "1/3 as many", by what one is of the other. */
export function times(ratio) {
  if (ratio === 1) return "as many";
  if (ratio === 2 || ratio === 0.5) return ratio > 1 ? "twice as many" : "half as many";
  const text = ratio > 1 ? ratio : 1 / ratio;
  const short = text >= 10 ? Math.round(text).toLocaleString("en") : Number(text.toPrecision(2));
  return ratio > 1 ? `${short} times as many` : `1/${short} as many`;
}

const whole = (x) => Math.round(x).toLocaleString("en");

class Area {
  constructor(root) {
    this.root = root;
    this.drawing = svg("svg", { viewBox: `0 0 ${LEFT + SIZE + 14} ${SIZE + BELOW}`, role: "group" });
    this.ground = svg("rect.ground", { x: LEFT, y: 0, width: SIZE, height: SIZE });
    this.square = svg("rect.square");
    this.strip = svg("rect.strip");
    this.ghosts = svg("g");
    this.cross = svg("path.cross");
    this.crossing = svg("circle.crossing", { r: 6 });
    this.texts = svg("g");
    this.grips = { n: this.grip("n", "Words n", "lengths"), d: this.grip("d", "Width d", "widths") };
    this.drawing.append(
      this.ground,
      this.ghosts,
      this.strip,
      this.square,
      this.cross,
      this.crossing,
      this.texts,
      this.grips.n,
      this.grips.d,
    );
    this.facts = el("dl");
    root.replaceChildren(el("div.picture", this.drawing), this.facts);
  }

  /** A side that can be dragged, or moved with the arrow keys. */
  grip(side, label, options) {
    return svg("circle", {
      r: 9,
      class: `grip ${side}`,
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      onpointerdown: (event) => this.hold(event, side),
      onpointermove: (event) => this.held === side && this.drag(event, side),
      onpointerup: () => this.drop(side),
      onpointercancel: () => this.drop(side),
      onkeydown: (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const all = this[options];
        const at = all.indexOf(nearest(this[side], all)) + by;
        if (all[at] !== undefined) this.send(side, all[at]);
      },
    });
  }

  update({ n, d, heads, lengths, widths }, { setTriggerValue }) {
    Object.assign(this, { n, d, heads, lengths, widths, tell: setTriggerValue });
    this.unit = SIZE / (ROOM * Math.max(n, d)); // of the drawing, for one word
    this.draw();
  }

  hold(event, side) {
    this.held = side;
    event.target.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  drag(event, side) {
    const box = this.drawing.getBoundingClientRect();
    const scale = (LEFT + SIZE + 14) / box.width;
    const at = side === "n" ? (event.clientX - box.left) * scale - LEFT : SIZE - (event.clientY - box.top) * scale;
    const options = side === "n" ? this.lengths : this.widths;
    const most = Math.min(options.at(-1), SIZE / this.unit);
    this[side] = Math.min(most, Math.max(options[0], at / this.unit));
    this.draw();
  }

  drop(side) {
    if (this.held !== side) return;
    this.held = null;
    this.send(side, nearest(this[side], side === "n" ? this.lengths : this.widths));
  }

  send(side, value) {
    this[side] = value;
    this.draw();
    this.tell(side, value);
  }

  draw() {
    const { n, d, unit } = this;
    const floor = SIZE;
    const rect = (node, width, height) => {
      node.setAttribute("x", LEFT);
      node.setAttribute("y", floor - height * unit);
      node.setAttribute("width", width * unit);
      node.setAttribute("height", height * unit);
    };
    rect(this.square, n, n);
    rect(this.strip, n, d);
    const halves = [n / 2, n / 4, n / 8].filter((side) => side * unit > 12);
    this.ghosts.replaceChildren(
      ...halves.map((side) => {
        const ghost = svg("rect.ghost");
        rect(ghost, side, side);
        return ghost;
      }),
    );
    const level = floor - d * unit;
    const end = LEFT + n * unit;
    this.cross.setAttribute("d", `M${LEFT} ${level} H${LEFT + SIZE} M${LEFT + d * unit} ${floor} V${level}`);
    this.crossing.setAttribute("cx", LEFT + d * unit);
    this.crossing.setAttribute("cy", level);
    this.place(this.grips.n, end, floor, n);
    this.place(this.grips.d, LEFT, level, d);
    const text = (x, y, words, more = "") => svg("text", { x, y, class: more }, words);
    const wide = n * unit > 130; // whether a name has room within
    const names = [
      ["attention: n × n", "strong weight", floor - n * unit],
      ["recurrent: n × d", "strong", level],
    ].sort((a, b) => a[2] - b[2]);
    const tops = wide ? [names[0][2] + 22, Math.max(names[1][2] + 22, names[0][2] + 44)] : [floor - 30, floor - 10];
    this.texts.replaceChildren(
      ...[
        text(Math.max(LEFT + 34, end), floor + 27, `n = ${whole(n)} words`, "middle"),
        text(LEFT - 13, level + 5, `d = ${whole(d)}`, "end"),
        ...names.map(([name, more], at) =>
          text(wide ? LEFT + 12 : end + 16, Math.min(tops[at], floor - 8 - 20 * (1 - at)), name, more),
        ),
        Math.abs(n - d) * unit > 40 && d * unit > 60 ? text(LEFT + d * unit + 8, level + 20, "n = d") : null,
      ].filter(Boolean),
    );
    this.list();
    this.drawing.setAttribute(
      "aria-label",
      `${whole(n)} words at width ${whole(d)}: attention is a square of ${whole(n)} by ${whole(n)},` +
        ` a recurrent layer a strip of ${whole(n)} by ${whole(d)}.`,
    );
    Object.assign(this.root.dataset, { n: Math.round(n), d: Math.round(d) });
  }

  place(grip, x, y, value) {
    grip.setAttribute("cx", x);
    grip.setAttribute("cy", y);
    const options = grip === this.grips.n ? this.lengths : this.widths;
    grip.setAttribute("aria-valuemin", options[0]);
    grip.setAttribute("aria-valuemax", options.at(-1));
    grip.setAttribute("aria-valuenow", Math.round(value));
  }

  list() {
    const { n, d, heads } = this;
    const rows = [
      ["Multiplications", `${inWords(n * n * d)}`, `${inWords(n * d * d)}`, "n² · d", "n · d²"],
      [
        "Memory",
        inBytes(4 * heads * n * n),
        inBytes(4 * n * d),
        `${heads} squares of 4 bytes per cell`,
        "one state per word",
      ],
      ["Sequential steps", "1", whole(n), "all rows at once", "each needs the one before"],
    ];
    this.facts.replaceChildren(
      el("div.head", el("dt", "One layer"), el("dd", "attention"), el("dd", "recurrent")),
      ...rows.map(([name, one, other, why, because]) =>
        el(
          "div",
          el("dt", name),
          el("dd", { class: name === "Memory" ? "weight" : null }, one, el("small", why)),
          el("dd", other, el("small", because)),
        ),
      ),
      el(
        "div.verdict",
        el("dt", "So"),
        el("dd", `attention takes ${times(n / d)} multiplications as a recurrent layer`),
      ),
    );
  }
}

export default mount(".area", Area);
