// What may come next, on one line from 0 to 1 that is wrapped like a text: each word covers as much as it is likely.

import { boxOf, counted, el, put, rewrite } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { REASON, share } from "./sampling.js";

const LEAST = 52; // pixels of the line that a word needs to stand on it
const TYPICAL = 0.032; // a word of this probability is about twice as wide as it is tall
const [SMALL, MORE, READABLE] = [15, 100, 12.5]; // pixels of letters: of no share, up to 1, and at least
const WIDTH = 0.54; // of a letter, in its height
const MOST = 0.5; // of the wall: what covers more has its word in its middle
const [OTHERS, LOW] = [150, 30]; // pixels in which it can be said how many others there are, across and down
const THIN = 0.02; // of the line: a large word has what is left after it at its side, down all of its row
const FLAT = 0.08; // of the line: a row that holds less is too low to be read
const SUCH = [22, 32]; // pixels of the letters and of the lines in which some of them are named

/** How many rows the line is wrapped into. */
export const rowsOf = (width, height) => Math.max(2, Math.round(Math.sqrt((2 * height) / (TYPICAL * width))));

/** The line from 0 to 1, cut into these shares and wrapped into about so many rows, which are as tall as they hold.
 *
 * A share that is larger than a row is a row of its own where it begins one, if what is left is not too little.
 * rows: {low, mass} of each; places: for each share the parts of it, {row, left, width} in widths of a row. A share is
 * broken at the end of a row only where it is larger than a row. */
export function wrapped(shares, n) {
  const rows = [{ low: 0, mass: 0 }];
  const parts = shares.map(() => []);
  const total = shares.reduce((a, b) => a + b, 0);
  let [low, left] = [0, total];
  let [more, usual] = [n, left / n]; // rows for what is left, and what each of them holds
  const lay = (at, mass) => {
    const row = rows.at(-1);
    parts[at].push({ row: rows.length - 1, low: low - row.low, mass });
    row.mass += mass;
    low += mass;
    left -= mass;
    return mass;
  };
  const turn = (by = 1) => {
    more = Math.max(1, more - by);
    usual = left / more;
    rows.push({ low, mass: 0 });
  };
  shares.forEach((share, at) => {
    let rest = share;
    const { mass } = rows.at(-1);
    // Where rows have held more than that, the others are fewer, and not lower: none is left with a single small word.
    const room = Math.max(usual, total / n) - mass;
    if (share > 1.4 * usual) {
      const after = left - share;
      if (mass === 0 && isAlone(after / total, more)) {
        more = rowsWith(after / total, more - Math.round(share / usual) + 1);
        lay(at, share);
        if (more > 1) turn();
        return;
      }
      if (mass > 0 && room > 0.1 * usual) rest -= lay(at, room);
      if (mass > 0 && more > 1) turn();
      const whole = Math.min(more - 1, Math.floor(rest / usual + 1e-6));
      if (whole > 0 && left - rest > 0.001) {
        rest -= lay(at, whole * usual);
        turn(whole);
      }
    } else if (mass > 0 && more > 1 && share > 2 * room) turn();
    if (rest > 1e-9) lay(at, rest);
  });
  const places = parts.map((all) =>
    all.map(({ row, low, mass }) => ({ row, left: low / rows[row].mass, width: mass / rows[row].mass })),
  );
  return { rows: rows.filter(({ mass }) => mass > 0), places };
}

/** Whether a large share is a row of its own, where so much of the line and so many rows are left with it. */
const isAlone = (after, rows) => after < THIN || (after > FLAT && rows > 1);

/** How many rows such a share and what is left after it have, of so many. */
const rowsWith = (after, rows) => (after < THIN ? 1 : Math.max(2, rows));

/** Whether it can be said in a rectangle of so many pixels how many others there are. */
export const hasRoom = (width, height) => width > OTHERS && height >= LOW;

/** Of these words, which come in the order of their shares, those that stand on a line of so many pixels. */
export function standing(ids, shares, pixels) {
  const few = ids.findIndex((id) => shares[id] * pixels < LEAST);
  return few < 0 ? ids : ids.slice(0, few);
}

/** Of these tokens, which come in the order of their shares, those that may be named as words: where words are written
 * in pieces, the ids of the whole ones are known, and a beginning is none. */
export const wholeOf = (ids, whole) => (whole ? ids.filter((id) => whole.includes(id)) : ids);

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
    this.end = el("div.ends");
    this.node = el("div.wall", this.tiles, this.end, this.rain);
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
    const shown = (this.shown = standing(dist.left, dist.final, n * this.size[0]));
    const others = Math.max(0, 1 - shown.reduce((sum, id) => sum + dist.final[id], 0));
    const hasOthers = others > 1e-4;
    const { rows, places } = wrapped([...shown.map((id) => dist.final[id]), ...(hasOthers ? [others] : [])], n);
    this.rows = rows;
    this.tiles.replaceChildren(...shown.map((id, at) => this.tile(id, places[at], dist, counts)));
    this.tellOthers(dist, shown.length, hasOthers ? places.at(-1) : []);
    this.makeOneStop(had);
    this.story.root.dataset.left = dist.left.length;
  }

  /** Where the number u lies: its row, and how far along it is there. */
  placeOf(u) {
    const row = Math.max(
      0,
      this.rows.findLastIndex(({ low }) => low <= u),
    );
    return [row, (u - this.rows[row].low) / this.rows[row].mass];
  }

  /** How far above the foot of the wall's row something lies, as a length in CSS. */
  above(row, px) {
    const { low, mass } = this.rows[row];
    return `calc(${share100(low + mass)} - ${px}px)`;
  }

  tile(id, parts, { probs, final }, counts) {
    const { data, over, luck } = this.story;
    const [first, ...more] = [...parts].sort((a, b) => this.area(b) - this.area(a));
    const [p, n, label] = [final[id], luck.fallen.length, this.story.label(id)];
    const count = counts.size ? (counts.get(id) ?? 0) : null;
    const own = Math.abs(probs[id] - p) > 1e-9 ? `, ${share(probs[id])} by the model` : "";
    const drawn = count === null ? "" : `, drawn ${count} of ${n} times`;
    const { kind, px, hasNumber } = this.letters(label, p, first);
    const { low, mass } = this.rows[parts[0].row];
    const props = (part) => ({
      style: `${this.where(part)};--p:${p.toFixed(4)};--low:${(low + mass * parts[0].left).toFixed(3)}`,
      onclick: () => this.story.pick(id),
    });
    const button = el(
      "button",
      {
        ...props(first),
        class: `tile${kind}${p > MOST ? " large" : ""}${ends(first, parts)}`,
        "data-id": id,
        disabled: over || data.full,
        title: `“${label}”: ${share(p)}${own}${drawn}`,
        ...(!hasNumber && { "aria-label": `${label}: ${share(p)}${drawn}` }),
        tabindex: -1,
      },
      px ? el("b", { style: `font-size:${px.toFixed(1)}px` }, label) : null,
      hasNumber ? " " : null,
      hasNumber ? el("small", share(p), count ? el("b.times", ` ${count}×`) : "") : null,
    );
    const bits = more.map((part) => el("i", { ...props(part), class: `tile${ends(part, parts)}` }));
    return el(luck.shown?.id === id && !luck.falls ? "li.drawn" : "li", button, ...bits);
  }

  area({ row, width }) {
    return width * this.rows[row].mass;
  }

  where({ row, left, width }) {
    const { low, mass } = this.rows[row];
    return `top:${share100(low)};height:${share100(mass)};left:${share100(left)};width:${share100(width)}`;
  }

  /** How large a word is written: as large as it is likely, and no larger than there is room; upwards where that is all
   * there is. */
  letters(label, p, { row, width }) {
    const wide = width * this.size[0] - 18;
    const tall = this.rows[row].mass * this.size[1] - 18;
    const long = WIDTH * Math.max(1, label.length);
    const px = Math.min(SMALL + MORE * Math.sqrt(p), wide / long, 0.7 * tall);
    if (px >= READABLE) return { kind: "", px, hasNumber: wide > 26 && tall - px > 14 };
    const upright = Math.min((wide + 13) * 0.75, tall / long, 20);
    return { kind: " upright", px: upright >= READABLE ? upright : 0, hasNumber: false };
  }

  /** What has no room on the line: its end, and a button that says how many they are and shows them. */
  tellOthers(dist, n_shown, parts) {
    const { final, rest, order } = dist;
    const hidden = order.slice(n_shown);
    const n = hidden.length + (rest?.n ?? 0);
    const sum = hidden.reduce((total, id) => total + final[id], rest?.final ?? 0);
    const [first, ...more] = [...parts].sort((a, b) => this.area(b) - this.area(a));
    const isTile = first && hasRoom(first.width * this.size[0], this.rows[first.row].mass * this.size[1]);
    const home = isTile ? this.node : this.story.luck.acts;
    if (this.more.parentNode !== home) home.prepend(this.more);
    rewrite(this.more, ...this.says(n, n_shown, sum), isTile ? this.such(hidden, first) : "");
    put(this.more, {
      class: isTile ? `more tile end${ends(first, parts)}` : "more act",
      style: isTile ? this.where(first) : "",
      "aria-expanded": this.all,
    });
    this.more.hidden = this.story.over || !hidden.length;
    const bare = isTile ? more : parts;
    this.end.replaceChildren(
      ...bare.map((part) => el("i", { class: `tile end${ends(part, parts)}`, style: this.where(part) })),
    );
    this.rest.hidden = this.more.hidden || !this.all;
    this.rest.replaceChildren(...(this.rest.hidden ? [] : this.listed(dist, hidden)));
  }

  says(n, n_shown, sum) {
    const said = this.all ? "Hide the other words" : wordsSaid(n, n_shown > 0);
    return n_shown ? [said, el("small", share(sum))] : [said];
  }

  /** Some of these words, as many as have room there. */
  such(ids, { row, width }) {
    const [px, line] = SUCH;
    const lines = Math.floor((this.rows[row].mass * this.size[1] - 64) / line);
    const letters = 0.85 * lines * ((width * this.size[0] - 24) / (WIDTH * px));
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

export const wordsSaid = (n, areOthers) => counted(n, areOthers ? "other word" : "word");
const share100 = (x) => `${(100 * x).toFixed(3)}%`;

/** What is broken at the end of a row is open there. */
function ends({ row }, parts) {
  const [first, last] = [parts[0].row, parts.at(-1).row];
  return `${row > first ? " opens" : ""}${row < last ? " goes-on" : ""}`;
}
