// One sentence, and two translations of it: above with all plugs in, below without one. Threads are as thick as the
// attention weight; grey where nothing comes through them any more.

import { el, fixed, mount, svg, windowHeight } from "../../../../attention_view/lab.js";
import { column, fits, LEAST, row, thread, way } from "../thread_lines.js";

const MARGIN = 92; // for the cable at the left
const wide = (word) => 20 + 7.8 * word.length;
const NAMES = ["with all plugs in", "without"];

class PulledPlug {
  constructor(root) {
    this.root = root;
    this.lines = svg("svg.lines", { "aria-hidden": "true" });
    this.words = el("div.words");
    this.stage = el("div.stage", this.lines, this.words);
    this.say = el("p.say", { role: "status" });
    root.replaceChildren(this.stage, this.say);
    this.resized = () => this.width !== this.stage.clientWidth && this.paint();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.stage.classList.toggle("changed", Boolean(this.signature));
    this.signature = signature;
    this.data = data;
    this.focus = null;
    this.paint();
  }

  /** Where the three rows of words stand; columns where there is no room for rows. */
  place(rows) {
    const width = (this.width = this.stage.clientWidth);
    const room = width - MARGIN;
    const upright = width < 620 || !rows.every((words) => fits(words, room, wide, 2));
    if (upright) {
      const most = Math.max(...rows.map((words) => words.length));
      const places = rows.map((words, n) => column(words, width * [0.15, 0.5, 0.85][n], 44, 34, most));
      return { upright, height: 60 + most * 34, rows: places };
    }
    const height = Math.max(372, Math.min(760, windowHeight(this.root) - 348));
    const at = [38, height / 2, height - 38];
    return { upright, height, rows: rows.map((words, n) => row(words, at[n], room, MARGIN)) };
  }

  paint() {
    const { source, sides, plug } = this.data;
    const rows = [sides[0].words, source, sides[1].words];
    const placed = (this.placed = this.place(rows));
    if (!this.width) return;
    this.stage.style.height = `${placed.height}px`;
    this.stage.classList.toggle("upright", placed.upright);
    this.lines.setAttribute("viewBox", `0 0 ${this.width} ${placed.height}`);
    const same = sides[0].words.join(" ") === sides[1].words.join(" ");
    const chips = rows.flatMap((words, r) =>
      words.map((word, n) => this.chip(word, r, n, r === 2 && !same && sides[0].words[n] !== word)),
    );
    const tag = (text, style) => el("span.tag", { style }, text);
    const below = plug ? `without ${plug}` : "nothing pulled";
    const sentence = "left:50%;top:0;transform:translateX(-50%)";
    const tags = placed.upright
      ? [tag(NAMES[0], "left:8px;top:0"), tag("the sentence", sentence), tag(below, "right:8px;top:0")]
      : [tag(NAMES[0], "left:12px;top:0"), tag(below, "left:12px;bottom:0")];
    this.words.replaceChildren(...tags, ...chips);
    this.paintThreads();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  chip(word, r, n, isOther) {
    const { x, y } = this.placed.rows[r][n];
    const [point, leave] = [() => this.point([r, n]), () => this.point(null)];
    const listeners = { onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave, onclick: point };
    const props = { style: `left:${x}px;top:${y}px`, title: word, "data-word": `${"wsa"[r]}${n}` };
    const classes = `word ${r === 1 ? "source" : "target"}${isOther ? " other" : ""}`;
    return el("button", { class: classes, ...props, ...listeners }, word);
  }

  path(side, i, j) {
    const { upright, rows } = this.placed;
    const sign = side ? 1 : -1;
    return way(rows[1][j], rows[side ? 2 : 0][i], upright, [34 * sign, 18 * sign]);
  }

  /** The cable that the decoder hangs on: whole above, pulled below. */
  cable() {
    const { upright, rows } = this.placed;
    if (upright) return [];
    const [top, middle, bottom] = rows.map((row) => row[0].y),
      x = 46;
    const cord = (from, to) => svg("path.cord", { d: `M${x} ${from}V${to}` });
    const socket = (y) => svg("path.body", { d: `M${x - 9} ${y}h18v-7a9 9 0 0 0 -18 0z` });
    const plug = (y, prongs) => [
      ...(prongs ? [svg("path.prong", { d: `M${x - 4} ${y}v-8M${x + 4} ${y}v-8` })] : []),
      svg("path.body", { d: `M${x - 9} ${y}h18v7a9 9 0 0 1 -18 0z` }),
    ];
    const at = (middle + bottom) / 2,
      up = (top + middle) / 2,
      gap = this.data.plug ? 17 : 0;
    return [
      cord(top + 4, up - 14),
      cord(up + 14, middle - 2),
      socket(up),
      ...plug(up, false),
      cord(middle + 2, at - gap - 14),
      cord(at + gap + 14, bottom - 4),
      socket(at - gap),
      ...plug(at + gap, gap > 0),
      svg("circle.joint", { cx: x, cy: middle, r: 4 }),
    ];
  }

  point(word) {
    if (String(word) === String(this.focus)) return;
    this.focus = word;
    this.paintThreads();
  }

  paintThreads() {
    const { sides, carries, plug } = this.data,
      { focus } = this;
    const seen = (side, i, j) => {
      if (!focus) return true;
      const [row, n] = focus;
      return row === 1 ? j === n : row === (side ? 2 : 0) && i === n;
    };
    const kind = (side) => (side ? (carries ? "thread ablated" : "thread nothing") : "thread");
    const lines = sides.flatMap(({ weights }, side) =>
      weights.flatMap((weightsOf, i) =>
        weightsOf.flatMap((w, j) =>
          w >= LEAST && seen(side, i, j) ? [thread(this.path(side, i, j), w, kind(side))] : [],
        ),
      ),
    );
    this.lines.replaceChildren(...this.cable(), ...lines);
    this.say.textContent = this.told(sides, plug, carries);
    this.root.dataset.threads = String(lines.length);
  }

  told(sides, plug, carries) {
    const { source, layer } = this.data,
      { focus } = this;
    if (!focus)
      return (
        `Threads: attention weights of the decoder's layer ${layer}, the mean of its heads` +
        `${plug && !carries ? "; grey where nothing comes through them" : ""}.` +
        " Hover over a word, or tap it, to see its own."
      );
    const [row, n] = focus;
    if (row === 1) return `${source[n]}: the words above and below that look at it.`;
    const side = row === 2 ? 1 : 0,
      weights = sides[side].weights[n];
    const best = weights.indexOf(Math.max(...weights));
    const where = side && plug ? `Without ${plug}, to` : "To";
    return `${where} write ${sides[side].words[n]}, it looks most at ${source[best]} (${fixed(weights[best])}).`;
  }
}

export default mount(".pulled-plug", PulledPlug);
