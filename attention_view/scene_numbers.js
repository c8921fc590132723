// The numbers of a scene, all from one pass of a model: what was recorded, and what follows of it.
//
// Of q and k, as they met (positions have turned them), follow the products, the scores, what is scaled, and the
// attention weights; of v and the weights the output. Where q and k are not here, the weights are those that were sent.

import { keepsUnits, unitsByLayer } from "./scene_units.js";

/** The stages of a head, in the order in which it passes them. */
export const SCENE_STAGES = ["scores", "scaled", "masked", "weights", "output"];

export class Numbers {
  /** header  {tokens, layers, heads, scale, causal}, and perhaps: keys, where queries look at other tokens than
   *          themselves; row, whose attention matters most (the last); next, the word that is written at that row,
   *          where it is known; answer, what is read out at the top; units, [how many a feed-forward network has,
   *          features of the stream], where these can be entered
   * arrays   q, k, v (L, H, T, d_k) or none of them; weights (L, H, T, S), float32, or uint8 steps of 1/255; patches
   *          (n, p, p, 3) of a picture, which are the last n tokens */
  constructor(header, { q = null, k = null, v = null, weights = null, units = null, ...more }) {
    Object.assign(this, { q, k, v, sent: weights, units: unitsByLayer(units), ...more });
    Object.assign(this, { tokens: header.tokens, L: header.layers, H: header.heads });
    this.keys = header.keys ?? this.tokens;
    [this.T, this.S] = [this.tokens.length, this.keys.length];
    this.decisive = header.row ?? this.T - 1;
    this.next = header.next ?? "";
    this.answer = header.answer ?? "to the next word";
    this.scale = header.scale;
    this.isCausal = header.causal;
    this.d = q ? q.shape[3] : 0;
    [this.F, this.D] = header.units ?? [0, 0];
    this.made = new Map();
  }

  /** The numbers of a layer: of one stack all layers have the same tokens. */
  part() {
    return this;
  }

  /** What stands side by side: a stack alone. */
  get sides() {
    return [this];
  }

  /** Whether a feed-forward network works after the attention of a layer. */
  hasForward() {
    return true;
  }

  /** The whole of it, in words. */
  get whole() {
    return (
      `The whole model: ${this.T} tokens run up through ${this.L} layers, each with ${this.H} heads of attention` +
      " and a feed-forward network."
    );
  }

  /** [what a layer is called beside its columns, and what is below that]. */
  titles(l) {
    return [`layer ${l}`, "attention"];
  }

  /** Of what stands side by side: the number of its first layer, and where the keys of a layer stand. */
  get first() {
    return 0;
  }

  keysIn() {
    return 0;
  }

  layerName(l) {
    return `layer ${l}`;
  }

  /** Whether a query may look at a key. */
  sees(i, j) {
    return !this.isCausal || j <= i;
  }

  /** A vector: the row of a token in one head of q, k or v. */
  vector(name, l, h, t) {
    const { d, H } = this;
    const [, heads, T] = this[name].shape; // keys and values may be shared by groups of heads
    const from = ((l * heads + Math.floor((h * heads) / H)) * T + t) * d;
    return this[name].subarray(from, from + d);
  }

  /** The product of each feature of a query and a key (d_k). */
  products(l, h, i, j) {
    const [q, k] = [this.vector("q", l, h, i), this.vector("k", l, h, j)];
    return Float64Array.from(q, (x, c) => x * k[c]);
  }

  /** A head at one stage, (T, S) row by row. Masked cells are -Infinity where a mask has come, and have no weight. */
  matrix(l, h, stage = "weights") {
    const key = `${l} ${h} ${stage}`;
    if (!this.made.has(key)) this.made.set(key, this.make(l, h, stage));
    return this.made.get(key);
  }

  make(l, h, stage) {
    const { T, S } = this;
    if (stage === "weights" && (this.sent || !this.q)) return this.asSent(l, h);
    if (stage === "scores") {
      const scores = new Float64Array(T * S);
      for (let i = 0; i < T; i++)
        for (let j = 0; j < S; j++) scores[i * S + j] = this.products(l, h, i, j).reduce((a, b) => a + b, 0);
      return scores;
    }
    if (stage === "scaled") return this.matrix(l, h, "scores").map((x) => x / this.scale);
    if (stage === "masked")
      return this.matrix(l, h, "scaled").map((x, n) => (this.sees(Math.floor(n / S), n % S) ? x : -Infinity));
    const masked = this.matrix(l, h, "masked");
    const weights = new Float64Array(T * S);
    for (let i = 0; i < T; i++) weights.set(softmax(masked.subarray(i * S, (i + 1) * S)), i * S);
    return weights;
  }

  asSent(l, h) {
    const { T, S, H, sent } = this;
    const from = (l * H + h) * T * S;
    const part = Float64Array.from(sent.subarray(from, from + T * S));
    return sent instanceof Uint8Array ? part.map((step) => step / 255) : part;
  }

  weight(l, h, i, j) {
    return this.matrix(l, h)[i * this.S + j];
  }

  row(l, h, i, stage = "weights") {
    return this.matrix(l, h, stage).subarray(i * this.S, (i + 1) * this.S);
  }

  /** The output of a head at one token: its values, each as much as its weight says (d_k). */
  output(l, h, i) {
    const key = `output ${l} ${h} ${i}`;
    if (!this.made.has(key)) this.made.set(key, this.mix(l, h, i));
    return this.made.get(key);
  }

  mix(l, h, i) {
    const row = this.row(l, h, i);
    const out = new Float64Array(this.d);
    for (let j = 0; j < this.S; j++) {
      if (row[j] === 0) continue;
      this.vector("v", l, h, j).forEach((x, c) => (out[c] += row[j] * x));
    }
    return out;
  }

  /** The mean weights of all heads of a layer, (T, S). */
  mean(l) {
    const key = `mean ${l}`;
    if (!this.made.has(key)) {
      const sum = new Float64Array(this.T * this.S);
      for (let h = 0; h < this.H; h++) this.matrix(l, h).forEach((w, n) => (sum[n] += w / this.H));
      this.made.set(key, sum);
    }
    return this.made.get(key);
  }

  /** The key that gets most of a query's attention. */
  topKey(l, h, i) {
    const row = this.row(l, h, i);
    return row.indexOf(Math.max(...row));
  }

  /** The feature whose product with the key is the farthest from nought. */
  topProduct(l, h, i, j) {
    const sizes = this.products(l, h, i, j).map(Math.abs);
    return sizes.indexOf(Math.max(...sizes));
  }
}

Object.assign(Numbers.prototype, keepsUnits);

/** exp(x) / sum of exp(x); -Infinity gets nothing. */
export function softmax(row) {
  const highest = Math.max(...row);
  const powers = Float64Array.from(row, (x) => (highest === -Infinity ? 0 : Math.exp(x - highest)));
  const total = powers.reduce((a, b) => a + b, 0);
  return total ? powers.map((x) => x / total) : powers;
}
