// Words in two rows, or in two columns where there is little room, and the threads between them.

import { el, fixed, svg, UNREAD, windowHeight } from "../../../../attention_view/lab.js";
import { column, fits, LEAST, row, thread, way } from "../thread_lines.js";

const LOOP = 76; // pixels below the words for what is read back in

/** "once", "twice", "3 times" */
export const times = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);

const wide = (word) => Math.min(160, 22 + 8.8 * word.length);
/** As tall as the window lets it be. */
const tall = (node) => Math.max(292, Math.min(860, windowHeight(node) - 336));

/** Where words stand, in two rows if there is room, else in two columns: {upright, width, height, source, target}. */
function placesOf({ source, target }, node, isPlaying) {
  const width = node.clientWidth;
  const upright = width < 520 || ![source, target].every((words) => fits(words, width, wide, 4));
  if (upright) {
    const most = Math.max(source.length, target.length);
    const [left, right] = [column(source, width * 0.34, 18, 36, most), column(target, width * 0.66, 18, 36, most)];
    return { upright, width, height: 36 + most * 36, source: left, target: right };
  }
  const height = tall(node) + (isPlaying ? 22 : 0); // a row of tools is less there
  if (!isPlaying)
    return { upright, width, height, source: row(source, 46, width), target: row(target, height - 42, width) };
  // Both begin at the same column: there are words yet to come.
  const most = Math.max(source.length, target.length);
  const across = (words, y) =>
    row(
      Array.from({ length: most }, (_, n) => words[n] ?? ""),
      y,
      width,
    ).slice(0, words.length);
  return { upright, width, height, source: across(source, 60), target: across(target, height - 42 - LOOP) };
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
    const { data, playing } = this.threads;
    const place = (this.placed = placesOf(data, this.node, playing));
    this.width = place.width;
    if (!this.width) return;
    this.node.style.height = `${place.height}px`;
    this.node.classList.toggle("upright", place.upright);
    this.lines.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
    this.chips = {
      s: data.source.map((word, j) => this.chip("s", j, word)),
      t: data.target.map((word, i) => this.chip("t", i, word)),
    };
    this.words.replaceChildren(...(place.upright ? [] : this.tags()), ...this.chips.s, ...this.chips.t);
    if (playing && !place.upright) this.words.append(...this.runs());
  }

  chip(side, at, text) {
    const kind = side === "s" ? "source" : "target";
    const { x, y } = this.placed[kind][at];
    const point = () => this.threads.point([side, at]);
    const leave = () => this.threads.point(null);
    const listeners = { onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave };
    const isUnread = side === "s" && this.threads.data.unread[at];
    const title = isUnread ? UNREAD : text;
    const props = { style: `left:${x}px;top:${y}px`, title, "data-word": `${side}${at}` };
    const onclick = () => this.threads.pick(side, at);
    return el(
      `button.word.${kind}${isUnread ? ".unread" : ""}`,
      { ...props, ...listeners, onclick },
      el("span", text),
      el("small"),
    );
  }

  /** What the two rows are. */
  tags() {
    if (this.threads.playing) return [];
    return [
      el("span.tag.source", { style: "top:0" }, "the sentence: keys and values"),
      el("span.tag.target", { style: "bottom:0" }, "the translation: queries"),
    ];
  }

  /** How often encoder and decoder ran: the decoder so far, and in all. */
  runs() {
    const { encoder, decoder } = this.threads.ran;
    return [
      el("span.tag.source", { style: "top:0" }, `Encoder: ran ${encoder}`),
      el("span.tag.target", { style: "bottom:0" }, `Decoder: ran ${decoder}`),
      el("span.tag.loop", { style: "bottom:0" }, "it reads back what it wrote"),
    ];
  }

  /** From source token j to target token i. */
  path(i, j) {
    const { upright, source, target } = this.placed;
    return way(source[j], target[i], upright, [6, 19]);
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

  /** Every word that is written goes back in below, to where the next one will be. */
  feedBack(step) {
    const { upright, target } = this.placed;
    const next = target[step + 1];
    if (upright || !next) return;
    const arcs = target.slice(0, step + 1).map(({ x, y }, i) => {
      const [top, low] = [y + 20, y + 36 + LOOP * (0.4 + (0.6 * (step - i)) / target.length)];
      const isLast = i === step;
      return svg(`path.back${isLast ? ".last" : ""}`, {
        d: `M${x} ${top} C${x} ${low} ${next.x} ${low} ${next.x} ${top + 7}`,
      });
    });
    const [x, tip] = [next.x, next.y + 22];
    const head = svg("path.tip", { d: `M${x - 6} ${tip + 9} L${x} ${tip} L${x + 6} ${tip + 9} Z` });
    this.lines.append(...arcs, head);
  }

  /** How a word looks: whether everything points at it, its weight if it has one, and in how many steps it will be
   * written: until then there is an empty slot; the next one can be pressed. */
  dress(side, at, on, weight, ahead = 0) {
    const isLater = ahead > 0;
    const chip = this.chips[side][at];
    chip.classList.toggle("on", on);
    chip.classList.toggle("faint", !on && weight !== null && weight < LEAST);
    chip.classList.toggle("later", isLater);
    chip.classList.toggle("next", ahead === 1);
    chip.disabled = ahead > 1;
    if (side === "t") {
      chip.firstChild.textContent = ahead === 1 ? "?" : isLater ? "" : this.threads.data.target[at];
      chip.title = ahead === 1 ? "Write the next word" : isLater ? "" : this.threads.data.target[at];
      if (isLater) chip.setAttribute("aria-label", ahead === 1 ? "Write the next word" : "not written yet");
      else chip.removeAttribute("aria-label");
    }
    chip.style.setProperty("--share", `${Math.round(100 * (weight ?? 0))}%`);
    chip.querySelector("small").textContent = weight !== null && weight >= LEAST ? fixed(weight) : "";
  }
}
