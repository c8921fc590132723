// The text and what else was tried, as a tree of words: a line goes on until it forks.

import { el, ordinal } from "../../../../attention_view/lab.js";
import { share } from "./sampling.js";

export class Branches {
  /** story: has the data, the path and label(); act("go", n) goes back to a word */
  constructor(story) {
    this.story = story;
    this.anew = el("button.act", { onclick: () => story.act("anew") }, "Clear the tree");
    const onkeydown = (event) => this.walk(event);
    const props = { role: "tree", "aria-label": "The text and its branches", onkeydown, onscroll: () => this.fade() };
    this.tree = el("div.tree", props);
    const head = el("div.acts", el("h2", "Branches: what was tried"), this.anew);
    this.node = el("section.branches", head, this.tree);
  }

  /** The words that were tried after word `at`; -1 is the beginning. */
  after(at) {
    return at < 0 ? this.first : this.children[at];
  }

  /** The button of the tree that has the focus: the number of its word, or NaN. */
  get focused() {
    return Number(this.story.root.getRootNode().activeElement?.dataset?.node ?? NaN);
  }

  grow() {
    const { data } = this.story;
    this.children = data.nodes.map(() => []);
    this.first = [];
    data.nodes.forEach(([parent], at) => this.after(parent).push(at));
    const had = !Number.isNaN(this.focused);
    const line = el("div.line", this.beginning());
    this.tree.replaceChildren(el("div.branch", { role: "none" }, line, this.fork(this.first)));
    if (had) this.tree.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    this.node.hidden = this.anew.disabled = !data.nodes.length;
    this.fade();
  }

  fork(starts) {
    return starts.length ? el("div.fork", { role: "group" }, ...starts.map((at) => this.branch(at))) : null;
  }

  /** A line of words from this one on, and the fork at its end. */
  branch(start) {
    const line = [start];
    while (this.children[line.at(-1)].length === 1) line.push(this.children[line.at(-1)][0]);
    const words = el("div.line", ...line.map((at) => this.word(at)));
    return el("div.branch", { role: "none" }, words, this.fork(this.children[line.at(-1)]));
  }

  word(at) {
    const { data, path } = this.story;
    const [, id, p, rank] = data.nodes[at];
    const label = this.story.label(id);
    const classes = ["word", path.includes(at) && "on", id === data.end && "end"].filter(Boolean).join(" ");
    const title = `${label}: share ${share(p)} in the draw, the model’s ${ordinal(rank)} choice`;
    return this.button(at, { class: classes, title }, label, share(p));
  }

  beginning() {
    const { data } = this.story;
    const given = data.given.slice(data.starts && data.given.length > 1 ? 1 : 0);
    const text = given.map((id) => this.story.label(id)).join(data.glue);
    const props = { class: "word given on", title: "The beginning, as you typed it" };
    return this.button(-1, props, text, "given");
  }

  button(at, props, text, small) {
    const isHere = at === Math.max(-1, this.story.data.at);
    const place = {
      role: "treeitem",
      tabindex: isHere ? 0 : -1,
      "aria-current": isHere ? "true" : null,
      "aria-selected": String(isHere),
      "data-node": at,
      onclick: () => this.story.act("go", at),
    };
    return el("button", { ...props, ...place }, el("b", text), el("small", small));
  }

  walk(event) {
    const at = this.focused;
    if (Number.isNaN(at)) return;
    const parent = at < 0 ? undefined : this.story.data.nodes[at][0];
    const siblings = at < 0 ? [-1] : this.after(parent);
    const near = (by) => siblings[siblings.indexOf(at) + by];
    const to = {
      ArrowLeft: parent,
      ArrowRight: this.after(at)[0],
      ArrowUp: near(-1),
      ArrowDown: near(1),
      Home: -1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.tree.querySelector(`[data-node="${to}"]`)?.focus();
  }

  /** Words that go on beyond an edge fade out there instead of being cut. */
  fade() {
    const { scrollLeft, clientWidth, scrollWidth } = this.tree;
    this.tree.classList.toggle("before", scrollLeft > 1);
    this.tree.classList.toggle("after", scrollLeft + clientWidth < scrollWidth - 1);
  }

  /** Brings the word where the text ends into view. */
  scroll() {
    const now = this.tree.querySelector("[aria-current]");
    if (!now) return;
    const box = this.tree.getBoundingClientRect(),
      it = now.getBoundingClientRect();
    if (it.left < box.left || it.right > box.right - 20) this.tree.scrollLeft += it.right - box.right + 60;
    if (it.top < box.top || it.bottom > box.bottom) this.tree.scrollTop += it.top - box.top - 20;
  }
}
