// What may come next, on one line from 0 to 1 that is wrapped like a text: each word covers as much as it is likely.
// The likeliest is a column at its beginning, whose edge is pulled.

import { boxOf, counted, el, pointIn, put, rewrite, sumOf } from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold } from "../../../../attention_view/controls.js";
import { distribution, REASON, share } from "./sampling.js";

const LEAST = 52; // pixels of the line that a word needs to stand on it
const TYPICAL = 0.032; // a word of this probability is about twice as wide as it is tall
const [SMALL, MORE, READABLE] = [14, 115, 12.5]; // pixels of letters: of no share, up to 1, and at least
const WIDTH = 0.54; // of a letter, in its height
const TELLING = 0.05; // a word of this probability says it
const [OTHERS, LOW] = [104, 40]; // pixels in which it can be said how many others there are, across and down
const SUCH = [22, 32]; // pixels of the letters and of the lines in which some of them are named
const GRIP = 220; // pixels across of what the hand takes hold of
const [EDGE, COUNT, DOTS] = [8, 21, 26]; // pixels: round what a tile says, of a count below its word, and for dots
const [COLD, HOT, STEP] = [0.05, 2, 0.05]; // temperatures, and by how much a key changes them

/** How many rows the line is wrapped into. */
export const rowsOf = (width, height) => Math.max(2, Math.round(Math.sqrt((2 * height) / (TYPICAL * width))));

/** The rectangles of these shares, {x, y, w, h} of 1: the first is a column, the others are wrapped beside it into
 * about so many rows of whole words. */
export function wrapped([first, ...others], n) {
  const rows = [];
  for (const share of others) {
    const mass = rows.at(-1)?.mass ?? Infinity;
    if (mass + share / 2 > (1 - first) / n) rows.push({ mass: 0, shares: [] });
    rows.at(-1).mass += share;
    rows.at(-1).shares.push(share);
  }
  if (rows.length > 1 && rows.at(-1).mass < (0.4 * (1 - first)) / n) {
    const [into, low] = rows.splice(-2);
    rows.push({ mass: into.mass + low.mass, shares: [...into.shares, ...low.shares] });
  }
  const [wide, total] = [1 - first, sumOf(others)];
  let y = 0;
  const beside = rows.flatMap(({ mass, shares }) => {
    let x = first;
    const row = shares.map((share) => {
      const w = (wide * share) / mass;
      x += w;
      return { x: x - w, y, w, h: mass / total };
    });
    y += mass / total;
    return row;
  });
  return [{ x: 0, y: 0, w: first, h: 1 }, ...beside];
}

/** The temperature at which the likeliest has the share that is wanted; shareAt: its share at a temperature. */
export function temperatureFor(wanted, shareAt) {
  let [cold, hot] = [COLD, HOT];
  for (let k = 0; k < 16; k++) {
    const middle = (cold + hot) / 2;
    if (shareAt(middle) > wanted) cold = middle;
    else hot = middle;
  }
  return (cold + hot) / 2;
}

/** The share of the likeliest at a temperature, of a large vocabulary that nothing cuts: of its rest only the sum is
 * known. */
export function roughly({ probs, rest }) {
  const shares = [...Object.values(probs).map((p) => [1, p]), [rest.n, rest.probs / (rest.n || 1)]];
  const most = Math.max(...shares.map(([, p]) => p));
  return (temperature) => 1 / sumOf(shares.map(([n, p]) => n * (p / most) ** (1 / temperature)));
}

/** Whether it can be said in a rectangle of so many pixels how many others there are. */
export const hasRoom = (width, height) => width > OTHERS && height >= LOW;

/** Of these words, which come in the order of their shares, those that stand on a line of so many pixels. */
export function standing(ids, shares, pixels) {
  const few = ids.findIndex((id) => shares[id] * pixels < LEAST);
  return few < 0 ? ids : ids.slice(0, few);
}

/** Of these tokens, which come in the order of their shares, those that may be named as words: where words are written
 * in pieces, the ids of the whole ones are known, and a beginning is none. */
export function wholeOf(ids, whole) {
  const known = new Set(whole);
  return whole ? ids.filter((id) => known.has(id)) : ids;
}

/** Of these labels, which come in the order of their shares, as many words as fit into so many letters. One of two
 * letters is as a rule the beginning of a word that is written in pieces. */
export function named(labels, letters) {
  const words = labels.map((label) => label.trim()).filter((label) => /^\p{L}{3,}$/u.test(label));
  let room = letters;
  const few = words.findIndex((word) => (room -= word.length + 2) < 0);
  return few < 0 ? words : words.slice(0, few);
}

export class Wall {
  constructor(story) {
    this.story = story;
    this.all = false;
    this.tiles = el("ol.tiles", { "aria-label": "What may come next", onkeydown: (event) => this.walk(event) });
    this.rain = el("div.rain", { "aria-hidden": "true" });
    const edge = { role: "slider", tabIndex: 0, "aria-valuemin": 0, "aria-valuemax": 100 };
    const hands = { onpointerdown: (event) => this.pull(event), onkeydown: (event) => this.nudge(event) };
    this.edge = el("div.edge", { ...edge, ...hands });
    this.end = el("i.tile.end");
    this.node = el("div.wall", this.end, this.tiles, this.rain, this.edge);
    const onclick = () => {
      this.all = !this.all;
      story.draw();
      if (this.all) this.rest.querySelector("button:enabled")?.focus();
    };
    this.more = el("button.more", { onclick });
    this.rest = el("ol.rest", { "aria-label": "The other words" });
  }

  /** dist: of the next word; counts: how many of the numbers that fell lie on each word */
  paint(dist, counts) {
    const { width, height } = boxOf(this.node);
    this.size = [width || 1000, height || 400];
    const n = rowsOf(...this.size);
    const had = this.focused();
    const stand = standing(dist.left, dist.final, n * this.size[0]);
    const shown = (this.shown = stand.length ? stand : dist.left.slice(0, 1));
    const others = Math.max(0, 1 - shown.reduce((sum, id) => sum + dist.final[id], 0));
    const hasOthers = others > 1e-4;
    const shares = [...shown.map((id) => dist.final[id]), ...(hasOthers ? [others] : [])];
    const places = (this.places = wrapped(shares, n));
    this.isRained = counts.size > 0;
    this.node.classList.toggle("rained", this.isRained);
    let low = 0;
    for (const [at, place] of places.entries()) {
      Object.assign(place, { low, mass: shares[at] });
      low += shares[at];
    }
    this.tiles.replaceChildren(...shown.map((id, at) => this.tile(id, places[at], dist, counts)));
    if (hasOthers && this.isRained) places.at(-1).foot = footOf(places.at(-1).h * this.size[1], 2 * COUNT);
    this.tellOthers(dist, shown.length, hasOthers ? places.at(-1) : null);
    this.tellEdge(dist);
    this.makeOneStop(had);
    this.story.root.dataset.left = dist.left.length;
  }

  /** The place that the number u falls into, and how far along it is there. */
  placeOf(u) {
    const place = this.places.findLast(({ low }) => low <= u) ?? this.places[0];
    return [place, (u - place.low) / place.mass];
  }

  tile(id, place, dist, counts) {
    const { data, over, luck } = this.story;
    const [p, label] = [dist.final[id], this.story.label(id)];
    const { kind, px, hasRoom, foot } = this.letters(label, p, place);
    const count = counts.get(id);
    const number = count ? `${count}×` : !counts.size && p >= TELLING ? share(p) : "";
    const isSaid = hasRoom && number;
    place.foot = foot;
    const about = this.about(id, dist, counts);
    const props = {
      style: `${where(place)};--p:${p.toFixed(4)};--low:${place.low.toFixed(3)}`,
      onclick: () => this.story.pick(id),
      class: `tile${kind}`,
      "data-id": id,
      disabled: over || data.full,
      title: `“${label}”: ${about}`,
      ...((!isSaid || kind === " cut") && { "aria-label": `${label}: ${about}` }),
      tabindex: -1,
    };
    const word = px ? el("b", { style: `font-size:${px.toFixed(1)}px` }, label) : null;
    const button = el("button", props, word, ...(isSaid ? [" ", el("small", number)] : []));
    return el(luck.shown?.id === id && !luck.falls ? "li.drawn" : "li", button);
  }

  about(id, { probs, final }, counts) {
    const own = Math.abs(probs[id] - final[id]) > 1e-9 ? `, ${share(probs[id])} by the model` : "";
    const drawn = counts.size ? `, drawn ${counts.get(id) ?? 0} of ${this.story.luck.fallen.length} times` : "";
    return share(final[id]) + own + drawn;
  }

  // ---- the edge of the likeliest word, which is the temperature -------------------------------------------------

  tellEdge({ left: [top], final }) {
    const p = final[top];
    this.edge.style.left = `${100 * p}%`;
    const [at, half] = [p * this.size[0], GRIP / 2];
    const within = Math.max(half, Math.min(this.size[0] - half, at));
    this.edge.style.setProperty("--shift", `${within - at}px`);
    const { over, data, settings } = this.story;
    const isCut = settings.top_k || settings.top_p < 1 || settings.penalty !== 1;
    this.edge.hidden = over || Boolean(data.ladder && isCut); // what is cut there, only the server knows
    put(this.edge, {
      "aria-label": `Share of “${this.story.label(top)}”`,
      "data-temperature": this.story.temperature.toFixed(2),
      "aria-valuenow": Math.round(100 * p),
      "aria-valuetext": `${share(p)} at temperature ${this.story.temperature.toFixed(2)}`,
    });
  }

  /** The edge follows the hand: the temperature is the one at which the word ends there. */
  pull(event) {
    if (!takesHold(event)) return;
    const { data, dist, text, settings } = this.story;
    const top = dist.left[0];
    const at = (temperature) => distribution(data.logits, text, { ...settings, temperature }).final[top];
    const shareAt = data.ladder ? roughly(dist) : at;
    if (shareAt(COLD) === shareAt(HOT)) return; // top-k 1, say: no temperature moves it
    const wanted = (hand) => pointIn(hand, this.node)[0] / this.size[0];
    const to = (hand) => this.story.turn("temperature", temperatureFor(wanted(hand), shareAt));
    this.story.endDrag = drag(to, () => {});
  }

  nudge(event) {
    const by = { ArrowRight: -STEP, ArrowUp: -STEP, ArrowLeft: STEP, ArrowDown: STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = Math.min(HOT, Math.max(COLD, this.story.settings.temperature + by));
    this.story.turn("temperature", Math.round(100 * next) / 100);
  }

  /** How large a word is written: as large as it is likely, and no larger than there is room; upwards where that is all
   * there is, or else cut. */
  letters(label, p, { w, h }) {
    const [wide, tall] = [w * this.size[0] - 18, h * this.size[1] - 18];
    const most = Math.min(SMALL + MORE * Math.sqrt(p), wide / (WIDTH * Math.max(1, label.length)));
    if (this.isRained) return lettersAbove(label, most, wide, h * this.size[1]);
    const px = Math.min(most, 0.7 * tall);
    if (px >= READABLE) return { kind: "", px, hasRoom: wide > 26 && tall - px > 14 };
    return lettersUp(label, wide, tall) ?? { kind: " cut", px: READABLE, hasRoom: tall - READABLE > 14 };
  }

  /** What has no room on the line: its end, and a button that says how many they are and shows them. */
  tellOthers(dist, n_shown, place) {
    const { final, rest, order } = dist;
    const hidden = order.slice(n_shown);
    const n = hidden.length + (rest?.n ?? 0);
    const sum = hidden.reduce((total, id) => total + final[id], rest?.final ?? 0);
    const isTile = place && hasRoom(place.w * this.size[0], place.h * this.size[1]);
    put(this.end, { style: place ? where(place) : "display:none" });
    const home = isTile ? this.node : this.story.luck.acts;
    if (this.more.parentNode !== home) home.firstChild.after(this.more);
    rewrite(this.more, ...this.says(n, n_shown, sum), isTile ? this.such(hidden, place) : "");
    put(this.more, {
      class: isTile ? "more tile end" : "more act",
      style: isTile ? where(place) : "",
      "aria-expanded": this.all,
    });
    this.more.hidden = this.story.over || !hidden.length;
    this.rest.hidden = this.more.hidden || !this.all;
    this.rest.replaceChildren(...(this.rest.hidden ? [] : this.listed(dist, hidden)));
  }

  says(n, n_shown, sum) {
    const said = this.all ? "Hide the other words" : wordsSaid(n, n_shown > 0);
    return n_shown ? [said, el("small", share(sum))] : [said];
  }

  /** Some of these words, as many as have room there. */
  such(ids, { w, h }) {
    if (this.isRained) return "";
    const [px, line] = SUCH;
    const lines = Math.floor((h * this.size[1] - 64) / line);
    const letters = 0.85 * lines * ((w * this.size[0] - 24) / (WIDTH * px));
    const labels = wholeOf(ids, this.story.data.whole).map((id) => this.story.label(id));
    const words = named(labels, letters);
    return words.length > 2 ? el("span.such", `${words.join(", ")} …`) : "";
  }

  listed({ final, probs, removed, rest }, hidden) {
    const { over, data } = this.story;
    const listed = hidden.map((id) => {
      const title = `${share(probs[id])} by the model`;
      const props = { "data-id": id, disabled: over || data.full, title, onclick: () => this.story.pick(id) };
      const says = removed.has(id) ? REASON[removed.get(id)] : share(final[id]);
      return el("li", el("button", props, el("b", this.story.label(id)), el("small", says)));
    });
    if (rest?.n)
      listed.push(el("li.quiet", `and ${rest.n.toLocaleString("en")} that ${rest.n > 1 ? "are" : "is"} less likely`));
    return listed;
  }

  // ---- by keyboard the wall is one stop -------------------------------------------------------------------------

  get buttons() {
    return [...this.tiles.querySelectorAll("button")];
  }

  /** The id of the word that the keyboard is on; undefined where it is elsewhere. */
  focused() {
    const active = this.node.getRootNode().activeElement;
    return this.tiles.contains(active) || this.rest.contains(active) ? active.dataset.id : undefined;
  }

  /** had: the id of the word that the keyboard was on before all were drawn anew */
  makeOneStop(had) {
    const { buttons } = this;
    const { over, data, nodes } = this.story;
    const stop = buttons.find((one) => one.dataset.id === had) ?? buttons[0];
    if (stop) stop.tabIndex = 0;
    if (had !== undefined) (over || data.full ? nodes.back : (stop ?? this.more)).focus({ preventScroll: true });
  }

  walk(event) {
    const { buttons } = this;
    const at = buttons.findIndex((one) => one.dataset.id === this.focused());
    const to = at < 0 ? null : inRow(event, at, buttons.length);
    if (to === null) return;
    buttons[at].tabIndex = -1;
    buttons[to].tabIndex = 0;
    buttons[to].focus();
  }
}

/** Pixels of a tile down to which a text of so many reaches: below it is room for dots. */
const footOf = (tall, text) => Math.max(0, Math.min(EDGE + text, tall - DOTS / 2));

/** The letters of a word that is written upwards; null where it cannot be read there. */
function lettersUp(label, wide, tall) {
  const px = Math.min((wide + 13) * 0.75, tall / (WIDTH * Math.max(1, label.length)), 44);
  return px >= READABLE ? { kind: " upright", px, hasRoom: false } : null;
}

/** The letters of a word, of at most so many pixels, that leaves the lower part of its tile to the dots; and foot: how
 * far down it reaches, with its count where that has room. */
export function lettersAbove(label, most, wide, tall) {
  const room = tall - EDGE - Math.min(DOTS, 0.3 * tall);
  const of = (kind, px, hasRoom, text) => ({ kind, px, hasRoom, foot: footOf(tall, text + (hasRoom ? COUNT : 0)) });
  const counted = Math.min(most, (room - COUNT) / 1.05);
  if (counted >= READABLE && wide > 26) return of("", counted, true, 1.05 * counted);
  const px = Math.min(most, room / 1.05);
  if (px >= READABLE) return of("", px, false, 1.05 * px);
  const upright = lettersUp(label, wide, room);
  if (upright) return of(upright.kind, upright.px, false, upright.px * WIDTH * label.length);
  return of(" cut", READABLE, room - COUNT > 1.3 * READABLE, 1.3 * READABLE);
}

export const wordsSaid = (n, areOthers) => counted(n, areOthers ? "other word" : "word");
const share100 = (x) => `${(100 * x).toFixed(3)}%`;
const where = ({ x, y, w, h }) => `top:${share100(y)};height:${share100(h)};left:${share100(x)};width:${share100(w)}`;
