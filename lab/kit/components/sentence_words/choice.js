// What can stand at a place of a sentence, over the page: likely words with bars, a field to find or type one, and what
// else can be done with the word. It lies above everything and moves nothing.

import { boxOf, el, enlarged, put, wholePercent } from "../../../../attention_view/lab.js";
import { fitting } from "./sentence.js";

const EDGE = 8; // pixels between it and the edge of the window
const MOST = 12; // words without a share that are there at once

/** offer({anchor, title, groups, more, now, actions, choose, isClosed, room}) opens it; choose(text) hears of a word,
 * and so does act() of each of the actions [name, act]. isClosed: of these words only, none that is typed; room: so
 * many pixels are enough below the anchor. */
export class Choice {
  constructor(root) {
    this.head = el("p.title");
    this.field = el("input.field", {
      type: "text",
      "aria-label": "Find or type a word",
      placeholder: "find or type a word",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: 40,
      oninput: () => this.list(),
    });
    this.words = el("div.offers");
    this.foot = el("div.actions");
    this.node = el(
      "div.choice",
      { popover: "auto", role: "dialog", onkeydown: (e) => this.press(e), ontoggle: (e) => this.toggled(e) },
      this.head,
      this.field,
      this.words,
      this.foot,
    );
    root.append(this.node);
    this.place = (event) => !this.node.contains(event?.target) && this.put();
  }

  get isOpen() {
    return this.node.matches(":popover-open");
  }

  /** Opens it at the anchor; `byHand`: with a pointer, on whose screen a keyboard may come with the field. */
  offer(offers, byHand = false) {
    Object.assign(this, { offered: offers, isWhole: false });
    this.head.replaceChildren(...offers.title);
    put(this.node, { "aria-label": this.head.textContent });
    this.field.value = "";
    const buttons = offers.actions.map(([name, act]) => el("button.action", { onclick: () => this.end(act) }, name));
    this.foot.replaceChildren(...buttons);
    this.list();
    if (!this.isOpen) this.node.showPopover();
    this.put();
    const isTouch = byHand && matchMedia("(pointer: coarse)").matches;
    const first = isTouch || !byHand ? this.words.querySelector("button") : this.field;
    (first ?? this.field).focus({ preventScroll: true });
  }

  toggled({ newState }) {
    const [on, off] = [addEventListener, removeEventListener];
    for (const what of ["scroll", "resize"]) (newState === "open" ? on : off)(what, this.place, true);
    put(this.offered.anchor, { "aria-expanded": newState === "open" });
  }

  close() {
    if (this.isOpen) this.node.hidePopover();
  }

  end(act) {
    this.close();
    act();
  }

  /** Below its anchor, or above it where there is more room. */
  put() {
    if (!this.isOpen || !this.offered.anchor.isConnected) return;
    const [by, box] = [enlarged(this.node), boxOf(this.offered.anchor)];
    const [width, height] = [innerWidth / by, innerHeight / by];
    const isBelow = height - box.bottom >= Math.min(this.offered.room ?? 340, box.top);
    const room = (isBelow ? height - box.bottom : box.top) - EDGE - 6;
    const left = Math.max(EDGE, Math.min(box.left - 6, width - this.node.offsetWidth - EDGE));
    Object.assign(this.node.style, {
      insetInlineStart: `${left}px`,
      top: isBelow ? `${box.bottom + 6}px` : "auto",
      bottom: isBelow ? "auto" : `${height - box.top + 6}px`,
      maxHeight: `${Math.min(460, room)}px`,
    });
  }

  /** The words that fit what is typed; before anything is, the likely ones. */
  list() {
    const text = this.field.value;
    if (!text.trim()) {
      const groups = this.isWhole ? [...this.offered.groups, ...this.offered.more] : this.offered.groups;
      const shown = groups.length ? groups : this.offered.more;
      this.words.replaceChildren(...shown.flatMap((group) => this.group(group)), ...this.rest(shown));
      return;
    }
    const all = [...this.offered.groups, ...this.offered.more].flatMap(({ words }) => words);
    const found = fitting(all, text).slice(0, 2 * MOST);
    const isThere = found.some(([word]) => word === text.trim().toLowerCase());
    const own = isThere || this.offered.isClosed ? [] : [[text.trim(), null]];
    this.words.replaceChildren(...this.group({ name: "", words: [...found, ...own] }));
  }

  group({ name, words }) {
    const heading = name ? [el("p.kind", name)] : [];
    if (words.some(([, share]) => share !== null))
      return [...heading, el("div.likely", ...words.map((w) => this.row(w)))];
    const seen = this.field.value ? words : words.slice(0, this.drawn(words));
    return [...heading, el("div.plain", ...seen.map(([word]) => this.button(word)))];
  }

  /** How many of these are there at once. */
  drawn(words) {
    const isRanked = words.some(([, share]) => share !== null);
    return isRanked || this.isWhole ? words.length : Math.min(words.length, 2 * MOST);
  }

  button(word, ...inside) {
    const isNow = word === this.offered.now;
    const props = { onclick: () => this.end(() => this.offered.choose(word)), "aria-pressed": isNow ? "true" : null };
    return el("button.offer", props, el("span.name", word), ...inside);
  }

  row([word, share]) {
    if (share === null) return this.button(word);
    const bar = el("span.track", { "aria-hidden": "true" }, el("i", { style: `width: ${(100 * share).toFixed(1)}%` }));
    return this.button(word, bar, el("span.value", wholePercent(share)));
  }

  /** The button that brings all other words. */
  rest(shown) {
    const there = shown.reduce((n, { words }) => n + this.drawn(words), 0);
    const all = [...this.offered.groups, ...this.offered.more].reduce((n, { words }) => n + words.length, 0);
    if (this.isWhole || all <= there) return [];
    const onclick = () => {
      const at = this.words.querySelectorAll("button").length - 1;
      this.isWhole = true;
      this.list();
      this.words.querySelectorAll("button")[at]?.focus();
    };
    return [el("button.more", { onclick }, `${all - there} more`)];
  }

  /** Arrow keys walk through it; Enter in the field takes what is typed. No key reaches the page's own shortcuts. */
  press(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      event.preventDefault();
      return this.end(() => this.offered.anchor.focus({ preventScroll: true }));
    }
    const isField = event.target === this.field;
    if (event.key === "Enter" && isField && this.field.value.trim()) {
      event.preventDefault();
      if (this.offered.isClosed) this.words.querySelector("button")?.click();
      else this.end(() => this.offered.choose(this.field.value));
    }
    const sideways = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? (isField ? 0 : sideways);
    if (!step) return;
    event.preventDefault();
    const stops = [this.field, ...this.node.querySelectorAll("button")];
    const next = stops[stops.indexOf(event.target) + step];
    next?.focus();
  }
}
