// Guess the next word. Before the guess: the sentence and what to choose from. After it: how likely each word is, where
// the model looked, and the same with another name.

import { brief, el, mirror, mount, param } from "../../../../attention_view/lab.js";
import { WordRow, summary } from "../word_row.js";

const OTHER = "another word"; // the guess of a word that is not offered
const STOPS = { ".": "the full stop", "!": "the exclamation mark", "?": "the question mark", ",": "the comma" };

/** What a token is called in a sentence: “park”, or: the full stop. */
export const called = (token) => STOPS[token] ?? `“${token}”`;

/** "56%", "<1%": a probability without more digits than a reader needs. */
export const chance = (p) => (p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`);

/** The words with their shares, and what is left for all others: [{word, share}], the last one without a word. */
export function ladder(words, shares) {
  const rest = Math.max(0, 1 - shares.reduce((a, b) => a + b, 0));
  return [...words.map((word, i) => ({ word, share: shares[i] })), { word: null, share: rest }];
}

/** What to say of a guess: whether it is the model's own, and what the model gives it. */
export function verdict(guess, words, shares) {
  const best = shares.indexOf(Math.max(...shares));
  const likely = `The model says “${words[best]}” with ${chance(shares[best])}`;
  if (guess === words[best]) return `You and the model agree. ${likely}.`;
  const n = words.indexOf(guess);
  return n < 0 ? `${likely}.` : `${likely}, and your “${guess}” with ${chance(shares[n])}.`;
}

/** What another name has done to the answer. */
export function flip(words, before, after) {
  const [first, now] = [before, after].map((shares) => words[shares.indexOf(Math.max(...shares))]);
  return first === now
    ? `Only the name is different, and the answer is still “${now}”.`
    : `Only the name is different, and “${first}” has become “${now}”: the answer depends on the name.`;
}

class Guess {
  constructor(root) {
    this.root = root;
    this.row = new WordRow();
    this.ask = el("div.ask");
    this.told = el("div.told");
    this.verdict = el("p.verdict", { tabindex: "-1", role: "status" });
    this.texts = el("div.texts");
    root.replaceChildren(this.row.node, this.ask, this.told);
    this.guess = param("front_guess");
    this.name = param("front_name");
    this.link = mirror((put) => {
      put("front_guess", this.guess, null);
      put("front_name", this.name, this.data.readings[0].name);
    });
  }

  destroy() {
    this.row.destroy();
  }

  update(data) {
    const isNew = this.data && this.data.readings[0].tokens.join(" ") !== data.readings[0].tokens.join(" ");
    this.data = data;
    if (isNew) {
      this.guess = this.name = this.bars = null; // a guess is one of its own sentence
      this.link.later();
    }
    this.draw();
  }

  get reading() {
    const { readings } = this.data;
    return readings.find(({ name }) => name === this.name) ?? readings[0];
  }

  draw() {
    const isOpen = this.guess !== null;
    this.root.dataset.state = isOpen ? "revealed" : "asked";
    this.root.dataset.name = this.reading.name;
    if (isOpen) this.reveal();
    else this.question();
  }

  question() {
    const { tokens } = this.reading;
    this.row.show(tokens, null, el("span.word.blank", el("b", "?"), el("small", "")));
    this.row.node.setAttribute("aria-label", `${tokens.join(" ")}, and then a word that is missing.`);
    const options = [...this.data.options, OTHER];
    this.ask.replaceChildren(
      el("p", "Which word do you think comes next?"),
      el(
        "div.options",
        { role: "group", "aria-label": "Your guess" },
        ...options.map((word) => el("button", { onclick: () => this.choose(word) }, word)),
      ),
    );
    this.told.replaceChildren();
  }

  choose(word) {
    this.guess = word;
    this.link.later();
    this.draw();
    this.verdict.focus({ preventScroll: true }); // the button that had it is gone
  }

  swap(name) {
    this.name = name;
    this.link.later();
    this.draw();
    this.ask.querySelector("[aria-pressed=true]").focus();
  }

  reveal() {
    const { tokens, weights, looks_at: key, shares } = this.reading;
    const { words, n_words: n, readings, head } = this.data;
    const last = tokens.length - 1;
    const best = words[shares.indexOf(Math.max(...shares))];
    this.row.show(tokens, { query: last, key, weights }, el("span.word.blank", el("b", best), el("small", "")));
    this.row.node.setAttribute(
      "aria-label",
      `${called(tokens[last])} looks at ${summary(tokens, weights)}; the likeliest next word is ${best}.`,
    );
    this.ask.replaceChildren(...(readings.length > 1 ? [this.names(readings)] : []));
    const isFirst = this.reading === readings[0]; // whose next word was guessed
    this.verdict.textContent = verdict(isFirst ? this.guess : null, words, shares);
    const changed = isFirst ? null : el("p", flip(words, readings[0].shares, shares));
    this.texts.replaceChildren(this.verdict, this.where(tokens, weights, key), ...(changed ? [changed] : []));
    this.texts.append(el("p.head", head));
    if (this.bars?.words === words) return this.setBars(shares); // they move from the old shares to the new
    this.makeBars(words, shares, n);
    this.told.replaceChildren(this.bars.node, this.texts);
  }

  names(readings) {
    return el(
      "div.options",
      { role: "group", "aria-label": "Whose story it is" },
      el("span", "Now swap the name:"),
      ...readings.map(({ name }) =>
        el("button", { "aria-pressed": String(name === this.reading.name), onclick: () => this.swap(name) }, name),
      ),
    );
  }

  where(tokens, weights, key) {
    const last = tokens.at(-1);
    if (tokens.length === 1) return el("p", "There is one word so far: it has nothing to look back at.");
    const looker = el("b.query", called(last));
    const target = el("b.key", called(tokens[key]));
    const weight = el("b.weight", brief(weights[key]));
    return el(
      "p",
      "Where did it look? The next word is made at the last one, so it is ",
      looker,
      " that looks back: at ",
      target,
      ", with ",
      weight,
      " of its attention in this head.",
    );
  }

  makeBars(words, shares, n) {
    const rows = ladder(words, shares).map(({ word }) => {
      const name = word ?? `${n - words.length} other words`;
      const mine = word === null ? this.guess === OTHER : word === this.guess;
      const parts = {
        node: el("li", { class: `${mine ? "mine" : ""} ${word === null ? "rest" : ""}` }),
        fill: el("i"),
        value: el("span.value"),
      };
      const label = el("span.name", name, mine ? el("small", "your guess") : null);
      parts.node.append(label, el("span.track", parts.fill), parts.value);
      return parts;
    });
    const node = el("ol.bars", { "aria-label": "How likely the model finds each next word" });
    node.append(...rows.map((row) => row.node));
    this.bars = { words, rows, node };
    this.setBars(shares);
  }

  setBars(shares) {
    ladder(this.bars.words, shares).forEach(({ share }, i) => {
      const { fill, value } = this.bars.rows[i];
      fill.style.inlineSize = `${100 * share}%`;
      value.textContent = chance(share);
    });
  }
}

export default mount(".guess", Guess);
