// One word stands for another: above what was written before, below what is written now. Words that are written
// differently keep their threads at full strength.

import { el, fixed, mount, rewrite, write } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { Choice } from "../../../../lab/kit/components/sentence_words/choice.js";
import { TwoTranslations, wide } from "../two_translations.js";

const APART = 20; // pixels from the middle of the row to each of the two words at one place
const FAINT = 0.34; // threads of words that are written as before
const LOUD = 1.6; // times the letters of the others, at most: words that changed
const AIR = 8; // pixels between two words, at least
const NOTCH = 30; // pixels of a hand that rolls a word to the next
const HALF = 11; // pixels of half of a word's height, which grow with its letters

/** The words that stand for each other where two translations differ: [before, after], if each of them has another, or
 * if some that stand together have given way to others. */
export function exchanged({ sides, pairs }) {
  if (sides.every(({ changed }) => changed.length === pairs.length))
    return pairs.map(([i, j]) => [sides[0].words[i], sides[1].words[j]]);
  const runs = sides.map(({ words, changed }) => words.slice(changed[0], changed[0] + changed.length));
  const isRun = ({ changed }) => changed.length && changed.every((n, k) => n === changed[0] + k);
  const isOne = sides.every(isRun) && sides[0].changed[0] === sides[1].changed[0];
  return isOne ? [runs.map((run) => run.join(" "))] : [];
}

/** How many tokens are written differently, or no more, as the end of a sentence. */
export function outcome([before, after]) {
  const [gone, made] = [before.changed.length, after.changed.length];
  if (made && gone > made) return ` changes ${gone} of the ${before.words.length} tokens that were written`;
  if (made) return ` changes ${made} of ${after.words.length} tokens`;
  if (gone) return ` takes away ${gone} of the ${before.words.length} tokens that were written`;
  return " changes nothing in the translation";
}

/** What has to be said first of two translations, before what differs between them; "" if both are right. */
export function amiss([before, after], isChanged) {
  if (!isChanged || before.fault === after.fault) return before.fault;
  if (!after.fault) return "Now it is right.";
  return `Now ${after.fault[0].toLowerCase()}${after.fault.slice(1)}`;
}

/** How many of the tokens that changed a reader had marked; "" before a mark. */
export function betOn(changed, marks) {
  if (!marks.size) return "";
  const hits = changed.filter((n) => marks.has(n)).length;
  const all = changed.length === 1 ? "it" : changed.length === 2 ? "both" : `all ${changed.length}`;
  const many = hits && hits === changed.length ? all : changed.length > 1 ? `${hits} of them` : "";
  const stays = marks.size - hits;
  const wrong = stays && `${stays} that ${stays === 1 ? "stays" : "stay"}`;
  return ` You marked ${[many, wrong].filter(Boolean).join(", and ")}.`;
}

/** How much larger the words of a row that changed may be, so that none touches its neighbour; wide: in pixels. */
export function loudness(wide, changed, step) {
  const of = (n, m) => {
    const both = changed.includes(m);
    return (2 * step - (both ? 0 : wide[m])) / (wide[n] + (both ? wide[m] : 0));
  };
  const most = changed.flatMap((n) => [n - 1, n + 1].filter((m) => m in wide).map((m) => of(n, m)));
  return Math.max(1, Math.min(LOUD, ...most));
}

class ChangedWord extends TwoTranslations {
  constructor(root) {
    super(root);
    this.choice = new Choice(root);
    this.finding = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.send("press", this.data.next.join(":")) });
    root.prepend(el("div.headline", this.finding, this.act));
  }

  destroy() {
    this.choice.close();
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const change = [data.place, data.word, ...data.source].join();
    if (change !== this.change) [this.bet, this.marks] = [this.marks ?? new Set(), new Set()];
    this.change = change;
    super.update(data);
    rewrite(this.finding, ...this.found()); // what stands there is not read out again
    this.act.hidden = !data.next;
    if (data.next) write(this.act, `What if ${data.source[data.next[0]]} were ${data.next[1]}?`);
    this.root.classList.toggle("begins", !this.isChanged);
  }

  /** What the other word has done, in a sentence. */
  found() {
    const { source, place, word, sides } = this.data;
    const fault = amiss(sides, this.isChanged);
    const first = fault ? [`${fault} `] : [];
    const { length } = sides[0].words;
    if (!this.isChanged) {
      const [at, other] = this.data.next ?? [];
      const change = other ? `If ${source[at]} were ${other}` : "If you change a word";
      return [...first, `${change}, which of the ${length} tokens in the translation will follow? Press them.`];
    }
    const pairs = exchanged(this.data).flatMap(([before, after], at) => [
      at ? ", " : ": ",
      el("b", before),
      " → ",
      el("b", after),
    ]);
    return [
      ...first,
      el("b.key", source[place]),
      " → ",
      el("b.key", word),
      outcome(sides),
      ...pairs,
      ".",
      el("span.quiet", betOn(sides[0].changed, this.bet)),
    ];
  }

  get isChanged() {
    const { source, place, word } = this.data;
    return source[place] !== word;
  }

  place(rows) {
    const placed = super.place(rows);
    const loud = this.data.sides.map(({ words, changed }, side) => {
      const [first, second] = placed.rows[2 * side];
      const step = placed.upright || !second ? 0 : second.x - first.x - AIR;
      return loudness(
        words.map((word) => placed.grown * wide(word)),
        changed,
        step,
      );
    });
    placed.loud = this.isChanged ? Math.min(...loud) : 1;
    this.stage.style.setProperty("--loud", placed.loud);
    return placed;
  }

  /** What stands below it begins below the first screen: nothing is cut there. */
  get around() {
    return 256;
  }

  /** A thread ends at the edge of a larger word as well. */
  placeOf(side, i) {
    const { x, y } = super.placeOf(side, i);
    const more = this.isOther(side, i) ? HALF * this.placed.grown * (this.placed.loud - 1) : 0;
    return { x, y: y + (side ? -more : more) };
  }

  get apart() {
    return APART * this.placed.grown + 4 * (this.placed.loud - 1);
  }

  tags() {
    const { upright } = this.placed;
    const before = this.tag("before", upright ? "left:8px;top:0" : "left:12px;top:0");
    const after = this.tag("after", upright ? "right:8px;top:0" : "left:12px;bottom:0");
    return [before, after];
  }

  isOther(side, n) {
    return this.data.sides[side].changed.includes(n);
  }

  /** Whether a translation is on screen: that of the changed sentence only once there is one. */
  isThere(side) {
    return side === 0 || this.isChanged;
  }

  sees(side, i, j) {
    return this.isThere(side) && super.sees(side, i, j);
  }

  chips(word, r, n) {
    if (r === 2 && !this.isThere(1)) {
      const { x, y } = this.placed.rows[r][n];
      const props = { style: `left:${x}px;top:${y}px`, "aria-hidden": "true", onclick: () => this.mark(n) };
      const blank = el("span.word.blank", props, "?");
      blank.classList.toggle("marked", this.marks.has(n));
      return [blank];
    }
    if (r !== 1) return super.chips(word, r, n);
    const { place, word: now } = this.data;
    if (n !== place || !this.isChanged) return [this.chip(word, r, n)];
    if (this.placed.upright) return [this.chip(`${word} → ${now}`, r, n, " other")];
    const { apart } = this;
    return [this.chip(word, r, n, " before", -apart), this.chip(now, r, n, " other", apart)];
  }

  /** A word of the sentence offers what could stand in its place. */
  chip(word, r, n, ...more) {
    const chip = super.chip(word, r, n, ...more);
    if (r === 0) {
      chip.setAttribute("aria-pressed", (this.marks.size || !this.isChanged ? this.marks : this.bet).has(n));
      chip.onclick = () => this.mark(n);
    }
    if (r === 1) {
      chip.setAttribute("aria-haspopup", "dialog");
      chip.onpointerdown = (event) => this.roll(chip, n, event);
      // The click that ends a roll is none; one of a key always is.
      chip.onclick = ({ detail }) => (detail && this.isRolled) || this.offer(chip, n, detail > 0);
    }
    return chip;
  }

  /** A token that will follow, or no longer, is pressed above or in its empty place below. */
  mark(n) {
    if (!this.marks.delete(n)) this.marks.add(n);
    this.words.querySelectorAll(".blank")[n]?.classList.toggle("marked", this.marks.has(n));
    this.words.querySelectorAll("[aria-pressed]")[n].setAttribute("aria-pressed", this.marks.has(n));
  }

  /** The hand rolls a word like a wheel: where it lets go, that word stands in its place. */
  roll(chip, n, { button, clientY }) {
    if (button) return;
    const { source, place, word, others } = this.data;
    const words = [source[n], ...others[n]];
    const from = n === place ? words.indexOf(word) : 0;
    const at = (by) => words.at((from + by + 2 * words.length) % words.length);
    let by = 0;
    this.isRolled = false;
    this.endDrag = drag(
      (moved) => {
        by = Math.round((clientY - moved.clientY) / NOTCH);
        if (!by && !this.isRolled) return;
        this.isRolled = true;
        chip.classList.add("rolls");
        Object.assign(chip.dataset, { above: at(by - 1), below: at(by + 1) });
        chip.textContent = at(by);
      },
      () => {
        if (!this.isRolled) return;
        chip.classList.remove("rolls");
        this.send("press", `${n}:${at(by)}`);
      },
    );
  }

  offer(anchor, n, byHand) {
    const { source, place, word, others } = this.data;
    const old = source[n];
    const choose = (next) => {
      anchor.focus({ preventScroll: true });
      this.send("press", `${n}:${next}`);
    };
    this.choice.offer(
      {
        anchor,
        title: [el("b", old), " becomes"],
        groups: [{ name: "", words: others[n].map((other) => [other, null]) }],
        more: [],
        now: n === place ? word : old,
        actions: [],
        choose,
        isClosed: true,
        room: 240, // below the word it covers neither what was written before nor the button
      },
      byHand,
    );
  }

  end(side, j) {
    const middle = super.end(side, j);
    if (j !== this.data.place || !this.isChanged || this.placed.upright) return middle;
    return { x: middle.x, y: middle.y + (side ? this.apart : -this.apart) };
  }

  kind(side, i) {
    return ["thread", this.focus || this.isOther(side, i) || !this.isChanged ? 1 : FAINT];
  }

  /** The word of this side at a place of the sentence. */
  named(side, j) {
    return side && j === this.data.place ? this.data.word : this.data.source[j];
  }

  overview() {
    const point = `Point at a word to see its threads (${this.data.head}).`;
    return this.isChanged ? `What changed is framed. ${point}` : point;
  }

  ofSource(n) {
    const { source, place, cosines } = this.data;
    if (!this.isChanged) return `${source[n]}: the words above that look at it.`;
    const cosine = fixed(cosines[n]);
    if (n === place)
      return `${source[n]} became ${this.data.word}: the cosine of their vectors in the memory is ${cosine}.`;
    return `${source[n]} is the same word in both sentences; its vectors in the memory are not (cosine ${cosine}).`;
  }

  ofTarget(side, n) {
    const [best, weight] = this.best(side, n);
    const when = side ? "Now, to" : "Before, to";
    return `${when} write ${this.data.sides[side].words[n]}, it looks most at ${this.named(side, best)} (${weight}).`;
  }
}

export default mount(".changed-word", ChangedWord);
