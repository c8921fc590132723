// A word on a card: its name, a picture, its sentence with links to other words, where one meets it, and other names.

import { el, queryOf, svg } from "../../../attention_view/lab.js";

/** What JSON, compressed, says. */
export const unpacked = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();

/** The words of all groups, by name. */
export const byName = (groups) => new Map(groups.flatMap(({ words }) => words).map((word) => [word.name, word]));

/** The picture of a word; what it shows is said by the sentence beside it. */
export const picture = (word) =>
  svg(
    "svg",
    { viewBox: `0 0 ${word.size.join(" ")}`, "aria-hidden": "true", focusable: "false" },
    ...word.picture.map(([tag, attributes, text]) => svg(tag, attributes, text || null)),
  );

/** What stands on a card. link(href, text, props) makes a link into the app. */
export const contents = (word, link) => [
  el("div.picture", picture(word)),
  el(
    "p.sentence",
    ...word.sentence.map((part) => (typeof part === "string" ? part : link(wordAddress(part[0]), part[1]))),
  ),
  el("p.also", "In papers and code: ", ...word.also.flatMap((name, n) => [n ? " · " : null, otherName(name)])),
  el("p.place", link(word.href, `See it: ${word.place}\u00a0→`)),
];

const otherName = (name) => el(/[_.(=]|[a-z][A-Z]/.test(name) ? "code" : "span", {}, name);

/** The link to a word on its page. */
export const wordAddress = (name) => `words?${queryOf({ word: name })}`;

/** Whether a click asks for no more than to follow the link here. */
export function opensHere(event) {
  return !(event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}
