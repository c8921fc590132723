// What a model says without some of its heads, out of the arrays: every set of heads has a number, in which each is a
// bit; where these are too many, at most one head is out. And what is said of that.

import { headName, headOf } from "../head_stage/picture.js";

/** Whether any heads may be out together. */
export const isEvery = ({ said, moved }) => said.length === 2 ** moved.length;

/** The place in the arrays of what is said without these heads. */
export function placeOf(arrays, out) {
  if (!isEvery(arrays)) return out.length ? 1 + out[0] : 0;
  return out.reduce((sum, head) => sum + 2 ** head, 0);
}

/** How many heads a set has. */
function sizeOf(set) {
  let n = 0;
  for (let rest = set; rest; rest &= rest - 1) n++;
  return n;
}

/** Of the heads of a set, the one without which the number in `least` is largest. */
function lastOf(set, least) {
  let last = -1;
  for (let head = 0; 2 ** head <= set; head++)
    if ((set >>> head) & 1 && (last < 0 || least[set - 2 ** head] > least[set - 2 ** last])) last = head;
  return last;
}

/** As many heads as can be out together while it says the same: of the largest sets the surest, and its heads one after
 * the other so that it stays as sure as can be all the way. [] where not every set is known. */
export function spared(arrays) {
  const { said, kept } = arrays;
  if (!isEvery(arrays)) return [];
  const least = Float32Array.from(kept); // on the best way to each set
  for (let set = 1; set < least.length; set++) least[set] = Math.min(kept[set], least[set - 2 ** lastOf(set, least)]);
  const worth = (set) => (said[set] === said[0] ? sizeOf(set) + kept[set] / 2 : -1);
  let set = said.reduce((best, _, at) => (worth(at) > worth(best) ? at : best), 0);
  const order = [];
  for (; set; set -= 2 ** order[0]) order.unshift(lastOf(set, least));
  return order;
}

/** A token that is said: a letter that is no word of English is the beginning of one. */
export const spelled = (token) => (/^[b-hj-z]$/.test(token) ? `${token}…` : token);

/** The sentence above the heads. out: what is out; most: how many can be; now, was: the words that are said now and
 * with all heads; sure: how sure the model is of what it says. */
export function finding({ out, most, H, all }, { now, was, sure }) {
  const n = out.length;
  if (!n) return `It says “${was}”. How many of its ${all} heads can you take out?`;
  const without = n === 1 ? headName(headOf(out[0], H)) : `${n} of its ${all} heads`;
  const piece = /^…\p{L}|\p{L}…$/u.test(now) ? ", a piece of a word" : "";
  const told = n > 1 ? "One too many!" : "This one it needs!";
  if (now !== was) return `Without ${without}, it says “${now}”${piece}. ${told}`;
  if (n < most || !most) return `Without ${without}, it still says “${was}”, ${sure} sure.`;
  if (n === all) return `All ${all} heads are gone, and it still says “${was}”! It needs none of them here.`;
  return `${n} of ${all} heads are gone, and it still says “${was}”! Any ${n + 1} would be too many.`;
}

/** What the dark button says. isLed: whether the head that it leads to, where nobody knows how many can go, is out. */
export function act({ out, most, hasFallen, last, further, isLed }) {
  if (hasFallen) return last === null ? "Put all back" : "Put it back";
  if (!most) return isLed ? "Put it back" : "Take out the one it needs most";
  if (out.length === most) return further || "Start again";
  return "Show how many";
}

const [SURE, MOST] = [0.99, 6]; // so sure with all heads that no cost would be seen in percent; nines of a scale

/** How many nines a probability begins with: 90% has one, 99% two. */
const nines = (p) => Math.min(MOST, -Math.log10(Math.max(1 - p, 1e-9)));

/** How long the bar of a probability is, of 1, and the marks along it, [where, what]. It goes from 0 to 100%; where the
 * model is all but certain with all heads, each nine is as long as the one before. whole: that probability. */
export function gauge(p, whole) {
  if (whole < SURE) return { long: p, marks: [] };
  const all = Math.ceil(nines(whole));
  const said = (n) => (n === 1 ? "90%" : `99${n > 2 ? "." : ""}${"9".repeat(n - 2)}%`);
  const marks = Array.from({ length: all - 1 }, (_, n) => [(n + 1) / all, said(n + 1)]);
  return { long: Math.min(1, nines(p) / all), marks };
}
