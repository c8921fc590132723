import { DOM } from "../hooks/dom.js";
import { watch } from "../hooks/watch.js";

// Presentation mode (P): the figure, one sentence and the controls in use, large enough for the last row of a class.
//
// What is kept of a page bears data-stage; present.css hides the rest and enlarges the type. Figures are enlarged as
// far as the window holds them. The server is told by its own button, which the key presses: it then draws figures that
// fit and gives the arrow keys buttons to press. Left and right go through the views of a page, or, where a lesson
// leads, are the lesson's. B blanks the screen, Q shows the link as a code, Escape leaves.
if (!window.attentionLabPresent) {
  window.attentionLabPresent = true;
  const LARGEST = 1.6,
    SMALLEST = 1,
    PATIENCE = 3000; // milliseconds
  const ENTER = ".st-key-present button",
    LEAVE = ".st-key-present-leave button";
  const LEAF = DOM.element;
  const FIGURE = `${DOM.chart}, ${DOM.component}`;
  const BESIDE = ".st-key-study-picture"; // shown as well, but not what is fitted to the window
  const OF_THE_PAGE = ".st-key-tools, .st-key-turn, .st-key-heading";
  const FRAME = `${OF_THE_PAGE}, ${BESIDE}, [class*=st-key-switch-], [class*=st-key-check-]`;
  const CHOICES = [DOM.buttonGroup, DOM.slider, DOM.selectbox, DOM.checkbox, DOM.popover, DOM.button];
  const TYPED = [DOM.textInput, DOM.textArea];
  const CONTROLS = [...CHOICES, ...TYPED, ".chips", "[class*=st-key-notice-] *"].join();
  const OPEN = `${DOM.popoverBody}, [role=listbox], [role=menu], [role=dialog]`;
  const OWN_ARROWS = "[role=slider], [role=radio], [role=tab], [role=grid], [role=application], [role=tree]";
  const root = document.documentElement;
  const find = (selector) => document.querySelector(selector);
  const main = () => find(DOM.page);
  const made = (tag, name, more = {}) => {
    const node = Object.assign(document.createElement(tag), { className: name, ...more });
    document.body.append(node);
    return node;
  };
  // A projector's page shows the view as a part of itself: there is nothing to leave, and its keys are the class's.
  const isPart = window.parent !== window && new URLSearchParams(location.search).get("embed") === "true";
  root.toggleAttribute("data-part", isPart);
  const said = made("div", "present-said");
  said.setAttribute("role", "status");
  const hint = made("div", "present-hint", { hidden: true });
  const close = made("button", "present-leave", { type: "button", textContent: "✕", onclick: () => leave() });
  close.setAttribute("aria-label", "Leave the presentation");
  let zoom = LARGEST,
    seen = new Set(),
    drawn = new Set(), // of those, what held a figure
    figures = [],
    wanted = false, // another look at whether they fit
    patience = 0, // until when a figure that has no height yet is waited for
    later = 0,
    announced = "",
    wish = null, // whether to present: what the visitor did last, and at first what the server says
    pressed = null; // what was asked of the server, until its button says so, too

  // ---- what is kept of the page -------------------------------------------------------------------------------

  const keep = (node, as) => {
    node.dataset.stage = as;
    for (let at = node.parentElement; at && at !== main(); at = at.parentElement) at.dataset.stage ??= "";
  };

  /** The first large figure of the page and those beside it; none while one of them is yet to be drawn. */
  const chosen = (leaves) => {
    const boxes = new Map(leaves.map((leaf) => [leaf, leaf.getBoundingClientRect()]));
    const there = leaves.filter(
      (leaf) => leaf.querySelector(FIGURE) && !leaf.closest(FRAME) && leaf.getClientRects().length,
    );
    const isLarge = (leaf) => boxes.get(leaf).width > 200 && boxes.get(leaf).height > 100;
    const isComing = (leaf) => boxes.get(leaf).height < 20 && performance.now() < patience;
    const first = there.find((leaf) => isLarge(leaf) || isComing(leaf));
    if (!first || !isLarge(first)) return [];
    const beside = there.filter((leaf) => Math.abs(boxes.get(leaf).top - boxes.get(first).top) < 40);
    return beside.some(isComing) ? [] : beside.filter(isLarge);
  };

  const remember = (leaves) => {
    seen = new Set(leaves);
    drawn = new Set(leaves.filter((leaf) => leaf.querySelector(FIGURE)));
  };

  /** Marks what is shown. Until there is a figure, all of the page has its place, and nothing of it is seen. */
  const stage = () => {
    clearTimeout(later);
    const leaves = [...(main()?.querySelectorAll(LEAF) ?? [])];
    const isFound = figures.length > 0 && figures.every((leaf) => leaf.isConnected);
    if (!isFound && !seek(leaves)) return remember(leaves);
    remember(leaves);
    for (const node of document.querySelectorAll("[data-stage]")) delete node.dataset.stage;
    root.dataset.present = "on";
    for (const leaf of figures) keep(leaf, "figure");
    const isBefore = (node) => node.compareDocumentPosition(figures[0]) & Node.DOCUMENT_POSITION_FOLLOWING;
    keepControls(isBefore);
    keepWords(isBefore);
    find(DOM.main).scrollTop = 0;
    sizes.disconnect();
    for (const leaf of figures) sizes.observe(leaf);
    fitSoon();
  };

  /** Looks for the figure; where there is none yet, it is looked for again, for a while. */
  const seek = (leaves) => {
    if (root.dataset.present !== "measuring") patience = performance.now() + PATIENCE;
    root.dataset.present = "measuring";
    figures = chosen(leaves);
    if (figures.length) enlarge(LARGEST);
    else if (performance.now() < patience + PATIENCE) later = setTimeout(stage, 100);
    else root.dataset.present = "whole"; // it has none: all of the page, large
    return figures.length > 0;
  };

  const keepControls = (isBefore) => {
    for (const node of main().querySelectorAll(`${LEAF}, ${DOM.popover}`)) {
      const isControl = node.matches(CONTROLS) || node.querySelector(CONTROLS);
      if (isControl && isBefore(node) && !node.closest(FRAME) && !figures.includes(node)) keep(node, "control");
    }
  };

  /** The bar of a lesson, or the sentence that asks what the figure answers. */
  const keepWords = (isBefore) => {
    const lesson = find(".st-key-lesson-bar");
    if (lesson) {
      keep(lesson, "");
      for (const node of lesson.querySelectorAll("*")) node.dataset.stage ??= "";
      return;
    }
    const questions = [...main().querySelectorAll(`[class*=st-key-question-] ${LEAF}`)].filter(isBefore);
    const sentence = questions.pop() ?? find(`.st-key-heading ${LEAF}`);
    if (sentence) keep(sentence, "sentence");
    const words = sentence?.textContent.trim();
    if (words && words !== announced) said.textContent = announced = words;
  };

  // ---- as large as the window holds it --------------------------------------------------------------------------

  const enlarge = (by) => {
    zoom = by;
    root.style.setProperty("--present-zoom", String(by));
    fitSoon();
  };
  const boxOf = (leaf) => (leaf.querySelector(DOM.plotFrame) ?? leaf).getBoundingClientRect();
  const fit = () => {
    wanted = false;
    if (root.dataset.present !== "on" || !figures.length || zoom <= SMALLEST) return;
    const foot = find(".st-key-lesson-bar")?.getBoundingClientRect().height ?? 0;
    const room = innerHeight - foot - 4;
    const top = Math.min(...figures.map((leaf) => boxOf(leaf).top)),
      bottom = Math.max(...figures.map((leaf) => boxOf(leaf).bottom));
    if (bottom <= room + 1) return;
    enlarge(Math.max(SMALLEST, zoom * Math.max(0.9, Math.min(0.98, (room - top) / (bottom - top)))));
  };
  const fitSoon = () => {
    if (!wanted) setTimeout(fit, 40); // once figures have followed; no frame comes to a window that is covered
    wanted = true;
  };
  const sizes = new ResizeObserver(fitSoon);
  addEventListener("resize", () => root.dataset.present && enlarge(LARGEST));

  // ---- in and out -------------------------------------------------------------------------------------------------

  // A browser may keep nothing for a site: then a presentation ends when the tab is loaded anew.
  const noteInTab = (value) => {
    if (isPart) return; // what is kept for a tab is kept for all pages in it
    try {
      sessionStorage.setItem("present", value);
    } catch {}
  };
  const notedInTab = () => {
    try {
      return isPart ? null : sessionStorage.getItem("present");
    } catch {
      return null;
    }
  };

  const enter = () => {
    root.dataset.present = "measuring";
    patience = performance.now() + PATIENCE;
    figures = [];
    noteInTab("1");
    const keys = find(".st-key-lesson-bar") ? "← → steps" : "← → views";
    hint.textContent = `${keys} · B blank · Q code · Esc leave`;
    hint.hidden = false;
    setTimeout(() => (hint.hidden = true), 5000);
    stage();
    said.textContent = `Presentation. Arrow keys: another view. B: blank screen. Q: code of the link. Escape: leave.`;
  };
  const left = () => {
    clearTimeout(later);
    figures = [];
    announced = "";
    delete root.dataset.present;
    noteInTab("");
    for (const node of document.querySelectorAll("[data-stage]")) delete node.dataset.stage;
    sizes.disconnect();
    if (document.fullscreenElement) document.exitFullscreen();
    said.textContent = "The presentation is over.";
    dispatchEvent(new Event("resize")); // figures measure their room anew
  };
  const want = (on) => {
    wish = on;
    if (on !== Boolean(root.dataset.present)) (on ? enter : left)();
    sync();
  };
  const leave = () => want(false);
  const fullScreen = () => root.requestFullscreen?.().catch(() => {}); // where the browser lets a page do that

  /** Has the server follow. */
  const sync = () => {
    const isOn = find(LEAVE) ? true : find(ENTER) ? false : null;
    if (isOn === null) return;
    wish ??= isOn || notedInTab() === "1"; // a link, or the tab was loaded anew
    if (wish && !root.dataset.present) enter();
    if (isOn === wish) pressed = null;
    else if (pressed !== wish) {
      pressed = wish;
      find(isOn ? LEAVE : ENTER).click();
    }
  };
  document.addEventListener(
    "click",
    ({ target, isTrusted }) => {
      if (!isTrusted || !target.closest?.(`${ENTER}, ${LEAVE}`)) return;
      pressed = !wish; // the click itself tells the server
      want(!wish);
      if (wish) fullScreen();
    },
    true,
  );
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement && root.dataset.present) leave();
  });

  const follow = () => {
    sync();
    if (!root.dataset.present) return;
    if (root.dataset.present === "measuring") return; // is looked at again soon
    const leaves = [...(main()?.querySelectorAll(LEAF) ?? [])];
    const isOther = leaves.length !== seen.size || leaves.some((leaf) => !seen.has(leaf));
    const isLater = leaves.some((leaf) => !drawn.has(leaf) && leaf.querySelector(FIGURE));
    if (isLater) figures = []; // it may belong beside them
    if (isOther || isLater || figures.some((leaf) => !leaf.isConnected)) stage();
  };
  watch(follow);
  follow();

  // ---- keys -------------------------------------------------------------------------------------------------------

  /** Covers the screen until a key or a click. */
  const cover = (name, words, ...inside) => {
    const sheet = made("div", `present-sheet ${name}`);
    sheet.append(...inside);
    const end = (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      removeEventListener("keydown", end, true);
      sheet.remove();
      said.textContent = "The page is back.";
    };
    addEventListener("keydown", end, true);
    sheet.onclick = end;
    said.textContent = `${words} Any key brings the page back.`;
  };
  const blank = () => cover("blank", "The screen is blank.");

  /** The code of the link, which the tool Share asks the server for, as large as the screen. */
  const showCode = (patience = 50) => {
    const share = find(`.st-key-share ${DOM.popover} button`);
    const host = () => find(`${DOM.popoverBody} .st-key-share_link ${DOM.component}`);
    const inside = (node) => [node, ...(node?.querySelectorAll("*") ?? [])].find((one) => one?.shadowRoot);
    if (patience === 50 && !host()) share?.click();
    const picture = inside(host())?.shadowRoot.querySelector(".code");
    if (!picture?.childElementCount) {
      if (patience) setTimeout(showCode, 100, patience - 1);
      return;
    }
    share.click(); // it closes
    cover("code", "The code of the link is on the screen.", picture.cloneNode(true));
  };
  const KEYS = {
    b: blank,
    q: () => showCode(),
    Escape: () => find(OPEN) || leave(),
    ArrowLeft: () => find(".st-key-present-back button")?.click(),
    ArrowRight: () => find(".st-key-present-forward button")?.click(),
  };
  /** Whether a key belongs to what has the focus, or to the browser. */
  const isTaken = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return true;
    const target = event.composedPath()[0];
    const types = target.closest?.("input, textarea, select, [contenteditable]");
    if (types && event.key !== "Escape") return true;
    return event.key.startsWith("Arrow") && (target.closest?.(OWN_ARROWS) || find(".st-key-lesson-bar"));
  };
  document.addEventListener("keydown", (event) => {
    if (isTaken(event)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === "p") {
      want(!wish);
      if (wish) fullScreen();
    } else if (root.dataset.present && KEYS[key]) KEYS[key]();
  });
}
