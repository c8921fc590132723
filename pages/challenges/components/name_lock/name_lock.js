// A lock of letters: wheels spell the name in a story, and a beam swings to the likelier of the two words that may come
// next. It opens where both reach their mark.

import { asShare, el, mirror, mount, param, still } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { Balance, between, heightOf } from "../balance.js";

const STILL = 4; // pixels that a pointer may move while it presses
const KINDS = ["boy", "girl"];
const NEAR = 0.5; // of the mark: a word that comes so far is cheered
const NOTCH = 50; // pixels that a mouse wheel scrolls at least for a letter

/** Where the wheels stand that spell this name; null where they cannot. */
export function spelled(name, wheels) {
  const at = wheels.map((letters, n) => letters.indexOf(name?.[n] ?? "?"));
  return name?.length === wheels.length && at.every((place) => place >= 0) ? at : null;
}

/** The number of a name among all, the last wheel turning fastest. */
export const numberOf = (at, wheels) => at.reduce((number, place, n) => number * wheels[n].length + place, 0);

/** A share as it is said: what falls short of the mark never reads like the mark, but has one more digit. */
export function besideMark(share, mark) {
  const isJustBelow = share < mark && asShare(share) === asShare(mark);
  return isJustBelow ? `${(Math.floor(1000 * share) / 10).toFixed(1)}%` : asShare(share);
}

/** What a name comes to: whether it is one of the names in the stories, and what the storyteller makes of that.
 *
 * known: the names of either kind, in the order of the words */
export function verdict(name, { words, known, mark }, shares) {
  const kind = known.findIndex((names) => names.includes(name));
  const told = `“${name}” is ${kind < 0 ? "neither a boy’s nor a girl’s" : `a ${KINDS[kind]}’s`} name in its stories`;
  if (Math.min(...shares) >= mark) return `✓ ${told}: it is in two minds.`;
  const [word, other] = shares[1] > shares[0] ? [words[1], words[0]] : words;
  const least = Math.min(...shares);
  if (least >= NEAR * mark) return `Close! “${other}” has ${besideMark(least, mark)} and needs ${asShare(mark)}.`;
  return `${told}. It says “${word}”${kind < 0 ? " all the same" : ". Turn a letter"}.`;
}

class NameLock {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("puzzle_name", this.number ? this.name : null));
    this.says = el("p.finding", { role: "status" });
    this.story = el("div.story");
    root.replaceChildren(el("div.headline", this.says), this.story);
  }

  update(data, { setStateValue }) {
    this.tell = (name) => setStateValue("name", name);
    if (this.data) return;
    this.data = data; // a model of the house: it never changes
    const { wheels, after, words, mark } = data;
    const asked = spelled(param("puzzle_name"), wheels);
    this.at = asked ?? wheels.map(() => 0);
    this.wheels = wheels.map((_, n) => this.wheel(n));
    const goal = el("u", el("small", `goal: both at least ${asShare(mark)}`));
    Object.assign(goal.style, { top: heightOf(mark), bottom: `calc(100% - ${heightOf(1 - mark)})` });
    this.balance = new Balance(words, goal);
    this.story.replaceChildren(el("div.name", ...this.wheels), el("span", `${after} …`), this.balance.node);
    this.show();
    this.balance.swing(this.shares);
    if (asked) this.tell(this.name);
  }

  get name() {
    return this.at.map((place, n) => this.data.wheels[n][place]).join("");
  }

  get number() {
    return numberOf(this.at, this.data.wheels);
  }

  get shares() {
    return this.data.shares[this.number];
  }

  wheel(n) {
    const keys = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Enter: 1, " ": 1 };
    return el(
      "div.wheel",
      {
        role: "slider",
        tabIndex: 0,
        "aria-label": `Letter ${n + 1} of the name`,
        "aria-orientation": "vertical",
        "aria-valuemin": 1,
        "aria-valuemax": this.data.wheels[n].length,
        onpointerdown: (event) => this.pull(event, n),
        onwheel: (event) => this.scroll(event, n),
        onkeydown: (event) => {
          const by = keys[event.key];
          if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          this.turn(n, this.at[n] + by);
          this.settle();
        },
      },
      el("span.roll", el("span"), el("span"), el("b"), el("span"), el("span")),
    );
  }

  /** A wheel rolls with the pointer; where that does not move, it has pressed the letter above or below. */
  pull(event, n) {
    if (event.button) return;
    event.preventDefault();
    const node = this.wheels[n];
    node.focus({ preventScroll: true });
    const { top, height } = node.getBoundingClientRect();
    const [start, pitch] = [this.at[n], height / 3];
    let hasMoved = false;
    const roll = ({ clientY }) => {
      const by = clientY - event.clientY;
      hasMoved ||= Math.abs(by) > STILL;
      const steps = Math.round(by / pitch);
      this.turn(n, start - steps);
      const way = by / pitch - steps; // of a letter, beyond the one that stands there
      node.style.setProperty("--roll", `${(100 * way) / 3}%`);
      const next = numberOf(this.at.with(n, this.placeOf(n, this.at[n] - Math.sign(way))), this.data.wheels);
      this.endBeat?.();
      this.balance.swing(between(this.shares, this.data.shares[next], Math.abs(way)));
    };
    this.endDrag = drag(roll, () => {
      node.style.removeProperty("--roll");
      if (!hasMoved) this.turn(n, start + (event.clientY < top + pitch ? -1 : 1));
      this.settle();
    });
  }

  /** The mouse wheel over a wheel turns that, not the page. */
  scroll(event, n) {
    if (event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    const by = event.deltaMode ? NOTCH * Math.sign(event.deltaY) : event.deltaY;
    this.rolled = (this.scrolls === n ? this.rolled : 0) + by;
    this.scrolls = n;
    if (Math.abs(this.rolled) < NOTCH) return;
    this.turn(n, this.at[n] + Math.sign(this.rolled));
    this.rolled = 0;
    this.settle();
  }

  placeOf(n, at) {
    const { length } = this.data.wheels[n];
    return ((at % length) + length) % length;
  }

  turn(n, to) {
    this.at[n] = this.placeOf(n, to);
    this.show();
  }

  /** A name has been spelled: the address and the server hear of it. */
  settle() {
    this.endBeat?.();
    if (still()) this.balance.swing(this.shares);
    else this.endBeat = this.balance.swingTo(this.shares);
    this.link.later();
    this.tell(this.name);
  }

  show() {
    const { wheels, words, mark } = this.data;
    const [now, name] = [this.shares, this.name];
    this.wheels.forEach((node, n) => {
      const [letters, at] = [wheels[n], this.at[n]];
      [-2, -1, 0, 1, 2].forEach((by, row) => {
        node.firstChild.children[row].textContent = letters[this.placeOf(n, at + by)];
      });
      node.setAttribute("aria-valuenow", at + 1);
      node.setAttribute("aria-valuetext", letters[at]);
    });
    const said = now.map((share) => besideMark(share, mark));
    const both = words.map((word, n) => `${word} ${said[n]}`).join(", ");
    this.balance.write(said, `${both}; each has to reach ${asShare(mark)}`);
    this.balance.node.style.textAlign = now[0] < now[1] ? "right" : "left"; // the goal stands where the beam does not
    this.says.textContent = verdict(name, this.data, now);
    this.root.classList.toggle("solved", Math.min(...now) >= mark);
    Object.assign(this.root.dataset, { name });
  }
}

export default mount(".name-lock", NameLock);
