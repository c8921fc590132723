// The numbers: what payload.py packed is unpacked here, and every stage of attention is worked out from q and k.
// Letters as everywhere: L layers, H heads, T queries, S keys, d the width of a head.

import { unpack } from "./lab.js";

/** Everything one attention view shows. Nothing here draws. */
export class Picture {
  constructor(bytes, { header, arrays } = unpack(bytes)) {
    this.header = header;
    this.arrays = arrays;
    this.L = header.layers;
    this.H = header.heads;
    this.queries = header.queries;
    this.keys = header.keys;
    this.T = this.queries.length;
    this.S = this.keys.length;
    this.scoreNames = Object.keys(arrays)
      .filter((n) => n.startsWith("score:"))
      .map((n) => n.slice(6));
    this.cache = new Map(); // of the heads last looked at: stage -> matrix
  }

  /** A head in words; of a rollout there is one map per layer, and no head. */
  name(layer, head) {
    return this.header.flow ? `Rollout after layer ${layer}` : `Layer ${layer}, head ${head}`;
  }

  index(layer, head) {
    return layer * this.H + head;
  }

  largest(layer, head) {
    return this.arrays.largest[this.index(layer, head)];
  }

  score(name, layer, head) {
    return this.arrays["score:" + name][this.index(layer, head)];
  }

  /** The mask of a layer, T x S with 1 where a query may look; undefined where it always may. */
  maskOf(layer) {
    const { mask } = this.arrays;
    const number = this.header.masks?.[layer];
    if (number === undefined) return mask; // one for all layers
    const n = this.T * this.S;
    return ((this.masks ??= [])[number] ??= mask.subarray(number * n, (number + 1) * n)); // always the same object
  }

  /** The mask of the heads that are shown: open where any of them is. */
  maskOfAll(heads) {
    const [mask, ...others] = new Set(heads.map(([layer]) => this.maskOf(layer)));
    return others.length ? mask.map((open, n) => (open || others.some((other) => other[n]) ? 1 : 0)) : mask;
  }

  allowed(i, j, layer = 0) {
    const mask = this.maskOf(layer);
    return !mask || mask[i * this.S + j] === 1;
  }

  bias(head, i, j) {
    return this.arrays.bias ? this.arrays.bias[head * (this.T + this.S - 1) + this.T - 1 + j - i] : null;
  }

  /** q (T x d), k and perhaps v (S x d) of one head, or null where they were not sent. */
  vectors(layer, head) {
    const a = this.arrays;
    if (a.q) {
      const [, H, T, d] = a.q.shape;
      const [, Hkv, S] = a.k.shape;
      const at = (layer * Hkv + Math.floor(head / (H / Hkv))) * S * d;
      return {
        q: a.q.subarray(this.index(layer, head) * T * d, (this.index(layer, head) + 1) * T * d),
        k: a.k.subarray(at, at + S * d),
        v: a.v?.subarray(at, at + S * d),
        d,
      };
    }
    if (a["view:q"] && this.inView(layer, head))
      return { q: a["view:q"], k: a["view:k"], v: a["view:v"], d: a["view:q"].shape[1] };
    return null;
  }

  inView(layer, head) {
    const view = this.header.view;
    return !view || (view[0] === layer && view[1] === head);
  }

  /** Whether the numbers of this head are the model's own to float32, not steps of 1/255. */
  isExact(layer, head) {
    return this.header.tier === "exact" || this.inView(layer, head);
  }

  /** The tokens of a cell: where it stands in the text, whatever of the text is shown. */
  place(i, j) {
    return [i, j];
  }

  /** The row that shows a query's token, or -1 where it is left out; and the column of a key's. */
  rowOf(query) {
    return query < this.T ? query : -1;
  }

  columnOf(key) {
    return key < this.S ? key : -1;
  }

  /** What is known of the tokens of "query" or "key": {special, words, segments, unknown}, each a list or undefined. */
  marks(side) {
    return this.header.marks?.[side] ?? {};
  }

  /** Whether the model sees no more than ⟨unknown⟩ where this label stands. */
  isUnknown(side, n) {
    return Boolean(this.marks(side).unknown?.[n]);
  }

  /** A head as it was sent, for its thumbnail: {data, rows, cols, unit}; value = data x unit. */
  sent(layer, head) {
    const w = this.arrays.weights;
    const [, , rows, cols] = w.shape;
    const n = rows * cols;
    const at = this.index(layer, head) * n;
    return {
      data: w.subarray(at, at + n),
      rows,
      cols,
      unit: w instanceof Uint8Array ? this.largest(layer, head) / 255 : 1,
    };
  }

  /** One stage of one head as a T x S matrix; stages: scores, scaled, biased, masked, weights; and output, T x d. */
  matrix(stage, layer, head) {
    const key = `${stage} ${layer} ${head}`;
    if (!this.cache.has(key)) {
      if (this.cache.size > 24) this.cache.clear();
      const of = { weights: () => this.weights(layer, head), output: () => this.output(layer, head) }[stage];
      this.cache.set(key, of ? of() : this.stage(stage, layer, head));
    }
    return this.cache.get(key);
  }

  weights(layer, head) {
    const { T, S } = this;
    if (this.arrays["view:weights"] && this.inView(layer, head)) return this.arrays["view:weights"];
    const sent = this.sent(layer, head);
    if (this.header.tier === "exact") return sent.data;
    const out = new Float32Array(T * S);
    if (this.inView(layer, head) && this.vectors(layer, head)) {
      const scores = this.matrix("biased", layer, head);
      for (let i = 0; i < T; i++) {
        const { max, sum } = this.row(scores, i, layer);
        if (sum)
          for (let j = 0; j < S; j++)
            if (this.allowed(i, j, layer)) out[i * S + j] = Math.exp(scores[i * S + j] - max) / sum;
      }
      return out;
    }
    const side = Math.ceil(T / sent.rows);
    for (let i = 0; i < T; i++) {
      const row = Math.floor(i / side) * sent.cols;
      for (let j = 0; j < S; j++) out[i * S + j] = sent.data[row + Math.floor(j / side)] * sent.unit;
    }
    return out;
  }

  /** What a head passes on: for each query the mean of the values, by its weights. T x d. */
  output(layer, head) {
    const { T, S } = this;
    const { v, d } = this.vectors(layer, head);
    const w = this.matrix("weights", layer, head);
    const out = new Float64Array(T * d);
    for (let i = 0; i < T; i++)
      for (let j = 0; j < S; j++) for (let c = 0; c < d; c++) out[i * d + c] += w[i * S + j] * v[j * d + c];
    return out;
  }

  stage(stage, layer, head) {
    const { T, S } = this;
    const { q, k, d } = this.vectors(layer, head);
    const out = new Float64Array(T * S);
    const scale = stage === "scores" ? 1 : this.header.scale;
    const biased = stage === "biased" || stage === "masked";
    for (let i = 0; i < T; i++) {
      for (let j = 0; j < S; j++) {
        let dot = 0;
        for (let c = 0; c < d; c++) dot += q[i * d + c] * k[j * d + c];
        out[i * S + j] = dot / scale + (biased && this.arrays.bias ? this.bias(head, i, j) : 0);
      }
    }
    return out;
  }

  /** Largest score of the allowed keys of query i, and the sum of exp(score - largest) over them. */
  row(scores, i, layer = 0) {
    const { S } = this;
    let max = -Infinity;
    for (let j = 0; j < S; j++) if (this.allowed(i, j, layer)) max = Math.max(max, scores[i * S + j]);
    let sum = 0;
    if (max > -Infinity)
      for (let j = 0; j < S; j++) if (this.allowed(i, j, layer)) sum += Math.exp(scores[i * S + j] - max);
    return { max, sum };
  }

  /** The whole arithmetic of one cell, or null where q and k are not here. */
  explain(layer, head, i, j) {
    const vectors = this.vectors(layer, head);
    if (!vectors) return null;
    const { q, k, d } = vectors;
    const products = Array.from({ length: d }, (_, c) => q[i * d + c] * k[j * d + c]);
    const dot = products.reduce((a, b) => a + b, 0);
    const scaled = dot / this.header.scale;
    const bias = this.bias(head, i, j);
    const score = scaled + (bias ?? 0);
    const allowed = this.allowed(i, j, layer);
    const { max, sum } = this.row(this.matrix("biased", layer, head), i, layer);
    const exp = allowed ? Math.exp(score - max) : 0;
    return {
      q: q.subarray(i * d, (i + 1) * d),
      k: k.subarray(j * d, (j + 1) * d),
      products,
      d,
      dot,
      scaled,
      bias,
      score,
      allowed,
      max,
      exp,
      sum,
      weight: sum ? exp / sum : 0,
    };
  }

  /** How many keys query i may look at in a layer. */
  choices(i, layer = 0) {
    const mask = this.maskOf(layer);
    if (!mask) return this.S;
    let n = 0;
    for (let j = 0; j < this.S; j++) n += mask[i * this.S + j];
    return n;
  }

  /** Where a newcomer should look first: the largest weight between two different places, in a row with a choice. */
  strongest(layer, head) {
    const key = `strongest ${layer} ${head}`;
    if (!this.cache.has(key)) this.cache.set(key, this.findStrongest(layer, head));
    return this.cache.get(key);
  }

  /** The key that query i looks at most. */
  topKey(i, layer, head) {
    const w = this.matrix("weights", layer, head);
    let best = 0;
    for (let j = 1; j < this.S; j++) if (w[i * this.S + j] > w[i * this.S + best]) best = j;
    return best;
  }

  /** The query that looks most at key j. */
  topQuery(j, layer, head) {
    const w = this.matrix("weights", layer, head);
    let best = 0;
    for (let i = 1; i < this.T; i++) if (w[i * this.S + j] > w[best * this.S + j]) best = i;
    return best;
  }

  /** The name that a head has earned here, or null: {name, layer, head, score, query}. */
  tag(layer, head) {
    return this.header.tags?.find((tag) => tag.layer === layer && tag.head === head) ?? null;
  }

  /** One tag per name, at most so many: of several heads with one name, the first has earned it most. */
  leading(most) {
    const tags = this.header.tags ?? [];
    return tags.filter((tag, n) => tags.findIndex(({ name }) => name === tag.name) === n).slice(0, most);
  }

  findStrongest(layer, head) {
    const w = this.matrix("weights", layer, head);
    const best = (skip) => {
      let at = -1;
      for (let i = 0; i < this.T; i++) {
        if (skip && this.choices(i, layer) < Math.min(4, this.S)) continue;
        for (let j = 0; j < this.S; j++) {
          const n = i * this.S + j;
          if (!(skip && i === j) && (at < 0 || w[n] > w[at])) at = n;
        }
      }
      return at;
    };
    const others = best(true);
    const at = others < 0 || w[others] === 0 ? best(false) : others;
    return [Math.floor(at / this.S), at % this.S];
  }
}

/** The pictures in a payload by the kind of attention, "" where there is only one, and the kind that it opens with. */
export function picturesOf(data) {
  const { header, arrays } = unpack(data);
  const { kinds, kind = 0, arrays: _, open, ...options } = header;
  if (!kinds) return { pictures: new Map([["", new Picture(null, { header, arrays })]]), kind: "" };
  const of = (name, at) => {
    const inner = unpack(arrays[`kind:${name}`]);
    const opened = open && at === kind ? { open } : {};
    return [name, new Picture(null, { ...inner, header: { ...inner.header, ...options, ...opened } })];
  };
  return { pictures: new Map(kinds.map(of)), kind: kinds[kind] };
}
