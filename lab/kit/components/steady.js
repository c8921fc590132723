// A headline keeps the height of the tallest sentence that it can say: what stands below it stays where it is.

const TRIED = 4; // of the sentences: those with most letters

/** The few of these texts that may take most lines. */
export const longest = (texts, n = TRIED) => [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, n);

/** Makes a headline as tall as any of these findings would make it, beside the longest of these names of its act. */
export function steady(headline, findings, acts) {
  const copy = headline.cloneNode(true); // what is on screen, and said aloud, stays as it is
  const [finding, act] = copy.children;
  Object.assign(copy.style, {
    minHeight: "",
    position: "absolute",
    visibility: "hidden",
    width: `${headline.clientWidth}px`,
  });
  [act.textContent] = longest(acts, 1);
  headline.after(copy);
  const heights = longest(findings).map((text) => ((finding.textContent = text), copy.offsetHeight));
  copy.remove();
  headline.style.minHeight = `${Math.max(0, ...heights)}px`;
}
