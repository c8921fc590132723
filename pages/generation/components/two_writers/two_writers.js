// Two models write the same answers, letter by letter. A right letter stands in ink, a wrong one is struck, and where
// nothing was written the place stays empty.

import { el, mount, still } from "../../../../attention_view/lab.js";
import { firstBeat, Player, tween } from "../../../../attention_view/controls.js";

const PAUSE = 280, // milliseconds from one letter to the next
  BEAT = 3000,
  ASKED = 2; // the letter whose sight is drawn

/** What stands at each place once so many letters were written: ["right" | "wrong" | "empty" | "open", letter]. A place
 * is open until its letter's turn, and empty where the writer had ended before it. */
export function places(right, written, n) {
  const length = Math.max(right.length, written.length);
  return Array.from({ length }, (_, i) => {
    if (i >= n) return ["open", ""];
    if (i >= written.length) return ["empty", ""];
    return [written[i] === right[i] ? "right" : "wrong", written[i]];
  });
}

/** What a writer sees of the right letters where it is asked for one: ["seen" | "asked" | "blocked", letter] each. Who
 * sees ahead sees the one that is asked for, too. */
export function sighted(right, asked, seesAhead) {
  return right.map((letter, i) => {
    if (i === asked) return ["asked", seesAhead ? letter : "?"];
    return i < asked || seesAhead ? ["seen", letter] : ["blocked", ""];
  });
}

/** A share in percent, as exact as a table says it: 0%, 99%, 99.9%. */
export const inPercent = (share) => `${Number((100 * share).toFixed(1))}%`;

/** How many letters the longest answer has, written or right. */
export const longest = (samples) =>
  Math.max(0, ...samples.flatMap(({ right, written }) => [right.length, ...written.map((text) => text.length)]));

class TwoWriters {
  constructor(root) {
    this.root = root;
    this.player = new Player(
      () => this.advance(),
      PAUSE,
      () => this.label(),
    );
    this.play = el("button.play", { onclick: () => this.toggle() });
    this.sheet = el("div.sheet");
    root.replaceChildren(this.sheet, el("div.controls", this.play));
  }

  update(data) {
    const isFirst = !this.data;
    this.data = data;
    this.last = longest(data.samples) + 1;
    this.show(this.last);
    this.label();
    if (isFirst) this.begin();
  }

  /** At first both write their answers within the beat. */
  begin() {
    let stop;
    const begin = () => (stop = tween(BEAT, (share) => this.show(Math.floor(share * this.last))));
    const end = () => (stop(), this.show(this.last));
    this.endBeat = firstBeat("writers", BEAT, begin, end);
  }

  destroy() {
    this.player.stop();
    this.endBeat?.();
  }

  toggle() {
    if (this.player.isOn) this.player.stop();
    else if (still()) this.show(this.last);
    else {
      this.show(0);
      this.player.start();
    }
  }

  advance() {
    this.show(this.at + 1);
    if (this.at >= this.last) this.player.stop();
  }

  label() {
    this.play.textContent = this.player.isOn ? "Stop" : "▸ Let both write";
  }

  show(n) {
    const { writers, samples } = this.data;
    this.at = n;
    this.root.dataset.written = n;
    const heads = writers.map(({ name, in_training, by_itself, sees_ahead }) =>
      el(
        "section.writer",
        el("h2", name),
        el("p", el("b", inPercent(in_training)), el("small", "in training: the right letters are fed to it")),
        el("p.alone", el("b", inPercent(by_itself)), el("small", "writing by itself")),
        this.sight(sees_ahead),
      ),
    );
    const rows = samples.flatMap(({ reads, right, written }) => [
      el("div.reads", reads.join(" ")),
      ...written.map((text, k) => this.answer(writers[k].name, right, text, n)),
    ]);
    this.sheet.replaceChildren(el("div.reads.head", el("small", "what it reads, to be reversed")), ...heads, ...rows);
  }

  /** Which letters of the first answer a writer may read in training, where it is asked for one of them. */
  sight(seesAhead) {
    const right = this.data.samples[0]?.right ?? [];
    const asked = Math.min(ASKED, right.length - 1);
    const tiles = sighted(right, asked, seesAhead).map(([kind, letter]) => el(`i.${kind}`, letter));
    const says = seesAhead ? "it reads the answer itself" : "it reads what comes before";
    return el("p.sight", el("small", `asked for letter ${asked + 1}:`), el("span", ...tiles), el("small", says));
  }

  answer(name, right, written, n) {
    const label = `${name}: ${written.join(" ") || "nothing"}; right is ${right.join(" ")}`;
    const cells = places(right, written, n).map(([kind, letter]) => el(`i.${kind}`, letter));
    const isSilent = n > 0 && !written.length;
    return el("div.answer", { role: "img", "aria-label": label }, ...cells, isSilent ? el("small", "nothing") : null);
  }
}

export default mount(".two-writers", TwoWriters);
