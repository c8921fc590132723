// What is on screen as a stop of a lesson: its link, and what its controls and pictures are called there.

import { DOM } from "../../hooks/dom.js";

const KEY = /(?:^|\s)st-key-([A-Za-z][\w-]{0,60})/;
const MOST = 12; // names that a line of a lesson may have
// Tools of the frame, and questions: no lesson keeps or leaves them out.
const NOT_OF_THE_VIEW = '.st-key-tools, .st-key-turn, .st-key-lesson-bar, [class*="st-key-check-"]';

/** [[name, label]] of what has a key and matches a selector, each name once; what is out of sight is left out. */
function named(selector) {
  const found = new Map();
  for (const node of document.querySelectorAll(`${DOM.page} ${DOM.element}${DOM.keyed}${selector}`)) {
    const name = KEY.exec(node.className)?.[1];
    if (!name || name.startsWith("words-") || found.has(name) || node.closest(NOT_OF_THE_VIEW)) continue;
    if (!node.checkVisibility({ visibilityProperty: true }) || node.offsetHeight < 2) continue;
    found.set(name, labelOf(node));
  }
  return [...found];
}

/** What stands above a control, or on it. */
function labelOf(node) {
  const written = node.querySelector(`${DOM.label} ${DOM.prose}, ${DOM.prose}, label`)?.textContent;
  return (written || node.querySelector("[aria-label]")?.getAttribute("aria-label") || "").trim();
}

/** The controls and the pictures of the page, as a lesson names them. */
export function namesHere() {
  const drawn = `:has(${DOM.component}, ${DOM.chart})`;
  return { controls: named(`:not(${drawn})`), pictures: named(drawn) };
}

/** A stop around a link, for somebody to write on. */
export function stopOf(link, { controls }, title) {
  const { pathname, search } = new URL(link);
  const page = pathname.slice(pathname.lastIndexOf("/"));
  const names = controls.slice(0, MOST).map(([name]) => name);
  return [
    `## ${title}`,
    "",
    `[The view](${page}${search})`,
    "",
    "Say: One sentence on what is seen.",
    "Do: One thing to do.",
    ...(names.length ? [`Controls: ${names.join(", ")}`] : []),
    "",
  ].join("\n");
}
