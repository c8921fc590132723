// The picture as a whole: the query, below it all keys, and the value of the word on whose key the query lies.
//
// A scene has the columns and lanes, the numbers of the text that asks and their scales, which key the query lies on,
// and which were tried.

import { shorten, svg } from "../../../../attention_view/lab.js";
import { bars, entering, mill, multiplied, noughtAt, PRODUCTS, scored, strip } from "./drawing.js";
import { fits } from "./said.js";

/** The nodes of a scene. */
export function painted(scene) {
  const { lanes, columns, asked, most, on, at, words, sofar } = scene;
  const mills = { query: ["q", lanes.query], key: ["k", lanes.all], value: ["v", lanes.value] };
  const boxes = Object.entries(mills).map(([made, [letter, lane]]) => svg(`g.${made}`, ...mill(letter, lane, columns)));
  const whose = on ?? at;
  const own = strip(asked.q, lanes.query, columns, { most: most.q, sofar });
  const passed = strip(asked.values[whose], lanes.value, columns, { most: most.values, sofar });
  return [
    ...entering(asked.word, asked.x[at], lanes.query, columns, most.x),
    svg(`g.query${on === null ? ".held" : ".gone"}`, ...own), // or where it was taken from
    ...lanes.keys.map((_, n) => keyLane(scene, n)),
    ...entering(words[whose], asked.x[whose], lanes.value, columns, most.x),
    svg("g.value", ...passed),
    ...boxes,
    ...labels(scene),
  ];
}

function keyLane({ columns, asked, most, sofar, lanes, words, on, tried, reach }, n) {
  const lane = lanes.keys[n];
  const box = { ...columns.strip, y: lane.y + 1, height: lane.height - 2 };
  const isOpen = n === on;
  const own = isOpen
    ? laidOn(asked.keys[n], asked, asked.products[n], box, most)
    : strip(asked.keys[n], lane, columns, { most: 0.6 * most.keys, sofar });
  const score = tried.has(n) ? scored(asked.scores[n], lane, columns, reach, fits(asked, n)) : [];
  const word = entering(words[n], asked.x[n], lane, columns, most.x);
  const kind = [isOpen ? ".on" : "", asked.open[n] ? "" : ".hidden"].join("");
  return svg(`g.lane${kind}`, ...word, svg("g.key", ...own), ...score);
}

/** The query on a key: both in the same places, and below them their products. */
function laidOn(key, { q }, products, box, most) {
  const both = { ...box, height: box.height * (1 - PRODUCTS) };
  return [
    svg("rect.ground", box),
    ...multiplied(products, box, most.products),
    svg("path.bars", { d: bars(key, both, most.keys, 0.84) }),
    svg("g.query.held", svg("path.bars", { d: bars(q, both, most.q, 0.4) }), svg("rect.frame", box)),
  ];
}

/** What the strips are called, and what they are for. */
function labels({ columns, lanes, on, words, at, all, reach }) {
  const { score, strip: box, isNarrow } = columns;
  const label = (made, { y, height }, does) => {
    const middle = y + height / 2;
    return svg(
      `g.${made}.label`,
      svg("text.made", { x: score.x, y: isNarrow ? middle + 5 : middle - 3 }, made),
      ...(isNarrow ? [] : [svg("text.does", { x: score.x, y: middle + 17 }, does)]),
    );
  };
  const above = lanes.all.y - 8;
  const few = `${words.length} of ${all}${isNarrow ? "" : ", the best fits among them"}`;
  const does = words.length < all ? few : isNarrow ? "" : "what each word is found by";
  const found = svg("tspan.does", { dx: 10 }, does);
  return [
    label("query", lanes.query, on === null ? "↓ drag it onto a key" : "what it looks for"),
    label("value", lanes.value, `what ${shorten(words[on ?? at])} passes on`),
    svg("g.key.label", svg("text.made", { x: box.x, y: above }, "keys", found)),
    svg("text.head", { x: score.x + score.width, y: above }, "score"),
    ...(isNarrow ? [] : [svg("path.nought", { d: `M${noughtAt(columns, reach)} ${lanes.all.y}v${lanes.all.height}` })]),
  ];
}
