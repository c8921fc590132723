// What lanes are drawn with: a word, its vector, the mill, the strip that comes out, and the score of a key.

import { fixed, shorten, svg } from "../../../../attention_view/lab.js";

export const PRODUCTS = 0.36; // of the height of an open lane

const FOR_SCORE = 80; // pixels of a number beside its bar

const signOf = (number) => (number < 0 ? "below" : "above");

/** Numbers as bars up and down from a middle line, as one path. fill: of a bar's place, the share that it takes */
export function bars(numbers, { x, y, width, height }, most, fill = 0.9) {
  const [step, middle, reach] = [width / numbers.length, y + height / 2, height / 2 - 1];
  const pad = (step * (1 - fill)) / 2;
  return Array.from(numbers, (number, n) => {
    const tall = Math.max(-1, Math.min(1, number / most)) * reach;
    return `M${x + n * step + pad} ${middle}v${-tall}h${step - 2 * pad}v${tall}z`;
  }).join("");
}

/** The products, number by number, below what they are made of; the place of each is lit by its size. */
export function multiplied(products, { x, y, width, height }, most) {
  const row = { x, y: y + height * (1 - PRODUCTS), width, height: height * PRODUCTS };
  const of = (sign) =>
    bars(
      products.map((product) => (signOf(product) === sign ? product : 0)),
      row,
      most,
    );
  return [
    ...lights(products, { x, y, width, height }, most),
    svg("path.line", { d: `M${x} ${row.y}h${width}` }),
    ...["above", "below"].map((sign) => svg(`path.${sign}`, { d: of(sign) })),
  ];
}

/** How strongly the place of each product is lit: by its size and sign. */
const lights = (products, { x, y, width, height }, most) =>
  products.map((product, n) =>
    svg(`rect.${signOf(product)}`, {
      x: x + (n * width) / products.length,
      y,
      width: width / products.length,
      height,
      opacity: 0.3 * Math.min(1, Math.abs(product) / most),
    }),
  );

/** A word and its vector, on their way into a mill. */
export function entering(word, vector, lane, columns, most) {
  const { y, height } = lane;
  const middle = y + height / 2;
  const name = svg(
    "text.word",
    { x: columns.word.x, y: middle, dy: "0.35em", class: `word${height > 56 ? " large" : ""}` },
    shorten(word, columns.isNarrow ? 8 : 10),
  );
  if (!columns.vector) return [name];
  const tall = Math.min(70, height - 2);
  const box = { ...columns.vector, y: middle - tall / 2, height: tall };
  const pipe = `M${box.x + box.width + 3} ${middle}H${columns.mill.x - 2}`;
  return [name, svg("path.vector", { d: bars(vector, box, most, 1) }), svg("path.pipe", { d: pipe })];
}

/** A matrix, as tall as all that goes through it. */
export function mill(letter, { y, height }, { mill: { x, width } }) {
  const middle = { x: x + width / 2, y: y + height / 2, dy: "0.25em" };
  return [
    svg("rect.mill", { x, y, width, height, rx: 5 }),
    svg("text.mill-name", middle, "W", svg("tspan", { dy: "0.2em" }, letter)),
  ];
}

/** A strip, which comes out of a mill: its ground, and its numbers as far as they are there. */
export function strip(numbers, { y, height }, { mill: from, strip: { x, width } }, { most, sofar }) {
  const box = { x, y: y + 1, width, height: height - 2 };
  const there = { ...box, width: (width * sofar) / numbers.length };
  return [
    svg("path.pipe", { d: `M${from.x + from.width + 2} ${y + height / 2}H${x - 2}` }),
    svg("rect.ground", box),
    svg("path.bars", { d: bars(numbers.slice(0, sofar), there, most) }),
  ];
}

/** Where the bars of scores begin. */
export const noughtAt = ({ score: { x, width } }, [low, high]) => x - (low / (high - low || 1)) * (width - FOR_SCORE);

/** The score of a key as a bar from nought and a number; low and high: of all scores; fits: whether it is large. */
export function scored(score, { y, height }, { score: { x, width }, isNarrow }, [low, high], fits) {
  const isLarge = height > 56;
  const room = isNarrow ? 0 : width - FOR_SCORE;
  const at = (value) => x + ((value - low) / (high - low || 1)) * room;
  const [from, to] = [at(0), at(score)];
  const tall = Math.min(height - 2, 34);
  const box = {
    x: Math.min(from, to),
    y: y + (height - tall) / 2,
    width: Math.max(1, Math.abs(to - from)),
    height: tall,
  };
  const number = {
    x: x + width,
    y: y + height / 2,
    dy: "0.35em",
    class: `score${isLarge ? " large" : ""}${fits ? " fits" : ""}`,
  };
  return [...(room ? [svg(`rect.${signOf(score)}`, box)] : []), svg("text", number, fixed(score, 1))];
}
