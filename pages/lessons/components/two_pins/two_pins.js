// One beginning, given twice. Each time a random number falls on the words that may come next, each as wide as its
// chance, and what it falls on is written. A pin stands where it fell, and the hand can move it.

import { asShare, el, mount, put, still, sumOf, svg, write } from "../../../../attention_view/lab.js";
import { drag, inRow, smoothly, tween } from "../../../../attention_view/controls.js";

const AT_REST = [0.245, 0.755]; // where pins hang: below their cards
const FALL = 1300; // milliseconds from card to word
const OTHERS = "…"; // none of the words that are drawn

/** The place of the word that a number from 0 to 1 falls on; their count where it falls on none of them. */
export function fallen(number, chances) {
  let sum = 0;
  const at = chances.findIndex((chance) => (sum += chance) > number);
  return at < 0 ? chances.length : at;
}

/** The number in the middle of a word. */
export const middle = (at, chances) => sumOf(chances.slice(0, at)) + chances[at] / 2;

/** Of a hundred pairs, how many have the same word twice. */
export const agreeing = (chances) => Math.round(100 * sumOf(chances.map((chance) => chance ** 2)));

/** What the two words come to. */
export function verdict([one, other], words, isByHand) {
  if (isByHand) return "Now your hand is the random number. The chances stay; the word follows.";
  const agree = agreeing(words.map(([, chance]) => chance));
  const decides = `hance decides. Even the likeliest has only ${asShare(words[0][1])}.`;
  if ([one, other].includes(OTHERS)) return `C${decides}`; // which words they are is not told
  if (one === other) return `“${one}” twice, by luck: only about ${agree} of 100 pairs agree.`;
  return `“${one}”, then “${other}”: c${decides}`;
}

class TwoPins {
  constructor(root) {
    this.root = root;
    this.numbers = [null, null];
    this.says = el("p.finding", { role: "status" });
    this.again = el("button.again", { onclick: () => this.play(), hidden: true }, "Draw again");
    this.onward = el("a.primary.lesson-move", { target: "_self", hidden: true });
  }

  update(data) {
    if (this.data) return;
    this.data = data; // a model of the house: it never changes
    this.chances = data.words.map(([, chance]) => chance);
    this.numbers[0] = sumOf(this.chances) * Math.random(); // the first has been written
    this.onward.append(data.onward);
    this.answers = data.options.map(([text], n) => el("button", { onclick: () => this.play(n + 1) }, text));
    this.noIdea = el("button.quiet", { onclick: () => this.play(0) }, "I have no idea: show me");
    this.written = AT_REST.map(() => el("b", "?"));
    this.lines = AT_REST.map(() => svg("line", { y2: "100%" }));
    this.strip = data.words.map(([word, chance]) => el("span", { style: `flex-grow: ${chance}` }, el("i", word)));
    this.pins = AT_REST.map((_, n) => this.pin(n));
    this.root.replaceChildren(
      el("div.headline", this.says, this.again, this.onward),
      el("div.answers", { role: "group", "aria-label": "Your guess" }, ...this.answers, this.noIdea),
      el("div.cards", ...this.written.map((word) => el("p", { onclick: () => this.play() }, `${data.text} `, word))),
      el(
        "div.field",
        { onpointerdown: (event) => this.pull(event) },
        svg("svg", { "aria-hidden": "true" }, ...this.lines),
        el("div.strip", { "aria-hidden": "true" }, ...this.strip),
        ...this.pins,
      ),
    );
    this.show();
  }

  pin(n) {
    const onkeydown = (event) => {
      const from = this.numbers[n] === null ? -1 : fallen(this.numbers[n], this.chances);
      const to = inRow(event, from, this.chances.length);
      if (to !== null) this.take(n, middle(to, this.chances));
    };
    const label = `Random number for the ${["first", "second"][n]} time`;
    return el("div.pin", { role: "slider", tabIndex: 0, "aria-label": label, onkeydown }, "↔");
  }

  /** The pin that is nearest follows the pointer, once that goes sideways: a finger that scrolls moves none. */
  pull(event) {
    if (event.button) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const numberAt = ({ clientX }) => Math.max(0, Math.min(0.999, (clientX - left) / width));
    const away = this.places.map((place) => Math.abs(place - numberAt(event)));
    const n = away[1] < away[0] ? 1 : 0;
    event.preventDefault();
    this.pins[n].focus({ preventScroll: true });
    let holds = false;
    const move = (at) => {
      holds ||= Math.abs(at.clientX - event.clientX) > Math.abs(at.clientY - event.clientY);
      if (holds) this.take(n, numberAt(at));
    };
    this.endDrag = drag(move, () => {});
  }

  take(n, number) {
    if (this.guess === undefined) return;
    this.endBeat?.();
    this.numbers[n] = number;
    this.show(true);
  }

  /** Two random numbers, one after the other; with the guess only the second, for the first has been written.
   *
   * guess  the option that was chosen, 0 for no idea */
  play(guess = this.guess) {
    if (guess === undefined) return;
    this.endBeat?.();
    const begins = this.guess === undefined ? 1 : 0; // with which of the two
    this.guess = guess;
    const from = this.places;
    const to = from.map((place, n) => (n < begins ? place : Math.random()));
    const move = (share) => {
      this.numbers = to.map((number, n) => {
        const way = n < begins ? 0 : smoothly(Math.max(0, Math.min(1, (2 - begins) * share - n + begins)));
        const along = from[n] + way * (2 + number - from[n]); // once there and back on the way
        return way ? 1 - Math.abs(1 - (along % 2)) : this.numbers[n];
      });
      this.show(false, share < 1);
    };
    if (still()) move(1);
    else this.endBeat = tween((2 - begins) * FALL, move);
  }

  get places() {
    return this.numbers.map((number, n) => number ?? AT_REST[n]);
  }

  show(isByHand = false, isFalling = false) {
    const { asked, words, options, ways } = this.data;
    const at = this.numbers.map((number) => (number === null ? null : fallen(number, this.chances)));
    const names = at.map((place) => (place === null ? "?" : (words[place]?.[0] ?? OTHERS)));
    const isOpen = at.some((place) => place !== null);
    const isGuessed = this.guess !== undefined;
    const isWhole = isOpen && isGuessed && !isFalling;
    names.forEach((name, n) => {
      const x = `${100 * this.places[n]}%`;
      this.written[n].textContent = name;
      put(this.lines[n], { x1: `${100 * AT_REST[n]}%`, x2: x, class: at[n] === null ? "rest" : "" });
      this.pins[n].style.left = x;
      this.pins[n].classList.toggle("out", at[n] !== null);
      const [now, most] = [(at[n] ?? -1) + 1, words.length + 1];
      put(this.pins[n], { "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": now, "aria-valuetext": name });
    });
    this.strip.forEach((word, n) => word.classList.toggle("on", at.includes(n)));
    this.root.classList.toggle("open", isOpen);
    this.root.classList.toggle("guessed", isGuessed);
    write(this.says, isWhole ? verdict(names, words, isByHand) : asked);
    this.again.hidden = this.onward.hidden = !isWhole;
    if (isGuessed) this.onward.href = ways[this.guess];
    this.noIdea.hidden = isGuessed;
    this.answers.forEach((answer, n) => {
      const [, isRight] = options[n];
      answer.disabled = isGuessed;
      if (isWhole && (isRight || this.guess === n + 1)) answer.dataset.is = isRight ? "right" : "wrong";
    });
  }
}

export default mount(".two-pins", TwoPins);
