// All heads as small maps, each with a number: what it adds to an answer, or how often it finds what it is asked for.
// Below them the text: threads lead from the tokens that ask to where the head that was touched finds its answer.

import { asShare, el, minus, mount, svg, unpack } from "../../../../attention_view/lab.js";
import { arc, footOf, HeadGrid } from "../head_stage/head_grid.js";
import { hits, threadsOf } from "./finds.js";

const ABOVE = 300; // pixels of a window around the maps
const AGAIN = 90; // pixels more for a text on two lines
const MOST = 5; // tokens that are listed
const SLIGHT = 0.01; // of the largest: what brings less is not listed

const signed = (x) => (x > 0 ? "+" : "") + minus(x.toFixed(2));

class HeadFinds {
  constructor(root) {
    this.root = root;
    this.grid = new HeadGrid(
      root,
      (layer, head) => this.touch(layer, head),
      (layer) => el("span.layer", `layer ${layer}`),
    );
    this.verdict = el("p.verdict", { role: "status" });
    this.list = el("ol.bars");
    this.beside = el("p.others");
    this.words = el("div.words");
    this.threads = svg("svg.threads", { "aria-hidden": "true" });
    this.caption = el("p.quiet.caption");
    root.replaceChildren(
      el("div.top", this.grid.node, el("div.answer", this.verdict, this.list, this.beside)),
      el("div.text", this.words, this.threads),
      this.caption,
    );
  }

  update(bytes, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      const told = String(header.chosen);
      const about = JSON.stringify([header.tokens, header.shape, header.says]);
      if (about !== this.about || told !== this.sent) this.chosen = header.chosen; // else another was touched since
      Object.assign(this, { header, arrays, about });
      this.most = arrays.values.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-9);
      this.root.classList.toggle("signed", header.says.signed);
    }
    this.build();
  }

  resized() {
    if (this.width !== this.root.clientWidth && this.header) this.build();
  }

  build() {
    const { root, header, arrays } = this;
    this.width = root.clientWidth;
    if (!this.width) return;
    this.grid.draw({
      shape: header.shape,
      maps: arrays.maps,
      isCausal: header.causal,
      seen: (layer, head) => this.seen(layer, head),
      above: ABOVE + (header.again === null ? 0 : AGAIN),
      more: header.networks ? (layer) => this.network(layer) : null,
    });
    this.sentence();
    this.show();
  }

  written(value) {
    if (this.header.says.signed) return signed(value);
    return asShare(value);
  }

  seen(layer, head) {
    const value = this.arrays.values[layer * this.header.shape[1] + head];
    const text = this.written(value);
    const label = `${this.header.says.number} ${text}`;
    return { text, label, share: value / this.most, isStrong: Math.abs(value) > this.header.strong };
  }

  /** The feed-forward network of a layer adds something, too; it looks nowhere. */
  network(layer) {
    const value = this.arrays.feed_forward[layer];
    const cell = el("div.network", el("span.box", "feed-forward"), el("span.gauge", el("i")));
    cell.append(el("span.moves", signed(value)));
    cell.style.setProperty("--share", `${Math.round(100 * Math.min(1, Math.abs(value) / this.most))}%`);
    cell.classList.toggle("against", value < 0);
    cell.classList.toggle("strong", Math.abs(value) > this.header.strong);
    return cell;
  }

  touch(layer, head) {
    this.chosen = [layer, head];
    this.show();
    this.send("head", `${layer}-${head}`);
    this.sent = String(this.chosen);
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

  get index() {
    return this.chosen[0] * this.header.shape[1] + this.chosen[1];
  }

  show() {
    const { says, shape } = this.header;
    const value = this.arrays.values[this.index];
    const name = `${this.chosen[0]}·${this.chosen[1]}`;
    const [layer, head] = this.chosen;
    this.grid.mark((l, h) => l === layer && h === head, this.chosen.join("-"));
    this.verdict.replaceChildren(
      `Layer ${layer}, head ${head} ${says.before} `,
      el("b", this.written(value)),
      says.after ? ` ${says.after}` : "",
    );
    this.beside.textContent = says.beside;
    const T = shape[2];
    const n = this.header.asked.length;
    const found = this.arrays.found.subarray(this.index * n * T, (this.index + 1) * n * T);
    this.showThreads(found, `head ${head} of layer ${layer}`);
    this.list.replaceChildren(...(says.signed ? this.largest(found) : []));
    Object.assign(this.root.dataset, { head: name, value: value.toFixed(4) });
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

  showThreads(found, name) {
    const { asked, again, says, shape } = this.header;
    const threads = threadsOf(found, shape[2], this.header);
    const box = this.threads.parentElement.getBoundingClientRect();
    const zoom = this.root.currentCSSZoom ?? 1;
    for (const token of this.tokens) token.className = "token";
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
      const kind = says.signed ? (value < 0 ? "path.below" : "path.above") : isRight ? "path" : "path.astray";
      if (d) this.threads.append(svg(kind, { d, "stroke-width": (1 + 7 * share).toFixed(1) }));
    }
    this.caption.textContent = this.where(found, threads, name) + this.signs();
  }

  /** What stands at the heads: the number below each, and the frame. */
  signs() {
    const { says } = this.header;
    const below = this.root.classList.contains("named") ? ` Below each head: ${says.number}.` : "";
    return says.framed ? `${below} Framed: ${says.framed}.` : below;
  }

  /** From a token of the second line up to one of the first, or below it to another of its own. */
  strand([x, y], [to, line]) {
    const top = y - this.tokens.at(-1).offsetHeight;
    if (line >= top) return arc([x, y], [to, line]);
    return `M${x} ${top}C${x} ${(top + line) / 2} ${to} ${(top + line) / 2} ${to} ${line}`;
  }

  where(found, threads, name) {
    const { asked, says, shape, tokens } = this.header;
    if (says.signed) {
      const best = threads.reduce((most, one) => (one.share > most.share ? one : most), { share: 0 });
      return best.share ? `Most comes from “${tokens[best.key]}”: ${signed(best.value)}.` : "";
    }
    if (!asked.length) return "There is no such pair in this text.";
    const n = hits(found, shape[2], asked);
    return `In this text, ${name} looks most at the right token in ${n} of ${asked.length} places.`;
  }
}

export default mount(".head-finds", HeadFinds);
