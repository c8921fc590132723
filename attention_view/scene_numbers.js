// The numbers of a scene, all from one pass of a model: what was recorded, and what follows of it.
//
// Of q and k, as they met (positions have turned them), follow the products, the scores, what is scaled, and the
// attention weights; of v and the weights the output. Where q and k are not here, the weights are those that were sent.

/** The stages of a head, in the order in which it passes them. */
export const SCENE_STAGES = ["scores", "scaled", "masked", "weights"];

export class Numbers {
  /** header  {tokens, layers, heads, scale, causal}
   * arrays   q, k, v (L, H, T, d_k) or none of them; weights (L, H, T, T), float32, or uint8 steps of 1/255 */
  constructor(header, { q = null, k = null, v = null, weights = null, ...more }) {
    Object.assign(this, { q, k, v, sent: weights, ...more });
    Object.assign(this, { tokens: header.tokens, L: header.layers, H: header.heads });
    this.T = this.tokens.length;
    this.scale = header.scale;
    this.isCausal = header.causal;
    this.d = q ? q.shape[3] : 0;
    this.made = new Map();
  }

  /** Whether a query may look at a key. */
  sees(i, j) {
    return !this.isCausal || j <= i;
  }

  /** A vector: the row of a token in one head of q, k or v. */
  vector(name, l, h, t) {
    const { d, T, H } = this;
    const heads = this[name].shape[1]; // keys and values may be shared by groups of heads
    const from = ((l * heads + Math.floor((h * heads) / H)) * T + t) * d;
    return this[name].subarray(from, from + d);
  }

  /** The product of each feature of a query and a key (d_k). */
  products(l, h, i, j) {
    const [q, k] = [this.vector("q", l, h, i), this.vector("k", l, h, j)];
    return Float64Array.from(q, (x, c) => x * k[c]);
  }

  /** A head at one stage, (T, T) row by row. Masked cells are -Infinity where a mask has come, and have no weight. */
  matrix(l, h, stage = "weights") {
    const key = `${l} ${h} ${stage}`;
    if (!this.made.has(key)) this.made.set(key, this.make(l, h, stage));
    return this.made.get(key);
  }

  make(l, h, stage) {
    const { T } = this;
    if (stage === "weights" && (this.sent || !this.q)) return this.asSent(l, h);
    if (stage === "scores") {
      const scores = new Float64Array(T * T);
      for (let i = 0; i < T; i++)
        for (let j = 0; j < T; j++) scores[i * T + j] = this.products(l, h, i, j).reduce((a, b) => a + b, 0);
      return scores;
    }
    if (stage === "scaled") return this.matrix(l, h, "scores").map((x) => x / this.scale);
    if (stage === "masked")
      return this.matrix(l, h, "scaled").map((x, n) => (this.sees(Math.floor(n / T), n % T) ? x : -Infinity));
    const masked = this.matrix(l, h, "masked");
    const weights = new Float64Array(T * T);
    for (let i = 0; i < T; i++) weights.set(softmax(masked.subarray(i * T, (i + 1) * T)), i * T);
    return weights;
  }

  asSent(l, h) {
    const { T, H, sent } = this;
    const from = (l * H + h) * T * T;
    const part = Float64Array.from(sent.subarray(from, from + T * T));
    return sent instanceof Uint8Array ? part.map((step) => step / 255) : part;
  }

  weight(l, h, i, j) {
    return this.matrix(l, h)[i * this.T + j];
  }

  row(l, h, i, stage = "weights") {
    return this.matrix(l, h, stage).subarray(i * this.T, (i + 1) * this.T);
  }

  /** The output of a head at one token: its values, each as much as its weight says (d_k). */
  output(l, h, i) {
    const row = this.row(l, h, i);
    const out = new Float64Array(this.d);
    for (let j = 0; j < this.T; j++) {
      if (row[j] === 0) continue;
      this.vector("v", l, h, j).forEach((x, c) => (out[c] += row[j] * x));
    }
    return out;
  }

  /** The mean weights of all heads of a layer, (T, T). */
  mean(l) {
    const key = `mean ${l}`;
    if (!this.made.has(key)) {
      const sum = new Float64Array(this.T * this.T);
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

/** exp(x) / sum of exp(x); -Infinity gets nothing. */
export function softmax(row) {
  const highest = Math.max(...row);
  const powers = Float64Array.from(row, (x) => (highest === -Infinity ? 0 : Math.exp(x - highest)));
  const total = powers.reduce((a, b) => a + b, 0);
  return total ? powers.map((x) => x / total) : powers;
}
