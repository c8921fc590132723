// A word's vector goes into three mills, and three strips come out. A hand on a strip opens its mill: the column lights
// up, and its products with the vector walk to the number in hand. All of it is worked out here.

import {
  el,
  fixed,
  fromBase64,
  mount,
  paintPixels,
  pointIn,
  rewrite,
  rgb,
  shorten,
  strength,
  svg,
  theme,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { cells, fades, tower, walked } from "./drawing.js";
import { cellAt, cellOf, MADE, placesOf } from "./places.js";
import { atRest, chain, compared, heard, isOtherState, longestSentences, OCCASIONS, sentence } from "./said.js";
import { largest, outOf, ranked, reach, similarity, span, summed } from "./sums.js";

const ROOM = 174; // pixels above and below the figure, with one line of words, without the headline
const LINE = 34; // pixels of a line of words
const BEAT = 1800; // milliseconds
const DOES = { query: "what it looks for", key: "what it is found by", value: "what it passes on" };
const LETTER = { query: "q", key: "k", value: "v" };
const NEXT = { part: "Next largest part", number: "Next largest number" }; // of a query that finds a word, or of any
const OPEN = "How is one number made?";
const TWIN = "Same word, other place";
const HINT = "↔ drag along any strip";
const swapFor = (word) => `Swap it for “${shorten(word)}”`;

const isLed = (root) => theme(root)("lesson") === "1";
const floats = (text) => new Float32Array(fromBase64(text).buffer);

class ThreeMills {
  constructor(root) {
    this.root = root;
    this.resized = () => this.data && this.draw();
    this.finding = el("h2.finding");
    this.act = el("button.primary", { onclick: () => this.next() });
    this.headline = el("div.headline", this.finding, this.act);
    this.line = el("div.words", {
      role: "radiogroup",
      "aria-label": "Whose vector",
      onkeydown: (event) => this.step(event),
    });
    this.picture = svg("svg", { role: "img" });
    this.word = el("p.whose");
    this.rows = MADE.map((made) => this.row(made));
    this.figure = el("div.mills", this.picture, this.word, ...this.rows.flatMap((row) => Object.values(row.nodes)));
    root.replaceChildren(this.headline, this.line, this.figure);
  }

  /** What a mill has beside its drawing: its matrix, the column in hand, its name, and what hears a hand. */
  row(made) {
    const slider = {
      role: "slider",
      tabindex: 0,
      "aria-label": `Numbers of the ${made}`,
      "aria-valuemin": 1,
      onpointerdown: (event) => this.press(event, made),
      onkeydown: (event) => {
        const to = inRow(event, this.held?.made === made ? this.held.n : -1, this.mills[made].b.length);
        if (to !== null) this.hold(made, to, true);
      },
    };
    const nodes = {
      matrix: el(`canvas.matrix.${made}`),
      column: el("canvas.column"),
      strip: el("div.strip", slider),
      name: el(`h3.${made}`, el("b", made), el("span.quiet", DOES[made])),
      kept: el(`output.kept.${made}`),
      under: el("p.under"),
    };
    return { made, nodes };
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const isFirst = !this.data;
    this.follow(data);
    this.draw();
    if (isFirst) this.open();
    this.root.dataset.painted = "true";
  }

  destroy() {
    this.endBeat?.();
  }

  /** Takes new numbers; what was turned to in the browser holds until the server has heard of it. */
  follow(data) {
    const text = JSON.stringify([data.words, data.x]);
    const matrices = JSON.stringify(data.mills);
    const [isText, isMills] = [text === this.text, matrices === this.matrices];
    if (!isText || !isMills) this.endBeat?.(); // while it has the numbers that it began with
    const before = this.data && { ...this.strips, ...this.now };
    const isOther = isOtherState(this.data, data);
    const isHead = this.data?.of === data.of && this.data.words.length === data.words.length;
    const last = this.data;
    this.data = data;
    this.swap = data.swap && { word: data.swap.word, x: floats(data.swap.x) };
    this.finds =
      data.finds && !isLed(this.root)
        ? { ...data.finds, earned: floats(data.finds.earned), met: floats(data.finds.met) }
        : null;
    if (!isText) this.vectors = floats(data.x);
    if (!isMills)
      this.mills = Object.fromEntries(
        MADE.map((made) => [made, { w: floats(data.mills[made].w), b: floats(data.mills[made].b) }]),
      );
    this.now = { vectors: this.vectors, mills: this.mills };
    if (!isText || !isMills) {
      this.isSwapped = false;
      this.was = isOther ? { ...before, occasion: data.trained ? "after" : "before" } : null;
      this.scales = null;
      if (!isHead || !this.held || this.held.n >= this.mills[this.held.made].b.length) this.held = null;
    }
    if (!isText || !last) this.told = null;
    if (this.told && String([data.at, data.held]) === String(this.told)) this.told = null;
    else if (!this.told) this.turnTo(data.at, data.held, !last || data.held !== last.held);
    Object.assign(this, { text, matrices });
  }

  turnTo(at, held, isNew) {
    if (at !== this.at)
      Object.assign(this, {
        at,
        isSwapped: false,
        held: null,
        was: this.was?.occasion in { before: 1, after: 1 } ? this.was : null,
      });
    if (isNew && held !== (this.held?.made ?? null)) this.held = held && { made: held, n: this.order(held)[0] };
  }

  // ---- what is shown now -------------------------------------------------------------------------------------------

  get vector() {
    if (this.isSwapped) return this.swap.x;
    const D = this.vectors.length / this.data.words.length;
    return this.vectors.subarray(this.at * D, (this.at + 1) * D);
  }

  get name() {
    return this.isSwapped ? this.swap.word : this.data.words[this.at];
  }

  get strips() {
    const x = this.vector;
    return {
      strips: Object.fromEntries(MADE.map((made) => [made, outOf({ x, ...this.mills[made] })])),
      name: this.name,
    };
  }

  /** What each number of this query adds to the score of the word that it finds; null where it finds none. */
  get earned() {
    const { finds, at, mills } = this;
    const d = mills.query.b.length;
    return finds && !this.isSwapped && finds.keys[at] !== null ? finds.earned.subarray(at * d, (at + 1) * d) : null;
  }

  /** The numbers of a strip, those that are worth most first: of a query by what it earns, or else by size. */
  order(made) {
    const earned = made === "query" && this.earned;
    return ranked(earned || outOf({ x: this.vector, ...this.mills[made] }).map(Math.abs));
  }

  /** The other place of the word that is looked at, the nearest; undefined where it stands once. */
  get twin() {
    const { words } = this.data;
    const others = words.keys().filter((n) => n !== this.at && words[n] === words[this.at]);
    return [...others].sort((a, b) => Math.abs(a - this.at) - Math.abs(b - this.at))[0];
  }

  // ---- hands -------------------------------------------------------------------------------------------------------

  /** Another word, beside the one before: its vector is here already, and the server follows. */
  say(n) {
    if (n === this.at && !this.isSwapped) return;
    const isHome = n === this.at;
    const from = this.strips;
    const isTwin = this.data.words[n] === this.data.words[this.at] && !isHome;
    if (isTwin) this.isSwapped = false; // what is the same word at another place is not the one in its place
    const occasion = isTwin ? "twin" : "word";
    const was = { ...(isTwin ? this.strips : from), occasion, by: n - this.at };
    Object.assign(this, { at: n, isSwapped: false, held: null, was });
    this.tell();
  }

  step(event) {
    const to = inRow(event, this.at, this.data.words.length);
    if (to === null) return;
    this.say(to);
    this.line.children[to].focus();
  }

  /** One drags over the cells as long as the pointer is down. */
  press(event, made) {
    const node = event.currentTarget;
    const take = (moved) => this.hold(made, cellAt(this.places.rows[MADE.indexOf(made)].strip, pointIn(moved, node)));
    take(event);
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", take);
    const over = () => {
      node.removeEventListener("pointermove", take);
      this.tell();
    };
    node.addEventListener("lostpointercapture", over, { once: true });
  }

  hold(made, n, isTold = false) {
    const isOther = this.held?.made !== made;
    if (!isOther && this.held.n === n) return;
    this.held = { made, n };
    if (isTold && isOther) this.tell();
    else this.draw();
  }

  tell() {
    this.draw();
    const turn = [this.at, this.held?.made ?? null];
    if (String(turn) === String(this.told ?? [this.data.at, this.data.held])) return;
    this.send("turn", (this.told = turn));
  }

  /** What comes next: a word in its place, the same word elsewhere, and then one number after the other. */
  get coming() {
    const { held, was, twin } = this;
    if (held) return held.made === "query" && this.earned ? "part" : "number";
    if (this.swap && !this.isSwapped && was?.occasion !== "twin" && this.told === null) return "swap";
    return twin !== undefined && this.isSwapped ? "twin" : "open";
  }

  next() {
    const { coming, held } = this;
    if (coming === "swap") {
      const was = { ...this.strips, occasion: "swap" };
      Object.assign(this, { was, isSwapped: true });
      this.draw();
    } else if (coming === "twin") this.say(this.twin);
    else if (coming === "open") this.hold("query", this.order("query")[0], true);
    else {
      const order = this.order(held.made);
      this.hold(held.made, order[(order.indexOf(held.n) + 1) % order.length]);
    }
  }

  // ---- the first beat: the strips come out of the mills --------------------------------------------------------------

  open() {
    const begin = () => {
      this.root.dataset.beat = "mills";
      this.stop = tween(0.94 * BEAT, (share) => {
        this.sofar = Math.round(share * Math.max(...MADE.map((made) => this.mills[made].b.length)));
        this.drawPicture();
      });
    };
    const end = () => {
      this.stop();
      this.sofar = undefined;
      delete this.root.dataset.beat;
      this.drawPicture();
    };
    if (!this.held) this.endBeat = firstBeat("mills", BEAT, begin, end);
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    const { root, data, mills, held } = this;
    if (this.line.childElementCount !== data.words.length || this.lined !== this.text) {
      const radio = (word, n) => el("button.word", { role: "radio", onclick: () => this.say(n) }, word);
      this.line.replaceChildren(...data.words.map(radio));
      this.lined = this.text;
    }
    [...this.line.children].forEach((node, n) => {
      write(node, n === this.at ? this.name : data.words[n]);
      node.setAttribute("aria-checked", n === this.at);
      node.setAttribute("tabindex", n === this.at ? 0 : -1);
    });
    const coming = this.coming;
    this.act.textContent = { swap: coming === "swap" && swapFor(this.swap.word), twin: TWIN, open: OPEN, ...NEXT }[
      coming
    ];
    const part = (said) => (typeof said === "string" ? said : el(`b.${said[0]}`, said[1]));
    rewrite(this.finding, ...this.said().map(part));
    this.keepHeight();
    const words = Math.max(0, this.line.offsetHeight - LINE);
    const height = Math.min(1000, Math.max(340, windowHeight(root) - ROOM - this.headline.offsetHeight - words));
    const d = Math.max(...MADE.map((made) => mills[made].b.length));
    this.places = placesOf({ width: root.clientWidth, height, numbers: d });
    root.classList.toggle("holding", Boolean(held));
    root.dataset.at = String(this.at);
    root.dataset.swapped = String(this.isSwapped);
    root.dataset.held = held ? `${held.made} ${held.n}` : "";
    this.drawPicture();
  }

  /** What no number of this head goes beyond, so that all words are drawn to one scale. */
  scale() {
    if (this.scales) return this.scales;
    const { vectors, mills, data } = this;
    const D = vectors.length / data.words.length;
    const out = (made) =>
      data.words.flatMap((_, n) => outOf({ x: vectors.subarray(n * D, (n + 1) * D), ...mills[made] }));
    const strips = Object.fromEntries(MADE.map((made) => [made, span(out(made))]));
    const matrices = Object.fromEntries(MADE.map((made) => [made, span(mills[made].w)]));
    return (this.scales = { vector: span(vectors), strips, matrices });
  }

  drawPicture() {
    const { places, held, mills, root } = this;
    const scale = this.scale();
    const { strips } = this.strips;
    const wide = root.clientWidth;
    const high = places.isNarrow && !held ? places.rows.at(-1).y + places.rows.at(-1).strip.height + 60 : places.height;
    this.figure.style.height = `${high}px`;
    this.picture.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.word.textContent = this.name;
    const nodes = [tower(this.vector, places.vector, scale.vector)];
    for (const row of this.rows) nodes.push(...this.drawRow(row, places.rows[MADE.indexOf(row.made)], strips, scale));
    if (held) {
      const one = summed({ x: this.vector, ...mills[held.made] }, held.n);
      root.dataset.total = String(one.total);
      nodes.push(...this.drawSum(one, mills[held.made], scale));
    } else nodes.push(fades(), ...this.flows());
    this.picture.setAttribute("aria-label", this.heard);
    this.picture.replaceChildren(...nodes);
  }

  drawRow({ made, nodes }, { mill, strip, y }, strips, scale) {
    const { held, was, mills } = this;
    const isHeld = held?.made === made;
    const before = !held && was ? was.strips[made] : null;
    const put = (node, left, top, width, height) =>
      Object.assign(node.style, {
        left: `${left}px`,
        top: `${top}px`,
        width: width && `${width}px`,
        height: height && `${height}px`,
      });
    const { w, b } = mills[made];
    const key = `${this.matrices.length} ${made} ${theme(this.root)("panel")} ${theme(this.root)("positive")}`;
    if (nodes.matrix.dataset.key !== key || this.painted?.[made] !== w) {
      this.paint(nodes.matrix, w, b.length, scale.matrices[made]);
      nodes.matrix.dataset.key = key;
      this.painted = { ...this.painted, [made]: w };
    }
    put(nodes.matrix, mill.x, mill.y, mill.width, mill.height);
    nodes.column.hidden = !isHeld;
    if (isHeld) {
      this.paint(
        nodes.column,
        Float32Array.from({ length: w.length / b.length }, (_, i) => w[i * b.length + held.n]),
        1,
        scale.matrices[made],
      );
      const cell = Math.max(5, mill.width / b.length);
      put(
        nodes.column,
        mill.x + ((held.n + 0.5) / b.length) * mill.width - cell / 2,
        mill.y - 4,
        cell,
        mill.height + 8,
      );
    }
    put(nodes.strip, strip.x, strip.y, strip.width, strip.height);
    put(nodes.name, strip.x, y + 4);
    put(nodes.under, strip.x, strip.y + strip.height + 4, strip.width);
    put(nodes.kept, strip.x, y + 4, strip.width);
    for (const node of Object.values(nodes)) node.classList.toggle("aside", Boolean(held) && !isHeld);
    nodes.strip.setAttribute("aria-valuemax", b.length);
    nodes.strip.setAttribute("aria-valuenow", isHeld ? held.n + 1 : 1);
    const n = isHeld ? held.n : 0;
    nodes.strip.setAttribute("aria-valuetext", `number ${n + 1}: ${fixed(strips[made][n], 2)}`);
    const isFirst = made === MADE[0];
    const kept = before ? [el("b", fixed(similarity(strips[made], before), 2)), " similar"] : [];
    rewrite(nodes.kept, ...(isFirst && !before && !held ? [HINT] : kept));
    rewrite(nodes.under, ...(isHeld && isFirst ? this.chained() : isFirst && before ? [this.legend] : []));
    const sofar = this.sofar ?? b.length;
    const drawn = cells(strips[made], strip, { most: scale.strips[made], before, held: isHeld ? held.n : null, sofar });
    const middle = strip.y + strip.height / 2;
    const pipe = svg("path.pipe", { d: `M${mill.x + mill.width} ${middle}H${strip.x - 3}` });
    const letter = svg("text.mill-name", { x: mill.x, y: y + 18 }, "W", svg("tspan", { dy: 4 }, LETTER[made]));
    const label = isHeld ? [this.inHand(strips[made][held.n], strip)] : [];
    return [svg(`g.row.${made}${held && !isHeld ? ".aside" : ""}`, pipe, letter, ...drawn, ...label)];
  }

  inHand(value, strip) {
    const { x, y, width } = cellOf(strip, this.held.n);
    const at = Math.min(x + width / 2, strip.x + strip.width - 20);
    return svg("text.in-hand", { x: at, y: y - 13, "text-anchor": "middle" }, fixed(value, 2));
  }

  /** The vector runs into each mill. */
  flows() {
    const { vector, rows } = this.places;
    const [x, from, to] = [vector.x + vector.width + 4, vector.y, vector.y + vector.height];
    return rows.map(({ made, mill }) => {
      const [end, top, bottom] = [mill.x - 3, mill.y, mill.y + mill.height];
      const half = (x + end) / 2;
      const d = `M${x} ${from}C${half} ${from} ${half} ${top} ${end} ${top}V${bottom}C${half} ${bottom} ${half} ${to} ${x} ${to}z`;
      return svg(`path.flow.${made}`, { d, fill: `url(#into-${made})` });
    });
  }

  /** The vector beside the column in hand, and the walk of their products to the number in hand. */
  drawSum(one, { w, b }, scale) {
    const { places, held } = this;
    const { column, walk, labels, copy, rows } = places;
    const key = `${this.text.length} ${this.at} ${this.isSwapped} ${held.made} ${this.matrices.length}`;
    if (this.reached?.key !== key || this.reached.w !== w)
      this.reached = { key, w, ends: reach({ x: this.vector, w, b }) };
    const { nodes, end } = walked(one, b[held.n], { place: walk, labels, reach: this.reached.ends, x: this.vector });
    const { mill } = rows[MADE.indexOf(held.made)];
    const inlet = mill.y + mill.height / 2;
    const [x, y] = end;
    const way = places.isNarrow
      ? `M${x} ${y}v10`
      : `M${x} ${y}C${x} ${y + 22} ${labels + 40} ${y + 22} ${labels + 70} ${y - 10}S${mill.x - 40} ${inlet} ${mill.x - 3} ${inlet}`;
    const head = (place, ...text) =>
      svg("text.head", { x: place.x + place.width / 2, y: place.y - 8, "text-anchor": "middle" }, ...text);
    const of = svg("tspan.hue", "W", svg("tspan.sub", { dy: 3 }, LETTER[held.made]));
    const times = {
      x: column.x - (column.x - (copy ?? places.vector).x - (copy ?? places.vector).width) / 2,
      y: column.y + column.height / 2,
      "text-anchor": "middle",
    };
    const more = copy ? [tower(this.vector, copy, scale.vector), head(copy, "vector")] : [];
    return [
      svg(
        `g.sum.${held.made}`,
        ...more,
        tower(one.column, column, scale.matrices[held.made]),
        svg("text.times", times, "×"),
        head(column, `no. ${held.n + 1} of `, of),
        ...nodes,
        svg("path.way", { d: way }),
        svg(
          "text.total",
          { x: x, y: y + (places.isNarrow ? 24 : 14), dx: -8, "text-anchor": "end" },
          `= ${fixed(one.total, 2)}`,
        ),
      ),
    ];
  }

  paint(canvas, numbers, across, most) {
    const colours = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    paintPixels(canvas, Float32Array.from(numbers), across, colours, (number) => strength(Math.abs(number) / most));
  }

  /** How a number of the query becomes a part of the score, where it finds a word. */
  chained() {
    const { earned, finds, at, held, mills } = this;
    if (!earned) return [];
    const size = mills.query.b.length;
    const [total, n] = [this.strips.strips.query[held.n], at * size + held.n];
    const { keys, scores, turned, scale } = finds;
    const numbers = { met: finds.met[n], earned: earned[held.n], score: scores[at], turned, scale, size };
    const steps = chain(total, { ...numbers, word: this.data.words[keys[at]], isSelf: keys[at] === at });
    return steps.flatMap(({ sign, text, role, under }) => [
      `${sign} `,
      el(role ? `b.${role}` : "b", text),
      ` ${under} `,
    ]);
  }

  // ---- words -------------------------------------------------------------------------------------------------------

  /** What the line over the bars is, and what a similarity means. */
  get legend() {
    const { occasion, name } = this.was;
    const states = { before: "after training", after: "before training", twin: "the other place" };
    return `Line: ${states[occasion] ?? `“${name}”`}. Similarity: 1 is the same pattern, 0 none in common.`;
  }

  /** The finding, as texts and [role, text]. */
  said() {
    const { held, was, mills, data, name } = this;
    if (!held && was) {
      const { strips } = this.strips;
      const occasion = OCCASIONS[was.occasion]({ word: name, from: was.name, by: was.by });
      return compared(
        occasion,
        Object.fromEntries(MADE.map((made) => [made, similarity(strips[made], was.strips[made])])),
      );
    }
    if (!held) return atRest(name, this.vector.length, mills.query.b.length);
    const { made, n } = held;
    const one = summed({ x: this.vector, ...mills[made] }, n);
    const found = made === "query" &&
      this.earned && {
        word: data.words[this.finds.keys[this.at]],
        share: this.earned[n] / this.finds.scores[this.at],
      };
    const isState = was?.occasion === "before" || was?.occasion === "after";
    const other = isState &&
      n < was.strips[made].length && { total: was.strips[made][n], when: data.trained ? "before" : "after" };
    return sentence(one, mills[made].b[n], {
      what: `Number ${n + 1} of the ${made} of “${name}”`,
      made,
      found,
      was: other,
    });
  }

  get heard() {
    const { held, mills, name } = this;
    if (!held) return `The vector of ${name}, three matrices, and what each makes of it: a query, a key and a value`;
    const one = summed({ x: this.vector, ...mills[held.made] }, held.n);
    return heard(one, largest(one, 4), mills[held.made].b[held.n]);
  }

  /** The figure stays where it is, whatever is told. */
  keepHeight() {
    const { data, mills, root } = this;
    const { w, b } = mills.query;
    const key = [root.clientWidth, windowHeight(root), this.text, this.swap?.word, b.length, w.length].join(" ");
    if (key === this.kept) return;
    this.kept = key;
    const of = { numbers: b.length, products: w.length / b.length, constants: b.some((bias) => bias !== 0) };
    const acts = [OPEN, TWIN, ...Object.values(NEXT), ...(this.swap ? [swapFor(this.swap.word)] : [])];
    steady(this.headline, longestSentences(data.words, data.finds?.keys, this.swap?.word, of), acts);
  }
}

export default mount(".three-mills", ThreeMills);
