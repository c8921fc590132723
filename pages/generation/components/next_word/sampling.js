// The draw of the next word, in the browser, as transformer/generation makes it; and how its numbers are written.

import { fixed } from "../../../../attention_view/lab.js";

export const share = (p) =>
  p === 0 ? "0" : p === 1 ? "1" : p < 0.0005 ? "<0.001" : p > 0.9995 ? ">0.999" : fixed(p, 3);
export const REASON = { top_k: "top-k", top_p: "top-p", greedy: "not the largest" };

export const settingsOf = ({ temperature, top_k, top_p, penalty }) => String([temperature, top_k, top_p, penalty]);

export function softmax(values) {
  const most = Math.max(...values);
  const powers = values.map((x) => Math.exp(x - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

/** As transformer/generation/sampling.py: penalty, temperature, top-k, top-p; what was taken out, and by which. */
export function distribution(logits, read, { temperature, top_k, top_p, penalty }) {
  const seen = new Set(read);
  const penalised = logits.map((x, id) => (seen.has(id) ? (x < 0 ? x * penalty : x / penalty) : x));
  const removed = new Map();
  const most = Math.max(...penalised);
  const tempered = temperature ? softmax(penalised.map((x) => (x - most) / temperature)) : softmax(penalised);
  const order = [...tempered.keys()].sort((a, b) => tempered[b] - tempered[a] || a - b);
  if (!temperature) {
    const best = penalised.indexOf(most);
    for (const id of order) if (id !== best) removed.set(id, "greedy");
  } else {
    let kept = order;
    if (top_k) {
      for (const id of order.slice(top_k)) removed.set(id, "top_k");
      kept = order.slice(0, top_k);
    }
    if (top_p < 1) {
      const wanted = top_p * kept.reduce((sum, id) => sum + tempered[id], 0);
      let mass = 0;
      kept.forEach((id, n) => {
        if (n && mass >= wanted) removed.set(id, "top_p");
        mass += tempered[id];
      });
    }
  }
  const left = order.filter((id) => !removed.has(id));
  const sum = left.reduce((total, id) => total + tempered[id], 0);
  const final = tempered.map((p, id) => (removed.has(id) ? 0 : p / sum));
  return { probs: softmax(logits), tempered, final, removed, order, left };
}

/** The same as `distribution` of a vocabulary that is too large to be sent: the server has worked it out, and names the
 * likeliest and the sum of the rest. */
export function received({ rows, rest: [n, probs, final], removed: counts, falls, own }, draws) {
  const by = (place) => Object.fromEntries(rows.map((row) => [row[0], row[place]]));
  const removed = new Map(rows.filter((row) => row[3]).map((row) => [row[0], row[3]]));
  const order = rows.map(([id]) => id);
  return {
    probs: by(1),
    final: by(2),
    removed,
    order,
    left: order.filter((id) => !removed.has(id)),
    rest: { n, probs, final },
    counts,
    own,
    falls: new Map(draws.map((u, at) => [u, { id: falls[at][0], low: falls[at][1], high: falls[at][2] }])),
  };
}

/** As transformer/generation/slices.py: the slices of 0 to 1, the largest first, and the one that u falls into. */
export function draw({ final, left, falls }, u) {
  if (falls) return falls.get(u);
  let low = 0;
  for (const [n, id] of left.entries()) {
    const high = n === left.length - 1 ? 1 : low + final[id];
    if (u < high) return { id, low, high };
    low = high;
  }
}
