// Files made by the scripts, for tests in Python to read: a list of [maker, ...what it is given] as JSON comes in, and
// out goes a list of what was made, in base64.
import { readFileSync } from "node:fs";

import { expanded, pageOf, squeezed } from "../../attention_view/export_html.js";
import { npz } from "../../attention_view/export_npz.js";
import { ribbonsSvg, svgOf } from "../../attention_view/export_svg.js";
import { csvOf, parquet, parquetOf } from "../../attention_view/export_tables.js";

const steps = (of) => Array.from({ length: 256 }, (_, n) => of(n));
const COLOURS = {
  ground: "#fbfaf8",
  panel: "#ffffff",
  ink: "#1d1b22",
  quiet: "#635e6d",
  line: "#e7e3ea",
  query: "#0072b2",
  key: "#b34a00",
  value: "#007a5a",
  heads: ["#6b3fa0", "#c2528f"],
  weightSteps: steps((n) => [255 - n, 255 - n, 255]),
  positiveSteps: steps((n) => [255 - n, 255 - n, 255]),
  negativeSteps: steps((n) => [255, 255 - n, 255 - n]),
};
const TYPES = { f4: Float32Array, f8: Float64Array, u1: Uint8Array };
const array = (given) =>
  typeof given === "string" ? given : Object.assign(TYPES[given.type].from(given.values), { shape: given.shape });
const shown = (given) => ({ ...given, matrix: array(given.matrix) });
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));

const MAKERS = {
  svg: (given) => svgOf(shown(given), COLOURS),
  ribbons: (given) => ribbonsSvg({ ...shown(given), each: given.each.map(array) }, COLOURS),
  csv: (given) => csvOf(shown(given)),
  parquet: (given) => parquetOf(shown(given)),
  columns: (columns) => parquet(columns),
  npz: (arrays) => npz(Object.fromEntries(Object.entries(arrays).map(([name, given]) => [name, array(given)]))),
  page: pageOf,
  squeezed: (text) => squeezed(bytes(text)),
  expanded: (text) => expanded(bytes(text)),
};

const made = [];
for (const [maker, ...given] of JSON.parse(readFileSync(0, "utf8")))
  made.push(Buffer.from(await MAKERS[maker](...given)).toString("base64"));
process.stdout.write(JSON.stringify(made));
