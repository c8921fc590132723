// The whole layer as one stream, from left to right: what comes in, and what attention and then feed-forward add to it
// from below. Each is as thick as its share of the vector that leaves, or thinner where a hand has not opened all of it
// (pipes.js). Above it stands, before and after each addition, the word that a trained model would say if it stopped
// there.

import { asShare, brief, boxOf, capital, el, minus, rewrite, shorten, svg } from "../../../../attention_view/lab.js";
import { FULL, openedAt, Pipes, spanOf } from "./pipes.js";

const RISES = 0.2, // of the width: where the first addition rises, and
  SPREAD = 0.72, // how much of it all of them share
  ABOUT = { above: 152, below: 140 }, // pixels for the guesses, and for the names of what is added
  ABOUT_TIGHT = { above: 104, below: 130 }, // and on a phone
  LEAST_THICK = 3, // pixels of a band
  THREAD = 26, // of a thread with all attention into an open pipe, and
  CLOSED = 0.2, // how much of that into one that is shut
  PLAIN = 14, // and of each band where nobody can tell its share
  ROOMY_TALL = 370, // pixels of the drawing where there is room for long names
  BEND = 18, // inner radius of the way by which a band joins
  ASIDE = 16, // pixels between a band and its name, and
  GRIP = 18, // beside the one that is pulled
  GAP = 16, // and between two guesses
  CERTAIN = 0.999, // a chance that is called all but certain
  LEAST_LETTERS = 0.5; // of their size, below which guesses are hard to read

const SUBLAYERS = { attention: "attention", feed_forward: "feed-forward" };
const DOES = { attention: "gathered from the text", feed_forward: "worked out from this token alone" };

/** The stations of the sublayers, whose results are added to the stream. */
const addedBy = (stations) => stations.filter((_, n) => stations[n + 1]?.step.startsWith("add"));

/** The stations at which the stream stands as it comes in, and after each addition and its norm. */
export const stopsOf = (stations) => stations.filter(({ main }, n) => main && !stations[n + 1]?.main);

/** The bands, from top to bottom: what came in, and what each sublayer adds: [{x, y, thick, share}].
 *
 * row: their shares of what leaves, which add up to 1, or null where nobody can tell; n: additions; x: where one rises;
 * y: its upper edge, once it has joined */
export function bandsOf(row, n, width, { top, deep }) {
  const sum = row?.reduce((all, share) => all + Math.abs(share), 0) || 1;
  let y = top;
  return Array.from({ length: n + 1 }, (_, k) => {
    const thick = row ? Math.max(LEAST_THICK, (deep * Math.abs(row[k])) / sum) : PLAIN;
    const band = { x: k ? width * (RISES + (SPREAD * (k - 1)) / n) : 0, y, thick, share: row?.[k] ?? null };
    y += thick;
    return band;
  });
}

/** The outlines of bands in a drawing of this size, each opened by its share; all end in one arrowhead. */
export function outlines(bands, width, height, open = []) {
  const [top, end] = [bands[0].y, bands.at(-1).y + bands.at(-1).thick];
  const [middle, half] = [(top + end) / 2, (end - top) / 2];
  const edge = (y) => width - (Math.abs(y - middle) / half) * Math.max(22, 0.5 * half);
  return bands.map(({ x, y, thick: whole }, n) => {
    const thick = whole * (n ? (open[n - 1] ?? 1) : 1);
    const low = y + thick;
    const tip = y < middle && low > middle ? `L${width} ${middle}` : "";
    const right = `L${edge(y)} ${y}${tip}L${edge(low)} ${low}`;
    if (!n) return `M0 ${y}${right}L0 ${low}Z`;
    const outer = whole + BEND;
    const inner = outer - thick;
    const up = `M${x} ${height}V${y + outer}A${outer} ${outer} 0 0 1 ${x + outer} ${y}`;
    const down = `H${x + outer}A${inner} ${inner} 0 0 0 ${x + thick} ${low + inner}V${height}Z`;
    return up + right + down;
  });
}

/** What the model would say at a token, [[word, chance], ...], as the layer begins and after each of its additions, of
 * which only so many tenths may be open; null where it was never trained to say anything. */
export function saidAt({ said, opened, speaks_at: only = null }, lane, open = []) {
  if (!said || (only !== null && only !== lane)) return null;
  const whole = said.map(({ words, chances }) => [words[lane], chances[lane]]);
  return open.every((n) => n === FULL) ? whole : [whole[0], ...openedAt(opened, lane, open)];
}

/** What the layer did to a token, in a sentence: to the word that the model would say, or else to its vector. */
export function finding(data, lane, help = "") {
  if (!addedBy(data.stations).length) return help;
  return saidAt(data, lane) ? ofWords(data, lane) : ofLengths(data, lane);
}

function ofWords(data, lane) {
  const at = saidAt(data, lane).map(([word, chance]) => ({ word, chance, sure: asShare(chance) }));
  const added = addedBy(data.stations);
  const [first, last] = [at[0], at.at(-1)];
  const isNew = added.map((_, n) => at[n + 1].word !== at[n].word);
  if (!isNew.includes(true)) {
    const stays = `In this layer the guess stays “${first.word}”`;
    return first.sure === last.sure ? `${stays}, at ${last.sure}.` : `${stays}: from ${first.sure} to ${last.sure}.`;
  }
  const parts = added.map(({ step }, n) => {
    const [was, now] = [at[n], at[n + 1]];
    const name = SUBLAYERS[step];
    if (isNew[n]) {
      const end = n === added.length - 1 ? ` (${now.sure})` : "";
      if (isNew.slice(0, n).includes(true)) {
        const back = now.word === first.word ? " back" : "";
        return `${name} changes it${back} to “${now.word}”${end}`;
      }
      return `${name} changes the guess from “${was.word}” to “${now.word}”${end}`;
    }
    if (!n) return `${name} keeps “${now.word}”`;
    if (now.sure === was.sure) return `${name} leaves it at ${now.sure}`;
    if (now.chance < was.chance) return `${name} lowers its chance to ${now.sure}`;
    return was.chance < CERTAIN && now.chance >= CERTAIN
      ? `${name} makes it all but certain`
      : `${name} raises its chance to ${now.sure.replace(">", "more than ")}`;
  });
  return `${capital(parts.join("; "))}.`;
}

function ofLengths({ stations, shares, words }, lane) {
  const added = addedBy(stations);
  const [came, leaves] = [stations[0], stations.at(-1)].map(({ lengths }) => brief(lengths[lane]));
  const row = shares?.[lane];
  if (!row) {
    const adds = added.map(({ step, lengths }, n) => {
      const what = `of length ${brief(lengths[lane])}`;
      return n ? `${SUBLAYERS[step]} one ${what}` : `${SUBLAYERS[step]} adds a vector ${what}`;
    });
    return `${capital(adds.join(", "))}.`;
  }
  if (Math.round(100 * row[0]) > 100)
    return `This layer shortens the vector of “${words[lane]}” from ${came} to ${leaves}.`;
  const adds = added.map(({ step }, n) => {
    const share = row[n + 1];
    return `${SUBLAYERS[step]} ${share < 0 ? "takes away" : "adds"} ${inPercent(Math.abs(share))}`;
  });
  const told = adds.join(", ");
  if (row[0] >= 0.5) return `Most of what goes out came in like that: ${inPercent(row[0])}. ${capital(told)}.`;
  return `Most of what goes out is new: ${told}.`;
}

const verbOf = (n, share) => (n ? (share < 0 ? " takes away" : " adds") : "");
const inPercent = (share) => minus(`${Math.round(100 * share)}%`);

/** By what share words shrink so that none touches the next: at most 1.
 *
 * places: where each stands, as [x, the share of its width that is left of x] */
export function fitting(widths, places) {
  const shares = places.slice(1).map(([x, left], n) => {
    const [before, right] = places[n];
    const needed = (1 - right) * widths[n] + left * widths[n + 1];
    return needed ? (x - before - GAP) / needed : 1;
  });
  return Math.max(LEAST_LETTERS, Math.min(1, ...shares));
}

/** The drawing in words. */
export function toldOf({ stations, shares, words }, lane, said) {
  const row = shares?.[lane];
  const names = ["what came in", ...addedBy(stations).map(({ step }) => SUBLAYERS[step])];
  const parts = names.map((name, n) => (row ? `${inPercent(row[n])} ${name}` : name));
  const would = said?.map(([word, chance]) => `“${word}” (${asShare(chance)})`).join(", then ");
  const end = would ? ` If it stopped on the way, the model would say ${would}.` : "";
  return `What goes out as “${words[lane]}” is a sum: ${parts.join(" + ")}.${end}`;
}

export class Whole {
  /** river: whose token it draws, and whose stations open */
  constructor(river) {
    this.river = river;
    this.drawing = svg("svg", { role: "img" });
    this.guesses = el("div.guesses", { "aria-hidden": "true" });
    this.tags = el("div.tags");
    this.pipes = new Pipes(river);
    this.sheet = el("div.sky", this.drawing, this.guesses, this.tags, this.pipes.node);
    this.node = el("div.whole", this.sheet);
  }

  draw() {
    const { river } = this;
    const { stations, shares } = river.data;
    const lane = river.followed;
    const said = saidAt(river.data, lane, river.open);
    const added = addedBy(stations);
    const open = river.open.map((n) => n / FULL);
    this.node.hidden = !added.length;
    if (!added.length) return;
    const [width, height] = [this.sheet.clientWidth, river.isNarrow ? 326 : Math.max(ROOMY_TALL, river.tall())];
    const { above, below } = river.isNarrow ? ABOUT_TIGHT : ABOUT;
    const row = shares?.[lane] ?? null;
    this.bands = bandsOf(row, added.length, width, { top: above, deep: height - above - below });
    this.sheet.style.height = `${height}px`;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawing.setAttribute("aria-label", river.isOpen ? toldOf(river.data, lane, said) : river.told());
    const kinds = ["came", ...added.map(({ step }) => step)];
    const hold = (n) => (n ? { onpointerdown: (event) => this.pipes.hold(event, n - 1) } : {});
    const ghosts = outlines(this.bands, width, height).slice(1);
    this.drawing.replaceChildren(
      ...this.threads(added, lane, height, open),
      ...ghosts.map((d, n) => svg("path.ghost", { d, ...hold(n + 1) })),
      ...outlines(this.bands, width, height, open).map((d, n) =>
        svg(`path.band.${kinds[n]}${this.bands[n].share < 0 ? ".against" : ""}`, { d, ...hold(n) }),
      ),
    );
    this.guess(said, lane, { width, height, above });
    this.name(added, row, width);
    this.pipes.draw(this.bands.slice(1), height);
  }

  /** From the words below, where they are one line, into the pipes: to attention from each as thick as its attention
   * weight, to feed-forward from the token alone. */
  threads(added, lane, height, open) {
    const { river } = this;
    const [sky, words] = [boxOf(this.sheet), [...river.words.words.children].map(boxOf)];
    if (river.isNarrow || words.some(({ top }) => top !== words[0].top)) return [];
    return added.flatMap(({ step }, n) => {
      const { x, thick } = this.bands[n + 1];
      const to = x + thick / 2;
      return words.map(({ left, width, top }, from) => {
        const weight = step === "attention" ? river.data.weights[lane][from] : Number(from === lane);
        const [start, low] = [left + width / 2 - sky.left, top - sky.top];
        const middle = (low + height) / 2;
        const d = `M${start} ${low}C${start} ${middle} ${to} ${middle} ${to} ${height}`;
        const thickness = weight && Math.max(0.75, THREAD * weight * Math.max(CLOSED, open[n]));
        return svg(`path.brings.${step}`, { d, "stroke-width": thickness });
      });
    });
  }

  /** The word, or else the length of the vector, above the stream before and after each addition. */
  guess(said, lane, { width, height, above }) {
    const { stations } = this.river.data;
    const stops = stopsOf(stations);
    const { isNarrow } = this.river;
    const what = said && !isNarrow ? "guess " : "";
    const names = [
      isNarrow ? "before" : "before the layer",
      ...addedBy(stations).map(({ step }) => `after ${SUBLAYERS[step]}`),
    ];
    const places = names.map((_, n) => {
      if (!n) return [0, 0];
      if (n === names.length - 1) return [width, 1];
      const { x, thick } = this.bands[n];
      return [(x + thick + this.bands[n + 1].x) / 2, 0.5];
    });
    const nodes = names.map((name, n) => {
      const [word, chance] = said?.[n] ?? [brief(stops[n].lengths[lane]), null];
      const isLast = n === names.length - 1;
      const parts = [
        el("span.quiet", what + name),
        el("b", shorten(word, 12)),
        el("span", said ? `${asShare(chance)} sure` : "length"),
      ];
      const isEcho = said && n > 0 && !this.river.open[n - 1]; // nothing is let in: the word before, once more
      const node = el(`p${isLast ? ".out" : ""}${isEcho ? ".echo" : ""}`, ...parts);
      const [x, left] = places[n];
      node.style.cssText = `left:${x}px;bottom:${height - above + 12}px;translate:${-100 * left}%`;
      return node;
    });
    this.guesses.replaceChildren(...nodes);
    const { style } = this.guesses;
    style.setProperty("--fit", 1); // of the letters
    const widths = nodes.map((node) => node.querySelector("b").offsetWidth);
    style.setProperty("--fit", fitting(widths, places));
  }

  /** What each band is, below it, as a button that opens its station. The elements stay the same ones: a finger that is
   * on one, or the focus, is not lost when all is drawn anew. */
  name(added, row, width) {
    const { children } = this.tags;
    const { river } = this;
    const { followed: lane, data } = river;
    const names = [
      { step: "in", text: "what came in", does: row ? "of what goes out" : "", length: data.stations[0].lengths[lane] },
      ...added.map(({ step, lengths }) => ({
        step,
        text: SUBLAYERS[step],
        does: DOES[step],
        length: lengths[lane],
      })),
    ];
    while (children.length > names.length) this.tags.lastChild.remove();
    const end = this.bands.at(-1);
    for (const [n, { step, text, does, length }] of names.entries()) {
      if (!children[n]) this.tags.append(el("button.tag"));
      const [node, { x, y, thick, share }] = [children[n], this.bands[n]];
      node.onclick = () => river.enter(step);
      const size = share === null ? brief(length) : inPercent(n ? Math.abs(share) : share);
      const most = river.isNarrow ? "%" : "% open";
      const part = n ? [el("b", 10 * river.open[n - 1] + most)] : []; // what came in is there in any case
      if (river.isOpen) rewrite(node, el("u", text + verbOf(n, share)), el("b", size), el("small", does));
      else rewrite(node, el("u", text), ...part);
      const next = this.bands[n + 1]?.x ?? width;
      const beside = river.isNarrow ? thick : spanOf(thick) + GRIP;
      const left = n && x + beside + ASIDE;
      const top = (n ? end.y + end.thick : y + thick) + ASIDE;
      node.style.cssText = `left:${left}px;top:${top}px;max-width:${next - left - 6}px`;
    }
  }
}
