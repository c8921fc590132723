// All words in groups; what is typed leaves those that fit, and a link names one.

import { el, mirror, mount, param, paramOf, appPlace, still } from "../../../../attention_view/lab.js";
import { contents, opensHere, unpacked, wordAddress } from "../../../../lab/kit/components/card.js";
import { fit, plain } from "../../../../lab/kit/components/ranking.js";

/** The names of the words that fit what is typed; all where nothing is. */
export const fitting = (words, typed) =>
  words.filter(
    ({ name, also, forms }) => !plain(typed) || fit({ kind: "word", name, also: [...forms, ...also] }, typed),
  );

const initial = (name) => plain(name)[0].toUpperCase();

/** The first letters of these words, each once, in the order of the alphabet. */
export const initials = (words) => [...new Set(words.map(({ name }) => initial(name)))].sort();

class WordList {
  constructor(root) {
    this.root = root;
    this.field = el("input", {
      type: "search",
      "aria-label": "Filter the words",
      placeholder: "Type a word: head, hidden_size …",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "80",
      oninput: () => {
        this.letter = null;
        this.filter();
      },
    });
    this.said = el("p.said", { role: "status" });
    this.letters = el("div.letters", { role: "group", "aria-label": "Words by their first letter" });
    this.list = el("div.groups");
    root.append(el("div.bar", this.field, this.said, this.letters), this.list);
    this.link = mirror((put) => put("word", this.word ?? null));
    this.follow = () => this.open(param("word"));
    window.addEventListener("popstate", this.follow);
  }

  async update(bytes) {
    if (this.groups) return;
    this.groups = await unpacked(bytes);
    this.words = this.groups.flatMap(({ words }) => words);
    this.cards = new Map(this.words.map((word) => [word.name, this.card(word)]));
    this.letters.replaceChildren(...initials(this.words).map((letter) => this.button(letter)));
    this.list.replaceChildren(
      ...this.groups.map(({ title, words }) =>
        el(
          "section",
          { "aria-label": title },
          el("h2", title),
          el("div.cards", ...words.map(({ name }) => this.cards.get(name))),
        ),
      ),
    );
    this.filter();
    this.open(param("word"));
  }

  /** The button of a letter: the words that begin with it, and once more, all. */
  button(letter) {
    const press = () => {
      this.letter = this.letter === letter ? null : letter;
      this.field.value = "";
      this.filter();
    };
    return el("button", { "aria-pressed": "false", "data-letter": letter, onclick: press }, letter);
  }

  /** A word: its name, its picture and its sentence; what else it is called, and where it is met, below the pointer. */
  card(word) {
    const [picture, sentence, ...more] = contents(word, (href, text) => this.anchor(href, text));
    const name = el("h3", this.anchor(wordAddress(word.name), word.name));
    const props = { tabindex: "-1", "data-word": word.name };
    return el("article", props, name, picture, sentence, el("div.more", ...more));
  }

  /** A link into the app; one to another word stays on this page. */
  anchor(href, text) {
    const word = href.startsWith("words?") && paramOf(href.slice(6), "word");
    const address = appPlace(["words"])[0] + href;
    return el("a", { href: address, onclick: word ? (event) => this.jump(event, word) : null }, text);
  }

  jump(event, word) {
    if (!opensHere(event)) return;
    event.preventDefault();
    this.open(word, true);
    this.link.now();
  }

  /** Goes to a word by its name or one of its forms; another text is what is filtered by. */
  open(wanted, focus = false) {
    if (!wanted || !this.cards) return;
    const word = this.words.find(({ name, forms }) => [name, ...forms].some((form) => plain(form) === plain(wanted)));
    this.field.value = word ? "" : wanted.slice(0, 80);
    this.letter = null;
    this.filter();
    this.word = word?.name;
    for (const [name, card] of this.cards) card.classList.toggle("named", name === this.word);
    if (!word) return;
    const card = this.cards.get(word.name);
    card.scrollIntoView({ block: "center", behavior: focus && !still() ? "smooth" : "instant" });
    if (focus) card.focus({ preventScroll: true });
  }

  filter() {
    const { letter } = this;
    const found = fitting(this.words, this.field.value).map(({ name }) => name);
    const shown = new Set(letter ? found.filter((name) => initial(name) === letter) : found);
    for (const one of this.letters.children) one.setAttribute("aria-pressed", one.dataset.letter === letter);
    for (const [name, card] of this.cards) card.hidden = !shown.has(name);
    for (const group of this.list.children) group.hidden = !group.querySelector("article:not([hidden])");
    const n = this.cards.size;
    this.list.classList.toggle("few", shown.size < n);
    this.said.textContent = shown.size === n ? `${n} words` : shown.size ? `${shown.size} of ${n}` : "No word fits.";
  }

  destroy() {
    window.removeEventListener("popstate", this.follow);
    this.root.replaceChildren();
  }
}

export default mount(".word-list", WordList);
