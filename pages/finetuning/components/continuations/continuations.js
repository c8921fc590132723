// A race of five trainings, a row for each: how much it has learned of the new task, how much of the old one is left,
// and how much is lost. Beside the rows stands a held-out text that is typical of the one that is taken: a fact that it
// has right is bold, what it says in place of one is struck. The beginning of the training is played once when the page
// opens.

import {
  asShare,
  el,
  mirror,
  mount,
  param,
  put,
  rewrite,
  still,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { choice, firstBeat, slider, tween } from "../../../../attention_view/controls.js";

const PAUSE = 300; // milliseconds from one measured step to the next
const [SEEN, BEAT] = [600, 3000]; // when the page opens: the beginning is seen, and then the first one is there

const [TALKS, STORIES, OWN] = ["talks", "stories", "own"];
const ALL = "all weights";
const TRAINING = new Map([
  [ALL, "Training all weights"],
  ["last layer", "Training the last layer"],
  ["output only", "Training the output only"],
  ["from scratch", "Training from scratch"],
]);
const WITH = new Map([
  ["last layer", "The last layer"],
  ["output only", "The output"],
]);
const TAGS = new Map([
  [true, "b"],
  [false, "s"],
  [null, "span"],
]);

/** What is read at first: what a link asks for, else what is written after a beginning that is not the page's own. */
export function kindOf(asked, isUsual) {
  if ([TALKS, STORIES, OWN].includes(asked)) return asked;
  return isUsual ? TALKS : OWN;
}

/** What is written, word by word: what was told in ink, what is wrong struck. */
const written = (text) => text.flatMap(([gap, word, keeps]) => [gap, el(TAGS.get(keeps), word)]);

/** What a text is called that has so many facts right of so many, where the share of all texts is this one. */
export const fits = (right, n, share) =>
  Math.abs(right - share * n) <= 0.8 ? "A typical one." : "None is typical; this is one of the closest.";

/** A held-out text, word by word: a fact that is right in bold, what is said in place of one struck before it. */
export function judged(text, says) {
  let n = 0;
  return text.flatMap(([gap, word, isFact]) => {
    const said = isFact ? says[n++] : null;
    if (!isFact) return [gap, word];
    return said === null ? [gap, el("b", word)] : [gap, el("s", said), " ", el("i", word)];
  });
}

/** A runner at a step, in pieces of a sentence; those at odd places are set off. before: what it kept at first; all:
 * what training all weights has kept, null for that itself. */
export function told(way, step, learned, kept, before, all = null) {
  const [then, now] = [asShare(before), asShare(kept)];
  if (!step) return ["Before step 1, ", asShare(learned), " is right in new dialogues, and ", now, " in old stories."];
  const gets = ["", TRAINING.get(way) ?? way, " gets ", asShare(learned)];
  if (all !== null && step && before > Math.max(kept, all)) return beside(way, learned, kept, all);
  if (then === now) return [...gets, " right in new dialogues, and old stories stay at ", now, "."];
  const but = learned > 0.5 && before - kept > 0.1 ? "but" : "and";
  const move = kept < before ? "fall" : "rise";
  return [...gets, ` right in new dialogues, ${but} old stories ${move} from `, then, " to ", now, "."];
}

/** A runner that forgets, beside training all weights. */
function beside(way, learned, kept, all) {
  const [now, other] = [asShare(kept), asShare(all)];
  const isMore = kept < all;
  const but = isMore === learned > 0.5 ? "but" : "and";
  const gets = ["", WITH.get(way) ?? way, " gets ", asShare(learned), ` right in dialogues ${but} forgets `];
  if (now === other) return [...gets, "as much", " as all weights: old stories fall to ", now, "."];
  return [...gets, isMore ? "more" : "less", ": old stories fall to ", now, ` (all weights: ${other}).`];
}

class Continuations {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.steps && this.put(put));
    this.play = el("button.primary", { onclick: () => this.toggle() });
    this.slider = slider("Step of the training", {}, (at) => this.go(at));
    this.step = el("output.step");
    this.finding = el("h2.finding");
    this.rows = new Rows((way) => this.choose(way));
    this.name = el("h3.way");
    this.nth = 0;
    this.kinds = choice("div.kinds", "What is read", (kind) => {
      Object.assign(this, { kind, nth: 0 });
      this.show(this.at);
      this.link.later();
    });
    this.kinds.offer([
      [TALKS, "New dialogue"],
      [STORIES, "Old story"],
      [OWN, "Its own words"],
    ]);
    this.passage = new Passage();
    this.another = el("button.another", { onclick: () => this.draw() }, "Another one");
    this.tally = el("p.tally");
    this.key = el("p.told");
    root.replaceChildren(
      el("div.headline", this.finding, this.play),
      el(
        "div.stage",
        this.rows.node,
        el("div.controls", this.slider, this.step),
        el(
          "section.said",
          this.name,
          this.kinds.node,
          this.tally,
          this.passage.node,
          el("div.foot", this.key, this.another),
        ),
      ),
    );
  }

  destroy() {
    this.stop();
    this.ended?.();
  }

  update(data) {
    this.stop();
    const { race, trained, talk } = data;
    const isFirst = !this.steps;
    const share = isFirst ? 1 : this.at / this.last;
    const isOther = !isFirst && talk.begins !== this.data.talk.begins; // a beginning that was typed
    if (isOther) this.kind = OWN;
    if (isFirst) this.kind = kindOf(param("fine_read"), talk.is_usual);
    Object.assign(this, { data, steps: talk.steps, last: talk.steps.length - 1 });
    this.opens = Math.max(0, this.steps.indexOf(race.opens)) || this.last;
    this.slider.max = String(this.last);
    this.usual = race.ways[0].way;
    if (isFirst) this.way = param("fine_runner");
    if (!race.ways.some(({ way }) => way === this.way)) this.way = this.usual;
    this.rows.take(race, Object.keys(trained));
    const asked = isFirst ? this.steps.indexOf(wholeParam("fine_race_step")) : -1;
    if (asked >= 0) this.show(asked);
    else if (!isFirst) this.show(Math.round(share * this.last));
    else if (this.kind !== TALKS || !this.begin()) this.show(this.opens);
    if (isOther) this.link.later();
  }

  /** Which runner is taken, where it is and what is read, in the address. */
  put(put) {
    put("fine_runner", this.way, this.usual);
    put("fine_race_step", this.steps[Math.round(this.at)], this.steps[this.opens]);
    put("fine_read", this.kind, kindOf(null, this.data.talk.is_usual));
  }

  /** The first beat is the training itself, until the first runner is there. */
  begin() {
    let stop;
    const at = (share) => Math.max(0, share * BEAT - SEEN) / (BEAT - SEEN);
    const begin = () => (stop = tween(BEAT, (share) => this.show(at(share) * this.opens)));
    const end = () => {
      stop();
      this.show(this.opens);
    };
    this.ended = firstBeat("finetuning", BEAT, begin, end);
    return this.ended;
  }

  // ---- the training goes on ---------------------------------------------------------------------------------------

  get isOn() {
    return Boolean(this.halt);
  }

  stop() {
    this.halt?.();
    this.halt = null;
  }

  toggle() {
    this.link.later();
    if (this.isOn) {
      this.stop();
      return this.show(Math.round(this.at));
    }
    if (still()) return this.show(this.at === this.last ? 0 : this.last);
    const from = this.at === this.last ? 0 : this.at;
    const way = this.last - from;
    this.halt = tween(PAUSE * Math.max(6, way), (share) => this.goOn(from + share * way));
  }

  goOn(at) {
    this.show(at);
    if (at < this.last) return;
    this.stop();
    this.label();
    this.link.later();
  }

  go(at) {
    this.stop();
    this.show(at);
    this.link.later();
  }

  choose(way) {
    Object.assign(this, { way, nth: 0 });
    this.show(this.at);
    this.link.later();
  }

  /** The next of the texts that are typical. */
  draw() {
    this.nth += 1;
    this.show(this.at);
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  /** at: which of the steps, or between two of them while it plays. */
  show(at) {
    this.at = Math.min(this.last, Math.max(0, at));
    const n = Math.round(this.at);
    const step = this.steps[n];
    put(this.root, { "data-step": step, "data-way": this.way });
    this.slider.value = String(n);
    this.step.textContent = step ? `after ${step} of ${this.steps[this.last]} steps` : "before step 1";
    this.slider.setAttribute("aria-valuetext", this.step.textContent);
    this.rows.show(this.data.race.steps.indexOf(step), this.way);
    this.tell(n, step);
    this.label();
  }

  /** What the runner that is taken has learned and kept, and what it writes. */
  tell(n, step) {
    const { race, trained, tests, talk, typical } = this.data;
    const now = race.steps.indexOf(step);
    const { learned, kept } = race.ways.find(({ way }) => way === this.way);
    const whole = this.way === ALL ? null : race.ways.find(({ way }) => way === ALL).kept[now];
    const pieces = told(this.way, step, learned[now], kept[now], kept[0], whole);
    rewrite(this.finding, ...pieces.map((piece, at) => (at % 2 ? el("b", piece) : el("span", piece))));
    const [some, all] = trained[this.way];
    const part = some === all ? "all" : asShare(some / all);
    const counted = `trains ${part === "all" ? "all " : ""}${some.toLocaleString("en")} parameters`;
    rewrite(this.name, el("b", this.way), " ", el("small", part === "all" ? counted : `${counted}, ${part} of all`));
    this.kinds.show(this.kind);
    this.another.hidden = this.kind === OWN;
    if (this.kind === OWN) {
      const { texts } = talk.ways.find(({ way }) => way === this.way);
      this.passage.show(endOf(talk.begins), talk.begins, written(texts[n]));
      write(this.tally, "It goes on by itself.");
      return rewrite(this.key, el("b", "Bold"), ": fits the beginning. ", el("s", "Struck"), ": wrong or made up.");
    }
    const { texts, ways } = typical[this.kind];
    const [number, says] = ways[this.way][this.nth % ways[this.way].length];
    this.passage.show("", "", judged(texts[number], says[now]));
    const right = says[now].filter((said) => said === null).length;
    const share = this.kind === TALKS ? learned[now] : kept[now];
    const where = `${tests} ${this.kind === TALKS ? "dialogues" : "stories"}`;
    rewrite(this.tally, el("b", `${right} of ${says[now].length} right here`), `, ${asShare(share)} in all ${where}`);
    rewrite(
      this.key,
      fits(right, says[now].length, share),
      " ",
      el("s", "Struck"),
      ": what the model expected where another word comes.",
    );
  }

  label() {
    const next = this.at === this.last ? "▶ Train again" : "▶ Keep training";
    this.play.textContent = this.isOn ? "❚❚ Pause" : next;
  }
}

/** A row per model: a bar for what it has learned, and one for what it has kept, up to what it knew before. */
class Rows {
  constructor(choose) {
    this.choose = choose;
    this.node = el("div.rows", { role: "group", "aria-label": "The five ways: right in dialogues, in stories" });
  }

  /** order: of the rows. */
  take(race, order) {
    this.runners = order.map((way) => {
      const { learned, kept } = race.ways.find((one) => one.way === way);
      const [gain, left, loss] = [el("i.gain"), el("i.left"), el("i.loss")];
      const [right, stays, lost] = [el("strong"), el("strong"), el("span.lost")];
      const row = el(
        "button.runner",
        { "data-way": way, onclick: () => this.choose(way) },
        el("b.name", way),
        el("span.track", gain),
        el("span.share", right, el("span.unseen", " right in dialogues, ")),
        el("span.track", left, loss),
        el("span.share", stays, el("span.unseen", " right in stories "), lost),
      );
      return { row, way, gain, left, loss, right, stays, lost, shares: learned.map((share, n) => [share, kept[n]]) };
    });
    const learned = el("b", "right in new dialogues");
    const kept = el("b", "right in old stories, and ", el("span.lost", "lost"));
    const head = el("div.head", el("span"), learned, el("span"), kept, el("span"));
    this.node.replaceChildren(head, ...this.runners.map(({ row }) => row));
  }

  /** now: which of the measured steps; the bars follow. */
  show(now, taken) {
    for (const { row, way, gain, left, loss, right, stays, lost, shares } of this.runners) {
      const [learned, kept] = shares[now];
      const before = shares[0][1];
      for (const [bar, share] of [
        [gain, learned],
        [left, kept],
        [loss, Math.max(0, before - kept)],
      ])
        bar.style.width = `${(100 * share).toFixed(2)}%`;
      right.textContent = asShare(learned);
      stays.textContent = asShare(kept);
      lost.textContent = lossOf(before, kept);
      put(row, { "aria-pressed": way === taken });
    }
  }
}

/** How many points were lost, "−28"; "" for none. */
export function lossOf(before, kept) {
  const points = Math.round(100 * before) - Math.round(100 * kept);
  return points > 0 ? `−${points}` : "";
}

/** The end of a text, from a whole word on: what comes after it has to have room. */
export function endOf(text, most = 110) {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `… ${end.slice(end.indexOf(" ") + 1)}`;
}

/** A text: its beginning in quiet letters, and what was read or written in large ones. */
class Passage {
  constructor() {
    this.begins = el("span.begins");
    this.text = el("span.text");
    this.node = el("p.letters", this.begins, this.text);
  }

  show(begins, whole, parts) {
    rewrite(this.begins, begins);
    this.begins.title = whole;
    this.text.replaceChildren(...parts);
  }
}

export default mount(".continuations", Continuations);
