// A text, its tokens and their ids, and how merges made them. All text comes as data and goes to textContent.

import { el, mirror, mount } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { endSaid, fullest, tokensAfter, wordAt } from "./cutting.js";
import { Merges } from "./merges.js";
import { Plain } from "./plain.js";
import { Tree } from "./tree.js";

const MANY = 26; // tokens on one line with their ids

const signature = ({ merges, ids }) => JSON.stringify([merges, ids.length]);

class TokenMachine {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      const { step_url, merges } = this.data;
      if (step_url) put(step_url, this.at, merges.length);
    });
    this.at = this.start = null;
    [this.merges, this.plain, this.tree] = [new Merges(this), new Plain(this), new Tree(this)];
    const n = (this.nodes = {});
    const label = "Tokens and their ids: press one";
    n.chips = el("div.chips", { role: "radiogroup", "aria-label": label, onkeydown: (event) => this.key(event) });
    n.count = el("p.count");
    n.tail = el("div");
    const names = el("div.names", { "aria-hidden": "true" }, el("b", "tokens"), el("i", "ids"));
    n.columns = el("div.columns", el("div", el("div.named", names, n.chips), n.tail), this.merges.side);
    const under = el("div.under", this.merges.scrub, n.count);
    n.top = el("div");
    root.replaceChildren(n.top, under, n.columns);
    this.resized = () => this.tree.draw();
  }

  update(data, { setTriggerValue }) {
    this.tell = setTriggerValue;
    const before = this.data;
    const same = before && signature(before) === signature(data);
    if (!same) this.merges.endBeat?.(); // while it has the data that it began with
    this.data = data;
    if (!same) {
      this.merges.player.stop();
      this.at = data.at;
      this.start = fullest(data);
      this.merges.list();
    }
    const all = data.merges.length;
    this.root.classList.toggle("plain", !all);
    this.nodes.columns.classList.toggle("film-on", all > 0);
    const { headline } = all ? this.merges : this.plain;
    if (this.nodes.top.firstChild !== headline) this.nodes.top.replaceChildren(headline);
    this.tree.build(this.nodes.tail);
    this.plain.build(this.nodes.tail);
    this.go(Math.min(this.at, all), false);
    if (!before && all && this.at === all) this.merges.begin();
  }

  label(id) {
    return this.data.labels[id] ?? String(id);
  }

  // ---- the cut ------------------------------------------------------------------------------------------------

  go(at, byHand) {
    if (byHand) {
      this.merges.endBeat?.();
      this.merges.player.stop();
    }
    this.at = at;
    this.draw();
    if (byHand) this.link.later();
  }

  draw() {
    const { data, at } = this;
    this.tokens = tokensAfter(data, at);
    this.drawChips();
    this.merges.draw();
    this.pick(this.tokenAt(this.start ?? 0), false);
  }

  /** Which token covers the place `start`. */
  tokenAt(start) {
    return Math.max(
      0,
      this.tokens.findLastIndex(([, , from]) => from <= start),
    );
  }

  /** Whether a label begins with the sign for: no space before it. */
  isGlued(label) {
    const { glue } = this.data;
    return glue && label.startsWith(glue) && label.length > glue.length;
  }

  drawChips() {
    const { tokens } = this;
    const { chips, count } = this.nodes;
    if (chips.contains(chips.getRootNode().activeElement)) this.refocus = true;
    this.chips = tokens.map((token, at) => this.chip(token, at));
    chips.replaceChildren(...this.chips);
    chips.classList.toggle("many", tokens.length > MANY);
    count.textContent = this.notes().join(" ");
    this.root.dataset.at = this.at;
    this.root.dataset.ids = tokens.map(([id]) => id).join(" ");
  }

  chip([id, isFresh], at) {
    const { unknown, glue, raw } = this.data;
    const label = this.label(id);
    const is = { unknown: id === unknown, fresh: isFresh, byte: raw.includes(id), space: /^[␣⏎⇥]$/.test(label) };
    const classes = Object.keys(is).filter((name) => is[name]);
    const text = this.isGlued(label) ? [el("span.glue", glue), label.slice(glue.length)] : [label];
    const props = { role: "radio", class: classes.join(" "), onclick: () => this.choose(at) };
    return el("button", props, el("b", { dir: "auto" }, ...text), el("i", String(id)));
  }

  /** How many tokens there are, and what their signs mean. */
  notes() {
    const { tokens, data } = this;
    const { unknown, glue, raw } = data;
    const unknowns = tokens.filter(([id]) => id === unknown).length;
    const labels = tokens.map(([id]) => this.label(id));
    const many = `${tokens.length.toLocaleString("en")} token${tokens.length === 1 ? "" : "s"}`;
    const isTold = this.at > 0 && this.at === data.merges.length; // by the line on the merges
    const isMany = tokens.length > MANY && data.merges.length; // on the line of merges
    const count = many + (unknowns ? `, ${unknowns} of them unknown.` : isMany ? ", too many to show each id." : ".");
    const notes = [isTold ? "Press a token to see how it grew." : count, ...endSaid(data)];
    if (labels.some((label) => this.isGlued(label))) notes.push(`${glue} says: no space before it.`);
    if (labels.some((label) => label.includes("␣"))) notes.push("␣ is a space.");
    if (tokens.some(([id]) => raw.includes(id)))
      notes.push("Two characters such as C3 are one byte: part of a letter that takes several.");
    return notes;
  }

  // ---- the token whose word is shown --------------------------------------------------------------------------

  choose(at) {
    this.start = this.tokens[at][2];
    this.pick(at, true);
    this.link.later();
    this.chips[at].focus({ preventScroll: true });
  }

  key(event) {
    const to = inRow(event, this.token, this.tokens.length);
    if (to !== null) this.choose(to);
  }

  pick(at, byHand) {
    this.token = at;
    this.picked = this.tokens[at][0];
    const [from, end] = wordAt(this.data, this.start ?? 0);
    this.chips.forEach((chip, n) => {
      chip.classList.toggle("same", this.tokens[n][0] === this.picked);
      chip.classList.toggle("of-word", this.tokens[n][2] >= from && this.tokens[n][2] < end);
      chip.setAttribute("aria-checked", String(n === at));
      chip.tabIndex = n === at ? 0 : -1;
    });
    if (byHand) this.bringIn(this.chips[at]);
    if (this.refocus) this.chips[at].focus({ preventScroll: true });
    this.refocus = false;
    this.root.dataset.token = at;
    this.root.dataset.id = this.picked;
    this.tree.draw();
    this.plain.draw();
  }

  /** Scrolls a chip into the box of chips; the page stays where it is. */
  bringIn({ offsetTop, offsetHeight }) {
    const { chips } = this.nodes;
    const lowest = offsetTop + offsetHeight - chips.clientHeight;
    chips.scrollTop = Math.max(lowest, Math.min(offsetTop, chips.scrollTop));
  }

  destroy() {
    this.merges.endBeat?.();
    this.merges.player.stop();
  }
}

export default mount(".token-machine", TokenMachine);
