// An English sentence, the French that is written from it, and a cable between the two, which a hand pulls out: the
// further, the less of what attention brings arrives, and the French changes under the hand.

import {
  el,
  mirror,
  mount,
  param,
  pointIn,
  put,
  shareInProse,
  still,
  svg,
  wholeParam,
  wholePercent,
  write,
} from "../../../../attention_view/lab.js";
import { drag, takesHold, tween } from "../../../../attention_view/controls.js";

const ONCE = "mask_wire_values"; // in links of before: where the values came from
const [HIGH, LOW] = [236, 176]; // pixels that the cable hangs in, beside its card and below it
const SOCKET = 2; // pixels: where the plug is at home
const MIDDLE = 84; // pixels that the plug hangs at
const UP = 42; // the same at home below its card
const PRONG = 16; // pixels
const FOOT = 0.86; // of the width, where the cable goes into the French
const SLACK = 190; // pixels of a cable between the plug, where it is out, and its foot
const SAG = 120; // pixels that it bulges where it is out
const PULL = 4000; // milliseconds of the whole way out
const UNSURE = 0.95; // a word less likely than this wavers

const isWord = (token) => !token.startsWith("⟨");

/** What has happened, in a sentence. words: that are written; likely: each of them; all: those of the translation */
export function pulled(share, words, likely, all) {
  if (share === 1) return "The French is made from the English. Pull the plug: when does a word change?";
  if (!share)
    return `No English arrives, yet it is ${shareInProse(likely[0])} sure of “${words[0]}”: the same for any English.`;
  const others = words.filter((word) => !all.includes(word));
  const left = all.slice();
  for (const word of words) if (left.includes(word)) left.splice(left.indexOf(word), 1);
  const few = (n, of = "") => (n === 1 ? `One word${of} is` : `${n} words${of} are`);
  const turned = left.length === 1 && `“${left[0]}” turns into “${others[0]}”`;
  const said = others.length
    ? (others.length === 1 && turned) || `${few(others.length)} not in the translation`
    : words.join(" ") === all.join(" ")
      ? `Still the translation${wavering(words, likely)}`
      : left.length
        ? `${few(left.length, " of the translation")} missing`
        : "No word is missing, yet it is not the translation";
  return `${said}.`;
}

/** The word that it is least sure of, where it is not sure. */
function wavering(words, likely) {
  const least = Math.min(...likely);
  return least < UNSURE ? `, but “${words[likely.indexOf(least)]}” wavers` : "";
}

class Plugs {
  constructor(root) {
    this.root = root;
    this.says = el("span", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
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
    const lower = el("div.french", el("small", "the French it writes, and how sure it is of each word"), this.french);
    const headline = el("div.headline", el("h2.finding", this.says), this.act);
    root.replaceChildren(headline, el("div.scene", upper, lower));
    this.link = mirror((to) => {
      to(ONCE, null);
      to("mask_wire_left", Math.round(100 * this.share), 100);
    }, 200);
  }

  update(data, { setTriggerValue }) {
    this.data = data;
    this.send = setTriggerValue;
    const left = (wholeParam("mask_wire_left") ?? (param(ONCE) === "decoder" ? 0 : 100)) / 100;
    const far = data.arrives.map((share) => Math.abs(share - left));
    this.n ??= Math.max(0, far.indexOf(Math.min(...far)));
    this.english.textContent = data.source.join(" ");
    const letters = Math.max(...data.written.map((row) => row.filter(isWord).join(" ").length));
    this.french.style.setProperty("--letters", letters); // of the longest line: none is broken while it is pulled
    this.draw();
  }

  get share() {
    return this.data.arrives[this.n];
  }

  /** Pixels that the plug can be pulled. */
  get room() {
    return Math.max(100, FOOT * this.cable.clientWidth - SOCKET - SLACK);
  }

  /** The plug goes all the way out; and where it is, another English sentence changes nothing. */
  goOn() {
    this.stop?.();
    if (!this.share) return this.send("another", true);
    const [from, to] = [this.x, SOCKET + this.room];
    if (still()) return this.pull(to);
    const way = (PULL * (to - from)) / this.room;
    this.stop = tween(way, (at) => this.pull(from + at * (to - from)));
  }

  take(event) {
    if (!takesHold(event)) return;
    this.stop?.();
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
    this.stop?.();
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
    const { written, likely, arrives, glosses } = this.data;
    this.x = x ?? SOCKET + (1 - n / (arrives.length - 1)) * this.room;
    const words = written[n].filter(isWord);
    const sure = likely[n].filter((_, at) => isWord(written[n][at]));
    const all = written.at(-1).filter(isWord);
    write(this.says, pulled(share, words, sure, all));
    write(this.act, share ? "Pull it out" : "Another English sentence");
    this.french.replaceChildren(
      ...words.map((word, at) =>
        el(
          all.includes(word) ? "span" : "span.other",
          word,
          el("small", { lang: "en" }, glosses[word]),
          el("i", { style: `--sure:${100 * sure[at]}%` }),
          el("small", { lang: "en" }, wholePercent(sure[at])),
        ),
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
    const high = isBelow ? LOW : HIGH;
    const middle = isBelow ? Math.min(MIDDLE, UP + (x - SOCKET)) : MIDDLE;
    const [ask, up] = isBelow ? [wide - 20, 12] : [-card.offsetWidth / 2, card.offsetHeight + 12];
    const foot = FOOT * wide;
    put(this.cable, { viewBox: `0 0 ${wide} ${high}`, height: high });
    const sag = SAG * Math.max(0, (x - SOCKET) / this.room);
    const cores = [
      ["key", "K", -15],
      ["value", "V", 15],
    ].map(([hue, letter, by]) => {
      const y = middle + by;
      const [from, to] = [x + 58, foot - by];
      const [side, top] = [x + 31 + by, middle - 38]; // of a prong below its card
      const home = SOCKET + 31 + by;
      const prong = isBelow ? `M${side} ${Math.max(0, top - PRONG)}V${top}` : `M${Math.max(0, x - PRONG)} ${y}H${x}`;
      const gap = isBelow ? `M${home} 0C${home} ${top} ${side} 0 ${side} ${top - PRONG}` : `M0 ${y}H${x - PRONG}`;
      return [
        ...(share < 1 ? [svg(`path.gap.${hue}`, { d: gap, style: `opacity:${share}` })] : []),
        svg(`path.core.${hue}`, {
          d: `M${from} ${y}C${(from + to) / 2 + sag} ${y} ${to + sag} ${y + 40} ${to} ${high}`,
        }),
        svg(`path.prong.${hue}`, { d: prong }),
        svg(`text.letter.${hue}`, { x: x + 31, y: y + 9 }, letter),
      ];
    });
    const letters = cores.map((parts) => parts.pop());
    this.cable.replaceChildren(
      ...cores.flat(),
      svg("path.core.query", { d: `M${ask} ${high}V${up + 18}` }),
      svg("path.tip.query", { d: `M${ask - 14} ${up + 20}l14 -22l14 22Z` }),
      svg("text.asks.query", { x: ask - 22, y: isBelow ? 34 : (up + high) / 2 + 12 }, "Q asks"),
      svg("rect.plug", { x, y: middle - 38, width: 62, height: 76, rx: 12 }),
      ...letters,
      svg("text.share", { x, y: isBelow ? middle + 66 : middle - 50 }, `${Math.round(100 * share)}% arrives`),
    );
  }

  resized() {
    if (this.data) this.draw();
  }

  destroy() {
    this.stop?.();
  }
}

export default mount(".wiring-plugs", Plugs);
