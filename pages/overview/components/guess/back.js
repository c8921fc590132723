// The way back from inside of the model to the question and its answer, which make way there.

import { boxOf, el } from "../../../../attention_view/lab.js";

/** The bar of a scene, with one large button in front that leads out at once. */
export function withWayBack(scene) {
  const leave = () => {
    scene.go([]);
    scene.canvas.focus({ preventScroll: true }); // the button goes
    const all = scene.canvas.closest(".guess");
    if (boxOf(all).top < 0) all.scrollIntoView(); // on a phone the answer is above
  };
  scene.bar.firstElementChild.prepend(el("button.primary.back", { onclick: leave }, "← Back to the guess"));
  return scene.bar;
}
