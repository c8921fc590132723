// An English sentence, the French that is written from it, and a cable between the two, which a hand pulls out: the
// further, the less of what attention brings arrives, and the French changes under the hand.

import { el, mirror, mount, param, pointIn, put, svg, wholeParam, write } from "../../../../attention_view/lab.js";
import { drag, takesHold } from "../../../../attention_view/controls.js";

const ONCE = "mask_wire_values"; // in links of before: where the values came from
const HIGH = 236; // pixels that the cable hangs in
const [SOCKET, MIDDLE] = [18, 84]; // pixels: where the plug is at home
const FOOT = 0.86; // of the width, where the cable goes into the French
const SLACK = 190; // pixels of a cable between the plug, where it is out, and its foot

const isWord = (token) => !token.startsWith("⟨");

/** What has happened, in a sentence. words: that are written; all: those of the translation */
export function pulled(share, words, all) {
  if (share === 1) return "The French is made from the English. Pull the plug out: what will it write?";
  if (!share) return "No English arrives, and it still writes French: the same for any English.";
  const n = words.filter((word) => !all.includes(word)).length;
  const left = all.slice();
  for (const word of words) if (left.includes(word)) left.splice(left.indexOf(word), 1);
  const few = (n, of = "") => (n === 1 ? `one word${of} is` : `${n} words${of} are`);
  const said = n
    ? `${few(n)} not in the translation`
    : words.join(" ") === all.join(" ")
      ? "still the translation"
      : left.length
        ? `${few(left.length, " of the translation")} missing`
        : "no word is missing, yet it is not the translation";
  return `${Math.round(100 * share)}% arrives: ${said}.`;
}

class Plugs {
  constructor(root) {
    this.root = root;
    this.says = el("p.finding", { role: "status" });
    this.english = el("p");
    this.french = el("p", { lang: "fr" });
    this.cable = svg("svg.cable", {
      role: "slider",
      tabindex: "0",
      "aria-label": "Share of the English that arrives, in percent",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
      onpointerdown: (event) => this.take(event),
      onkeydown: (event) => this.press(event),
    });
    const upper = el("div.upper", el("div.english", el("small", "English"), this.english), this.cable);
    const lower = el("div.french", el("small", "the French it writes"), this.french);
    root.replaceChildren(this.says, el("div.scene", upper, lower));
    this.link = mirror((to) => {
      to(ONCE, null);
      to("mask_wire_left", Math.round(100 * this.share), 100);
    }, 200);
  }

  update(data) {
    this.data = data;
    const left = (wholeParam("mask_wire_left") ?? (param(ONCE) === "decoder" ? 0 : 100)) / 100;
    const far = data.arrives.map((share) => Math.abs(share - left));
    this.n ??= Math.max(0, far.indexOf(Math.min(...far)));
    this.english.textContent = data.source.join(" ");
    this.draw();
  }

  get share() {
    return this.data.arrives[this.n];
  }

  /** Pixels that the plug can be pulled. */
  get room() {
    return Math.max(100, FOOT * this.cable.clientWidth - SOCKET - SLACK);
  }

  take(event) {
    if (!takesHold(event)) return;
    const far = this.x - pointIn(event, this.cable)[0];
    this.endDrag = drag(
      (event) => this.pull(pointIn(event, this.cable)[0] + far),
      () => this.draw(),
    );
  }

  pull(x) {
    const out = Math.max(0, Math.min(1, (x - SOCKET) / this.room));
    this.go(Math.round((1 - out) * (this.data.arrives.length - 1)), SOCKET + out * this.room);
  }

  press(event) {
    const last = this.data.arrives.length - 1;
    const to = { ArrowRight: -1, ArrowUp: 1, ArrowDown: -1, ArrowLeft: 1, Home: -last, End: last }[event.key];
    if (!to) return;
    event.preventDefault();
    this.go(Math.max(0, Math.min(last, this.n + to)));
  }

  go(n, x) {
    this.n = n;
    this.draw(x);
    this.link.later();
  }

  /** x: where the hand holds the plug; it rests where its share is */
  draw(x) {
    const { share, n } = this;
    const { written, arrives, glosses } = this.data;
    this.x = x ?? SOCKET + (1 - n / (arrives.length - 1)) * this.room;
    const words = written[n].filter(isWord);
    const all = written.at(-1).filter(isWord);
    write(this.says, pulled(share, words, all));
    this.french.replaceChildren(
      ...words.map((word) =>
        el(all.includes(word) ? "span" : "span.other", word, el("small", { lang: "en" }, glosses[word])),
      ),
    );
    this.root.dataset.painted = "true";
    put(this.cable, { "aria-valuenow": Math.round(100 * share), "aria-valuetext": words.join(" ") });
    this.hang();
  }

  /** The cable: its two cores, from the plug down to the French; and from there up to the English what is asked. */
  hang() {
    const { x, share } = this;
    const wide = this.cable.clientWidth;
    const card = this.english.parentNode;
    const isBelow = this.cable.getBoundingClientRect().top >= card.getBoundingClientRect().bottom;
    const [ask, up] = isBelow ? [wide - 20, 12] : [-card.offsetWidth / 2, card.offsetHeight + 12];
    const foot = FOOT * wide;
    put(this.cable, { viewBox: `0 0 ${wide} ${HIGH}`, height: HIGH });
    const cores = [
      ["key", "K", -15],
      ["value", "V", 15],
    ].map(([hue, letter, by]) => {
      const y = MIDDLE + by;
      const [from, to] = [x + 58, foot - by];
      return [
        svg(`path.gap.${hue}`, {
          d: isBelow ? `M${49 + by} 0C${49 + by} ${y} ${49 + by} ${y} ${x} ${y}` : `M0 ${y}H${x}`,
          style: `opacity:${share}`,
        }),
        svg(`path.core.${hue}`, { d: `M${from} ${y}C${(from + to) / 2} ${y} ${to} ${y + 40} ${to} ${HIGH}` }),
        svg(`path.prong.${hue}`, { d: `M${x - 16} ${y}h20` }),
        svg(`text.letter.${hue}`, { x: x + 31, y: y + 9 }, letter),
      ];
    });
    this.cable.replaceChildren(
      ...cores.flatMap(([gap, core, prong]) => [gap, core, prong]),
      svg("path.core.query", { d: `M${ask} ${HIGH}V${up + 18}` }),
      svg("path.tip.query", { d: `M${ask - 14} ${up + 20}l14 -22l14 22Z` }),
      svg("text.letter.query", { x: ask - 28, y: (up + HIGH) / 2 + 12 }, "Q"),
      svg("rect.plug", { x, y: MIDDLE - 38, width: 62, height: 76, rx: 12 }),
      ...cores.map(([, , , letter]) => letter),
      svg("text.share", { x: x + 31, y: isBelow ? MIDDLE + 66 : MIDDLE - 50 }, `${Math.round(100 * share)}%`),
    );
  }

  resized() {
    if (this.data) this.draw();
  }
}

export default mount(".wiring-plugs", Plugs);
