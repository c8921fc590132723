// A piece of code. A thread leads from each closing bracket to the token that a head looked at most as it closed it;
// with one bracket held, every token is as strong as its attention weight.

import { boxOf, el, fixed, mix, mount, strength, svg } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";

const OPENING = "([{";
const LETTERS = { usual: 16, least: 14.5, most: 54 }; // pixels

/** What is said of one closing bracket; data as the server sends it. */
export function told({ pieces, head }, { at, partner, looks, expected, p, row, rest }) {
  const bracket = pieces[at][1];
  const where =
    looks < 0
      ? `at the start of the text (${fixed(rest)})`
      : `at ${pieces[looks][1]} (${fixed(row[looks])}), ` +
        (looks === partner ? "its partner" : "which is not its partner");
  const verdict = expected === bracket ? `It expects ${bracket}` : `It expects ${expected}, not ${bracket}`;
  const lost = partner === null ? " This bracket closes nothing." : "";
  return (
    `To write ${bracket}, ${head} looks most ${where}. ` +
    `${verdict}: it gives ${bracket} a probability of ${fixed(p)}.${lost}`
  );
}

class CodeBrackets {
  constructor(root) {
    this.root = root;
    this.lines = svg("svg.lines.from-left", { "aria-hidden": "true" });
    this.sheet = el("div.sheet");
    this.desk = el("div.desk", { tabindex: 0, role: "region", "aria-label": "The code" }, this.sheet);
    this.say = el("p.say", { role: "status" });
    root.replaceChildren(this.desk, this.say);
    this.resized = () => this.fit();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    this.signature = signature;
    this.data = data;
    this.held = null;
    this.paint();
    if (isFirst) this.endBeat = drawnIn(this.root, "brackets");
  }

  destroy() {
    this.endBeat?.();
  }

  paint() {
    const { pieces, closings } = this.data,
      byPlace = new Map(closings.map((one) => [one.at, one]));
    this.tokens = pieces.map(([, text], place) => {
      const one = byPlace.get(place);
      if (!one) return el("span", { class: OPENING.includes(text) ? "token open" : "token" }, text);
      const wrong = one.expected !== text;
      return el(
        "button",
        {
          class: wrong ? "unexpected" : null,
          "aria-label":
            `closing bracket ${text}, token ${place + 1}` + (wrong ? `; the model expects ${one.expected}` : ""),
          onpointerenter: () => this.hold(one),
          onpointerleave: () => this.hold(null),
          onfocus: () => this.hold(one),
          onblur: () => this.hold(null),
          onclick: () => this.hold(one),
        },
        text,
      );
    });
    this.sheet.replaceChildren(...pieces.flatMap(([gap], place) => [gap, this.tokens[place]]), this.lines);
    this.fit();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** Letters as large as the desk has room for all of the code; where that is too small to read, the desk scrolls. */
  fit() {
    const { usual, least, most } = LETTERS;
    const as = (size) => this.sheet.style.setProperty("--letters", `${size}px`);
    as(usual);
    const { offsetWidth: width, offsetHeight: height } = this.sheet;
    if (!width) return;
    const fitting = usual * Math.min(this.desk.clientWidth / width, this.desk.clientHeight / height);
    this.letters = Math.max(least, Math.min(most, Math.floor(2 * fitting) / 2));
    as(this.letters);
    this.paintThreads();
  }

  hold(one) {
    if (one === this.held) return;
    this.held = one;
    this.paintThreads();
  }

  /** The upper edge of a token, in the middle: [x, y] in the sheet. */
  top(place) {
    const sheet = boxOf(this.sheet),
      box = boxOf(this.tokens[place]);
    return [box.left + box.width / 2 - sheet.left, box.top - sheet.top + 3];
  }

  paintThreads() {
    const { closings } = this.data,
      { held } = this,
      grown = this.letters / LETTERS.usual;
    const { width, height } = boxOf(this.sheet);
    if (!width) return;
    this.lines.setAttribute("width", width);
    this.lines.setAttribute("height", height);
    const threads = closings
      .filter((one) => (!held || one === held) && one.looks >= 0)
      .map((one) => {
        const [[x1, y1], [x2, y2]] = [this.top(one.at), this.top(one.looks)],
          w = one.row[one.looks],
          rise = grown * Math.min(20, 9 + 0.06 * Math.abs(x1 - x2));
        return svg("path", {
          class: one.looks === one.partner ? "thread" : "thread astray",
          d: `M${x1} ${y1}C${x1} ${y1 - rise} ${x2} ${y2 - rise} ${x2} ${y2}`,
          "stroke-width": (grown * (1 + 2.5 * w)).toFixed(2),
          "stroke-dasharray": one.looks === one.partner ? null : `${3 * grown} ${6 * grown}`,
          opacity: (0.3 + 0.6 * w).toFixed(2),
        });
      });
    this.lines.replaceChildren(...threads);
    this.tokens.forEach((token, place) => {
      const w = held?.row[place];
      token.style.background = w ? mix("weight", Math.round(50 * strength(w))) : "";
      token.classList.toggle("partner", held?.partner === place);
      token.classList.toggle("held", held?.at === place);
    });
    this.say.textContent = held
      ? told(this.data, held)
      : "Hover over a closing bracket, or tap it, to see where it looks. A dashed thread misses the partner.";
    this.root.dataset.threads = String(threads.length);
  }
}

export default mount(".code-brackets", CodeBrackets);
