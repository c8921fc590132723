// Twelve heads as tabs in a machine: a hand pulls one out, bit by bit, and a beam swings to the word that then comes
// next in the story. Once one has turned it, the same machine reads another name without that head.

import {
  asShare,
  el,
  enlarged,
  mirror,
  mix,
  mount,
  param,
  still,
  strength,
  write,
} from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { Balance, between } from "../balance.js";

const TRAVEL = 44; // pixels from a tab that is in to one that is out
const STILL = 4; // pixels that a pointer may move while it presses
const FALL = 0.02; // of a share that is worth a word
const APART = 0.2; // between two shares that are hardly told apart

/** The shares while a head is so far out: the model was asked at so many places on the way, and between two of them the
 * beam goes straight. */
export function onTheWay(shares, out) {
  const at = Math.min(shares.length - 2, Math.floor(out * (shares.length - 1)));
  return between(shares[at], shares[at + 1], out * (shares.length - 1) - at);
}

/** The word that comes without any head out: its number. */
export const ownOf = ({ shares }) => Number(shares[0][0][1] > shares[0][0][0]);

/** Whether the other word comes without this head. */
export function turns(text, head) {
  const own = ownOf(text);
  return head !== null && text.shares[head].at(-1)[1 - own] > text.shares[head].at(-1)[own];
}

/** What is said while a head is out, or none: of the first text, whether its word turns; of the other one, how far both
 * are apart then. */
export function told({ words, texts }, at, head) {
  const [text, other] = texts;
  const own = ownOf(text);
  const shareOf = ({ shares }) => shares[head ?? 0].at(head === null ? 0 : -1);
  const now = shareOf(text);
  const turned = turns(text, head);
  if (at) {
    const lead = head === null ? "With every head in" : "Without this head";
    const [first, second] = texts.map((one) => shareOf(one)[1 - own]);
    const has = `“${words[1 - own]}” has ${asShare(first)}`;
    const both = `${has} after “${text.name}”, ${asShare(second)} after “${other.name}”`;
    return Math.abs(first - second) < APART ? `${lead}, the name hardly matters: ${both}.` : `${lead}, ${both}.`;
  }
  if (head === null) return `All ${text.shares.length} heads are in: it says “${words[own]}”. Pull one out.`;
  if (turned) return `✓ Without this one head, “${words[own]}” is “${words[1 - own]}”. And after “${other.name}”?`;
  if (text.shares[head][0][own] - now[own] < FALL) return `Not this one: it still says “${words[own]}”.`;
  return `Warm! “${words[own]}” falls to ${asShare(now[own])}. Another head holds more of it.`;
}

/** What a link or the page says is out: "lily:11" is [1, 11]; [0, null] for anything else. */
export function read(code, texts) {
  const [, name, number] = /^(\w+):(\d{1,3})$/.exec(code ?? "") ?? [];
  const at = texts.findIndex((text) => text.name === name);
  return at >= 0 && number < texts[at].shares.length ? [at, Number(number)] : [0, null];
}

class PullTabs {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("puzzle_pulled", this.head === null ? null : this.code));
    this.says = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    this.story = el("p.story");
    this.tabs = el("div.tabs", { role: "group", "aria-label": "Heads" });
    this.stage = el("div.machine");
    root.replaceChildren(el("div.headline", this.says, this.act), this.stage);
  }

  update(data, { setStateValue }) {
    this.tell = (code) => setStateValue("pulled", code);
    if (this.data) return;
    this.data = data; // a model of the house: it never changes
    [this.at, this.head] = read(param("puzzle_pulled"), data.texts);
    this.out = this.head === null ? 0 : 1;
    this.balance = new Balance(data.words, el("u"));
    const legend = el("p.legend", "Violet: where the last word looks, in each head.");
    this.stage.replaceChildren(el("div.left", this.story, legend, this.tabs), this.balance.node);
    this.fill();
    if (this.head !== null) this.tell(this.code);
  }

  get text() {
    return this.data.texts[this.at];
  }

  get code() {
    return `${this.text.name}:${this.head}`;
  }

  /** The tabs of a text, in rows of a layer each. */
  fill() {
    const { shape } = this.data;
    const { looks, tokens } = this.text;
    this.tabs.style.setProperty("--across", shape[1]);
    this.nodes = looks.map((weights, n) => this.tab(weights, tokens, n));
    this.tabs.replaceChildren(...this.nodes.map((node) => el("div.slot", node)));
    write(this.story, `${tokens.slice(1).join(" ").replaceAll(" .", ".")} …`);
    this.balance.swing(onTheWay(this.text.shares[this.head ?? 0], this.out));
    this.show();
  }

  tab(weights, tokens, n) {
    const [, H] = this.data.shape;
    const best = weights.indexOf(Math.max(...weights));
    const bars = weights.map((weight) =>
      el("i", { style: `height:${4 + 96 * weight}%;background:${mix("weight", Math.round(100 * strength(weight)))}` }),
    );
    return el(
      "button.tab",
      {
        "aria-label": `Layer ${Math.floor(n / H)}, head ${n % H}, which looks most at ${tokens[best]}`,
        onpointerdown: (event) => this.pull(event, n),
        onclick: (event) => event.detail || this.settle(this.head === n ? null : n, n), // no pointer has done that
      },
      el("span.bars", ...bars),
      el("span.word", tokens[best]),
    );
  }

  /** A tab comes along with the hand, and the beam with the tab; where the hand does not move, it has pressed. */
  pull(event, n) {
    if (event.button) return;
    event.preventDefault();
    this.nodes[n].focus({ preventScroll: true });
    this.endBeat?.();
    const [start, wasIn] = [this.head === n ? 1 : 0, this.head !== n];
    let hasMoved = false;
    const move = ({ clientY }) => {
      const by = (clientY - event.clientY) / enlarged(this.root);
      hasMoved ||= Math.abs(by) > STILL;
      if (hasMoved) this.draw(n, Math.min(1, Math.max(0, start + by / TRAVEL)));
    };
    this.endDrag = drag(move, () => {
      if (hasMoved) this.settle(this.out > 0.5 ? n : null, n);
      else this.settle(wasIn ? n : null, n);
    });
  }

  /** A head is so far out, and every other one in. */
  draw(n, out) {
    Object.assign(this, { head: n, out });
    this.balance.swing(onTheWay(this.text.shares[n], out));
    this.show();
  }

  /** The hand has let go: a head is out, or none; n: the tab that it had. */
  settle(head, n) {
    this.endBeat?.();
    const isSame = this.head === n;
    const from = isSame ? this.out : 0;
    const to = head === null ? 0 : 1;
    const rest = () => {
      Object.assign(this, { head, out: to });
      this.endBeat = null;
      this.show();
      this.balance.swing(onTheWay(this.text.shares[head ?? 0], to));
      this.link.later();
      if (head !== null) this.tell(this.code);
    };
    Object.assign(this, { head: n, out: from });
    if (still()) return rest();
    const shares = onTheWay(this.text.shares[n], to);
    const end = this.balance.swingTo(shares, (way) => {
      this.out = from + way * (to - from);
      this.show();
      if (way === 1) rest();
    });
    this.endBeat = () => {
      end();
      rest();
    };
  }

  get isTurned() {
    return this.out === 1 && turns(this.data.texts[0], this.head);
  }

  /** The other name, with the same head out. */
  goOn() {
    const before = this.balance.level;
    this.at = 1;
    this.fill();
    this.link.later();
    this.tell(this.code);
    this.nodes[this.head].focus({ preventScroll: true });
    if (still()) return;
    const shares = this.balance.level;
    this.balance.swing(before);
    this.endBeat = this.balance.swingTo(shares);
  }

  show() {
    const { data, text, head, out, isTurned } = this;
    this.nodes.forEach((node, n) => {
      node.style.setProperty("--out", n === head ? `${out * TRAVEL}px` : "0px");
      node.classList.toggle("away", n === head && out > 0);
      node.setAttribute("aria-pressed", n === head && out === 1);
    });
    const now = onTheWay(text.shares[head ?? 0], out);
    const both = data.words.map((word, n) => `${word} ${asShare(now[n])}`).join(", ");
    this.balance.write(now.map(asShare), both);
    if (out === 0 || out === 1) write(this.says, told(data, this.at, out ? head : null));
    this.act.hidden = !isTurned || this.at > 0;
    write(this.act, `Put in “${data.texts[1].name}”`);
    this.root.classList.toggle("solved", isTurned);
    Object.assign(this.root.dataset, { head: head ?? "", out: out.toFixed(2), name: text.name });
  }
}

export default mount(".pull-tabs", PullTabs);
