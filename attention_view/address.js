// What is chosen in a view, as parameters of the address, so that a link restores it.

import { param, shorten } from "./lab.js";
import { STAGES } from "./map.js";
import { isMany } from "./thumb_sizes.js";
import { orders, scoreRange, sortedBy } from "./scores.js";
import { offered, PAIRS } from "./tokens.js";

export const MAX_HEADS = 8; // at once
const DRAWINGS = ["map", "ribbons"];
const AWAY = "away"; // the map, while a head or a word is told of

/** The threshold of ribbons to begin with: weights are smaller where there are more keys to share them. */
export const usualThreshold = ({ S }) => Math.round(1000 * Math.min(0.05, 1.25 / S)) / 1000;

/** Whether anything is chosen that the large map shows: until then it may rest. */
export const isChosen = (view) =>
  Boolean(view.selected || view.pinned || view.sort || view.more.length || view.solo) ||
  view.drawing !== "map" ||
  view.stage !== "weights";

/** Whether the map may be away until something is chosen: of a stage, and below a text that is the subject. */
const mayRest = ({ whole: { header } }) => Boolean(header.staged || (header.beside === "tabs" && !header.untrained));

/** Whether a head or a word is told of while the map is away; below a text it is there where there is little width. */
const isAway = (view) =>
  view.rests && isChosen(view) && Boolean(view.whole.header.staged || (mayRest(view) && view.isResting));

/** Whether a link has to name the head that opens: without it, the map would be away. */
function isAwake(view) {
  if (!mayRest(view) || view.rests) return false;
  return Boolean(view.whole.header.staged) || !isChosen({ ...view, selected: false });
}

/** Reads what the link names into the state of a view; of what does not exist, a list of complaints is left. */
export function readAddress(view) {
  const { url } = view.whole.header;
  const complaints = (view.complaints = []);
  const given = (name) => (url === null ? null : param(url + name));
  const complain = (name, why = "") => complaints.push(`${name} ${shorten(given(name), 24)}${why}`);
  const whole = (name, most) => {
    const text = given(name);
    if (text === null) return null;
    if (/^\d{1,6}$/.test(text) && Number(text) < most) return Number(text);
    complain(name, ` (0 to ${most - 1} exist)`);
    return null;
  };
  const choice = (name, among, otherwise) => {
    const text = given(name);
    if (text === null || among.includes(text)) return text ?? otherwise;
    complain(name);
    return otherwise;
  };
  const decimal = (name, least, most) => {
    const text = given(name);
    if (text === null) return null;
    const value = Number(text);
    if (/^-?\d{0,6}(\.\d{1,4})?$/.test(text) && text !== "" && value >= least && value <= most) return value;
    complain(name, ` (${least} to ${most})`);
    return null;
  };

  view.kind = choice("kind", [...view.pictures.keys()], view.kind);
  view.whole = view.pictures.get(view.kind);
  const { L, H, T, S } = view.whole;
  const asked = [whole("layer", L), whole("head", H)];
  view.selected = asked.some((n) => n !== null);
  [view.layer, view.head] = view.selected ? asked.map((n) => n ?? 0) : view.opens;
  const [query, key] = [whole("query", T), whole("key", S)];
  view.pinned = query === null ? null : [query, key ?? view.whole.topKey(query, view.layer, view.head)];
  const names = (table) => table.map(([name]) => name);
  view.stage = choice("stage", names(STAGES), "weights");
  view.sort = choice("sort", names(orders(view.whole)), "");
  view.only = null;
  if (view.sort) view.only = decimal("only", ...scoreRange(view.whole, sortedBy(view.sort).name));
  view.threshold = decimal("threshold", 0, 0.5) ?? usualThreshold(view.whole);
  view.large = choice("grid", isMany(view.whole) ? ["large"] : [], "") === "large";
  view.drawing = choice("draw", DRAWINGS, "map");
  const can = offered(view.whole);
  view.hidden = choice("special", can.hidden ? ["hidden"] : [], null) === "hidden";
  view.joined = choice("words", can.whole ? ["whole"] : [], null) === "whole";
  view.pair = choice("pair", can.pair ? names(PAIRS) : [""], "");
  const heads = (name) =>
    (given(name) ?? "").split(",").filter((pair) => {
      const [l, h] = pair.split("-").map(Number);
      const exists = /^\d{1,4}-\d{1,4}$/.test(pair) && l < L && h < H;
      if (pair && !exists) complaints.push(`head ${shorten(pair, 24)}`);
      return pair && exists;
    });
  const pairs = (name) => heads(name).map((pair) => pair.split("-").map(Number));
  view.more = pairs("with").slice(0, MAX_HEADS - 1);
  view.solo = pairs("solo").find((one) => view.chosen.some((other) => String(other) === String(one))) ?? null;
  view.rests = choice("map", mayRest(view) ? [AWAY] : [], "") === AWAY || !isChosen(view);
}

/** Writes it there, by a function (name, value, usual) that leaves out what is usual. */
export function writeAddress(view, put) {
  const { url } = view.whole.header;
  const isUsual = !isAwake(view) && String([view.layer, view.head]) === String(view.opens);
  const cell = view.pinned && view.picture.place(...view.pinned);
  put(`${url}kind`, view.kind, [...view.pictures.keys()][0]);
  put(`${url}layer`, isUsual ? null : view.layer);
  put(`${url}head`, isUsual ? null : view.head);
  put(`${url}query`, cell && cell[0]);
  put(`${url}key`, cell && cell[1]);
  put(`${url}stage`, view.stage, "weights");
  put(`${url}sort`, view.sort, "");
  put(`${url}only`, view.sort ? view.only : null);
  put(`${url}threshold`, view.threshold, usualThreshold(view.whole));
  put(`${url}with`, view.more.map((pair) => pair.join("-")).join(","), "");
  put(`${url}solo`, view.solo && view.solo.join("-"));
  put(`${url}grid`, view.large ? "large" : null);
  put(`${url}draw`, view.drawing, "map");
  put(`${url}special`, view.hidden ? "hidden" : null);
  put(`${url}words`, view.joined ? "whole" : null);
  put(`${url}pair`, view.pair, "");
  put(`${url}map`, isAway(view) ? AWAY : null);
}
