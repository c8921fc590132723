// The page of the teacher, as a projector shows it: the question, how many have answered, and then what the class
// thinks beside what the model says. The arrow keys step; the server asks who pressed them.

import { el, write } from "../../../attention_view/lab.js";
import { handIn, INPUTS } from "./answers.js";
import { Door } from "./door.js";
import { outcomeSaid, outcomeTable } from "./outcome.js";
import { areVotesNext, presses, shownBy, twice } from "./presses.js";
import { emptyCells, emptyMap, emptyPaper, pool, RESULTS, voteSaid } from "./results.js";
import { leading, replyTo, waitsForYou, whatOf } from "./said.js";
import { IS_OVER, IS_REHEARSAL, Line, ask, codeIn, followTheme } from "./wire.js";
import { View } from "./view.js";

const EMPTY = { cells: emptyCells, curve: emptyPaper, map: emptyMap }; // what the class's answers will be drawn on
const LONG = 110; // letters of a question that is set smaller
const once = presses(); // a second press of the same button is a slip of the finger, or impatience

class Projector {
  constructor(root) {
    this.root = root;
    root.classList.toggle("rehearsal", IS_REHEARSAL);
    this.code = codeIn(new URLSearchParams(location.search).get("room"));
    this.door = new Door(this.code);
    this.view = new View((event) => this.key(event));
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
    if (!IS_REHEARSAL) this.door.draw();
  }

  build() {
    const button = (name, label, act) => el(`button.${name}`, { onclick: once(act) }, label);
    this.heading = el("h1", "Opening the room…");
    this.told = el("p.told");
    this.asked = el("p.ask");
    this.finding = el("p.finding", { role: "status" });
    this.count = el("p.answered", { role: "status" });
    this.here = el("p.quiet.small");
    this.pool = el("div.dots.pool", { "aria-hidden": "true" });
    this.corner = el("div.tally", this.count, this.here, this.pool);
    this.lost = el("p.lost", { role: "alert", hidden: true }, "No connection. Trying again…");
    this.body = el("div.body");
    this.place = el("p.place");
    this.buttons = {
      back: button("back", "← Back", () => this.step(-1)),
      again: button("again", "Vote again", () => this.turn(() => ({ again: true }))),
      reveal: button("reveal", "Show the answer", () => this.reveal()),
      look: button("look", "Show the view", () => this.look(!this.isLooking)),
      free: button("free", "Let them roam", () => this.turn(({ free }) => ({ free: !free }))),
      door: button("door", "No more newcomers", () => this.turn(({ open }) => ({ open: !open }))),
      next: button("next", "Next →", () => this.step(1)),
    };
    this.root.append(
      this.lost,
      el(
        "header",
        el("div.question", this.heading, this.told, this.asked, this.finding),
        el("div.corner", this.corner, this.door.chip),
      ),
      this.body,
      this.view.node,
      el(
        "footer",
        el("div.keys", ...Object.values(this.buttons)),
        el(
          "p.quiet.small.legend",
          "Keys: ← → step, R shows the votes and then the answer, W the view, V votes again, J the way in, F lets",
          " everybody roam, L lets no newcomers in",
        ),
        this.place,
      ),
    );
  }

  // ---- what is there ----

  hear(news) {
    const { at, of, step, free, open, done } = news;
    const place = `${at} ${step.ask} ${step.shown} ${step.counted} ${done}`; // of a rehearsal, the plan may change
    if (this.at !== place) this.look(false, false);
    this.at = place;
    this.news = news;
    document.title = `${this.code} · ${news.title}`;
    write(this.heading, done ? "Thank you. That was the last question." : step.heading);
    write(this.told, done ? "" : step.say);
    const ask = step.round && !step.counted ? `${step.ask} Talk to your neighbour, then vote again.` : step.ask;
    write(this.asked, done ? "" : ask);
    this.tally(news);
    const more = `${free ? " · everybody roams" : ""}${open ? "" : " · no newcomers"}`;
    write(this.place, `${news.title} · ${done ? "the end" : `${at + 1} of ${of}`}${more}`);
    write(this.finding, findingOf(news));
    this.label(news);
    this.door.hear(news);
    const { classList } = this.root;
    classList.toggle("shown", step.shown);
    classList.toggle("done", done);
    classList.toggle("voted", Boolean(news.votes) && !done);
    classList.toggle("long", step.ask.length > LONG);
    classList.toggle("falling", Boolean(news.falls));
    if (done) this.drawEnd(news);
    else if (news.votes) this.drawResults(step, news.votes);
    else this.drawQuestion(step);
    this.hang(news);
    if (!IS_REHEARSAL) this.view.prepare(done ? "" : step.view, step.heading);
  }

  /** What the buttons say and may do. One is dark: what comes next. */
  label(news) {
    const { at, of, step, free, open, done } = news;
    const { back, again, reveal, look, free: roam, door, next } = this.buttons;
    const isTest = step.kind === "test";
    back.disabled = at === 0;
    next.hidden = done;
    write(next, at === of - 1 ? "To the end →" : "Next →");
    again.hidden = reveal.hidden = isTest || done || waitsForYou(news);
    again.disabled = step.shown || step.round > 0 || step.kind === "talk";
    const what = whatOf(step);
    write(reveal, areVotesNext(news) ? "Show the votes" : `${step.shown ? "Hide" : "Show"} the ${what}`);
    look.hidden = !this.view.mayBeSeen(step) || isTest || done;
    write(look, this.isLooking ? "Back to the answers" : "Show the view");
    look.setAttribute("aria-pressed", Boolean(this.isLooking));
    write(roam, free ? "Call them back" : "Let them roam");
    write(door, open ? "No more newcomers" : "Let newcomers in");
    roam.setAttribute("aria-pressed", free);
    door.setAttribute("aria-pressed", !open);
    this.root.dataset.lead = leading(news, this.looked === this.at);
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
    this.root.classList.toggle("tests", step.kind === "test");
    this.root.classList.toggle("asks", step.kind === "options"); // its heading is no question
    this.root.classList.toggle("invented", invented > 0);
  }

  /** Where the dots of whoever has answered wait: above the words on which they will fall, or in the corner. */
  hang({ step, votes, done }) {
    const place = (!votes && !done && step.kind === "cells" && this.body.querySelector(".asked")) || this.corner;
    if (this.pool.parentNode === place) return;
    if (place === this.corner) place.append(this.pool);
    else place.prepend(this.pool);
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
    const isHandedIn = IS_REHEARSAL && step.kind !== "cells" && step.kind in INPUTS;
    const what = isHandedIn
      ? handIn(step, (value) => this.vote(value))
      : tag
        ? el(tag, ...step.labels.map((label) => el("li", label)))
        : step.kind in EMPTY
          ? EMPTY[step.kind](step, IS_REHEARSAL && ((value) => this.vote(value)))
          : el("p.hint", hints[step.kind] ?? "Talk to your neighbour.");
    this.body.replaceChildren(what, this.door.picture);
  }

  /** Whoever rehearses answers on the board. */
  vote(value) {
    const { at, step } = this.news;
    ask(`./rooms/${this.code}/answer`, { at, round: step.round, value });
  }

  /** What the class says beside what the model does; of an invented class also while the model is held back. */
  drawResults(asked, votes) {
    const step = { truth: [], replies: [], ...asked };
    const drawn = `${step.shown} ${this.news.at} ${step.ask} ${step.round} ${JSON.stringify(votes)}`;
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    const best = step.truth.indexOf(Math.max(...step.truth));
    const reply = step.shown && replyTo(step, best);
    this.body.replaceChildren(
      el(
        "section.results",
        { "aria-label": "What the class says" },
        RESULTS[step.kind](step, votes, this.news.mine),
        ...(reply ? [el("p.reply", reply)] : []),
      ),
      this.door.picture,
    );
  }

  /** The end, and beside it the way in for whoever asks for it. */
  drawEnd(news) {
    this.drawOutcome(news);
    this.body.append(this.door.picture);
  }

  /** The end: what the class has answered in all, and the way out, which stays as it is while late answers come. */
  drawOutcome({ outcome }) {
    const drawn = `done ${JSON.stringify(outcome)}`;
    if (this.drawn === drawn) return;
    const isNew = !this.drawn?.startsWith("done ");
    this.drawn = drawn;
    const table = outcomeTable(outcome);
    if (isNew) {
      const way = IS_REHEARSAL ? [] : [wayOut(() => this.end())];
      this.outcome = el("section.results", { "aria-label": "What the class has answered" }, ...way);
      this.body.replaceChildren(this.outcome);
    }
    this.outcome.querySelector(".outcome")?.remove();
    if (table) this.outcome.prepend(table);
  }

  /** A room that was here is over, or has moved: why says which. Of one that never was, it is said why. Nothing is left
   * of its question. */
  over(why, hasEnded) {
    const wasHere = (this.wasHere ||= hasEnded || Boolean(this.news));
    this.line.stop();
    this.look(false, false);
    this.news = undefined; // no key does anything any more
    this.root.classList.remove("done");
    this.root.classList.add("over");
    for (const node of [this.told, this.asked, this.finding, this.count, this.here, this.place]) write(node, "");
    const told = hasEnded ? why : "The class is over.";
    write(this.heading, wasHere ? told : "This room is not here");
    const door = el("p", el("a", { href: "./classroom" }, wasHere ? "Start another class" : "Start a class"));
    this.body.replaceChildren(el("div.ended", ...(wasHere ? [] : [el("p.hint", why)]), door));
    this.heading.tabIndex = -1;
    this.heading.focus(); // what had the keyboard is gone
  }

  // ---- what the teacher does ----

  /** What is wished of the room as it is (news => wish). Of two quick keys the second one waits until the first has
   * been done, and acts on what is there then. */
  turn(wish) {
    return (this.turned = this.turned.then(async () => {
      if (!this.news) return;
      const { status, told } = await ask(`./rooms/${this.code}/turn`, wish(this.news));
      this.lost.hidden = status !== 0;
      if (status === 200 && told.since) this.line.tell(told);
      else if (IS_OVER.includes(status)) this.over(told.sentence, status === 410);
    }));
  }

  step(by) {
    return this.turn(({ at, of, done }) => {
      if (done || at + by >= of) return { done: by > 0 };
      return { at: Math.max(0, at + by) };
    });
  }

  reveal() {
    const said = this.news;
    return this.turn((news) => shownBy(said, news));
  }

  /** The view as large as the stage, or the answers of the class. */
  look(isOn, isAsked = true) {
    if (isOn === Boolean(this.isLooking)) return;
    this.isLooking = isOn;
    if (isOn) this.looked = this.at;
    this.root.classList.toggle("looking", isOn);
    this.view.show(isOn, this.news?.step.view, this.news?.step.heading);
    if (isAsked) this.label(this.news);
  }

  async end() {
    const { status, told } = await ask(`./rooms/${this.code}/turn`, { end: true });
    if (status === 200) this.over("The class is over.", true);
    else if (IS_OVER.includes(status)) this.over(told.sentence, status === 410);
    else this.lost.hidden = Boolean(told);
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
    const { back, next, again, reveal, look, free, door } = this.buttons;
    const keys = {
      ArrowLeft: back,
      PageUp: back,
      ArrowRight: next,
      PageDown: next,
      v: again,
      r: reveal,
      w: look,
      f: free,
      l: door,
      j: this.door.chip,
    };
    const button = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!button) return;
    event.preventDefault();
    if (!button.hidden) button.click(); // one that is disabled does nothing
  }
}

/** One button that ends the class when it is pressed twice, and where its answers are until then. */
function wayOut(end) {
  const page = el("a", { href: "./classroom", target: "_blank" }, "The page Class");
  const warning = el("span");
  const button = el("button.end");
  const show = (isSure) => {
    write(button, isSure ? "End it for everybody" : "End the class");
    write(warning, isSure ? "It ends on every phone, and its answers are then gone for good. " : "");
  };
  twice(button, show, () => once(end, performance.now()));
  return el("div.out", button, el("p.quiet", { role: "status" }, warning, page, " has the answers until then."));
}

/** What the answers come to, in a sentence. */
function findingOf({ step, votes, seats, outcome, done }) {
  if (done) return outcomeSaid(outcome, seats);
  return votes && step.kind === "cells" ? voteSaid({ truth: [], ...step }, votes) : "";
}

followTheme();
new Projector(document.querySelector("main"));
