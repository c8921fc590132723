import { DOM } from "../../hooks/dom.js";
import { onReplace, openInstead, openPage } from "../../hooks/history.js";
import { watch } from "../../hooks/watch.js";
import { LessonMemory } from "./memory.js";

// Leads through a lesson in the browser: follows its links without loading the app anew, takes the arrow keys and
// digits, and remembers which stop the reader has come to.
if (!window.attentionLabLesson) {
  window.attentionLabLesson = true;
  // What uses keys itself: there they are left alone.
  const OWN_KEYS = [
    "input:not([type=radio]):not([type=checkbox])",
    "textarea",
    "select",
    "[contenteditable]:not([contenteditable=false])",
    "[role=slider]",
    "[role=grid]",
    "[role=gridcell]",
    "[role=treeitem]",
    "[role=tab]",
    "[role=option]",
    "[role=combobox]",
    "[role=radio]",
    "input[type=radio]",
    "[role=menu]",
    "[role=dialog]",
    "[data-arrows]",
  ].join(",");

  document.addEventListener("click", (event) => {
    const link = event.composedPath().find((node) => node.matches?.("a.lesson-move, a.lesson-anew"));
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (link.dataset.forget) {
      memory.forget(link.dataset.forget);
      stop = ""; // it is come to once more, and the link goes: the keyboard begins at its heading
    }
    openPage(link.href); // the address decides what every control is set to
  });

  /** The button or link of the bar that a key stands for, or none. */
  const targetOf = (key, bar) => {
    if (key === "ArrowRight")
      return bar.querySelector(".lesson-next, .lesson-story, .st-key-lesson-next button:enabled");
    if (key === "ArrowLeft") return bar.querySelector(".lesson-back, .st-key-lesson-back button");
    if (!/^[1-9]$/.test(key)) return null;
    return document.querySelectorAll('[class*="st-key-lesson-options-"] button')[Number(key) - 1];
  };

  const isTaken = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return true;
    const path = event.composedPath().filter((node) => node instanceof Element);
    if (path.some((node) => node.matches(OWN_KEYS))) return true;
    // Who walks through a picture by keyboard does not leave it with an arrow; who has clicked in it can.
    const isPicture = (node) => node.matches(`${DOM.component}, ${DOM.chart}, [data-figure]`);
    return event.key.startsWith("Arrow") && path[0]?.matches(":focus-visible") && path.some(isPicture);
  };

  document.addEventListener("keydown", (event) => {
    const bar = document.querySelector(".st-key-lesson-bar");
    if (!bar || isTaken(event)) return;
    const target = targetOf(event.key, bar);
    if (!target) return;
    event.preventDefault();
    target.click();
  });

  const lessonOf = (address) => new URL(address, location.href).searchParams.get("lesson");
  const stopOf = (address) => `${lessonOf(address)} ${new URL(address, location.href).searchParams.get("stop")}`;
  const [{ type } = {}] = performance.getEntriesByType("navigation");
  /** The lesson that the address says leads; null for none: the list of lessons has one in its address, too. */
  const leading = () => (location.pathname.endsWith("/lessons") ? null : lessonOf(location.href));
  /** The lesson whose bar waits while its reader explores; null for none. */
  const waiting = () => {
    const story = document.querySelector(".st-key-lesson-bar a.lesson-story");
    return story && lessonOf(story.href);
  };
  const memory = new LessonMemory(type !== "navigate" ? leading() : null);
  /** Tells the server, by the address, the answers that it has lost. */
  const tellAnswers = (answers) => {
    const address = new URL(location.href);
    address.searchParams.set("told", answers);
    onceAtRest(() => openInstead(address.href));
  };

  const addressed = () => `${location.pathname} ${stopOf(location.href)}`;

  /** Does this once the run is over, unless the reader has gone elsewhere by then: Back is not to be undone. */
  const onceAtRest = (act, from = addressed()) => {
    if (document.querySelector(DOM.running)) setTimeout(onceAtRest, 30, act, from);
    else if (addressed() === from) act();
  };

  // The server never leads into a stop. What would write one into the address is a run of the stop that the reader has
  // just left by Back: it is still under way, and knows nothing of that. Streamlit then reads the address once more.
  onReplace((replace, state, title, address) => {
    const isLate = address && lessonOf(address) && stopOf(address) !== stopOf(location.href);
    if (!isLate) replace(state, title, address);
    else onceAtRest(() => openInstead(location.href));
  });

  // At a new stop the keyboard begins at its heading: what had the focus before is gone, or belongs to the stop before.
  let stop = null;
  const follow = (at) => {
    const name = at && `${at.dataset.lesson} ${at.dataset.stop}`;
    if (name === stop) return;
    const heading = document.querySelector(".st-key-lesson-heading h1");
    if (name && !heading) return;
    const isFirst = stop === null;
    stop = name;
    if (!heading || isFirst) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };

  // Where Next has made room for a question, the keyboard goes on at that question.
  let asked = null;
  const followQuestion = () => {
    const options = document.querySelector(".st-key-lesson-options-answer");
    const words = document.querySelector(".st-key-lesson-words .lesson-say");
    if (!options) asked = null;
    if (!options || options === asked || !words || document.activeElement !== document.body) return;
    asked = options;
    words.tabIndex = -1;
    words.focus({ preventScroll: true });
  };

  // Figures that fit themselves to the window are to stand above the bar: they read how much it covers from --below.
  // What it has covered at a stop stays theirs, so that they keep their size while its words change.
  let [below, belowAt] = [0, ""];
  const cover = () => {
    const bar = document.querySelector(".st-key-lesson-bar");
    const at = document.querySelector("[data-lesson][data-stop]")?.dataset;
    const now = bar ? `${at?.lesson} ${at?.stop} ${innerWidth} ${innerHeight}` : "";
    const height = Math.max(bar?.offsetHeight ?? 0, now === belowAt ? below : 0);
    belowAt = now;
    if (height === below) return;
    below = height;
    document.documentElement.style.setProperty("--below", `${height}px`);
    dispatchEvent(new Event("attention-lab-covering"));
  };
  const sizes = new ResizeObserver(cover);
  let observed = null;
  const followBar = () => {
    const bar = document.querySelector(".st-key-lesson-bar");
    if (bar === observed) return;
    document.documentElement.toggleAttribute("data-lesson-bar", Boolean(bar));
    sizes.disconnect();
    if ((observed = bar)) sizes.observe(bar);
    cover();
  };

  /** On the list of lessons: the stops that were seen, and where to go on. A list may be the one that stood here before
   * the reader went to a stop and came back. */
  const markLists = () => {
    for (const stops of document.querySelectorAll(".lesson-stops")) {
      const { seen } = memory.way(stops.dataset.of);
      if (stops.dataset.read === String([...seen])) continue;
      stops.dataset.read = String([...seen]);
      for (const n of seen) {
        const item = stops.children[n - stops.start];
        if (!item) continue;
        item.classList.add("seen");
        item.firstElementChild.setAttribute("aria-description", "seen");
      }
    }
    for (const link of document.querySelectorAll("a[data-continue]")) {
      const stop = memory.way(link.dataset.continue).at;
      if (link.dataset.read === String(stop)) continue;
      link.dataset.read = stop;
      const address = JSON.parse(link.dataset.stops)[stop - 1];
      link.hidden = !address || stop < 2;
      if (link.hidden) continue;
      link.setAttribute("href", address);
      link.textContent = `Continue at stop ${stop}`;
    }
  };

  let sent = null;
  const notice = () => {
    followBar();
    followQuestion();
    const again = document.querySelector("[data-lesson-go]");
    if (again && again !== sent) {
      sent = again;
      // Once the run is over: the page is then the right one, and keeps every setting.
      const to = again.dataset.lessonGo;
      onceAtRest(() => again.isConnected && lessonOf(to) === lessonOf(location.href) && openInstead(to));
    }
    const at = document.querySelector("[data-lesson][data-stop]");
    follow(at);
    const finished = document.querySelector("[data-lesson-finished]")?.dataset.lessonFinished;
    const known = document.querySelector("[data-told]")?.dataset;
    if (!leading()) memory.leave(waiting());
    if (known && !again) {
      const lesson = at?.dataset.lesson ?? finished;
      const lost = memory.hear({ lesson, stop: at?.dataset.stop, told: known.told, written: known.written });
      if (lost) tellAnswers(lost);
    }
    if (finished) memory.come(finished, 0);
    if (at) memory.come(at.dataset.lesson, Number(at.dataset.stop));
    markLists();
  };
  watch(notice);
  notice();
}
