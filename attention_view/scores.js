// What heads score: how each score is said, and which heads come first or are seen at all. Nothing here draws.

/** How the scores of the house are said; a score that is not among them goes by its own name, from 0 to its largest. */
const SAID = {
  entropy: {
    title: "Entropy",
    unit: "bits",
    scale: ({ S }) => Math.log2(Math.max(2, S)),
    least: "sharpest first",
    most: "most even first",
    about: "how widely a head looks; 0 is at one token only",
  },
  distance: {
    title: "Mean distance",
    unit: "tokens",
    digits: 1,
    scale: ({ S }) => Math.max(1, S - 1),
    least: "nearest first",
    most: "farthest first",
    about: "how far from a token a head looks",
  },
  previous: { title: "Looks at the previous token", most: "previous token first", least: "previous token last" },
  first: { title: "Looks at the first token", most: "first token first", least: "first token last" },
};

/** A score in words: {name, title, unit, digits, about, least, most, chance, largest}; `largest` ends its scale. */
export function score(picture, name) {
  const said = SAID[name] ?? {};
  const title = said.title ?? name[0].toUpperCase() + name.slice(1);
  const values = picture.arrays["score:" + name];
  const chance = picture.header.chance?.[name];
  return {
    name,
    title,
    unit: said.unit ?? "",
    digits: said.digits ?? 2,
    about: picture.header.about?.[name] ?? said.about ?? "",
    least: said.least ?? `${title.toLowerCase()} last`,
    most: said.most ?? `${title.toLowerCase()} first`,
    chance,
    largest:
      said.scale?.(picture.whole ?? picture) ?? values.reduce((a, b) => Math.max(a, b), Math.max(1, chance ?? 0)),
  };
}

/** "2.31 bits" */
export const scoreText = (value, { digits, unit }) => value.toFixed(digits) + (unit && ` ${unit}`);

/** The orders that a picture offers: [[value, text], ...]; a value is the name of a score, with "-" for most first. */
export function orders(picture) {
  return [
    ["", "by layer"],
    ...picture.scoreNames.flatMap((name) => {
      const { least, most } = score(picture, name);
      return [
        ["-" + name, most],
        [name, least],
      ];
    }),
  ];
}

/** The score that an order goes by, or null, and whether the most comes first. */
export function sortedBy(order) {
  return order ? { name: order.replace(/^-/, ""), most: order.startsWith("-") } : null;
}

/** All heads [layer, head] in an order, those with equal scores by layer.
 *
 * only  the score that a head must have at least (most first) or at most (least first); null lets all through */
export function ordered(picture, order, only = null) {
  const { L, H } = picture;
  const all = Array.from({ length: L * H }, (_, n) => [Math.floor(n / H), n % H]);
  const by = sortedBy(order);
  if (!by) return all;
  const sign = by.most ? -1 : 1;
  const of = (head) => sign * picture.score(by.name, ...head);
  const within = only === null ? all : all.filter((head) => of(head) <= sign * only);
  return within.sort((a, b) => of(a) - of(b) || a[0] - b[0] || a[1] - b[1]);
}

/** From the least to the most that any head scores, outwards to full steps of 0.01. */
export function scoreRange(picture, name) {
  const values = picture.arrays["score:" + name];
  const [least, most] = values.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]);
  return [Math.floor(100 * least) / 100, Math.ceil(100 * most) / 100];
}
