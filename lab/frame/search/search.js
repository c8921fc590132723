// The button and the dialog of the search, the key "/", and the cards of words in prose.

import { el, mount, appPlace, svg } from "../../../attention_view/lab.js";
import { go } from "../../hooks/history.js";
import { byName, unpacked, wordAddress } from "../../kit/components/card.js";
import { Cards } from "./cards.js";
import { entryOf, ranked } from "../../kit/components/ranking.js";

// Where a key has another meaning: it is typed there, or moves something.
const ROLES = ["grid", "slider", "application", "listbox", "tree", "combobox"].map((role) => `[role=${role}]`);
const OWN_KEYS = ["input", "textarea", "select", "[contenteditable]", ...ROLES].join();

/** All that can be found, from the index: [{kind, name, also, text, said, href, hint}]. */
export function entries({ pages, views, lessons, groups }) {
  const titles = new Map(pages.map(({ url, name }) => [url, name]));
  return [
    ...pages.map(({ url, name, question, text }) => ({ kind: "page", name, text, href: url, hint: question })),
    ...views.map(({ page, link, name, question }) => ({
      kind: "view",
      name,
      text: `${titles.get(page)} ${question}`,
      href: `${page}?${link}`,
      hint: titles.get(page),
    })),
    ...lessons.flatMap(({ name, text, stops }) => [
      { kind: "lesson", name, text: `lesson ${text}`, href: stops[0].href, hint: "lesson" },
      ...stops.map((stop, n) => ({
        kind: "stop",
        name: stop.name,
        text: `lesson ${stop.text}`,
        href: stop.href,
        hint: `${name}, stop ${n + 1}`,
      })),
    ]),
    ...groups.flatMap(({ words }) =>
      words.map((word) => ({ ...entryOf(word), href: wordAddress(word.name), hint: "word" })),
    ),
  ];
}

const LENS = "M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13M15.4 15.4L20 20";

class Search {
  constructor(root) {
    this.root = root;
    this.button = el(
      "button.open",
      { "aria-haspopup": "dialog", "aria-keyshortcuts": "/", onclick: () => this.open() },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: LENS })),
      el("span", "Search"),
      el("kbd", { "aria-hidden": "true" }, "/"),
    );
    this.field = el("input", {
      type: "text",
      role: "combobox",
      "aria-label": "Search pages, views, lessons and words",
      "aria-expanded": "true",
      "aria-controls": "found",
      "aria-autocomplete": "list",
      placeholder: "A page, a view, a lesson or a word, by any of its names",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "80",
      oninput: () => this.show(),
      onkeydown: (event) => this.press(event),
    });
    this.list = el("div", { id: "found", role: "listbox", "aria-label": "Found" });
    this.said = el("p.said", { role: "status" });
    this.dialog = el(
      "dialog.find",
      { "aria-label": "Search", onclick: (event) => event.target === this.dialog && this.dialog.close() },
      el("div.field", this.field, el("button", { onclick: () => this.dialog.close() }, "Close")),
      this.said,
      this.list,
    );
    root.append(this.button, this.dialog);
    this.shortcut = (event) => this.hear(event);
    document.addEventListener("keydown", this.shortcut);
  }

  async update(bytes) {
    if (this.index) return;
    this.index = {};
    const index = await unpacked(bytes);
    this.urls = index.pages.map(({ url }) => url).filter(Boolean);
    this.index = index;
    this.entries = entries(index);
    if (this.gone) return;
    this.cards = new Cards(this.root, byName(index.groups), (href) => this.address(href), this.urls);
    if (this.dialog.open) this.show();
  }

  /** The whole path of a link that begins at the root of the app. */
  address(href) {
    return appPlace(this.urls)[0] + href;
  }

  hear(event) {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.composedPath().some((node) => node.matches?.(OWN_KEYS))) return;
    event.preventDefault();
    this.open();
  }

  open() {
    this.cards?.close();
    this.field.value = "";
    if (!this.dialog.open) this.dialog.showModal();
    this.show();
  }

  /** Lists what fits; while nothing is typed, the words of this page and all pages. */
  show() {
    const asked = this.field.value.trim();
    const all = this.entries ?? [];
    const groups = asked
      ? [["Found", ranked(all, asked)]]
      : [
          ["Words on this page", this.here()],
          ["Pages", all.filter(({ kind }) => kind === "page")],
        ];
    const shown = groups.filter(([, found]) => found.length);
    this.options = [];
    this.list.replaceChildren(
      ...shown.map(([title, found], n) =>
        el(
          "div",
          { role: "group", "aria-labelledby": asked ? null : `group-${n}`, "aria-label": asked ? title : null },
          asked ? null : el("p.title", { id: `group-${n}` }, title),
          el(
            "div",
            { role: "presentation", class: found[0].mention ? "words" : "" },
            ...found.map((one) => this.option(one)),
          ),
        ),
      ),
    );
    this.list.scrollTop = 0;
    this.said.textContent = asked && !this.options.length ? `Nothing here is called “${asked}”.` : "";
    this.choose(asked ? 0 : -1);
  }

  here() {
    return (this.cards?.look() ?? []).map((mention) => ({ kind: "word", name: mention.name, mention }));
  }

  option(entry) {
    const node = el(
      "div",
      {
        role: "option",
        id: `option-${this.options.length}`,
        "aria-selected": "false",
        onclick: (event) => this.take(entry, event),
      },
      el("span.name", entry.name),
      ...(entry.hint ? [el("span.hint", entry.hint)] : []),
      ...(entry.said ? [el("span.sentence", entry.said)] : []),
    );
    this.options.push({ node, entry });
    return node;
  }

  choose(n) {
    this.options[this.chosen]?.node.setAttribute("aria-selected", "false");
    this.chosen = n;
    const node = this.options[n]?.node;
    if (!node) return this.field.removeAttribute("aria-activedescendant");
    node.setAttribute("aria-selected", "true");
    node.scrollIntoView({ block: "nearest" });
    this.field.setAttribute("aria-activedescendant", node.id);
  }

  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const n = this.options.length;
    if (step && n) this.choose(this.chosen < 0 && step < 0 ? n - 1 : (this.chosen + step + n) % n);
    else if (event.key === "Enter" && this.options[this.chosen]) this.take(this.options[this.chosen].entry, event);
    else return;
    event.preventDefault();
  }

  take({ href, mention }, event) {
    this.dialog.close();
    if (mention) return this.cards.show(mention);
    const address = this.address(href);
    if (event.ctrlKey || event.metaKey) return window.open(address, "_blank", "noopener");
    go(address);
  }

  destroy() {
    this.gone = true;
    document.removeEventListener("keydown", this.shortcut);
    this.cards?.end();
    this.root.replaceChildren();
  }
}

export default mount(".search", Search);
