// What a layer did to a token, in a sentence: how much each sublayer added to what came in.

import { brief } from "../../../../attention_view/lab.js";

/** Of the token in this lane. stations: of the layer, in its order, with the lengths of the vectors that leave them */
export function finding(stations, words, lane) {
  const [came, ...rest] = stations;
  const added = rest.flatMap(({ step }, n) => (step.startsWith("add") ? [stations[n]] : []));
  const parts = added.map(({ label, lengths }) => [label.toLowerCase(), brief(lengths[lane])]);
  if (!parts.length) return came.help;
  const adds = parts.map(([sublayer, length], n) => `${sublayer} ${n ? "one" : "adds a vector"} of length ${length}`);
  return `“${words[lane]}” comes in with length ${brief(came.lengths[lane])}; ${adds.join(", ")}.`;
}
