// Two models that learned from the same stories, one with the causal mask and one without. The reader bets on one, and
// both write; then comes why: in training the next word is there, and who sees it says it.

import { capital, el, mount, put, still, svg, write } from "../../../../attention_view/lab.js";
import { Player } from "../../../../attention_view/controls.js";
import { Reel } from "./reel.js";

const PAUSE = 110, // milliseconds from one word to the next
  SHOWN = 7, // words of the tale in training
  NEAR = 2, // of them from the next word on, where the screen is narrow
  GAP = 48; // pixels from what is shown to what is said

/** What a writer is shown of a tale in training: ["seen" | "next" | "blocked", word] each. Who may look ahead sees the
 * next word, and those after it. */
export function shown(words, nRead, seesAhead) {
  return words.slice(0, SHOWN).map((word, at) => {
    if (at < nRead) return ["seen", word];
    if (!seesAhead) return ["blocked", word];
    return [at === nRead ? "next" : "seen", word];
  });
}

/** A share in whole percent, which is 0% or 100% only where it is exactly so. */
export function inPercent(share) {
  const whole = Math.round(100 * share);
  return `${whole === 100 && share < 1 ? 99 : whole === 0 && share > 0 ? 1 : whole}%`;
}

/** What is said of the two: a question, and once both have written what came of it for who bet on one, null before. */
export function found(writers, bet) {
  if (!bet) return "Both learned from the same stories. Whose own story will make sense? Bet on one.";
  const [ahead, masked] = [true, false].map((is) => writers.find(({ sees_ahead }) => sees_ahead === is));
  const won = writers.every(({ right }) => right <= bet.right) ? "You won" : "You lost";
  const cheats = `without the mask ${inPercent(ahead.in_training)} of words are right in training`;
  return `${won}: ${cheats}, but ${inPercent(ahead.right)} of stories make sense. With it: ${inPercent(masked.right)}.`;
}

/** What is said of the reason; colour: what was put in the place of `there`, null as long as nothing was. */
export function reason(writers, says, colour, there) {
  if (colour === null) return `In training the next word is in sight. Pull “${there}” to another colour.`;
  const [ahead, masked] = [true, false].map((is) => writers.findIndex(({ sees_ahead }) => sees_ahead === is));
  const often = inPercent(writers[ahead].copied);
  const copies = `Without the mask it says “${says[ahead][colour]}”: whatever stands there, in ${often} of tries.`;
  return `${copies} With it, “${says[masked][colour]}” again.`;
}

/** The words by which the two are told apart, and the tale's own: without others that the one with the mask says in any
 * case. */
export function telling(writers, says, there) {
  const guesses = says[writers.findIndex(({ sees_ahead }) => !sees_ahead)];
  return Object.keys(guesses).filter((word) => guesses[word] !== word || word === there);
}

/** Words as a text: a full stop or a comma follows its word at once. */
export const asText = (words) => words.join(" ").replaceAll(/ ([.,])/g, "$1");

/** The largest number up to n that fits, where each smaller one fits, too; 0 at least. */
export function lastFitting(n, fits) {
  let [low, high] = [0, n];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

class TwoWriters {
  constructor(root) {
    this.root = root;
    this.sheet = el("div.sheet");
    this.player = new Player(
      () => this.advance(),
      PAUSE,
      () => {},
    );
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    root.replaceChildren(el("div.headline", this.finding, this.act), this.sheet);
    this.resized = () => this.tale && this.place();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return; // another theme is no other tale
    Object.assign(this, { data, signature });
    this.open(0);
  }

  destroy() {
    this.player.stop();
    this.reel?.endDrag?.();
  }

  /** One of the tales, of which nobody has written anything. */
  open(nth) {
    this.player.stop();
    const { samples, writers } = this.data;
    Object.assign(this, { nth, tale: samples[nth], colour: null, bet: null });
    const { words, n_read } = this.tale;
    this.root.dataset.tale = asText(words.slice(0, n_read));
    this.cards = writers.map((writer, k) => this.card(writer, k));
    this.sheet.className = "sheet";
    this.sheet.replaceChildren(...this.cards.map(({ node }) => node));
    this.rows = null;
    for (const card of this.cards) this.show(card, 0);
    this.tell();
  }

  /** One model: how it reads in training, how well, and the page on which it writes. */
  card(writer, k) {
    const { words, n_read, written } = this.tale;
    const text = el("span.text");
    const card = { writer, text, written: written[k], at: 0, room: Infinity };
    const score = (tag, share, of) => el(tag, el("b", inPercent(share)), ` ${of}`);
    const right = score("span.score", writer.right, "of its stories make sense: names and things agree");
    card.page = el("button.page", { onclick: () => this.begin(card) }, text, el("span.pen", "Bet on it"), right);
    const tiles = shown(words, n_read, writer.sees_ahead).map((tile) => this.tile(tile, ""));
    card.node = el(
      "section",
      el("h2", capital(writer.name)),
      el("div.tiles", { "aria-hidden": "true" }, ...tiles),
      score("p.score", writer.in_training, "of words right in training"),
      card.page,
    );
    return card;
  }

  tile([kind, word], far) {
    if (kind === "blocked") return el(`i.blocked${far}`, { "aria-hidden": "true" }, el("span", word));
    return el(`i.${kind}${far}`, word);
  }

  /** The reader has bet on this one, and both write: word by word, or all at once. */
  begin(card) {
    this.bet = card.writer;
    card.node.classList.add("backed");
    this.hadFocus = card.page.matches(":focus");
    for (const { page } of this.cards) page.disabled = true;
    if (still()) return this.finish();
    this.player.start();
  }

  advance() {
    for (const card of this.cards) if (card.at < card.written.length) this.show(card, card.at + 1);
    if (this.isOver) this.finish();
  }

  get isOver() {
    return this.cards.every(({ at, written }) => at === written.length);
  }

  /** Both come to the end. */
  finish() {
    this.player.stop();
    for (const card of this.cards) this.show(card, card.written.length);
    this.tell();
  }

  /** So many words are written; what runs on and on ends at the last word that fits. */
  show(card, n) {
    const { words, n_read } = this.tale;
    const { text, written } = card;
    card.at = n;
    const end = n < written.length ? " ▍" : written.at(-1) === "." ? "" : " …";
    const fill = (k, tail) =>
      text.replaceChildren(el("span", asText(words.slice(0, n_read))), ` ${asText(written.slice(0, k))}${tail}`);
    const isOver = () => text.scrollHeight > text.clientHeight + 2;
    if (n <= card.room) fill(n, end);
    if (n <= card.room && isOver()) card.room = lastFitting(n, (k) => (fill(k, " …"), !isOver()));
    if (n > card.room) fill(card.room, " …");
    card.node.classList.toggle("written", n === written.length);
  }

  goOn() {
    if (!this.rows) return this.explain();
    this.open((this.nth + 1) % this.data.samples.length);
  }

  tell() {
    const { data, tale, colour, isOver } = this;
    const there = tale.words[tale.n_read];
    const says = this.rows ? reason(data.writers, tale.says, colour, there) : found(data.writers, isOver && this.bet);
    write(this.finding, says);
    write(this.act, this.rows ? "Another story" : "Why?");
    const isLost = this.act.matches(":focus") && !isOver;
    this.act.hidden = !isOver; // at first each page is its own button
    if (isLost) this.cards[0].page.focus({ preventScroll: true });
    if (this.hadFocus && isOver) this.act.focus({ preventScroll: true }); // what a page that is written on loses
    this.hadFocus &&= !isOver;
    Object.assign(this.root.dataset, { written: isOver, next: colour ?? "" });
  }

  /** Why: the same place of the tale in training, large, where another colour can be put. */
  explain() {
    this.rows = this.data.writers.map((writer, k) => this.row(writer, k));
    this.sheet.className = "sheet why";
    this.sheet.replaceChildren(...this.rows.flatMap(({ nodes }) => nodes));
    this.swap(null);
    this.threads();
  }

  row({ name, copied, sees_ahead }, k) {
    const { words, n_read, says } = this.tale;
    const slot = el("output.slot", { "aria-label": `It says, ${name}` }),
      lines = svg("svg", { "aria-hidden": "true" }),
      isCopy = copied > 0.5;
    const tiles = shown(words, n_read, sees_ahead).map((tile, at) =>
      tile[0] === "next" ? this.wheel(tile[1]) : this.tile(tile, at >= n_read + NEAR ? ".far" : ""),
    );
    const strip = el(
      "div.strip",
      el("span.asks", { style: `grid-column: 1 / ${n_read + 1}` }, "it says"),
      slot,
      el("b.verdict", { style: `grid-column: ${n_read + 2} / -1` }, isCopy ? "It copies." : "It has to guess."),
      lines,
      ...tiles,
    );
    strip.style.setProperty("--tiles", tiles.length);
    slot.style.gridColumn = n_read + 1;
    return { nodes: [el("h2", capital(name)), strip], slot, lines, tiles, isCopy, says: says[k] };
  }

  /** The next word itself, which is turned to what may stand in its place. */
  wheel(word) {
    const words = telling(this.data.writers, this.tale.says, word);
    this.reel = new Reel("The next word", words, words.indexOf(word), (colour) => this.swap(colour));
    return this.reel.node;
  }

  /** Another word in the place of the next: each model says what it says then. */
  swap(colour) {
    this.colour = colour;
    for (const { slot, says } of this.rows) write(slot, says[colour ?? this.tale.words[this.tale.n_read]]);
    this.tell();
  }

  /** From each word that is seen to what is said; from the one that is copied a bold thread. */
  threads() {
    for (const { slot, lines, tiles, isCopy } of this.rows) {
      const middle = (node) => node.offsetLeft - lines.parentNode.offsetLeft + node.offsetWidth / 2;
      const end = middle(slot);
      const seen = tiles.filter((tile) => !tile.matches(".blocked") && tile.offsetWidth);
      put(lines, { viewBox: `0 0 ${lines.parentNode.offsetWidth} ${GAP}` });
      lines.replaceChildren(
        ...seen.map((tile) => {
          const from = middle(tile);
          const d = `M${from} ${GAP} C${from} ${GAP * 0.35} ${end} ${GAP * 0.65} ${end} 1`;
          return svg(isCopy && tile.matches(".reel") ? "path.bold" : "path", { d });
        }),
      );
    }
  }

  /** In a window of another width more words fit, or fewer. */
  place() {
    if (this.rows) return this.threads();
    for (const card of this.cards) {
      card.room = Infinity;
      this.show(card, card.at);
    }
  }
}

export default mount(".two-writers", TwoWriters);
