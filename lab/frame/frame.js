import { DOM } from "../hooks/dom.js";
import { keepEntry, onPush } from "../hooks/history.js";
import { watch } from "../hooks/watch.js";

// One entry in the browser's history per page, and one per view that was pressed there, so that Back goes to what was
// there before, as it was left.
//
// On leaving a page Streamlit pushes two entries: first that page's path with the parameters of the next page, then the
// next page's. Back would land on the first, which has lost the view. Here a push that stays on the same path replaces
// the entry instead; and if a push to another path follows at once, the entry gets back the address it had.
if (!window.attentionLabHistory) {
  window.attentionLabHistory = true;
  let left = null;
  // A reset goes through a page of its own, which is none to go back to. Undone, it brings back the whole address, with
  // what components have written there, of which the server knows nothing.
  let kept = "",
    undone = "";
  document.addEventListener(
    "click",
    ({ target }) => {
      if (target.closest?.(".st-key-reset button")) kept = location.href;
      if (target.closest?.(".st-key-reset-undo button")) undone = kept;
      if (target.closest?.('[class*="st-key-switch-"] button[aria-checked="false"]')) keepEntry();
    },
    true,
  );
  onPush((push, state, title, address) => {
    const to = new URL(address ?? location.href, location.href);
    if (to.pathname.endsWith("/reset") || location.pathname.endsWith("/reset")) {
      left = null;
      const isBack = undone && !to.pathname.endsWith("/reset") && to.search.length > 1;
      history.replaceState(state, title, isBack ? undone : address);
      if (isBack) undone = "";
      return undefined;
    }
    if (to.pathname === location.pathname) {
      left = { address: location.href, at: performance.now() };
      return history.replaceState(state, title, address);
    }
    if (left && performance.now() - left.at < 3000) history.replaceState(history.state, "", left.address);
    left = null;
    return push(state, title, address);
  });
}

// A sentence stands as words over the box that it is typed into. Who opens the box begins with all of it chosen, as by
// keyboard: what is typed stands in its place. A second press puts the caret where it is.
if (!window.attentionLabBoxes) {
  window.attentionLabBoxes = true;
  let opened = null;
  document.addEventListener("pointerdown", ({ target }) => {
    const box = target.closest?.('[class*="st-key-box-"] input');
    opened = box === document.activeElement ? null : box;
  });
  document.addEventListener("click", () => {
    if (opened && opened.selectionStart === opened.selectionEnd) opened.select();
    opened = null;
  });
}

// The first stop of the keyboard on every page: past all menus and controls, to the figure.
if (!document.querySelector(".skip-to-figure")) {
  const figuresIn = (root) =>
    [...root.querySelectorAll("*")].flatMap((node) => [
      ...(node.dataset?.figure === undefined ? [] : [node]),
      ...(node.shadowRoot ? figuresIn(node.shadowRoot) : []),
    ]);
  const skip = document.createElement("button");
  skip.type = "button";
  skip.className = "skip-to-figure";
  skip.textContent = "Skip to the figure";
  skip.addEventListener("click", () => {
    const boxes = figuresIn(document).map((node) => ({ node, box: node.getBoundingClientRect() }));
    const isSeen = (node) => getComputedStyle(node).visibility === "visible"; // a lesson may ask for a guess first
    const large = boxes.filter(({ node, box }) => box.width > 150 && box.height > 60 && isSeen(node));
    const first = large.reduce((a, b) => (a && a.box.top <= b.box.top ? a : b), null);
    const figure = first?.node ?? document.querySelector(DOM.main);
    if (figure.tabIndex < 0) figure.tabIndex = -1; // it can be gone to, and is no stop of its own
    figure.dataset.skippedTo = ""; // so that also the page shows that it has the focus
    figure.addEventListener("blur", () => delete figure.dataset.skippedTo, { once: true });
    figure.focus();
  });
  document.body.prepend(skip);
}

// Where a press closes the popover that it was made in, the keyboard goes back to the button that opens it.
if (!window.attentionLabPopovers) {
  window.attentionLabPopovers = true;
  let opener = null;
  document.addEventListener("focusin", ({ target }) => {
    const isWithin = target.closest?.(DOM.popoverBody);
    opener = isWithin ? (document.querySelector(`${DOM.popover} [aria-expanded="true"]`) ?? opener) : null;
  });
  watch(() => {
    if (!opener || document.querySelector(DOM.popoverBody)) return;
    if (document.activeElement === document.body && opener.isConnected) opener.focus({ preventScroll: true });
    opener = null;
  });
}

// Every figure bears its name where it begins, as our components do, by which tests find and measure it.
if (!window.attentionLabFigures) {
  window.attentionLabFigures = true;
  watch(() => {
    for (const node of document.querySelectorAll('[class*="st-key-figure-"]:not([data-figure])')) {
      node.dataset.figure = [...node.classList].find((name) => name.startsWith("st-key-figure-")).slice(14);
    }
  });
}

// From a course page that shows one view, the link to the whole lab has the settings that are on screen.
if (!window.attentionLabOpen) {
  window.attentionLabOpen = true;
  const follow = ({ target }) => {
    const link = target.closest?.(".open-in-lab a");
    if (!link) return;
    const here = new URL(location.href);
    for (const name of ["embed", "embed_options"]) here.searchParams.delete(name);
    link.href = here.href;
  };
  for (const kind of ["pointerdown", "focusin", "click"]) document.addEventListener(kind, follow, true);
}

// On paper what fits the window is as wide as the sheet, and a dark page becomes a light one (see print.css).
if (!window.attentionLabPrint) {
  window.attentionLabPrint = true;
  const SHEET = 1030; // CSS pixels of A4, or of a letter, on its side and without margins
  const root = document.documentElement;
  addEventListener("beforeprint", () => {
    const scheme = getComputedStyle(document.querySelector(DOM.app)).colorScheme;
    root.dataset.print = scheme === "dark" ? "dark" : "light";
    root.style.setProperty("--print-zoom", String(Math.min(1, SHEET / innerWidth)));
  });
  addEventListener("afterprint", () => delete root.dataset.print);
}
