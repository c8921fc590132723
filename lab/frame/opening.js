import { DOM } from "../hooks/dom.js";

// A page is uncovered once nothing on its first screen waits for a script any more; or, where that takes long, some time
// after its question can be read.
const EVERY = 50; // ms
const PATIENCE = 4000; // ms
let asked = 0;
const waiting = setInterval(() => {
  const page = document.querySelector(DOM.page);
  if (!page?.querySelector("h1")) return;
  asked += EVERY;
  const isOnScreen = (node) => node.getBoundingClientRect().top < innerHeight;
  const isReady = !document.querySelector(DOM.running) && ![...page.querySelectorAll(DOM.skeleton)].some(isOnScreen);
  if (!isReady && asked < PATIENCE) return;
  clearInterval(waiting);
  document.documentElement.dataset.opened = "";
}, EVERY);
