import { DOM } from "../hooks/dom.js";

// A page is uncovered once its figure is there, or it has none, and nothing on its first screen waits for a script any
// more; or, where that takes long, some time after its question can be read.
//
// What waits for that, megabytes of script for charts and code further down, is read once a first beat is over, or when
// somebody scrolls, presses or prints.
const BEAT = 4000; // ms
const HANDS = ["wheel", "scroll", "touchstart", "pointerdown", "keydown", "beforeprint"];
let goOn;
window.attentionLabLater = new Promise((resolve) => (goOn = resolve));
const EVERY = 50; // ms
const PATIENCE = 4000; // ms for what waits
const MOMENT = 1000; // ms for a figure, where the run of the page is over and nothing waits
const PROMPT = 300; // ms for a script, once the run of the page is over
let asked = 0;
let over = 0;
const waiting = setInterval(() => {
  const page = document.querySelector(DOM.page);
  if (!page?.querySelector("h1")) return;
  const seen = (what) =>
    [...page.querySelectorAll(what)]
      .map((node) => node.getBoundingClientRect())
      .filter(({ top, height }) => height && top < innerHeight);
  asked += EVERY;
  if (!document.querySelector(DOM.running)) over += EVERY;
  if (over >= PROMPT && seen(DOM.skeleton).length) goOn(); // it may be what the first screen waits for
  const isDrawn = seen(DOM.element).some(({ height }) => height > innerHeight / 3) || over >= MOMENT;
  if ((!isDrawn || seen(DOM.skeleton).length) && asked < PATIENCE) return;
  clearInterval(waiting);
  document.documentElement.dataset.opened = "";
  setTimeout(goOn, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : BEAT);
  for (const kind of HANDS) addEventListener(kind, goOn, { capture: true, once: true, passive: true });
}, EVERY);
