// What heads keep: each its own keys and values, or one set for all of them.

import { svg } from "../../../../attention_view/lab.js";

/** Heads, each with its query, and the keys and values that they read: one set each, or one for all. */
export function sharing(isShared, n_heads, wide, high) {
  const step = (high - 8) / n_heads,
    size = step * 0.66,
    top = 40;
  const middle = (head) => top + (head + 0.5) * step;
  const box = (kind, x, y) =>
    svg(
      "g",
      svg(`rect.${kind}`, { x, y: y - size / 2, width: size, height: size, rx: 5 }),
      svg("text.name.middle", { x: x + size / 2, y: y + 6 }, kind[0]),
    );
  const left = 70,
    right = wide - 2 * size - 14;
  const all = Array.from({ length: n_heads }, (_, head) => head);
  const kept = isShared ? [middle((n_heads - 1) / 2)] : all.map(middle);
  return svg(
    "g.sharing",
    ...all.map((head) =>
      svg("path", { d: `M${left + size + 2} ${middle(head)}L${right - 3} ${kept[isShared ? 0 : head]}` }),
    ),
    ...all.map((head) => box("query", left, middle(head))),
    ...kept.flatMap((y) => [box("key", right, y), box("value", right + size + 6, y)]),
    ...all.map((head) => svg("text", { x: 0, y: middle(head) + 5 }, `head ${head}`)),
  );
}
