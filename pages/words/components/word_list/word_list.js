// One word, large; above it a field, and the index of all, which is folded until it is asked for or something is typed.
// A link names one.

import { appPlace, el, mirror, mount, param, paramOf, still } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { keepEntry } from "../../../../lab/hooks/history.js";
import { contents, opensHere, picture, unpacked } from "../../../../lab/kit/components/card.js";
import { entryOf, fit, plain } from "../../../../lab/kit/components/ranking.js";
import { ARROWS, Arrows } from "./arrows.js";
import { CANDIDATES, Candidates } from "./candidates.js";
import { Loss } from "./loss.js";
import { Mixed } from "./mixed.js";
import { Found, Looks, Pull } from "./story.js";
import { after } from "./tour.js";
import { WIDTHS, Widths } from "./widths.js";

const FIRST = "attention weight"; // what most of the others lead to
const ASKING = ["attention", "query", "self-attention", "causal mask", "head"]; // who looks at whom
const PRESSES = ["Enter", " "];
const ALIKE = 0.15; // of the pairs of letters of two names, that both have: names with fewer are not near

/** The words that fit what is typed, by a name or, where none does, by what they are about; all where nothing is. */
export function fitting(words, typed) {
  if (!plain(typed)) return words;
  const byName = words.filter((word) => fit({ ...entryOf(word), text: "" }, typed));
  return byName.length ? byName : words.filter((word) => fit(entryOf(word), typed));
}

const pairsOf = (text) => {
  const letters = plain(text).replaceAll(" ", "");
  return new Set(Array.from(letters.slice(1), (letter, n) => letters[n] + letter));
};

/** The words whose names look most like what is typed, by the pairs of letters that both have: the best first. */
export function nearest(words, typed, n = 3) {
  const asked = pairsOf(typed);
  const likeness = (name) => {
    const pairs = pairsOf(name);
    const shared = [...pairs].filter((pair) => asked.has(pair)).length;
    return shared / Math.max(1, pairs.size + asked.size);
  };
  return words
    .map((word) => [Math.max(...[word.name, ...word.forms, ...word.also].map(likeness)), word])
    .filter(([like]) => like >= ALIKE)
    .sort(([a], [b]) => b - a)
    .slice(0, n)
    .map(([, word]) => word);
}

/** The picture of a word that a hand moves, if it has one. */
function handOf(name, told) {
  if (name === FIRST) return new Pull(told);
  if (name === "key") return new Found(told);
  if (name === "loss") return new Loss(told);
  if (name === "value") return new Mixed(told);
  if (WIDTHS.includes(name)) return new Widths(told, name);
  if (ASKING.includes(name)) return new Looks(told, name);
  if (CANDIDATES.includes(name)) return new Candidates(told, name);
  return ARROWS.includes(name) ? new Arrows(name) : null;
}

export class WordList {
  constructor(root) {
    this.root = root;
    this.field = el("input", {
      type: "search",
      "aria-label": "Filter the words",
      placeholder: "Type a word: head, hidden_size …",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "80",
      oninput: () => this.typed(),
    });
    this.said = el("p.said", { role: "status" });
    this.near = el("p.near");
    this.main = el("div");
    this.rest = el("div.rest");
    this.place = el("div");
    this.next = el("button.primary", { onclick: () => this.go(this.nextName) });
    this.card = el("article", { tabindex: "-1" }, this.main, this.rest, el("div.foot", this.place, this.next));
    this.list = el("div.names", { role: "group", "aria-label": "All words" });
    this.opener = el("button.opener", { onclick: () => this.unfold(this.index.hidden) });
    this.index = el("div.index", { hidden: true }, this.said, this.near, this.list);
    const onkeydown = ({ key, target }) => {
      if (this.index.hidden || (key !== "Escape" && (key !== "Enter" || target !== this.field))) return;
      this.unfold(false);
      if (this.index.contains(target)) this.opener.focus();
    };
    const bar = el("div.bar", { onkeydown }, this.field, this.opener, this.index);
    // It lies on the word: whoever goes on there folds it.
    bar.addEventListener("focusout", ({ relatedTarget: to }) => to && !bar.contains(to) && this.unfold(false));
    this.aside = (event) => event.composedPath().includes(bar) || this.unfold(false);
    window.addEventListener("pointerdown", this.aside);
    root.append(el("div.stage", { "data-figure": "" }, bar, this.card));
    this.link = mirror((put) => put("word", this.isNamed ? this.word.name : null));
    this.follow = () => {
      this.link.cancel();
      this.open(param("word"));
    };
    window.addEventListener("popstate", this.follow);
  }

  async update(bytes) {
    if (this.words) return;
    const { groups, told } = await unpacked(bytes);
    this.told = told;
    this.words = groups.flatMap(({ words }) => words);
    this.names = new Map(this.words.map((word) => [word.name, this.option(word)]));
    this.groups = groups.map((group) => this.group(group));
    this.opener.textContent = `${this.words.length} words`;
    this.list.replaceChildren(...this.groups.map(({ node }) => node));
    this.open(param("word"));
  }

  /** A group of words below its title. */
  group({ title, words }) {
    const names = words.map(({ name }) => this.names.get(name));
    const onkeydown = (event) => this.step(event);
    const list = el("div.list", { role: "listbox", "aria-label": title, onkeydown }, ...names);
    return { names, node: el("div.group", el("p.title", title), list) };
  }

  get isTyped() {
    return Boolean(plain(this.field.value));
  }

  /** Opens the index or folds it; its pictures are drawn when it is first opened. */
  unfold(isOpen) {
    this.index.hidden = !isOpen;
    this.opener.setAttribute("aria-expanded", isOpen);
    for (const word of isOpen && !this.isDrawn ? this.words : []) this.names.get(word.name).prepend(picture(word));
    this.isDrawn ||= isOpen;
  }

  /** Tab enters the names at the word that is shown, or else at the first. */
  enterable() {
    const there = [...this.names.values()].filter((name) => !name.hidden);
    const shown = this.names.get(this.word.name);
    const entry = there.includes(shown) ? shown : there[0];
    for (const name of there) name.tabIndex = name === entry ? 0 : -1;
  }

  option(word) {
    return el("div.name", { role: "option", tabindex: "-1", onclick: () => this.press(word) }, el("span", word.name));
  }

  press(word) {
    if (word !== this.word) this.leave();
    this.choose(word);
    this.unfold(false);
    this.card.focus({ preventScroll: true });
    this.reveal();
  }

  /** Arrow keys go from the name that has the focus through those of all groups, and show each; Enter shows it. The
   * word that a run of arrows leaves stays an entry of the history; those on its way do not. */
  step(event) {
    const there = this.words.filter(({ name }) => !this.names.get(name).hidden);
    const at = there.findIndex(({ name }) => this.names.get(name) === event.target);
    if (PRESSES.includes(event.key)) {
      event.preventDefault();
      return this.press(there[at]);
    }
    const n = inRow(event, at, there.length);
    if (n === null) return undefined;
    if (there[n] !== this.word && !this.isRunning) this.leave();
    this.choose(there[n], false);
    this.isRunning = true;
    return this.names.get(there[n].name).focus(); // by which its name is read
  }

  /** A link into the app; one to another word stays on this page. */
  anchor(href, text) {
    const name = href.startsWith("words?") && paramOf(href.slice(6), "word");
    const address = appPlace(["words"])[0] + href;
    return el("a", { href: address, onclick: name ? (event) => this.jump(event, name) : null }, text);
  }

  jump(event, name) {
    if (!opensHere(event)) return;
    event.preventDefault();
    this.go(name);
    this.card.focus({ preventScroll: true });
  }

  go(name) {
    this.leave();
    this.open(name);
    this.isNamed = true;
    this.link.now();
    this.reveal();
  }

  /** The word that is shown stays an entry of the browser's history: Back comes to it again. */
  leave() {
    this.link.now();
    keepEntry();
  }

  /** Brings the word back into sight where its names are below it and it is above the window. */
  reveal() {
    if (this.card.getBoundingClientRect().top >= parseFloat(getComputedStyle(this.card).scrollMarginTop)) return;
    this.card.scrollIntoView({ block: "start", behavior: still() ? "instant" : "smooth" });
  }

  /** What is typed may show another word: the address follows. */
  typed() {
    if (!this.wasTyped) this.kept = this.word;
    this.wasTyped = this.isTyped;
    const before = this.word;
    this.filter();
    this.isNamed ||= this.word !== before;
    this.isRunning = false;
    this.link.later();
  }

  choose(word, isRead = true) {
    this.show(word, isRead);
    Object.assign(this, { kept: word, isNamed: true, isRunning: false });
    this.link.later();
  }

  /** Goes to a word by its name or one of its forms; another text is what is filtered by. */
  open(wanted) {
    if (!this.words) return;
    const word = this.words.find(({ name, forms }) =>
      [name, ...forms].some((form) => plain(form) === plain(wanted ?? FIRST)),
    );
    this.field.value = word ? "" : wanted.slice(0, 80);
    this.isNamed = Boolean(wanted && word);
    if (word) this.show(word);
    this.filter();
    Object.assign(this, { kept: this.word, wasTyped: this.isTyped, isRunning: false });
  }

  /** isRead: whether a screen reader says it; not where the focus moves there, and has its name read. */
  show(word, isRead = true) {
    this.word = word;
    this.main.setAttribute("aria-live", isRead ? "polite" : "off");
    const [picture, sentence, also, place] = contents(word, (href, text) => this.anchor(href, text));
    sentence.classList.add("finding");
    this.card.dataset.word = word.name;
    this.main.replaceChildren(el("h2", word.name), sentence);
    this.hand?.endDrag?.();
    this.hand = handOf(word.name, this.told);
    this.rest.replaceChildren(this.hand?.node ?? picture, also);
    this.place.replaceChildren(place);
    [this.nextName, this.next.textContent] = after(word.name, [...this.names.keys()]);
    this.hand?.place();
    for (const [name, option] of this.names) option.setAttribute("aria-selected", name === word.name);
    this.enterable();
  }

  /** Leaves the names that fit what is typed; where the word that is shown is none of them, the best is shown. */
  filter() {
    const found = fitting(this.words, this.field.value);
    const shown = new Set(found.map(({ name }) => name));
    for (const [name, option] of this.names) option.hidden = !shown.has(name);
    const n = this.words.length;
    this.said.textContent = found.length === n ? "" : found.length ? `${found.length} of ${n}` : "No word fits.";
    this.offer(found.length ? [] : nearest(this.words, this.field.value));
    const score = (word) => fit(entryOf(word), this.field.value);
    const best = (a, b) => (score(b) > score(a) ? b : a);
    if (!found.length) this.show(this.kept ?? this.words.find(({ name }) => name === FIRST));
    else if (!this.word || !shown.has(this.word.name)) this.show(found.reduce(best));
    this.groups.forEach(({ names, node }) => (node.hidden = names.every((name) => name.hidden)));
    this.enterable();
    this.index.classList.toggle("typed", this.isTyped);
    this.unfold(this.isTyped);
  }

  /** Where no word fits: the nearest ones. One that is pressed is what is typed. */
  offer(words) {
    const take = (word) => {
      this.leave();
      this.field.value = word.name;
      this.typed();
      this.field.focus();
    };
    const buttons = words.map((word) => el("button.text", { onclick: () => take(word) }, word.name));
    this.near.replaceChildren(...(buttons.length ? [el("span", "Did you mean: "), ...buttons] : []));
  }

  resized() {
    this.hand?.place();
  }

  destroy() {
    window.removeEventListener("popstate", this.follow);
    window.removeEventListener("pointerdown", this.aside);
    this.hand?.endDrag?.();
    this.link.end();
    this.root.replaceChildren();
  }
}

export default mount(".word-list", WordList);
