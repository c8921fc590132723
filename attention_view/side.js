// One query: where it looks, as ribbons to the keys, and the arithmetic of one of its weights.

import { brief, el, fixed, minus, pointIn, put, rewrite, shorten, trimmed, write } from "./lab.js";
import { paintProducts, paintRibbons, productsLayout, ribbonLayout, ribbonRows } from "./one_query.js";

export class Side {
  constructor(view) {
    this.view = view;
  }

  build(n) {
    this.nodes = n;
    n.from = el("h2");
    n.threshold = el("input", {
      type: "range",
      min: "0",
      max: "0.5",
      step: "0.001",
      "aria-label": "Hide ribbons below this weight",
      oninput: () => this.view.show({ threshold: Number(n.threshold.value) }),
    });
    n.level = el("output");
    n.ribbons = el("canvas", { role: "img", ...this.view.pointed((e) => this.cellAt(e)) });
    n.left = el("p", { class: "quiet small" });
    n.why = el("h2", { class: "why" });
    n.pair = el("span", { class: "quiet pair" });
    n.products = el("canvas", {
      role: "img",
      onpointermove: (e) => this.feature(e),
      onpointerleave: () => this.tellPair(),
    });
    n.steps = el("dl", { class: "steps" });
    n.reason = el("p", { class: "quiet reason" });
    n.side = el(
      "section",
      { class: "side", "aria-label": "One query" },
      el("header", {}, n.from, el("label", { class: "quiet level" }, "threshold ", n.threshold, n.level)),
      el("div", { class: "ribbons" }, n.ribbons, n.left),
      el("div", { class: "explain" }, el("header", {}, n.why, n.pair), n.products, n.steps, n.reason),
    );
    return n.side;
  }

  cellAt(event) {
    const [x, y] = pointIn(event, this.nodes.ribbons);
    const { step, left, right } = this.place;
    const at = Math.floor((y - 4) / step);
    const [i, j] = this.view.pinned ?? this.view.cell;
    if (x < left + 12 && at >= 0 && at < this.rows.queries.length) return [this.rows.queries[at], j];
    if (x > right - 12 && at >= 0 && at < this.rows.keys.length) return [i, this.rows.keys[at]];
    return null;
  }

  /** What is on canvases. It is drawn before anything is written: canvas text asks for styles that are up to date. */
  drawCell(i, j) {
    const { nodes: n, view } = this;
    const { picture: p, threshold, colours } = view;
    const heads = view.heads();
    this.rows = ribbonRows(p, heads[0].weights, i);
    this.place = ribbonLayout(p, this.rows, view.ribbonWidth);
    const tints = { ...colours, heads: view.colouredAs(heads) };
    paintRibbons(n.ribbons, p, heads, this.rows, i, j, threshold, this.place, tints);
    this.why = heads.length > 1 ? null : p.explain(heads[0].layer, heads[0].head, i, j);
    if (this.why) paintProducts(n.products, this.why, view.stepsWidth, colours);
  }

  /** What is written beside them. */
  tellCell(i, j) {
    const { nodes: n, view } = this;
    const { picture: p, threshold } = view;
    const heads = view.heads();
    const top = view.top(heads[0].weights, i).map(([key, w]) => `${p.keys[key]} ${w.toFixed(2)}`);
    const looks = p.header.flow ? `What ${p.queries[i]} holds` : `Where ${p.queries[i]} looks`;
    put(n.ribbons, { "aria-label": `${looks}: ${top.join(", ")}` });
    rewrite(n.from, p.header.flow ? "Into " : "From ", el("b", { class: "query" }, shorten(p.queries[i], 18)));
    if (Number(n.threshold.value) !== threshold) n.threshold.value = threshold;
    write(n.level, trimmed(threshold, 3));
    const hidden = p.S - this.rows.keys.length;
    write(n.left, hidden > 0 ? `The ${this.rows.keys.length} keys with the largest weights, of ${p.S}.` : "");
    this.tellWhy(i, j, heads);
  }

  tellWhy(i, j, heads) {
    const { nodes: n, view, why } = this;
    const p = view.picture;
    const several = heads.length > 1;
    const weight = heads.reduce((sum, { weights }) => sum + weights[i * p.S + j], 0) / heads.length;
    rewrite(n.why, "Why ", el("b", { class: "weight" }, brief(why ? why.weight : weight)), "?");
    this.pair = [i, j];
    this.tellPair();
    if (n.products.hidden !== !why) n.products.hidden = !why;
    if (!why) delete view.root.dataset.why;
    write(n.reason, why || several ? "" : this.reason(...heads.map(({ layer, head }) => [layer, head])[0]));
    if (several) {
      const each = heads.map((h) => line([`layer ${h.layer}, head ${h.head}`], fixed(h.weights[i * p.S + j], 4)));
      rewrite(n.steps, ...each.flat(), ...line([`mean of ${heads.length} heads`], fixed(weight, 4), true));
      return;
    }
    if (!why) {
      n.steps.replaceChildren();
      return;
    }
    const products = why.products.slice(0, 8).map((x) => fixed(x, 2));
    const rest = why.d > 8 ? " and so on" : "";
    put(n.products, { "aria-label": `The ${why.d} products q times k: ${products.join(", ")}${rest}` });
    rewrite(n.steps, ...this.lines(why, i, j).flat());
    const { dot, scaled, score, max, exp, sum, allowed } = why;
    view.root.dataset.why = JSON.stringify({ dot, scaled, score, max, exp, sum, weight: why.weight, allowed });
  }

  /** Whose weight is worked out. */
  tellPair() {
    const { picture: p } = this.view;
    const [i, j] = this.pair;
    const query = el("b", { class: "query" }, shorten(p.queries[i], 12));
    const key = el("b", { class: "key" }, shorten(p.keys[j], 12));
    rewrite(this.nodes.pair, ...(p.header.flow ? ["from ", key, " into ", query] : ["from ", query, " to ", key]));
  }

  /** The steps from q and k to the weight, each with its number. */
  lines(why, i, j) {
    const { arrays, header } = this.view.picture;
    const q = el("b", { class: "query" }, "q"),
      k = el("b", { class: "key" }, "k");
    const lines = [
      line([q, " · ", k, `, the sum of ${why.d} products`], fixed(why.dot, 4)),
      header.scale === 1
        ? line(["not divided: scaling is off"], fixed(why.scaled, 4))
        : line([`÷ √d`, el("sub", {}, "k"), ` = ${header.scale.toFixed(3)}`], fixed(why.scaled, 4)),
    ];
    if (why.bias !== null) {
      const bias = `${why.bias < 0 ? "−" : "+"} ${Math.abs(why.bias).toFixed(4)}`;
      lines.push(
        line([`${bias}, the bias for a distance of ${minus(String(this.distance(i, j)))}`], fixed(why.score, 4)),
      );
    }
    if (arrays.mask && why.allowed) lines.push(line(["the mask lets it through"], ""));
    if (!why.allowed)
      lines.push(
        line([why.sum ? "the mask blocks this cell" : "the mask blocks this whole row"], "exp → 0"),
        line(["weight"], "0", true),
      );
    else
      lines.push(
        line([`exp(score − row maximum ${fixed(why.max, 2)})`], fixed(why.exp, 4)),
        line(["÷ the row's sum"], fixed(why.sum, 4)),
        line(["weight"], fixed(why.weight, 4), true),
      );
    return lines;
  }

  /** Why there is no arithmetic to show. */
  reason(ofLayer, ofHead) {
    const { picture } = this.view;
    const { arrays, header } = picture;
    if (header.flow)
      return (
        "This share of what the token holds after the layer came from that token. All maps up to here are " +
        "multiplied: in each layer half of a token stays where it is, and half follows the mean of the heads, " +
        "R_l = ½ (A_l + I) R_(l−1)."
      );
    if (picture.words && picture.vectors(ofLayer, ofHead))
      return "Words of several tokens have no q and k of their own; see their tokens for the arithmetic.";
    if (!arrays["view:q"] && picture.inView(ofLayer, ofHead))
      return "This model gave its weights only, without q and k.";
    if (!header.alone) return "Fetching q and k of this head …";
    const [layer, head] = header.view;
    const what = arrays["view:q"] ? "q and k" : "the exact weights";
    const others = header.tier === "bytes" ? "rounded weights" : "a thumbnail, a cell of it the largest of a square";
    return `This file has ${what} of layer ${layer}, head ${head} alone. Of the others it has ${others}.`;
  }

  /** The one product under the pointer, in numbers. */
  feature(event) {
    const { left, step } = productsLayout(this.why.d, this.nodes.products.clientWidth);
    const c = Math.floor((pointIn(event, this.nodes.products)[0] - left) / step);
    if (c < 0 || c >= this.why.d) return;
    const [q, k] = [this.why.q[c], this.why.k[c]].map((v) => fixed(v));
    this.nodes.pair.textContent = `feature ${c}: ${q} × ${k} = ${fixed(this.why.products[c])}`;
  }

  distance(i, j) {
    const { whole, picture } = this.view;
    const [query, key] = picture.place(i, j);
    return key - (query + Math.max(0, whole.S - whole.T));
  }
}

/** A name and a number of the arithmetic. */
function line(name, value, strong) {
  const rule = { class: strong && "total" };
  return [el("dt", rule, ...name), el("dd", rule, value)];
}
