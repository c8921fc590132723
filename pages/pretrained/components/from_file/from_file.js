// A file beside a frame, and a place for one's own. When it is pulled into the frame it fills it, head by head,
// and their threads hang below its sentence. The lines of Python that write such a file open over the heads.

import {
  el,
  mirror,
  mount,
  param,
  put,
  rewrite,
  still,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { DOM } from "../../../../lab/hooks/dom.js";
import { choice, drawnIn, smoothly, tween } from "../../../../attention_view/controls.js";
import { firstOf, holdsOf, quoted, refusalOf } from "./holds.js";
import { Shelf } from "./shelf.js";
import { KINDS, Wall } from "./wall.js";

const WAY_IN = ".st-key-own-upload"; // of the page, unseen
const UPLOADER = `${WAY_IN} input[type=file]`;
const [AROUND, KIND] = [204, 30]; // pixels of the window that are not for sentence and heads; and to choose a kind
const [LOWEST, NARROW] = [280, 760]; // pixels: for the heads, and of the width below which these are all they get
const ASKS = "Drop yours here";
const [FILLING, LET_GO] = [1600, 150]; // milliseconds for all heads to come in, and before, after a pull

class FromFile {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pretrained_example", this.one === this.data.own ? null : this.one.name, this.data.examples[0].name);
      put("pretrained_kind_drawn", this.drawn.kind, this.one.kind);
      put("pretrained_lit", this.lit);
      put("pretrained_asks", this.looks, this.drawn.asks);
    });
    this.lit = wholeParam("pretrained_lit");
    this.looks = wholeParam("pretrained_asks"); // the word that looks
    this.asked = param("pretrained_example");
    this.kind = param("pretrained_kind_drawn"); // of attention; null for the one that a file opens with
    this.isAsked = [this.lit, this.looks, this.asked, this.kind].some((one) => one !== null); // by a link
    this.finding = el("p.finding");
    this.act = el("button.primary", { onclick: () => this.press() });
    this.heard = el("p.unseen", { role: "status" }); // what becomes of a file, for who listens
    this.wall = new Wall(() => this.changed());
    this.kinds = choice("div.ways", "Kind of attention", (kind) => this.draw(kind));
    this.asks = el("p.asks");
    const kept = el("p", "Only you see it, and nothing is stored.");
    const open = el("button.small", { onclick: () => document.querySelector(UPLOADER)?.click() }, "open one");
    this.how = el("summary");
    this.code = el("div.code", { tabindex: "0", role: "region", "aria-label": "Lines of Python" });
    const lines = el("details", this.how, this.code);
    lines.onkeydown = ({ key }) => {
      if (key === "Escape") [lines.open] = [false, this.how.focus()];
    };
    this.shelf = new Shelf(this, el("div.drop", this.asks, open));
    const shelf = el("div.shelf", this.shelf.node, el("div.notes", kept, lines));
    this.frame = el("div.frame", this.kinds.node, this.wall.sentence, el("div.body", shelf, this.wall.node));
    root.replaceChildren(el("div.headline", this.finding, this.act), this.frame, this.heard);
    this.listen();
    this.resized = () => this.data && this.show();
  }

  /** A file that is dropped, wherever, goes the way of one that is chosen; one that cannot be taken is refused here. */
  listen() {
    this.over = new AbortController();
    const { signal } = this.over;
    const isFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
    const answer = (is) => (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      put(this.root, { "data-over": is });
    };
    addEventListener("dragover", answer(true), { signal });
    addEventListener("dragleave", (event) => event.relatedTarget || answer(false)(event), { signal });
    addEventListener(
      "drop",
      (event) => {
        answer(false)(event);
        const input = document.querySelector(UPLOADER);
        if (!input || !event.dataTransfer.files.length) return;
        input.files = event.dataTransfer.files;
        input.dispatchEvent(new Event("change", { bubbles: true }));
      },
      { signal },
    );
    const chosen = (event) => {
      if (!event.target.matches?.(UPLOADER) || !event.target.files.length) return;
      const files = [...event.target.files];
      const refusal = refusalOf(files, this.data.takes);
      if (!refusal) return this.follow(files[0].name);
      event.stopImmediatePropagation();
      event.target.value = ""; // the same one can be chosen again
      this.note(refusal, true);
    };
    addEventListener("change", chosen, { capture: true, signal });
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

  /** What is said of a file, in place of where to drop one; "" for nothing. */
  note(words, isRefusal = false) {
    write(this.asks, words || ASKS);
    this.asks.classList.toggle("refused", isRefusal);
    write(this.heard, words);
  }

  update(data, { setTriggerValue }) {
    this.tell = (name) => setTriggerValue("try", name);
    const before = this.data;
    const hasCome = before && data.came !== before.came;
    this.data = data;
    this.choose(before, hasCome);
    if (!before) this.begin();
    if (hasCome) {
      this.watch?.disconnect();
      this.note(data.refused, Boolean(data.refused));
    }
    this.show();
    if (hasCome && !data.refused) this.opened();
    if (!before && !this.isAsked && this.one === data.examples[0]) this.endBeat = drawnIn(this.root, "file");
  }

  /** Which file is shown: the one that has come, or the one that was there; at first what the page has open. */
  choose(before, hasCome) {
    const { examples, open, own, refused } = this.data;
    const called = (one) => examples.find(({ name }) => name === one);
    if (!before || (hasCome && !refused)) this.take(open === "" ? own : called(open), !before);
    else this.one = (this.one === before.own ? own : called(this.one.name)) ?? examples[0];
  }

  /** What stays as it is, whatever files come. */
  begin() {
    const { limits, scripts } = this.data;
    this.note("");
    const [first] = Object.values(scripts);
    write(this.how, `Make one: ${first.trim().split("\n").length} lines of Python`);
    const named = ([name, lines]) => [el("b", name), el("pre", lines.trim())];
    this.code.replaceChildren(el("p", limits), ...Object.entries(scripts).flatMap(named));
  }

  /** A file of the visitor's has come: its heads fill the frame, and who listens hears what it holds. */
  opened() {
    this.endBeat?.();
    this.wall.fill(0);
    this.pour();
    write(this.heard, `${quoted(this.one.name)} is open: ${holdsOf(this.one)}.`);
  }

  destroy() {
    this.wall.endPour?.();
    this.watch?.disconnect();
    this.over.abort();
  }

  /** The one that comes after the one that is open. */
  get after() {
    const files = [...this.data.examples, ...(this.data.own ? [this.data.own] : [])];
    return files[(files.indexOf(this.one) + 1) % files.length];
  }

  take(one, keepsHead = false) {
    this.one = one;
    this.wall.endPour?.();
    this.wall.filled = keepsHead && this.isAsked ? Infinity : null;
    if (!keepsHead) this.lit = this.looks = this.kind = null;
  }

  /** What is drawn of the file: one kind of attention. */
  get drawn() {
    return this.one.also.find(({ kind }) => kind === this.kind) ?? this.one;
  }

  /** Another kind of attention is drawn. */
  draw(kind) {
    this.endBeat?.();
    Object.assign(this, { kind, lit: null, looks: null });
    this.show();
    this.link.later();
  }

  /** The dark button: the file comes in, then the next one. */
  press() {
    if (this.wall.isFull) this.open(this.after);
    this.pour();
  }

  /** Another file is taken, and the server hears of it. */
  open(one) {
    this.take(one);
    this.note("");
    this.wall.filled = 0;
    this.show();
    this.link.later();
    this.tell(one === this.data.own ? "" : one.name);
  }

  /** All heads that are still in the file come out of it; of a file that is in, all once more. */
  pour() {
    this.endBeat?.();
    this.wall.endPour?.();
    this.wall.pointed = null; // of all heads it is told where they look
    const { all, filled, isFull } = this.wall;
    const from = isFull ? 0 : filled;
    const draw = (share) => this.wall.fill(Math.round(from + smoothly(share) * (all - from)));
    if (still()) draw(1);
    else this.wall.endPour = tween(FILLING, draw);
  }

  /** The file is held. */
  hold() {
    this.endBeat?.();
    this.wall.endPour?.();
    this.before = this.wall.filled;
  }

  /** Over the frame it fills it, to where the pointer is, and let go there it fills all of it. */
  letGo() {
    if (!this.wall.filled) this.wall.fill(this.before);
    else if (!this.wall.isFull) this.wall.endPour = tween(LET_GO, (share) => share === 1 && this.pour());
  }

  /** More of the file is in, another head is lit, or another word looks. */
  changed() {
    Object.assign(this, { lit: this.wall.lit, looks: this.wall.asks });
    this.say();
    this.link.later();
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  show() {
    const { one, drawn } = this;
    if (this.lit >= drawn.layers * drawn.heads) this.lit = null;
    put(this.root, { "data-file": one.name });
    this.shelf.show(one, firstOf(drawn));
    const kinds = Object.keys(KINDS).filter((kind) => [one, ...one.also].some((each) => each.kind === kind));
    this.kinds.offer(kinds.map((kind) => [kind, KINDS[kind]]));
    this.kinds.show(drawn.kind);
    this.kinds.node.hidden = kinds.length < 2;
    const isNarrow = this.root.clientWidth < NARROW;
    const above = kinds.length < 2 ? AROUND : AROUND + KIND;
    this.wall.show(drawn, [this.lit, this.looks], isNarrow ? 0 : windowHeight(this.root) - above, LOWEST);
    if (!this.wall.one) return;
    Object.assign(this, { lit: this.wall.lit, looks: this.wall.asks });
    this.say();
  }

  say() {
    const { one, wall } = this;
    const own = one === this.data.own ? "Your file: " : "";
    const kind = one.also.length ? `${KINDS[wall.one.kind]}: ` : "";
    put(this.finding, { "aria-live": wall.isFull ? "polite" : "off" });
    put(this.root, { "data-full": wall.isFull });
    rewrite(this.finding, ...wall.told(own + kind));
    write(this.act, wall.isFull ? "Next file" : "Drop it in");
    this.shelf.mark(wall.isFull);
  }
}

export default mount(".from-file", FromFile);
