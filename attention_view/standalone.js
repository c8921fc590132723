// The attention view in a page of its own: the numbers stand in the page, and no server is asked for more.

import { fromBase64 } from "./lab.js";
import { View } from "./view.js";

const dark = matchMedia("(prefers-color-scheme: dark)");
const view = new View(document.querySelector(".attention-view"));

/** Light or dark as the page was told, or as the visitor's system is now. */
function dress() {
  const { dataset } = document.documentElement;
  if (dataset.choice === "auto") dataset.theme = dark.matches ? "dark" : "light";
}

dress();
view.update(fromBase64(document.querySelector("#payload").textContent), {});
dark.addEventListener("change", () => {
  dress();
  view.update(null, {});
});
