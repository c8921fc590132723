// What is said of a tower of layers.

import { capital, counted, numeral, sumOf } from "../../../../attention_view/lab.js";

export const ALL = "all"; // every change at once
export const mean = (numbers) => sumOf(numbers) / numbers.length;
export const of100 = (share) => String(Math.round(100 * share));

const UNTRAINED = "This combination was not trained: what its parts do does not simply add up.";
const HALF = 0.5; // of what the layers of 2017 get right at the height at which one opens: a run with less has failed

/** The word that makes up half of a text or more, and how often it stands there; null where there is none. */
export function harpedOn(text) {
  const words = text.split(/[ .]+/).filter(Boolean);
  const counts = words.map((word) => [word, words.filter((other) => other === word).length]);
  const [most] = counts.sort((a, b) => b[1] - a[1]);
  return most && 2 * most[1] >= words.length ? most : null;
}

/** How many of the runs have failed. */
export const failed = ({ right }, { stops, usual }) =>
  right.filter((share) => share < HALF * mean(stops[0].heights[usual - 1].right)).length;

/** Whether most of the runs have. */
export const fails = (run, data) => 2 * failed(run, data) > run.right.length;

/** What is heard of the chart. */
export function heard(run, tall) {
  const right = run?.right.map(of100) ?? [];
  const what = `Next words right of 100, ${counted(tall, "layer")}, ${counted(right.length, "run")}`;
  return `${what}: ${right.join(", ") || "none"}`;
}

/** Whether the means of two lie no further apart than the runs of one of them stray; one run does not tell. */
export function isLuck(one, other) {
  if (Math.min(one.right.length, other.right.length) < 2) return false;
  const spread = ({ right }) => Math.max(...right.map((share) => Math.abs(share - mean(right))));
  return Math.abs(mean(one.right) - mean(other.right)) <= Math.max(spread(one), spread(other));
}

/** The height nearest to this one that was trained, of two the taller one; the same where none was. */
export function nearest(heights, tall) {
  const known = heights.flatMap((run, n) => (run ? [n + 1] : []));
  const [near = tall] = known.reverse().sort((a, b) => Math.abs(a - tall) - Math.abs(b - tall));
  return near;
}

/** The next height upwards (1) or downwards (-1) that was trained; the same where there is none. */
export function stepped(heights, tall, by) {
  const known = heights.flatMap((run, n) => (run && (n + 1 - tall) * by > 0 ? [n + 1] : []));
  return known.at(by > 0 ? 0 : -1) ?? tall;
}

const layers = (n) => `${numeral(n)} layer${n > 1 ? "s" : ""}`;

/** What is seen of a tower so tall with this change in it; hasMoved: whether anything was pulled or dragged; only: the
 * change that can be tried where there is but one. */
export function said(data, stop, tall, hasMoved, only) {
  const [run, old] = [stop, data.stops[0]].map(({ heights }) => heights[tall - 1]);
  const top = numeral(data.stops[0].heights.length);
  if (!run) return UNTRAINED;
  if (!run.right.length) return `With ${stop.term}, the training diverged: its loss was no longer a number.`;
  const counts = `${of100(mean(run.right))} of 100 next words right`;
  if (stop === data.stops[0]) {
    if (!hasMoved && tall < data.stops[0].heights.length)
      return `${capital(layers(tall))} of 2017 write this. What do ${top} of them write?`;
    if (!fails(run, data)) return `${capital(layers(tall))} of 2017: ${counts}.`;
    const word = harpedOn(run.written);
    const babble = word ? `now write “${word[0]}” ${word[1]} times` : `get ${counts}`;
    const asks = only ? `Does ${only.term} save them?` : "Which change saves them?";
    return `${capital(layers(tall))} of 2017 ${babble}. ${asks}`;
  }
  const [name, is, was] = [capital(stop.term), of100(mean(run.right)), of100(mean(old.right))];
  if (fails(run, data)) return `${name}: no help. ${capital(layers(tall))} still get only ${is} of 100 words right.`;
  if (fails(old, data)) return `${name}: saved! ${is} of 100 words right, not ${was}.`;
  const doubt = run.right.length < 2 ? " One run each." : isLuck(run, old) ? " That may be luck." : "";
  return `${name}: ${is} of 100 words right, without it ${was}.${doubt}`;
}

/** Which of the changes that are no more than one save the tallest tower. */
export function summary(data) {
  const { heights } = data.stops[0];
  const parts = data.stops.filter(({ name, heights: all }) => name && name !== ALL && all.at(-1)?.right.length);
  const saving = parts.filter((stop) => fails(heights.at(-1), data) && !fails(stop.heights.at(-1), data));
  const names = saving.map(({ term }) => term).join(" and ") || "none";
  const save = saving.length === 1 ? "saves" : "save";
  const [n, of] = [saving, parts].map((some) => numeral(some.length));
  return `${capital(n)} of ${of} changes ${save} ${layers(heights.length)}: ${names}.`;
}
