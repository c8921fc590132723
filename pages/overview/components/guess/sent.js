// What the server has sent of a reading, as the numbers of a scene.

import { Numbers } from "../../../../attention_view/scene_numbers.js";
import { stationsSent } from "../../../../attention_view/scene_stations.js";
import { unitsSent } from "../../../../attention_view/scene_towers.js";

/** The numbers of the reading with this name: exact ones where they are here, else what is seen of them from afar. */
export function numbersSent({ scene, readings }, arrays, name) {
  const n = readings.findIndex((one) => one.name === name);
  const nth = (array) => {
    const [, ...shape] = array.shape;
    const size = shape.reduce((a, b) => a * b, 1);
    return Object.assign(array.subarray(n * size, (n + 1) * size), { shape });
  };
  const { q, k, v, stream, hidden, maps, ...ofLayer } = arrays;
  const exact = { q, k, v, units: unitsSent(scene, ofLayer), stations: stationsSent(scene, ofLayer) };
  const more = name === scene.name ? exact : { weights: nth(maps) };
  const tokens = [scene.tokens[0], ...readings[n].tokens];
  return new Numbers({ ...scene, tokens }, { stream: nth(stream), hidden: nth(hidden), ...more });
}
