// The page of the teacher, as a projector shows it: the question, how many have answered, and then what the class
// thinks beside what the model says. The arrow keys step; the server asks who pressed them.

import { el, write } from "../../../attention_view/lab.js";
import { DOM } from "../../hooks/dom.js";
import { LOCAL_ONLY, isLocal } from "../local.js";
import { emptyCells, emptyMap, emptyPaper, pool, RESULTS, voteSaid } from "./results.js";
import { judge, replyTo } from "./said.js";
import { IS_OVER, IS_REHEARSAL, Line, ask, codeIn, followTheme } from "./wire.js";

const WHOLE = ["cells", "map"]; // kinds whose picture takes the whole width
const EMPTY = { cells: emptyCells, curve: emptyPaper, map: emptyMap }; // what the class's answers will be drawn on
const SCREEN = 1280; // pixels that a view believes its screen to have

class Projector {
  constructor(root) {
    this.root = root;
    root.classList.toggle("rehearsal", IS_REHEARSAL);
    this.code = codeIn(new URLSearchParams(location.search).get("room"));
    this.address = new URL(`./join?room=${this.code}`, location.href).href;
    this.turned = Promise.resolve();
    this.build();
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("blur", () => setTimeout(() => this.keepFocus()));
    this.line = new Line((since) => `./rooms/${this.code}/projector?since=${since}`, {
      heard: (news) => this.hear(news),
      lost: (isLost) => (this.lost.hidden = !isLost),
      over: (why, hasEnded) => this.over(why, hasEnded),
    });
    this.line.run();
    if (!IS_REHEARSAL) this.drawCode();
  }

  build() {
    const button = (name, label, act) => el(`button.${name}`, { onclick: act }, label);
    this.heading = el("h1", "Opening the room…");
    this.told = el("p.told");
    this.asked = el("p.ask");
    this.count = el("p.answered", { role: "status" });
    this.here = el("p.quiet.small");
    this.pool = el("div.dots.pool", { "aria-hidden": "true" });
    this.lost = el("p.lost", { role: "alert", hidden: true }, "No connection. Trying again…");
    this.body = el("div.body");
    this.place = el("p.place");
    this.buttons = {
      back: button("back", "← Back", () => this.step(-1)),
      again: button("again", "Vote again", () => this.turn(() => ({ again: true }))),
      reveal: button("reveal", "Show the answer", () => this.reveal()),
      free: button("free", "Let them roam", () => this.turn(({ free }) => ({ free: !free }))),
      door: button("door", "No more newcomers", () => this.turn(({ open }) => ({ open: !open }))),
      next: button("next", "Next →", () => this.step(1)),
    };
    const short = this.address.replace(/^https?:\/\//, "").replace(/\?.*/, "");
    this.root.append(
      this.lost,
      el(
        "header",
        el("div.question", this.heading, this.told, this.asked),
        el("div.tally", this.count, this.here, this.pool),
        el("div.door", el("p.code", "join: ", el("b", [...this.code].join(" "))), el("p.quiet.small", short)),
      ),
      this.body,
      el(
        "footer",
        el("div.keys", ...Object.values(this.buttons)),
        el(
          "p.quiet.small",
          "Keys: ← → step, V votes again, R shows the answer, F lets everybody roam, L lets no newcomers in",
        ),
        this.place,
      ),
    );
    this.qr = el("figure.qr", { hidden: true });
  }

  async drawCode() {
    const { told } = await ask(`./rooms/qr?address=${encodeURIComponent(this.address)}`);
    if (!told?.size) return;
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const size = told.size + 8;
    picture.setAttribute("viewBox", `-4 -4 ${size} ${size}`);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", `QR code of ${told.address}`);
    const dark = document.createElementNS("http://www.w3.org/2000/svg", "path");
    dark.setAttribute("d", told.path);
    picture.append(dark);
    const local = isLocal(location.host);
    const warning = local ? [el("p.small", LOCAL_ONLY)] : [];
    this.qr.replaceChildren(
      picture,
      el(
        "figcaption",
        "Point your phone at it, or open ",
        el("b", told.address.replace(/^https?:\/\//, "").replace(/\?.*/, "")),
        " and type ",
        el("b", this.code),
        ".",
      ),
      ...warning,
    );
    this.qr.hidden = false;
  }

  // ---- what is there ----

  hear(news) {
    this.news = news;
    const { at, of, step, free, open } = news;
    document.title = `${this.code} · ${news.title}`;
    write(this.heading, step.heading);
    write(this.told, step.say);
    write(this.asked, step.round && !step.shown ? `${step.ask} Talk to your neighbour, then vote again.` : step.ask);
    this.tally(news);
    write(
      this.place,
      `${news.title} · ${at + 1} of ${of}${free ? " · everybody roams" : ""}${open ? "" : " · no newcomers"}`,
    );
    const { back, again, reveal, free: roam, door, next } = this.buttons;
    back.disabled = at === 0;
    next.disabled = at === of - 1;
    again.disabled = step.shown || step.round > 0 || ["talk", "test"].includes(step.kind);
    reveal.disabled = step.kind === "test";
    const what = judge(step) === "right" ? "answer" : "model";
    write(reveal, `${step.shown ? "Hide" : "Show"} the ${what}`);
    write(roam, free ? "Call them back" : "Let them roam");
    write(door, open ? "No more newcomers" : "Let newcomers in");
    roam.setAttribute("aria-pressed", free);
    door.setAttribute("aria-pressed", !open);
    this.root.classList.toggle("shown", step.shown);
    this.root.classList.toggle("falling", Boolean(news.falls));
    if (news.votes) this.drawResults(step, news.votes);
    else this.drawQuestion(step);
  }

  /** How many have answered, in words and as dots. In a rehearsal most of them are invented, and that is said, once. */
  tally({ step, answered, seats, invented }) {
    write(this.count, step.kind === "talk" ? "" : invented ? "" : `${answered.at(-1)} of ${seats}`);
    const verb = seats === 1 ? "has" : "have";
    const ofThem = `${invented} invented answers${answered.at(-1) > invented ? " and yours" : ""}`;
    const did = invented ? ofThem : step.round ? `${verb} voted again` : `${verb} answered`;
    write(this.here, step.kind === "talk" ? `${seats} ${seats === 1 ? "phone" : "phones"}` : did);
    this.pool.replaceChildren(...(step.kind === "talk" ? [] : pool(answered.at(-1), seats)));
    this.root.classList.toggle("talks", ["talk", "test"].includes(step.kind));
    this.root.classList.toggle("asks", step.kind === "options"); // its heading is no question
    this.root.classList.toggle("invented", invented > 0);
    this.root.classList.toggle("has-answers", answered.at(-1) > 0);
  }

  drawQuestion(step) {
    const drawn = `asked ${this.news.at} ${step.ask}`; // of a rehearsal, the plan may change
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    const tag = { options: "ol.options" }[step.kind];
    const hints = {
      word: "Choose one of the words that the model knows.",
      number: "Set the number.",
      test: "The questions are on the phones.",
    };
    const what = tag
      ? el(tag, ...step.labels.map((label) => el("li", label)))
      : step.kind in EMPTY
        ? EMPTY[step.kind](step)
        : el("p.hint", hints[step.kind] ?? "Talk to your neighbour.");
    this.body.replaceChildren(what, this.qr);
  }

  /** What the class says beside what the model does; of an invented class also while the model is held back. */
  drawResults(asked, votes) {
    const step = { truth: [], replies: [], ...asked };
    const place = `${step.shown} ${this.news.at} ${step.ask}`;
    const drawn = `${place} ${step.round} ${JSON.stringify(votes)}`;
    if (this.drawn === drawn) return;
    const isThere = this.drawn?.startsWith(`${place} `); // a late answer leaves the view as it is
    this.drawn = drawn;
    const best = step.truth.indexOf(Math.max(...step.truth));
    const reply = step.shown && replyTo(step, best);
    const isSaid = this.news.invented && step.kind === "cells";
    const results = el(
      "section.results",
      { "aria-label": "What the class says" },
      ...(isSaid ? [el("p.finding", voteSaid(step, votes))] : []),
      RESULTS[step.kind](step, votes, this.news.mine),
      ...(reply ? [el("p.reply", reply, " ", ...this.door(step))] : []),
    );
    if (isThere) this.body.firstChild.replaceWith(results);
    else this.body.replaceChildren(results, ...(this.hasView(step) ? [this.view(step)] : []));
  }

  /** Whether the view stands beside the picture. */
  hasView({ kind, shown, view }) {
    return shown && view && !WHOLE.includes(kind);
  }

  /** The way to the view, where it does not stand beside a picture that takes the whole width. */
  door({ kind, view }) {
    return WHOLE.includes(kind) && view
      ? [el("a", { href: view, target: "_blank", rel: "noopener" }, "See it in the app")]
      : [];
  }

  /** The view in which the model answers, computed as for any visitor: its figure and controls alone, as large as the
   * place that there is. */
  view({ view, heading }) {
    const dark = document.documentElement.dataset.theme === "dark";
    const more = `present=1&embed=true&embed_options=${dark ? "dark" : "light"}_theme`;
    const src = `${view}${view.includes("?") ? "&" : "?"}${more}`;
    const frame = el("iframe", { src, title: `The view: ${heading}` });
    const place = el("div.view.loading", frame, el("p.quiet", { role: "status" }, "The app is opening…"));
    whenDrawn(frame, () => place.classList.remove("loading"));
    new ResizeObserver(() => place.style.setProperty("--scale", place.clientWidth / SCREEN)).observe(place);
    return place;
  }

  /** A room that was here is over; of one that never was, it is said why. Nothing is left of its question. */
  over(why, hasEnded) {
    const wasHere = (this.wasHere ||= hasEnded || Boolean(this.news));
    this.line.stop();
    this.news = undefined; // no key does anything any more
    this.root.classList.add("over");
    for (const node of [this.told, this.asked, this.count, this.here, this.place]) write(node, "");
    write(this.heading, wasHere ? "The class is over." : "This room is not here");
    const door = el("p", el("a", { href: "./classroom" }, wasHere ? "Start another class" : "Start a class"));
    this.body.replaceChildren(el("div.ended", ...(wasHere ? [] : [el("p.hint", why)]), door));
  }

  // ---- what the teacher does ----

  /** What is wished of the room as it is (news => wish). Of two quick keys the second one waits until the first has
   * been done, and acts on what is there then. */
  turn(wish) {
    this.turned = this.turned.then(async () => {
      if (!this.news) return;
      const { status, told } = await ask(`./rooms/${this.code}/turn`, wish(this.news));
      this.lost.hidden = status !== 0;
      if (status === 200 && told.since) this.line.tell(told);
      else if (IS_OVER.includes(status)) this.over(told.sentence, status === 410);
    });
  }

  step(by) {
    if (this.news) this.turn(({ at, of }) => ({ at: Math.min(of - 1, Math.max(0, at + by)) }));
  }

  reveal() {
    this.turn(({ step }) => ({ shown: !step.shown }));
  }

  /** A view that loads may take the keyboard; unless somebody went there, the keys stay with the class. */
  keepFocus() {
    const frame = document.activeElement;
    if (frame?.tagName !== "IFRAME" || frame.matches(":hover") || this.lastKey === "Tab") return;
    frame.blur();
    window.focus();
  }

  key(event) {
    this.lastKey = event.key;
    if (!this.news || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const { back, next, again, reveal, free, door } = this.buttons;
    const keys = {
      ArrowLeft: back,
      PageUp: back,
      ArrowRight: next,
      PageDown: next,
      v: again,
      r: reveal,
      f: free,
      l: door,
    };
    const button = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!button) return;
    event.preventDefault();
    button.click(); // one that is disabled does nothing
  }
}

const LONGEST = 20_000; // milliseconds that a view may stay hidden

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

followTheme();
new Projector(document.querySelector("main"));
