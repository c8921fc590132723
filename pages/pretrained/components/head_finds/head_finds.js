// All heads as small maps, each with a number: what it adds to an answer, or how often it finds what it is asked for.
// Below them the text: threads lead from the tokens that ask to where the head that was touched finds its answer.

import { asShare, el, mount, svg } from "../../../../attention_view/lab.js";
import { arc, counts, footOf } from "../head_stage/head_grid.js";
import { bySize, headOf, HeadPicture, isMark, nextBySize } from "../head_stage/picture.js";
import { hits, threadsOf } from "./finds.js";
import { signed, TELLING } from "./telling.js";

const MOST = 5; // tokens that are listed
const SLIGHT = 0.01; // of the largest: what brings less is not listed
const SHALLOW = 16; // pixels that an arc below the second of two lines hangs down

export class HeadFinds extends HeadPicture {
  constructor(root) {
    super(root, "chosen", ["tokens", "shape", "kind", "facts"]);
  }

  read(all) {
    super.read(all);
    const { header, arrays } = this;
    this.telling = TELLING[header.kind];
    this.most = arrays.values.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
    this.isSigned = header.kind === "adds";
    this.root.classList.toggle("signed", this.isSigned);
    this.root.classList.toggle("compared", !this.isSigned);
  }

  get drawn() {
    const { causal: isCausal, networks } = this.header;
    return { isCausal, more: networks ? (layer) => this.network(layer) : null };
  }

  written(value) {
    return this.isSigned ? signed(value) : asShare(value);
  }

  seen(layer, head) {
    const value = this.arrays.values[layer * this.header.shape[1] + head];
    const text = this.written(value);
    const isStrong = Math.abs(value) > this.header.strong;
    return { text, label: this.telling.label(text, value), share: value / this.most, isStrong };
  }

  /** The feed-forward network of a layer adds something, too; it looks nowhere. */
  network(layer) {
    const value = this.arrays.feed_forward[layer];
    const cell = el("div.network", el("span.box", "feed-forward"), counts(signed(value)));
    cell.style.setProperty("--share", `${Math.round(100 * Math.min(1, Math.abs(value) / this.most))}%`);
    cell.classList.toggle("against", value < 0);
    cell.classList.toggle("strong", Math.abs(value) > this.header.strong);
    return cell;
  }

  touch(layer, head) {
    this.chosen = [layer, head];
    this.show();
    this.presses.add(this.chosen);
    this.send("head", `${layer}-${head}`);
  }

  /** The dark button: the next head, or what else may be asked of all of them. */
  press() {
    if (this.header.facts.next) this.send("next", this.header.facts.next);
    else this.touch(...headOf(nextBySize(this.sizes, this.index), this.header.shape[1]));
  }

  /** By what heads come one after the other. */
  get sizes() {
    return this.telling.sizes(this.arrays.values);
  }

  // ---- the text ----------------------------------------------------------------------------------------------------

  sentence() {
    const { tokens, again } = this.header;
    this.tokens = tokens.map((token) => el("span.token", token));
    const lines = again === null ? [this.tokens] : this.twice(again);
    this.words.classList.toggle("twice", again !== null);
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const name = (n) => (again === null ? "" : ["first time", "again"][n]);
    this.words.replaceChildren(
      ...lines.map((line, n) => el("p", { "data-name": name(n) }, ...line.flatMap((token) => [token, gap]))),
    );
  }

  /** The text and below it the same once more, token below token. */
  twice(again) {
    const begins = this.tokens.length - 2 * (this.tokens.length - again); // what stands before both
    this.words.style.setProperty("--columns", this.tokens.length - again);
    for (const token of this.tokens.slice(0, begins)) token.hidden = true;
    return [this.tokens.slice(begins, again), this.tokens.slice(again)];
  }

  show() {
    const { arrays, chosen, header, index: own, telling } = this;
    const { asked, facts, shape } = header;
    const [, H, T] = shape;
    const value = arrays.values[own];
    this.grid.mark((l, h) => l === chosen[0] && h === chosen[1], chosen.join("-"));
    const found = arrays.found.subarray(own * asked.length * T, (own + 1) * asked.length * T);
    this.showThreads(found);
    const told = { value, values: arrays.values, own, H, facts, networks: arrays.feed_forward };
    this.say({
      finding: telling.finding(chosen, value, facts),
      act: telling.act({ isLast: bySize(this.sizes).at(-1) === own, facts }),
      title: telling.title(),
      others: telling.others(told),
      where: telling.where({ n: hits(found, T, asked), all: asked.length }),
      signs: telling.signs(facts),
    });
    this.bars.replaceChildren(...(this.isSigned ? this.largest(found) : telling.bars(told).map(this.compared)));
    Object.assign(this.root.dataset, { head: chosen.join("·"), value: value.toFixed(4) });
  }

  /** A share beside others: that of the head itself comes first. */
  compared([name, share], n) {
    const bar = el("span.bar", el("i.is"));
    bar.style.setProperty("--is", `${100 * share}%`);
    return el(n ? "li" : "li.right", el("span.label", name), bar, el("span.share", asShare(share)));
  }

  /** The tokens that bring most, with bars to both sides of zero. */
  largest(row) {
    const most = row.reduce((sum, x) => Math.max(sum, Math.abs(x)), 1e-9);
    const keys = [...row.keys()].filter((key) => Math.abs(row[key]) > SLIGHT * most);
    keys.sort((a, b) => Math.abs(row[b]) - Math.abs(row[a])).splice(MOST);
    return keys.map((key) => {
      const bar = el(row[key] < 0 ? "span.bar.below" : "span.bar", el("i.is"));
      bar.style.setProperty("--is", `${(50 * Math.abs(row[key])) / most}%`);
      return el("li", el("span.label", this.header.tokens[key]), bar, el("span.share", signed(row[key])));
    });
  }

  showThreads(found) {
    const { asked, again, shape } = this.header;
    const threads = threadsOf(found, shape[2], asked, this.isSigned);
    const [box, zoom] = this.paper;
    for (const token of this.tokens) token.className = isMark(token.textContent) ? "token mark" : "token";
    for (const [query, right] of asked) {
      this.tokens[query].classList.add("from");
      if (again === null) for (const key of right) this.tokens[key].classList.add("right");
    }
    this.threads.replaceChildren();
    for (const { query, key, share, value, isRight } of threads) {
      if (this.tokens[key].hidden) continue;
      if (again === null && share > 0.5) this.tokens[key].classList.add("to");
      const [from, to] = [this.tokens[query], this.tokens[key]].map((token) => footOf(token, box, zoom));
      const d = again === null ? arc(from, to) : this.strand(from, to);
      const kind = this.isSigned ? (value < 0 ? "path.below" : "path.above") : isRight ? "path" : "path.astray";
      if (d) this.threads.append(svg(kind, { d, "stroke-width": (1 + 7 * share).toFixed(1) }));
    }
  }

  /** From a token of the second line up to one of the first, or below it to another of its own. */
  strand([x, y], [to, line]) {
    const top = y - this.tokens.at(-1).offsetHeight;
    if (line >= top) return arc([x, y], [to, line], SHALLOW);
    return `M${x} ${top}C${x} ${(top + line) / 2} ${to} ${(top + line) / 2} ${to} ${line}`;
  }
}

export default mount(".head-finds", HeadFinds);
