// Words in two rows, or in two columns where there is little room, and the threads between them.

import { el, fixed, pointIn, roomOf, svg, UNREAD, windowHeight } from "../../../../attention_view/lab.js";
import { column, fits, growth, LEAST, row, thread, way } from "../thread_lines.js";

const wide = (word) => Math.min(160, 22 + 8.8 * word.length);
const [MOST, LEAST_TALL] = [36, 20]; // pixels of a word in a column
const AROUND = 185; // pixels that stand above the columns

/** As tall as the window lets it be. */
const tall = (node) => Math.max(292, Math.min(860, windowHeight(node) - 292));

/** How much of a column a word takes: all of them fit into the window, if they stay legible. */
export const lineOf = (most, window) =>
  Math.max(LEAST_TALL, Math.min(MOST, Math.floor((window - AROUND) / (most + 1))));

/** Where words stand, in two rows if there is room, else in two columns: {upright, width, height, source, target}. */
function placesOf({ source, target }, node) {
  const width = node.clientWidth;
  const upright = width < 520 || ![source, target].every((words) => fits(words, width, wide, 4));
  if (upright) {
    const most = Math.max(source.length, target.length);
    const line = lineOf(most, windowHeight(node));
    const at = (words, share) => column(words, width * share, line / 2, line, most);
    const [left, right] = [at(source, 0.34), at(target, 0.66)];
    return {
      upright,
      width,
      height: line * (1 + most),
      source: left,
      target: right,
      line,
      grown: Math.max(0.77, Math.min(1, line / 32)),
    };
  }
  const height = tall(node);
  const grown = Math.min(...[source, target].map((words) => growth(words, width, wide)));
  const [top, low] = [30 + 17 * grown, height - 26 - 17 * grown];
  return { upright, width, height, source: row(source, top, width), target: row(target, low, width), grown };
}

export class Stage {
  /** threads: has the data and what is chosen; point() and pick() hear of words */
  constructor(threads) {
    this.threads = threads;
    this.lines = svg("svg.lines", { "aria-hidden": "true" });
    this.words = el("div.words");
    this.node = el("div.stage", this.lines, this.words);
  }

  /** Puts the words where they stand. */
  build() {
    const { data } = this.threads;
    const place = (this.placed = placesOf(data, this.node));
    this.width = place.width;
    this.room = roomOf(this.node);
    if (!this.width) return;
    this.node.style.height = `${place.height}px`;
    this.node.style.setProperty("--grown", place.grown);
    this.node.style.setProperty("--line", `${place.line ?? MOST}px`);
    this.node.classList.toggle("upright", place.upright);
    this.lines.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
    this.chips = {
      s: data.source.map((word, j) => this.chip("s", j, word)),
      t: data.target.map((word, i) => this.chip("t", i, word)),
    };
    this.words.replaceChildren(...(place.upright ? [] : this.tags()), ...this.chips.s, ...this.chips.t);
  }

  chip(side, at, text) {
    const kind = side === "s" ? "source" : "target";
    const { x, y } = this.placed[kind][at];
    const point = () => this.threads.point([side, at]);
    const leave = () => this.threads.point(null);
    const onpointerdown = (event) => this.threads.pull(side, at, event);
    const listeners = { onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave, onpointerdown };
    const isUnread = side === "s" && this.threads.data.unread[at];
    const onkeydown = (event) => side === "s" && this.threads.step(at, event);
    const title = isUnread ? UNREAD : side === "s" ? `${text}: drag it elsewhere, or Shift and an arrow key` : text;
    const props = { style: `left:${x}px;top:${y}px`, title, "data-word": `${side}${at}` };
    const onclick = () => this.threads.pick(side, at);
    return el(
      `button.word.${kind}${isUnread ? ".unread" : ""}`,
      { ...props, ...listeners, onclick, onkeydown },
      el("span", text),
      el("small"),
    );
  }

  /** What the two rows are. */
  tags() {
    return [
      el("span.tag.source", { style: "top:0" }, "the sentence: keys and values"),
      el("span.tag.target", { style: "bottom:0" }, "the translation: queries"),
    ];
  }

  /** From source token j to target token i. */
  path(i, j) {
    const { upright, source, target, grown } = this.placed;
    return way(source[j], target[i], upright, [6, 4 + 16 * grown]);
  }

  /** Draws threads [[i, j, weight, how faint]], and over them the right ones and a guess: [[i, j, kind]]. */
  weave(threads, marks) {
    const sorted = [...threads].sort((a, b) => a[2] - b[2]);
    const lines = sorted.map(([i, j, w, faint]) =>
      thread(this.path(i, j), w, "thread", faint, {
        "data-pair": `${i} ${j}`,
        pathLength: 1,
        style: `--at:${i / this.placed.target.length}`,
      }),
    );
    this.lines.replaceChildren(
      ...lines,
      ...marks.map(([i, j, kind]) => svg("path", { class: kind, d: this.path(i, j) })),
    );
  }

  /** Which word of a side is under a pointer; -1 for none. */
  under(side, { clientX: x, clientY: y }) {
    return this.chips[side].findIndex((chip) => {
      const box = chip.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
  }

  /** A word of the sentence is as far along the others as the pointer is from where it took it. The order of all. */
  carry(at, from, to) {
    const { upright, source } = this.placed;
    const [along, edge, axis] = upright ? ["y", "top", 1] : ["x", "left", 0];
    const chip = this.chips.s[at];
    this.start = chip.classList.contains("carried") ? this.start : source[at][along];
    source[at][along] = this.start + pointIn(to, this.node)[axis] - pointIn(from, this.node)[axis];
    chip.classList.add("carried");
    chip.style[edge] = `${source[at][along]}px`;
    return [...source.keys()].toSorted((a, b) => source[a][along] - source[b][along]);
  }

  /** A thread from this word to the pointer, which is over a word of the other side or over none; null: let go. */
  pull(from, event, over = -1) {
    this.pulled?.remove();
    for (const chip of [...this.chips.s, ...this.chips.t]) chip.classList.remove("aimed");
    if (!from) return;
    const [side, at] = from;
    const [x, y] = pointIn(event, this.node);
    const { upright, source, target, grown } = this.placed;
    const [first, last] = side === "s" ? [source[at], { x, y }] : [{ x, y }, target[at]];
    const d = way(first, last, upright, [0, side === "s" ? 16 * grown : 0]);
    this.pulled = svg("path.mine.pulled", { d });
    this.lines.append(this.pulled);
    if (over >= 0) this.chips[side === "s" ? "t" : "s"][over].classList.add("aimed");
  }

  /** How a word looks: whether everything points at it, and its weight if it has one. */
  dress(side, at, on, weight) {
    const chip = this.chips[side][at];
    chip.classList.toggle("on", on);
    chip.classList.toggle("faint", !on && weight !== null && weight < LEAST);
    chip.style.setProperty("--share", `${Math.round(100 * (weight ?? 0))}%`);
    chip.querySelector("small").textContent = weight !== null && weight >= LEAST ? fixed(weight) : "";
  }
}
