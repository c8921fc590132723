// Two models, one trained with the causal mask and one without. At the left, training: the next word is there, and who
// sees it says it. At the right, writing: there is no next word.

import { el, mount, put, still, svg, write } from "../../../../attention_view/lab.js";
import { choice, firstBeat, Player, tween } from "../../../../attention_view/controls.js";

const PAUSE = 110, // milliseconds from one word to the next
  BEAT = 3000,
  SHOWN = 7, // words of the tale in training
  NEAR = 2, // of them from the next word on, where the screen is narrow
  GAP = 40; // pixels from what is shown to what is said

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

/** What comes of a mask that is missing; the writers as the server sends them, one of which sees ahead. */
export function found(writers) {
  const { in_training, right } = writers.find((writer) => writer.sees_ahead);
  const guesses = writers.find((writer) => !writer.sees_ahead);
  const cheats = `Without the mask: ${inPercent(in_training)} of words right in training`;
  return `${cheats}, but ${inPercent(right)} of stories hold together. With it: ${inPercent(guesses.right)}.`;
}

/** Words as a text: a full stop or a comma follows its word at once. */
export const asText = (words) => words.join(" ").replaceAll(/ ([.,])/g, "$1");

/** The word in the next word's place after this share of the beat: others come, and the true one returns. */
export function swapped(colours, right, share) {
  const others = colours.filter((colour) => colour !== right);
  return [right, right, others[0], others[2] ?? right, right, right][Math.min(5, Math.floor(6 * share))];
}

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
    this.finding = el("p.finding");
    const play = el("button.primary", { onclick: () => this.another() }, "Another story");
    root.replaceChildren(el("div.headline", this.finding, play), this.sheet);
    this.resized = () => this.rows && this.place();
  }

  update(data) {
    const isFirst = !this.data;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return; // another theme is no other tale
    this.endBeat?.();
    this.player.stop();
    Object.assign(this, { data, signature });
    write(this.finding, found(data.writers));
    this.open(0);
    this.show(this.last);
    if (isFirst) this.begin();
  }

  /** At first both write within the beat, and another word is put where the next one is. */
  begin() {
    const right = this.colour,
      colours = Object.keys(this.tale.says[0]);
    let stop;
    const frame = (share) => {
      this.show(Math.floor(share * this.last));
      this.swap(swapped(colours, right, share));
    };
    const end = () => {
      stop();
      this.show(this.last);
      this.swap(right);
    };
    this.endBeat = firstBeat("writers", BEAT, () => (stop = tween(BEAT, frame)), end);
  }

  destroy() {
    this.player.stop();
    this.endBeat?.();
  }

  /** Both write the next tale. */
  another() {
    this.player.stop();
    this.open((this.nth + 1) % this.data.samples.length);
    this.show(still() ? this.last : 0);
    if (!still()) this.player.start();
  }

  advance() {
    this.show(this.at + 1);
    if (this.at >= this.last) this.player.stop();
  }

  /** One of the tales. */
  open(nth) {
    this.nth = nth;
    this.tale = this.data.samples[nth];
    this.last = Math.max(...this.tale.written.map((words) => words.length));
    this.rows = this.data.writers.map((writer, k) => this.row(writer, this.tale, k));
    this.sheet.replaceChildren(...this.rows.flatMap(({ nodes }) => nodes));
    this.root.dataset.tale = asText(this.tale.words.slice(0, this.tale.n_read));
    this.swap(this.tale.words[this.tale.n_read]);
    this.threads();
  }

  /** One model: its name, training, and writing. */
  row({ name, in_training, right, copied, sees_ahead }, { words, n_read, says, written }, k) {
    const slot = el("output.slot", { "aria-label": `It says, ${name}` }),
      lines = svg("svg", { "aria-hidden": "true" }),
      text = el("p.text"),
      isCopy = copied > 0.5;
    const tiles = shown(words, n_read, sees_ahead).map(([kind, word], at) => {
      const isFar = at >= n_read + NEAR ? ".far" : "";
      if (kind === "next") return el("i.next", word);
      if (kind === "blocked") return el(`i.blocked${isFar}`, { "aria-hidden": "true" }, el("span", word));
      return el(`i.seen${isFar}`, word);
    });
    const strip = el(
      "div.strip",
      el("span.asks", { style: `grid-column: 1 / ${n_read + 1}` }, "it says"),
      slot,
      el("b.verdict", { style: `grid-column: ${n_read + 2} / -1` }, isCopy ? "It copies." : "It has to guess."),
      lines,
      ...tiles,
      sees_ahead ? this.colours(Object.keys(says[k]), n_read) : "",
    );
    strip.style.setProperty("--tiles", tiles.length);
    slot.style.gridColumn = n_read + 1;
    const score = (share, of) => el("p.score", el("b", inPercent(share)), ` ${of}`);
    const said = el("h3", LEARNS, el(isCopy ? "span" : "span.both", CHANGES));
    const learns = el("section.learns", said, strip, score(in_training, "of words right"));
    const writes = el(
      "section.writes",
      el("h3", WRITES),
      text,
      score(right, "of stories hold together: names and things fit"),
    );
    const [first, ...more] = name.split(" ");
    const title = el("h2", el("span", `${first} `), more.join(" "));
    return {
      nodes: [title, learns, writes],
      room: Infinity,
      slot,
      lines,
      tiles,
      text,
      isCopy,
      says: says[k],
      written: written[k],
    };
  }

  /** Below the next word: what may be put in its place. */
  colours(words, at) {
    this.chooser = choice("span.choice", "The next word", (word) => this.swap(word));
    this.chooser.offer(words.map((word) => [word, word]));
    this.chooser.node.style.gridColumn = `${Math.max(1, at)} / -1`;
    return this.chooser.node;
  }

  /** Another word in the place of the next: each model says what it says then. */
  swap(colour) {
    this.colour = colour;
    this.chooser.show(colour);
    for (const { slot, tiles, says } of this.rows) {
      write(slot, says[colour]);
      for (const tile of tiles) if (tile.matches(".next")) write(tile, colour);
    }
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
          return svg(isCopy && tile.matches(".next") ? "path.bold" : "path", { d });
        }),
      );
    }
  }

  /** In a window of another width more words fit, or fewer. */
  place() {
    for (const row of this.rows) row.room = Infinity;
    this.show(this.at);
    this.threads();
  }

  /** So many words are written; what runs on and on ends at the last word that fits. */
  show(n) {
    this.at = n;
    this.root.dataset.written = n;
    const { words, n_read } = this.tale;
    for (const row of this.rows) {
      const { text, written } = row;
      const fill = (k, end) =>
        text.replaceChildren(el("span", asText(words.slice(0, n_read))), ` ${asText(written.slice(0, k))}${end}`);
      const isOver = () => text.scrollHeight > text.clientHeight;
      if (n <= row.room) fill(n, n < written.length ? " ▍" : "");
      if (n <= row.room && isOver()) row.room = lastFitting(n, (k) => (fill(k, " …"), !isOver()));
      if (n > row.room) fill(row.room, " …");
    }
  }
}

const LEARNS = "In training, the next word is in the text.",
  CHANGES = " Press a colour to change it.",
  WRITES = "When it writes, there is no next word.";

export default mount(".two-writers", TwoWriters);
