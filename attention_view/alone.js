// A page of its own draws what it holds: the numbers stand in the page, and no server is asked for more.

import { expanded } from "./export_html.js";
import { fromBase64 } from "./lab.js";

const TOO_OLD = "This page needs a browser of 2023 or later: yours cannot unpack its numbers.";

/** Draw the payload of the page, light or dark as the page was told, or as the visitor's system is at any time. */
export async function alone(View) {
  const root = document.querySelector(".attention-view");
  if (typeof DecompressionStream === "undefined") {
    root.textContent = TOO_OLD;
    return;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => {
    const { dataset } = document.documentElement;
    if (dataset.choice === "auto") dataset.theme = dark.matches ? "dark" : "light";
  };
  dress();
  const view = new View(root);
  view.update(await expanded(fromBase64(document.querySelector("#payload").textContent)), {});
  dark.addEventListener("change", () => {
    dress();
    view.update(null, {});
  });
}
