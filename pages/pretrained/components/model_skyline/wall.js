// What the heads of a model look at in a sentence: a small map per head, a row per layer. One head is lit: what it
// looks at most stands above in a sentence, with arcs below the words.

import { el, fixed, fromBase64, put, rgb, strength, svg, theme } from "../../../../attention_view/lab.js";
import { inGrid } from "../../../../attention_view/controls.js";
import { arcsOf } from "../../../../attention_view/arcs.js";

/** An arc between two places of one line, below it, deeper than the one of a text that is not the subject. */
export function archOf(from, to, y) {
  const deep = y + 34 + Math.min(34, Math.abs(to - from) / 6);
  return `M${from} ${y}C${from} ${deep} ${to} ${deep} ${to} ${y}`;
}

/** The token that the asking one looks at most in a head, and with which weight: [key, weight]. */
export const mostOf = (row) => row.reduce((most, weight, j) => (weight > most[1] ? [j, weight] : most), [0, -1]);

export class Wall {
  /** changed() hears that another head is lit. */
  constructor(changed) {
    this.changed = changed;
    this.maps = el("canvas.maps.from-left", { "aria-hidden": "true" });
    this.heads = el("div.heads", { role: "radiogroup", "aria-label": "Heads" });
    this.heads.onkeydown = (event) => this.step(event);
    this.words = el("p.words");
    this.arcs = svg("svg.arcs.from-left", { "aria-hidden": "true" });
    this.sentence = el("div.sentence", this.words, this.arcs);
  }

  /** one: the model; lit: the number of the head, or null for the one that it opens on */
  show(one, lit, { pitch, rise, width, height }) {
    const [[layers, heads]] = one.stacks;
    this.one = one;
    this.shape = [layers, heads];
    this.lit = lit ?? one.opens;
    this.paint(one, { pitch, rise, width, height });
    if (this.made !== one.title) {
      this.made = one.title;
      const name = (n) => `layer ${Math.floor(n / heads)}, head ${n % heads}`;
      const press = (n) => () => this.light(n);
      const button = (_, n) =>
        el("button", { role: "radio", "aria-label": name(n), title: name(n), onclick: press(n) });
      this.heads.replaceChildren(...Array.from({ length: layers * heads }, button));
      this.words.replaceChildren(...one.tokens.map((token) => el("span", token)));
    }
    const [wide, tall] = [pitch - Math.max(1, pitch / 9), rise - Math.max(1, rise / 9)];
    for (const [n, button] of [...this.heads.children].entries()) {
      const [left, top] = [pitch * (n % heads), height - rise * (Math.floor(n / heads) + 1) + rise - tall];
      button.style.cssText = `left:${left}px;top:${top}px;width:${wide}px;height:${tall}px`;
    }
    this.mark();
  }

  light(n) {
    this.lit = n;
    this.mark();
    this.changed();
  }

  step(event) {
    const [layers, heads] = this.shape;
    const to = inGrid(event, [layers - 1 - Math.floor(this.lit / heads), this.lit % heads], [layers, heads]);
    if (!to) return;
    this.light((layers - 1 - to[0]) * heads + to[1]);
    this.heads.children[this.lit].focus();
  }

  mark() {
    const { one, lit } = this;
    for (const [n, button] of [...this.heads.children].entries())
      put(button, { "aria-checked": String(n === lit), tabindex: n === lit ? "0" : "-1" });
    const row = one.rows[lit];
    const [key] = mostOf(row);
    const kind = (n) => (n === one.asks ? "query" : n === key ? "key" : "");
    for (const [n, word] of [...this.words.children].entries()) put(word, { class: kind(n) });
    this.draw(row);
  }

  /** What the lit head does, as parts of a sentence. */
  told() {
    const { one, lit, shape } = this;
    const [key, weight] = mostOf(one.rows[lit]);
    const word = (kind, n) => ["“", el(`b.${kind}`, one.tokens[n]), "”"];
    const name = `layer ${Math.floor(lit / shape[1])}, head ${lit % shape[1]}`;
    const where = `${one.title} has ${one.rows.length} heads. In ${name}, `;
    const at = key === one.asks ? ["itself"] : word("key", key);
    return [where, ...word("query", one.asks), " looks most at ", ...at, ": ", el("b.weight", fixed(weight)), "."];
  }

  /** Arcs from the word that asks; only on one line, for one across a break would cross the text. */
  draw(row) {
    const words = [...this.words.children];
    const { asks } = this.one;
    const foot = (n) => words[n].offsetTop + words[n].offsetHeight;
    const middle = (n) => words[n].offsetLeft + words[n].offsetWidth / 2;
    const all = [...Array(asks * row.length).fill(0), ...row]; // as the row of the word that asks
    const listed = arcsOf(all, asks, row.length).filter(([j]) => foot(j) === foot(asks));
    const path = ([j, weight]) =>
      svg("path", { d: archOf(middle(asks), middle(j), foot(asks)), "stroke-width": (1 + 8 * weight).toFixed(1) });
    this.arcs.replaceChildren(...listed.map(path));
  }

  /** What each head looks at, in its own cell: a row per token that looks, the first layer at the bottom. */
  paint({ stacks, maps, n }, { pitch, rise, width, height }) {
    const bytes = fromBase64(maps);
    const sharp = devicePixelRatio * (this.maps.currentCSSZoom ?? 1);
    Object.assign(this.maps, { width: width * sharp, height: height * sharp });
    put(this.maps, { style: `width:${width}px;height:${height}px` });
    const [[, heads]] = stacks;
    const [pen, steps] = [this.maps.getContext("2d"), shades(this.maps)];
    const [left, down] = [(pitch - Math.max(1, pitch / 9)) / n, (rise - Math.max(1, rise / 9)) / n];
    pen.scale(sharp, sharp);
    bytes.forEach((weight, i) => {
      const [head, cell] = [Math.floor(i / n ** 2), i % n ** 2];
      const x = pitch * (head % heads) + left * (cell % n);
      const y = height - rise * (Math.floor(head / heads) + 1) + Math.max(1, rise / 9) + down * Math.floor(cell / n);
      pen.fillStyle = steps[weight];
      pen.fillRect(x, y, left + 0.3, down + 0.3);
    });
  }
}

/** The colour of each byte of a weight, from that of the panel to that of attention weights. */
function shades(node) {
  const colour = theme(node);
  const [panel, weight] = [rgb(colour("panel")), rgb(colour("weight"))];
  return Array.from({ length: 256 }, (_, n) => {
    const share = strength(n / 255);
    return `rgb(${[0, 1, 2].map((c) => Math.round(panel[c] + share * (weight[c] - panel[c])))})`;
  });
}
