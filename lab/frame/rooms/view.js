// The view in which the model answers, computed as for any visitor and laid out as Present lays it out: as large as the
// stage. Its page is loaded out of sight while the class votes, so that it is there when it is asked for.

import { el } from "../../../attention_view/lab.js";
import { DOM } from "../../hooks/dom.js";

const SCREEN = 1280; // pixels that a view believes its screen to be wide
const LATER = 1200; // milliseconds until a page is loaded ahead: who steps on quickly loads nothing
const LONGEST = 20_000; // milliseconds that a view may stay hidden

/** The address of a view as a part of this page: its figure and its controls alone. */
export function partOf(view, isDark) {
  const more = `present=1&embed=true&embed_options=${isDark ? "dark" : "light"}_theme`;
  return `${view}${view.includes("?") ? "&" : "?"}${more}`;
}

export class View {
  /** key: what a key does that is pressed while the page is out of sight; as it loads, it may take the keyboard */
  constructor(key) {
    this.key = key;
    this.node = el("div.view", { inert: true });
    this.seen = new Set(); // addresses of views that the class has seen, or whose answer it has
    new ResizeObserver(() => this.node.style.setProperty("--scale", this.node.clientWidth / SCREEN)).observe(this.node);
  }

  /** Load the page of a view soon, out of sight. */
  prepare(view, heading) {
    clearTimeout(this.later);
    if (view && view !== this.loaded) this.later = setTimeout(() => this.load(view, heading), LATER);
  }

  load(view, heading) {
    clearTimeout(this.later);
    if (view === this.loaded) return;
    this.loaded = view;
    const src = partOf(view, document.documentElement.dataset.theme === "dark");
    const frame = el("iframe", { src, title: `The view: ${heading}` });
    frame.addEventListener("load", () =>
      frame.contentWindow.addEventListener("keydown", (event) => this.node.inert && this.key(event), true),
    );
    this.node.replaceChildren(frame, el("p.quiet", { role: "status" }, "The view is opening…"));
    this.node.classList.add("loading");
    whenDrawn(frame, () => this.loaded === view && this.node.classList.remove("loading"));
  }

  /** Whether the class may see it: its answer is out, or it was seen at a question before. */
  mayBeSeen({ view, shown }) {
    if (shown && view) this.seen.add(view);
    return this.seen.has(view);
  }

  show(isOn, view, heading) {
    if (isOn) this.load(view, heading);
    this.node.inert = !isOn; // out of sight, it takes neither the keyboard nor a reader's ear
  }
}

/** Call once the app in a frame has drawn its page; at last also where it has not. */
function whenDrawn(frame, call) {
  const begun = performance.now();
  const look = () => {
    if (!frame.isConnected && performance.now() - begun > 1000) return;
    const page = frame.contentDocument;
    const isReady = page?.querySelector(DOM.element) && !page.querySelector(DOM.running);
    if (isReady || performance.now() - begun > LONGEST) call();
    else setTimeout(look, 150);
  };
  look();
}
