// All heads as small maps, layer over layer, and below them the text with the word that the model says next. A head
// that is touched is cut: the word loses its probability, if this head has brought it. What each head reads, the
// threads say.

import {
  el,
  mount,
  paintPixels,
  percent,
  rgb,
  strength,
  svg,
  theme,
  unpack,
  windowHeight,
} from "../../../../attention_view/lab.js";
import { chances, leastOfOthers, lookedAt, ranked, said } from "./ranks.js";

const WORDS = 5; // that are shown with their probability
const ABOVE = 316; // pixels of a window around the maps
const NUMBER = 24; // pixels below a map
const NAMED = 44; // a map as wide has room for a number below it

const TOUCH = "Touch a head to cut it; the number is the share of the probability that moves without it.";

/** "2-3" is a head, "2-" all of its layer. */
const nameOf = ([layer, head]) => `${layer}-${head ?? ""}`;

class HeadStage {
  constructor(root) {
    this.root = root;
    this.grid = el("div.grid", { role: "group", "aria-label": "All heads", onkeydown: (event) => this.step(event) });
    this.verdict = el("p.verdict", { role: "status" });
    this.bars = el("ol.bars");
    this.others = el("p.others");
    this.rows = new Map(); // number of a word -> its bar
    this.back = el("button.back", { onclick: () => this.set(null) }, "Put it back");
    this.words = el("p.words");
    this.threads = svg("svg.threads", { "aria-hidden": "true" });
    this.caption = el("p.quiet.caption");
    root.replaceChildren(
      el("div.top", this.grid, el("div.answer", this.verdict, this.bars, this.others, this.back)),
      el("div.text", this.words, this.threads),
      this.caption,
    );
  }

  update(bytes, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      this.follow(header);
      Object.assign(this, { header, arrays });
      [this.L, this.H, this.T] = header.shape;
      this.rows.clear();
    }
    const colour = theme(this.root);
    this.colours = [colour("line"), colour("panel"), colour("weight")].map(rgb);
    this.build();
  }

  /** What is cut, where another text or a control of the page has changed it; an echo of a touch changes nothing, for
   * there may have been another meanwhile. */
  follow(header) {
    const [layer, heads] = header.cut;
    const cut = [layer, heads.length === 1 ? heads[0] : null];
    const [told, about] = [nameOf(cut), JSON.stringify([header.tokens, header.labels, header.shape])];
    if (about !== this.about || (told !== this.told && told !== this.sent)) this.cut = cut;
    if (told === this.sent) this.sent = null;
    Object.assign(this, { told, about });
  }

  resized() {
    if (this.width !== this.root.clientWidth && this.header) this.build();
  }

  // ---- the heads ------------------------------------------------------------------------------------------------

  build() {
    const { L, H, root } = this;
    this.width = root.clientWidth;
    if (!this.width) return;
    const room = Math.max(220, windowHeight(root) - ABOVE) / L;
    const across = this.width < 700 ? this.width : 0.6 * this.width;
    const gap = H > 8 ? 6 : 12;
    const fits = (label) => Math.floor(Math.min(132, (across - 70) / H - gap, room - gap - label));
    const isNamed = fits(NUMBER) >= NAMED;
    this.size = Math.max(14, isNamed ? fits(NUMBER) : fits(0));
    root.style.setProperty("--size", `${this.size}px`);
    root.style.setProperty("--gap", `${gap}px`);
    root.classList.toggle("named", isNamed);
    const focused = root.getRootNode().activeElement?.dataset?.place;
    const rows = [];
    for (let layer = L - 1; layer >= 0; layer--) rows.push(this.layer(layer));
    this.grid.replaceChildren(...rows);
    this.grid.querySelector(`[data-place="${focused}"]`)?.focus();
    this.sentence();
    this.show();
  }

  layer(layer) {
    const whole = el(
      "button.layer",
      { "data-place": `${layer}-`, title: `Cut all of layer ${layer}`, onclick: () => this.touch([layer, null]) },
      `layer ${layer}`,
    );
    return el("div.row", whole, ...Array.from({ length: this.H }, (_, head) => this.head(layer, head)));
  }

  head(layer, head) {
    const { T, H } = this;
    const { maps, moved } = this.arrays;
    const at = layer * H + head;
    const canvas = el("canvas", { "aria-hidden": "true" });
    const isBlocked = (n) => this.header.next && n % T > Math.floor(n / T); // of what comes later nothing is seen
    const cells = Float32Array.from(maps.subarray(at * T * T, (at + 1) * T * T), (w, n) =>
      isBlocked(n) ? -1 : w / 255,
    );
    paintPixels(canvas, cells, T, this.colours, (cell) => strength(Math.abs(cell)));
    const share = percent(moved[at], 0);
    const isSeen = moved[at] >= 0.005;
    const button = el(
      "button.head",
      {
        "data-place": `${layer}-${head}`,
        "aria-label": `Layer ${layer}, head ${head}: without it ${share} of the probability moves`,
        onclick: () => this.touch([layer, head]),
      },
      canvas,
      el("span.moves", isSeen ? share : "0"),
    );
    button.style.setProperty("--matters", (0.55 + 0.45 * strength(moved[at])).toFixed(2));
    button.classList.toggle("strong", moved[at] >= 0.1);
    return button;
  }

  touch(cut) {
    const isSame = String(cut) === String(this.cut);
    this.set(isSame ? null : cut);
    if (!isSame) this.send("cut", (this.sent = nameOf(cut)));
  }

  set(cut) {
    this.cut = cut;
    this.show();
  }

  step(event) {
    const by = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0] }[event.key];
    const place = event.target.dataset?.place;
    if (!by || !place) return;
    event.preventDefault();
    const [layer, head] = place.split("-");
    const to = [Number(layer) + by[0], (head === "" ? -1 : Number(head)) + by[1]];
    this.grid.querySelector(`[data-place="${to[0]}-${to[1] < 0 ? "" : to[1]}"]`)?.focus();
  }

  // ---- the text and its next word --------------------------------------------------------------------------------

  sentence() {
    const { tokens, at, next } = this.header;
    this.tokens = tokens.map((token) => el("span", token));
    this.blank = el("span.blank");
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const words = this.tokens.flatMap((token, n) =>
      n === at && !next ? [token, " → ", this.blank, " "] : [token, gap],
    );
    this.words.replaceChildren(...words, ...(next ? [this.blank] : []));
  }

  get name() {
    const [layer, head] = this.cut;
    return head === null ? `all of layer ${layer}` : `head ${layer}·${head}`;
  }

  show() {
    const { labels } = this.header;
    const after = chances(this.arrays, this.cut);
    const now = said(after);
    const isSame = now === 0;
    for (const button of this.grid.querySelectorAll("button")) this.mark(button);
    this.verdict.replaceChildren(
      ...(this.cut
        ? [`Without ${this.name} it ${isSame ? "still " : ""}says `, el("b", labels[now])]
        : ["With all heads it says ", el("b", labels[0])]),
    );
    this.back.hidden = !this.cut;
    this.bars.replaceChildren(...ranked(after, WORDS).map((n) => this.bar(n, after[n])));
    this.others.replaceChildren(...this.ofOthers(after[0], labels[0]));
    this.blank.replaceChildren(...(isSame ? [labels[0]] : [el("s", labels[0]), " ", el("b", labels[now])]));
    this.thread();
  }

  mark(button) {
    const [layer, head] = button.dataset.place.split("-");
    const isCut = this.cut && Number(layer) === this.cut[0] && (this.cut[1] === null || Number(head) === this.cut[1]);
    const isOn = Boolean(isCut && (head !== "" || this.cut[1] === null));
    button.setAttribute("aria-pressed", String(isOn));
    const first = this.cut ? nameOf(this.cut) : `${this.L - 1}-0`;
    button.setAttribute("tabindex", button.dataset.place === first ? "0" : "-1");
  }

  /** The bar of a word; it is the same element as before, so that it is seen to fall. */
  bar(n, after) {
    if (!this.rows.has(n)) {
      const bar = el("span.bar", el("i.was"), el("i.is"));
      bar.style.setProperty("--was", `${100 * this.arrays.before[n]}%`);
      const label = el("span.label", this.header.labels[n]);
      this.rows.set(n, el(n ? "li" : "li.right", label, bar, el("span.share")));
    }
    const row = this.rows.get(n);
    row.children[1].style.setProperty("--is", `${100 * after}%`);
    row.children[2].textContent = percent(after, 0);
    return row;
  }

  /** What the other heads would take from the answer, where none takes as much. */
  ofOthers(kept, answer) {
    if (!this.cut || this.cut[1] === null) return [];
    const least = leastOfOthers(this.arrays, this.cut);
    if (least <= kept) return [];
    return ["Cut any other head instead, and ", el("b", answer), ` keeps at least ${percent(least, 0)}.`];
  }

  /** What the head that is cut reads at the position in question: where it looks, in arcs below the text. */
  thread() {
    const { at } = this.header;
    const { T, H, threads } = this;
    const isOne = this.cut && this.cut[1] !== null;
    for (const token of this.tokens) token.className = /^[⟨[].+[⟩\]]$/.test(token.textContent) ? "token mark" : "token";
    this.tokens[at].classList.add("from");
    threads.replaceChildren();
    if (!isOne) {
      this.caption.textContent = TOUCH;
      return;
    }
    const index = this.cut[0] * H + this.cut[1];
    const row = this.arrays.looks.subarray(index * T, (index + 1) * T);
    const keys = lookedAt(row, at);
    const box = threads.parentElement.getBoundingClientRect();
    const zoom = this.root.currentCSSZoom ?? 1;
    const place = (token) => {
      const { left, width, bottom } = token.getBoundingClientRect();
      return [(left + width / 2 - box.left) / zoom, (bottom - box.top) / zoom];
    };
    const [x, y] = place(this.tokens[at]);
    const best = keys.reduce((most, key) => (row[key] > row[most] ? key : most), keys[0]);
    for (const key of keys) {
      if (key === best) this.tokens[key].classList.add("to");
      const [to, line] = place(this.tokens[key]);
      if (Math.abs(line - y) > 4) continue; // on another line
      const deep = y + 10 + Math.min(34, Math.abs(x - to) / 12);
      const d = `M${x} ${y + 3}C${x} ${deep} ${to} ${deep} ${to} ${y + 3}`;
      threads.append(svg("path", { d, "stroke-width": (1 + 7 * row[key]).toFixed(1) }));
    }
    const from = this.header.tokens[at];
    const where = keys.length ? `most at “${this.header.tokens[best]}” (${row[best].toFixed(2)})` : "at no other token";
    this.caption.textContent = `From “${from}”, ${this.name} looks ${where}. ${TOUCH}`;
  }
}

export default mount(".head-stage", HeadStage);
