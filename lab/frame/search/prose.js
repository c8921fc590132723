// Where prose uses words of the glossary: which ranges of its text, each word once on a page.
//
// The text belongs to React, so nothing in it is touched: a custom highlight underlines the ranges.

import { DOM } from "../../hooks/dom.js";

const PROSE = `${DOM.main} ${DOM.prose} :is(p, li, td)`;
const APART = [
  `h1, h2, h3, h4, h5, h6, a, button, label, summary, code, pre, ${DOM.formula}, .chips, em`, // em: words of a text
  `[role=tab], [role=radio], ${DOM.label}, [data-figure]`,
  "[class*=st-key-figure-], [class*=st-key-notice-], [class*=st-key-check-]",
].join();

/** A pattern for all forms of these words, and which word a form is: {pattern, named: form -> name}. */
export function vocabulary(words, page) {
  const named = new Map();
  for (const { name, forms, pages } of words) {
    if (!pages.length || pages.includes(page)) for (const form of forms) named.set(form.toLowerCase(), name);
  }
  const forms = [...named.keys()].sort((a, b) => b.length - a.length); // "attention weight" before "attention"
  const escaped = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return { named, pattern: new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_-])`, "giu") };
}

/** Every word in a text: [{name, start, end}]. */
export const matches = ({ named, pattern }, text) =>
  [...text.matchAll(pattern)].map((match) => ({
    name: named.get(match[0].toLowerCase()),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** The first mention of every word on the page, in reading order, as [{name, block, range}]; and what was found in
 * every text, for the next reading: most texts are as they were. */
export function mentions(words, before) {
  const seen = new Set();
  const result = [];
  const kept = new Map();
  for (const block of document.querySelectorAll(PROSE)) {
    if (block.closest(APART) || !block.checkVisibility()) continue;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const known = before.get(node);
      const same = known?.text === node.data && known.words === words;
      const found = same ? known.found : matches(words, node.data);
      kept.set(node, { text: node.data, words, found });
      for (const { name, start, end } of found) {
        if (seen.has(name) || node.parentElement.closest(APART)) continue;
        seen.add(name);
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, end);
        result.push({ name, block, range });
      }
    }
  }
  return [result, kept];
}

/** The mention at a point of the window, if any. */
export const mentionAt = (mentions, block, x, y) =>
  mentions.find((one) => one.block === block && boxes(one).some((box) => inside(box, x, y)));

/** Where a mention stands in the window: a box per line. */
export const boxes = ({ range }) => [...range.getClientRects()];

const inside = (box, x, y) => x >= box.left && x <= box.right && y >= box.top - 2 && y <= box.bottom + 2;
