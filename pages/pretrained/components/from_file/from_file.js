// Three steps in one picture: lines of Python that save attention weights, the file that they write, and what is in it,
// a map per head. The file is an example, or the visitor's own, dropped here or chosen.

import {
  el,
  mirror,
  mount,
  param,
  put,
  rewrite,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { DOM } from "../../../../lab/hooks/dom.js";
import { choice, drawnIn } from "../../../../attention_view/controls.js";
import { headsIn, holdsOf, quoted, refusalOf, sizeOf } from "./holds.js";
import { KINDS, Wall } from "./wall.js";

const WAY_IN = ".st-key-own-upload"; // of the page, unseen
const UPLOADER = `${WAY_IN} input[type=file]`;
const ABOVE = 344; // pixels of the window that are not for the heads
const [LOWEST, NARROW] = [230, 760]; // pixels: for the heads, and below which the steps stand on one another
const TELLING = /output_attentions|softmax|savez/; // lines without which there is no such file

class FromFile {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pretrained_example", this.one === this.data.own ? null : this.one.name, this.data.examples[0].name);
      put("pretrained_kind_drawn", this.drawn.kind, this.one.kind);
      put("pretrained_lit", this.lit, this.drawn.opens);
    });
    this.lit = wholeParam("pretrained_lit");
    this.asked = param("pretrained_example");
    this.kind = param("pretrained_kind_drawn"); // of attention; null for the one that a file opens with
    this.isAsked = this.lit !== null || this.asked !== null; // by a link
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.next() });
    this.ways = choice("div.ways", "Lines of Python for", (way) => {
      this.write(way);
      this.say();
    });
    this.lines = el("pre.lines.from-top", { tabindex: "0", "aria-label": "Lines of Python" });
    this.said = el("span.said", { "aria-live": "polite" });
    const copy = el("button.small", { onclick: () => this.copy() }, "Copy");
    this.name = el("b");
    this.holds = el("span.holds");
    this.limits = el("p.limits", { "aria-live": "polite" });
    const open = el("button.small", { onclick: () => document.querySelector(UPLOADER)?.click() }, "Open a file");
    this.drop = el("div.drop", this.name, open, this.holds, this.limits);
    this.kinds = choice("div.ways", "Kind of attention", (kind) => this.draw(kind));
    this.wall = new Wall(() => this.light());
    const step = (n, words, ...more) => el("h2", el("i", String(n)), words, ...more);
    const code = el(
      "section.code",
      { "data-figure": "" },
      step(1, "Save your model’s attention", this.ways.node),
      this.lines,
    );
    code.append(el("div.copy", copy, this.said));
    const file = el("section.saved", { "data-figure": "" }, step(2, "Open the file"), this.drop);
    const picture = el("section.picture", step(3, "See every head", this.kinds.node), this.wall.node);
    root.replaceChildren(el("div.headline", this.finding, this.act), el("div.stage", code, file, picture));
    this.listen();
    this.resized = () => this.data && this.show();
  }

  /** A file that is dropped goes the way of one that is chosen; one that cannot be taken is refused here. */
  listen() {
    const over = (is) => (event) => {
      event.preventDefault();
      this.drop.classList.toggle("over", is);
    };
    this.drop.ondragover = over(true);
    this.drop.ondragleave = over(false);
    this.drop.ondrop = (event) => {
      over(false)(event);
      const input = document.querySelector(UPLOADER);
      if (!input || !event.dataTransfer.files.length) return;
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    };
    this.chosen = (event) => {
      if (!event.target.matches?.(UPLOADER) || !event.target.files.length) return;
      const files = [...event.target.files];
      const refusal = refusalOf(files, this.data.takes);
      if (!refusal) return this.follow(files[0].name);
      event.stopImmediatePropagation();
      event.target.value = ""; // the same one can be chosen again
      this.note(refusal, true);
    };
    addEventListener("change", this.chosen, true);
  }

  /** A file is on its way: until it has come, or failed to. */
  follow(name) {
    this.note(`Reading ${quoted(name)} …`);
    const way = document.querySelector(WAY_IN);
    const failed = way.querySelectorAll(DOM.fileLost).length;
    this.watch?.disconnect();
    this.watch = new MutationObserver(() => {
      if (way.querySelectorAll(DOM.fileLost).length <= failed) return;
      this.watch.disconnect();
      this.note(`${quoted(name)} did not reach the server. Please try again.`, true);
    });
    this.watch.observe(way, { subtree: true, childList: true, attributes: true });
  }

  /** What is said of a file, in place of what can be taken; "" for nothing. */
  note(words, isRefusal = false) {
    this.noted = words;
    write(this.limits, words || this.data.limits);
    this.limits.classList.toggle("refused", isRefusal);
  }

  update(data, { setTriggerValue }) {
    this.tell = (name) => setTriggerValue("try", name);
    const isFirst = !this.data;
    const hasCome = !isFirst && data.came !== this.data.came;
    const isOwn = !isFirst && this.one === this.data.own;
    this.data = data;
    const called = (one) => data.examples.find(({ name }) => name === one);
    if (isFirst || (hasCome && !data.refused)) this.take(data.open === "" ? data.own : called(data.open), isFirst);
    else this.one = (isOwn ? data.own : called(this.one.name)) ?? data.examples[0];
    if (hasCome) {
      this.watch?.disconnect();
      this.note(data.refused, Boolean(data.refused));
    }
    const ways = Object.keys(data.scripts);
    this.ways.offer(ways.map((way) => [way, way]));
    this.write(this.way ?? ways[0]);
    this.show();
    if (isFirst && !this.isAsked && this.one === data.examples[0]) this.endBeat = drawnIn(this.root, "file");
  }

  destroy() {
    this.endBeat?.();
    this.watch?.disconnect();
    removeEventListener("change", this.chosen, true);
  }

  files() {
    return [...(this.data.own ? [this.data.own] : []), ...this.data.examples];
  }

  take(one, keepsHead = false) {
    this.one = one;
    if (!keepsHead) this.lit = this.kind = null;
  }

  /** What is drawn of the file: one kind of attention. */
  get drawn() {
    return this.one.also.find(({ kind }) => kind === this.kind) ?? this.one;
  }

  /** Another kind of attention is drawn. */
  draw(kind) {
    this.endBeat?.();
    Object.assign(this, { kind, lit: null });
    this.show();
    this.link.later();
  }

  /** The next example; after the last one the visitor's own file, or the first example. */
  next() {
    const files = this.files();
    this.take(files[(files.indexOf(this.one) + 1) % files.length]);
    this.hasTried = true;
    this.note("");
    this.show();
    this.link.later();
    this.tell(this.one === this.data.own ? "" : this.one.name);
  }

  /** Another head is lit. */
  light() {
    this.endBeat?.();
    this.lit = this.wall.lit;
    this.say();
    this.link.later();
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  show() {
    const { one, drawn } = this;
    if (this.lit >= drawn.rows.length) this.lit = null;
    put(this.root, { "data-file": one.name });
    write(this.name, one.name);
    write(this.holds, `${sizeOf(one.n_bytes)} · ${holdsOf(one)}`);
    write(this.limits, this.noted || this.data.limits);
    write(this.act, this.hasTried ? "Next example file" : "Try an example file");
    const kinds = Object.keys(KINDS).filter((kind) => [one, ...one.also].some((each) => each.kind === kind));
    this.kinds.offer(kinds.map((kind) => [kind, KINDS[kind]]));
    this.kinds.show(drawn.kind);
    this.kinds.node.hidden = kinds.length < 2;
    const isNarrow = this.root.clientWidth < NARROW;
    this.wall.show(drawn, this.lit, isNarrow ? 250 : Math.max(LOWEST, windowHeight(this.root) - ABOVE));
    if (!this.wall.one) return;
    this.lit = this.wall.lit;
    this.say();
  }

  say() {
    const { one, wall } = this;
    const { queries, tokens } = this.drawn;
    const n = headsIn(one);
    const all = n === 1 ? "one head" : `${n} heads`;
    const drawn = queries.length < tokens ? `, drawn for the first ${queries.length} tokens` : "";
    const isMade = one === this.data.examples[0] && this.count !== null;
    const start = isMade ? `${this.count} lines of Python save all ${n} heads` : `${one.name} holds ${all}`;
    rewrite(this.finding, `${start}${drawn}. `, ...wall.told(one.also.length > 0));
  }

  write(way) {
    this.way = way;
    this.ways.show(way);
    const text = this.data.scripts[way].trim();
    const lines = text.split("\n");
    this.count = way === Object.keys(this.data.scripts)[0] ? lines.length : null; // these saved the first example
    const line = (words) => el(TELLING.test(words) ? "b" : "span", words);
    this.lines.replaceChildren(...lines.flatMap((words) => [line(words), "\n"]));
    write(this.said, "");
  }

  /** Into the clipboard; where a page may not, the lines are selected, for the keyboard to copy. */
  async copy() {
    try {
      await navigator.clipboard.writeText(this.data.scripts[this.way]);
      write(this.said, "Copied.");
    } catch {
      getSelection().selectAllChildren(this.lines);
      write(this.said, "The lines are selected: copy them with your keyboard.");
    }
  }
}

export default mount(".from-file", FromFile);
