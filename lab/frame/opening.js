import { DOM } from "../hooks/dom.js";

// A page is uncovered once its figure is there, or it has none, and nothing on its first screen waits for a script any
// more; or, where that takes long, some time after its question, or a fault in place of it, can be read.
//
// What waits for that, megabytes of script for charts and code further down, is read once a first beat is over, or when
// somebody scrolls, presses or prints, or something that can be seen may be waiting for it.
const EVERY = 50; // ms
const PATIENCE = 8000; // ms for what waits
const MOMENT = 1000; // ms for a figure, where the run of the page is over and nothing waits
const PROMPT = 300; // ms for a script, once the run of the page is over
const BEAT = 4500; // ms, longer than any first beat
const LONGEST = 15_000; // ms from the start, after which nothing waits any more, whatever has become of the page
const HANDS = ["wheel", "scroll", "touchstart", "pointerdown", "keydown", "beforeprint"];
const root = document.documentElement;
// Somebody else's page says in the address how ours is to look.
const asked = new URLSearchParams(location.search).getAll("embed_options").find((one) => one.endsWith("_theme"));
if (asked) root.style.colorScheme = asked.replace("_theme", "");

let goOn;
let isGoing = false;
let isCovered = true;
window.attentionLabLater = new Promise((resolve) => (goOn = resolve)).then(() => (isGoing = true));
setTimeout(goOn, LONGEST);
let since = null; // when the question could be read
let over = null; // when the run of the page was over

function look(now = Date.now()) {
  const page = [...document.querySelectorAll(DOM.page)].find((one) => one.querySelector("h1, [role=alert]"));
  if (!page) return;
  since ??= now;
  over = document.querySelector(DOM.running) ? null : (over ?? now);
  const lasts = over === null ? 0 : now - over;
  const isWaiting = seen(page, DOM.skeleton).length > 0;
  if (isWaiting && lasts >= PROMPT) goOn();
  const isComplete = !isWaiting && (lasts >= MOMENT || hasFigure(page));
  if (isComplete || now - since >= PATIENCE) uncover();
  if (isGoing && !isCovered) clearInterval(looking);
}

const hasFigure = (page) => seen(page, DOM.element).some(({ height }) => height > innerHeight / 3);

/** The boxes of these things, as far as they begin on the first screen. */
function seen(page, what) {
  const boxes = [...page.querySelectorAll(what)].map((node) => node.getBoundingClientRect());
  return boxes.filter(({ top, height }) => height && top < innerHeight);
}

function uncover() {
  if (!isCovered) return;
  isCovered = false;
  root.dataset.opened = "";
  root.style.colorScheme = "";
  setTimeout(goOn, matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : BEAT);
  for (const kind of HANDS) addEventListener(kind, goOn, { capture: true, once: true, passive: true });
}

const looking = setInterval(look, EVERY);
