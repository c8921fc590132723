// A page of its own draws what it holds: the numbers stand in the page, and no server is asked for more.

import { el, fromBase64 } from "./lab.js";
import { expanded } from "./export_html.js";

const TOO_OLD = "This page needs a browser of 2023 or later: yours cannot unpack its numbers.";

/** Draw every payload of the page with a View of its own; of several, one is seen at a time. */
export async function alone(View) {
  const first = document.querySelector(".attention-view");
  if (typeof DecompressionStream === "undefined") {
    first.textContent = TOO_OLD;
    return;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dress(dark);
  const texts = document.querySelector("#payload").textContent.trim().split(/\s+/);
  const roots = texts.map((_, n) => (n ? first.cloneNode(false) : first));
  first.after(...roots.slice(1));
  const views = roots.map((root) => new View(root));
  const drawn = new Set();
  const show = async (n) => {
    for (const [at, root] of roots.entries()) root.hidden = at !== n;
    if (drawn.has(n)) return;
    drawn.add(n);
    views[n].update(await expanded(fromBase64(texts[n])), {});
  };
  await show(0);
  if (roots.length > 1) first.before(kinds(texts.length, show));
  dark.addEventListener("change", () => {
    dress(dark);
    for (const n of drawn) views[n].update(null, {});
  });
}

/** Light or dark as the page was told, or as the visitor's system is now. */
function dress(dark) {
  const { dataset } = document.documentElement;
  if (dataset.choice === "auto") dataset.theme = dark.matches ? "dark" : "light";
}

/** The choice between several pictures, by the names that the page has for them. */
function kinds(count, show) {
  const names = JSON.parse(document.querySelector("#payload").dataset.names);
  const choice = (n) =>
    el(
      "label",
      {},
      el("input", { type: "radio", name: "kind", value: n, checked: n === 0, onchange: () => show(n) }),
      names[n],
    );
  return el(
    "div",
    { class: "lab kinds", role: "radiogroup", "aria-label": "Kind of attention" },
    ...Array.from({ length: count }, (_, n) => choice(n)),
  );
}
