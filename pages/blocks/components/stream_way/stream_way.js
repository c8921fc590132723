// One token's way up, a row per height: the words that lead if the model stopped there, and one line for the word
// that it says in the end. It opens at the embedding, and a sentence asks where that word will come first. The word
// itself is pulled up: it flies to its rank at each height, whose words come with it, and the sentence says what
// that part has changed. Which token is followed is pressed in the sentence.

import {
  asShare,
  boxOf,
  el,
  mirror,
  mount,
  ordinal,
  piecesSaid,
  pointIn,
  put,
  rewrite,
  shorten,
  svg,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drag, inRow } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { isSign } from "../signs.js";
import { across, breakAt, lineThrough, nextOf, told } from "./way.js";

const NARROW = 700; // pixels, below which there is room for fewer words beside one another
const AROUND = 292; // pixels above and below the rows
const LEAST = 26; // pixels of a row
const PIECE = 0.76; // of the size of a whole word
const TICKS = [10, 100, 1000, 10_000];

const AGAIN = "Back to the embedding";
const CHANGE = "Up to where it changes";
const adds = (height) => `Up through ${height}`;

class StreamWay {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => {
      const { names, followed, usual } = this.data;
      write("blocks_follow", names[this.wanted ?? followed], names[usual]);
      write("blocks_stop", this.stop, 0);
    });
    this.says = el("p.says.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.halt(nextOf(this.data.words, this.stop)) });
    this.headline = el("div.headline", this.says, this.act);
    this.chart = svg("svg", { "aria-hidden": "true" });
    this.handle = el("button.handle", {
      role: "slider",
      "aria-orientation": "vertical",
      "aria-label": "Where the model stops",
      "aria-valuemin": 0,
      onkeydown: (event) => this.climb(event),
      onclick: (event) => event.stopPropagation(), // one that a key makes is nowhere in the rows
      onpointerdown: (event) => event.button || this.hold(),
    });
    this.rows = el("div.rows", { onclick: (event) => this.halt(this.heightAt(event)) }, this.chart, this.handle);
    this.sentence = el("div.sentence", { role: "radiogroup", "aria-label": "The token that is followed" });
    this.sentence.onkeydown = (event) => this.step(event);
    this.below = el("div.below", el("span", "follow"), this.sentence);
    root.replaceChildren(this.headline, this.rows, this.below);
    this.resized = () => this.data && this.draw();
  }

  update(data, { setTriggerValue }) {
    this.send = (name) => setTriggerValue("follow", name);
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    const stop = (isFirst && wholeParam("blocks_stop", data.heights.length)) || 0;
    Object.assign(this, { signature, data, stop, wanted: null, top: data.heights.length - 1, drawn: stop });
    this.headline.hidden = this.rows.hidden = this.top < 0;
    this.words();
    this.draw();
    this.link.later();
  }

  // ---- the sentence -----------------------------------------------------------------------------------------------

  words() {
    const { tokens, names } = this.data;
    const made = String(names);
    if (made !== this.made) {
      this.made = made;
      const word = (token, n) => el("button", { role: "radio", onclick: () => this.follow(n) }, token);
      this.sentence.replaceChildren(...tokens.map(word));
    }
    this.mark(this.data.followed);
  }

  mark(chosen) {
    [...this.sentence.children].forEach((word, n) =>
      put(word, { "aria-checked": String(n === chosen), tabindex: n === chosen ? "0" : "-1" }),
    );
  }

  follow(n) {
    if (n === (this.wanted ?? this.data.followed)) return;
    this.wanted = n;
    this.stop = 0;
    this.mark(n);
    this.link.now();
    this.send(this.data.names[n]);
  }

  step(event) {
    const to = inRow(event, this.wanted ?? this.data.followed, this.data.tokens.length);
    if (to === null) return;
    this.follow(to);
    this.sentence.children[to].focus();
  }

  // ---- the stop ---------------------------------------------------------------------------------------------------

  heightAt(event) {
    const [, y] = pointIn(event, this.rows);
    return Math.max(0, Math.min(this.top, this.top - Math.floor((y - this.plan.above) / this.plan.row)));
  }

  climb(event) {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -this.top, End: this.top }[event.key];
    if (!by) return;
    event.preventDefault();
    this.halt(Math.max(0, Math.min(this.top, this.stop + by)));
  }

  /** The handle follows the pointer until it is lifted. */
  hold() {
    const move = (event) => this.halt(this.heightAt(event));
    this.endDrag = drag(move, () => {});
  }

  halt(stop) {
    if (stop === this.stop) return;
    this.stop = stop;
    this.draw();
    this.link.later();
  }

  // ---- the drawing ------------------------------------------------------------------------------------------------

  draw() {
    const width = boxOf(this.root).width;
    if (!width || this.top < 0) return;
    const { data, stop: at, top } = this;
    write(this.says, told(data, at));
    const next = nextOf(data.words, at);
    write(this.act, at === top ? AGAIN : next > at + 1 ? CHANGE : adds(data.heights[next]));
    this.lay(width);
    const { plan } = this;
    this.root.dataset.stop = String(at);
    put(this.chart, { viewBox: `0 0 ${width} ${plan.height}`, height: plan.height, width });
    const rows = data.heights.map((height, p) => this.row(height, p)).flat();
    this.chart.replaceChildren(...this.axis(), ...this.lines(), ...rows, ...this.beyond());
    const rank = ordinal(data.ranks[at]);
    rewrite(this.handle, el("b", shorten(data.words.at(-1)[0], 11)), ` ${rank} `);
    put(this.handle, {
      style: `top:${plan.y(at)}px;left:${plan.x(data.ranks[at])}px`,
      "aria-valuemax": top,
      "aria-valuenow": at,
      "aria-valuetext": `after ${data.heights[at]}: ${rank}`,
      "data-way": at < top ? "↑" : "↓",
    });
    this.drawn = at;
  }

  lay(width) {
    const { data, top } = this;
    const isNarrow = width < NARROW;
    this.keepHeight(width);
    const said = isNarrow ? 0 : Math.max(0, this.headline.offsetHeight - this.act.offsetHeight); // of a second line
    const room = windowHeight(this.root) - AROUND - said;
    const row = Math.max(LEAST, Math.min(isNarrow ? 56 : 96, room / (top + 1)));
    const k = isNarrow ? 1 : data.words[0].length;
    const [rail, right] = [isNarrow ? 124 : 150, isNarrow ? 66 : 120];
    const left = rail + (isNarrow ? 50 : 96);
    const last = Math.max(k + 1, data.n_words);
    const above = 6;
    this.plan = {
      row,
      k,
      rail,
      above,
      last,
      width,
      height: above + row * (top + 1) + 46,
      x: (rank) => left + (width - left - right) * across(rank, k, last),
      parts: isNarrow ? null : left + (width - left - right) * breakAt(k),
      right: width - right,
      y: (p) => above + row * (top - p + 0.5),
      lead: Math.min(30, 0.62 * row),
      others: Math.max(11, Math.min(17, 0.45 * row)),
    };
  }

  /** The rows stay where they are, whatever becomes of the token at a stop. */
  keepHeight(width) {
    const key = `${width} ${windowHeight(this.root)} ${this.signature}`;
    if (key === this.kept) return;
    this.kept = key;
    const { heights } = this.data;
    const findings = heights.map((_, at) => told(this.data, at));
    steady(this.headline, findings, [AGAIN, CHANGE, ...heights.slice(1).map(adds)]);
  }

  axis() {
    const { k, last, x, y, rail, row, width, above, parts, right } = this.plan;
    const base = y(0) + row / 2 + 4;
    const ranks = Array.from({ length: k }, (_, n) => n + 1);
    for (const tick of TICKS) if (tick < last && x(tick) > x(ranks.at(-1)) + 56) ranks.push(tick);
    const names = ranks.map((rank) => svg("text.tick", { x: x(rank), y: base + 14 }, ordinal(rank)));
    const what = `rank among ${this.data.n_words.toLocaleString("en")} words${parts ? " (logarithmic)" : ""}`;
    const reached = this.data.words.slice(0, this.stop + 1);
    const piece = piecesSaid(reached.flatMap((row, p) => row.slice(0, p === this.stop ? k : 1)));
    const title = svg(
      "text.tick",
      { x: parts ? (parts + right) / 2 : (x(1) + width) / 2, y: base + 33 },
      piece ? `${what}; ${piece}` : what,
    );
    const rule = parts ? [svg("path.break", { d: `M${parts} ${above}V${base + 40}` })] : [];
    const place = { x: rail + 26, y: y(this.stop) - row / 2 + 2, width: width - rail - 26, height: row - 4, rx: 9 };
    const way = (kind, to) => svg(`path.${kind}`, { d: `M${rail} ${y(to)}V${y(0)}` });
    return [svg("rect.turn", place), ...rule, way("rail", this.top), way("rail.come", this.stop), ...names, title];
  }

  row(height, p) {
    const { k, x, y, rail, lead, others, row } = this.plan;
    const dots = svg("circle.stop", { cx: rail, cy: y(p), r: 4 });
    const size = Math.min(14, 0.5 * row + 2);
    const name = svg("text.height", { x: rail - 26, y: y(p), "font-size": size }, height);
    const isLit = p === this.stop;
    name.classList.toggle("on", isLit);
    if (p > this.stop) return [dots, name];
    const answer = this.data.words.at(-1)[0];
    const words = this.data.words[p].slice(0, k).flatMap((word, n) => {
      if (n && word !== answer && !isLit) return []; // who came after is of the row that is read
      const isPiece = word.startsWith("…"); // it goes on from the token before
      const props = { x: x(n + 1), y: y(p), "font-size": n ? (isPiece ? PIECE : 1) * others : lead };
      const node = svg("text.word", props, shorten(word, n ? 11 : 13));
      node.classList.toggle("leads", n === 0);
      node.classList.toggle("answer", word === answer);
      node.append(svg("title", `${height}: ${word} is ${ordinal(n + 1)}, ${asShare(this.data.odds[p][n])}`));
      if (word !== answer || !isSign(word)) return [node];
      return [svg("circle.under", { cx: x(n + 1), cy: y(p), r: 0.5 * (n ? others : lead) }), node];
    });
    return [dots, name, this.group(p, words)];
  }

  /** What stands at a height, on the band of the stop; it unrolls where the height has just been reached. */
  group(p, parts) {
    const isNew = p > this.drawn;
    return svg(`g${p === this.stop ? ".turned" : ""}${isNew ? ".unrolls" : ""}`, ...parts);
  }

  /** The way of the answer as far as it is reached. Where it is among the words that are written, it runs behind them.
   * What has just been added grows. */
  lines() {
    const { x, y } = this.plan;
    const points = this.data.ranks.slice(0, this.stop + 1).map((rank, p) => [x(rank), y(p)]);
    const old = Math.min(this.drawn, this.stop);
    const before = svg("path.way", { d: lineThrough(points.slice(0, old + 1)) });
    if (old === this.stop) return [before];
    return [before, svg("path.way.grows", { d: lineThrough(points.slice(old)), pathLength: 1 })];
  }

  /** Where the answer was behind all words that are written: a bead, and its rank. */
  beyond() {
    const { x, y, k, others } = this.plan;
    return this.data.ranks.slice(0, this.stop + 1).flatMap((rank, p) => {
      if (rank <= k || p === this.stop) return []; // the word itself is there
      const place = { x: x(rank) + 14, y: y(p), "font-size": Math.min(14, others) };
      const name = svg("text.word.answer.beyond", place, ordinal(rank));
      return this.group(p, [svg("circle.bead", { cx: x(rank), cy: y(p), r: 6 }), name]);
    });
  }
}

export default mount(".stream-way", StreamWay);
