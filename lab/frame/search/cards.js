// The words of the glossary in prose: underlined, and a card for the one that is pointed at, tapped or chosen.

import { el, appPlace } from "../../../attention_view/lab.js";
import { go } from "../../hooks/history.js";
import { watch } from "../../hooks/watch.js";
import { contents, opensHere } from "../../kit/components/card.js";
import { boxes, mentionAt, mentions, vocabulary } from "./prose.js";

const NAME = "lab-words"; // of the highlight, which words.css underlines
const DWELL = 220; // ms that the pointer rests on a word before its card opens
const GRACE = 260; // ms for the way from the word to the card
const QUIET = 250; // ms without a change of the page before it is read again

export class Cards {
  /** host: the element in which the card lives; words: by name; address(href): the path of a link into the app. */
  constructor(host, words, address, urls) {
    Object.assign(this, { words, address, urls, mentions: [], kept: new Map() });
    this.card = el("div.card", { popover: "manual", role: "dialog", tabindex: "-1" });
    host.append(this.card);
    this.ending = new AbortController();
    const on = (target, type, listener, more) =>
      target.addEventListener(type, listener, { signal: this.ending.signal, passive: true, ...more });
    on(document, "pointermove", (event) => this.move(event));
    on(document, "click", (event) => this.tap(event));
    on(document, "keydown", (event) => event.key === "Escape" && this.close(true), { capture: true });
    on(document, "scroll", (event) => this.scroll(event), { capture: true });
    on(document, "toggle", () => this.later(), { capture: true });
    on(window, "popstate", () => this.close());
    on(this.card, "pointerenter", () => this.stay());
    on(this.card, "pointerleave", () => !this.held && this.leave());
    this.unwatch = watch(() => this.later(), "characterData");
    this.underline();
    this.later();
  }

  /** Browsers without custom highlights show no underlines, and so no cards on hover; the search has the words. */
  underline() {
    if (!globalThis.CSS?.highlights) return;
    this.highlight = new Highlight();
    CSS.highlights.set(NAME, this.highlight);
  }

  // ---- reading the page -----------------------------------------------------------------------------------

  later() {
    clearTimeout(this.reading);
    const idle = globalThis.requestIdleCallback ?? ((read) => setTimeout(read));
    this.reading = setTimeout(() => idle(() => this.look(), { timeout: 1000 }), QUIET);
  }

  /** Reads the page again: the mentions of words in its prose. */
  look() {
    if (this.ending.signal.aborted) return [];
    const page = appPlace(this.urls)[1];
    if (page !== this.page) this.vocabulary = vocabulary([...this.words.values()], (this.page = page));
    [this.mentions, this.kept] = mentions(this.vocabulary, this.kept);
    if (this.highlight) {
      this.highlight.clear();
      for (const { range } of this.mentions) this.highlight.add(range);
    }
    if (this.shown) this.anchor(this.shown.name);
    this.card.dataset.words = this.mentions.length; // for tests: the page has been read
    return this.mentions;
  }

  /** The page has made its text anew: the open card belongs to the same word in the new text, if it is still there. */
  anchor(name) {
    this.shown = this.mentions.find((mention) => mention.name === name) ?? this.shown;
    if (!this.shown.range.startContainer.isConnected) return this.close();
    this.over &&= this.shown;
  }

  // ---- pointing -------------------------------------------------------------------------------------------

  at(event) {
    const block = this.highlight && event.target.closest?.("p, li, td");
    return block ? mentionAt(this.mentions, block, event.clientX, event.clientY) : undefined;
  }

  move(event) {
    if (event.pointerType === "touch" || event.buttons || this.held) return;
    const mention = this.at(event);
    if (mention === this.over) return;
    this.over = mention;
    if (!mention) return this.leave();
    this.stay();
    this.opening = setTimeout(() => this.open(mention), this.shown ? 0 : DWELL);
  }

  scroll(event) {
    if (!this.shown || event.target === this.card) return;
    if (this.held) this.place();
    else this.close();
  }

  stay() {
    clearTimeout(this.opening);
    clearTimeout(this.closing);
  }

  leave() {
    this.stay();
    if (this.shown) this.closing = setTimeout(() => this.close(), GRACE);
  }

  tap(event) {
    if (event.composedPath().includes(this.card)) return;
    const mention = event.target.closest?.("a, button, input, label") ? undefined : this.at(event);
    if (mention && getSelection().isCollapsed) this.open(mention);
    else this.close();
  }

  // ---- the card -------------------------------------------------------------------------------------------

  open(mention, held = false) {
    const word = this.words.get(mention.name);
    this.shown = mention;
    this.held = held; // by the keyboard: it stays until it is closed
    this.card.setAttribute("aria-label", word.name);
    this.card.replaceChildren(el("p.name", word.name), ...contents(word, (href, text) => this.link(href, text)));
    if (!this.card.matches(":popover-open")) this.card.showPopover();
    this.place();
  }

  /** Opens the card of a word as if pointed at, for who came with the keyboard. */
  show(mention) {
    const before = document.activeElement;
    mention.block.scrollIntoView({ block: "center" });
    requestAnimationFrame(() => {
      this.open(this.look().find(({ name }) => name === mention.name) ?? mention, true);
      this.before = before;
      this.card.focus({ preventScroll: true });
    });
  }

  place() {
    const [word] = boxes(this.shown);
    if (!word) return this.close();
    const { width, height } = this.card.getBoundingClientRect();
    const left = Math.max(8, Math.min(word.left - 12, innerWidth - width - 8));
    const below = word.bottom + 6;
    const top = below + height < innerHeight - 8 ? below : Math.max(8, word.top - height - 6);
    this.card.style.left = `${left}px`;
    this.card.style.top = `${top}px`;
  }

  link(href, text) {
    const address = this.address(href);
    const follow = (event) => {
      if (!opensHere(event)) return;
      event.preventDefault();
      this.close();
      go(address);
    };
    return el("a", { href: address, onclick: follow }, text);
  }

  close(back = false) {
    this.stay();
    if (!this.shown) return;
    this.shown = this.over = null;
    const focused = this.held && back;
    this.held = false;
    this.card.hidePopover();
    if (focused) this.before?.focus?.();
  }

  end() {
    this.ending.abort();
    this.unwatch();
    clearTimeout(this.reading);
    this.stay();
    if (this.highlight) CSS.highlights.delete(NAME);
  }
}
