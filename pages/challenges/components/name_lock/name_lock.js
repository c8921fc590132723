// A lock of letters: wheels spell the name in a story, and a scale shows how likely each of two words is to come next.
// It opens where both reach their mark.

import { asShare, el, mirror, mount, param, shareInProse } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

const STILL = 4; // pixels that a pointer may move while it presses
const PLACES = ["first", "second", "third"];
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

/** What a name comes to; isSolved: another one has opened the lock before. */
export function verdict(name, words, shares, mark, isSolved = false) {
  if (Math.min(...shares) >= mark) {
    const both = words.map((word, n) => `${word} ${shareInProse(shares[n])}`).join(", ");
    return `✓ After “${name}” the storyteller is in two minds: ${both}.`;
  }
  const word = words[shares[1] > shares[0] ? 1 : 0];
  const both = words.join(" and ");
  if (isSolved) return `After “${name}” it says “${word}”. You have solved this one; the letters still turn.`;
  return `After “${name}” it says “${word}”. Turn the letters until ${both} both reach ${asShare(mark)}.`;
}

/** One notch towards the letter that alone gets the less likely word furthest: [wheel, -1 or 1], or null where every
 * wheel stands on its best letter. */
export function hinted(at, { wheels, shares }) {
  const least = (n, place) => Math.min(...shares[numberOf(at.with(n, place), wheels)]);
  const places = wheels.flatMap((letters, n) => [...letters].map((_, place) => [n, place]));
  const [n, best] = places.reduce((one, other) => (least(...other) > least(...one) ? other : one), [0, at[0]]);
  const up = (best - at[n] + wheels[n].length) % wheels[n].length; // notches
  if (!up) return null;
  return [n, up <= wheels[n].length / 2 ? 1 : -1];
}

class NameLock {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("puzzle_name", this.number ? this.name : null));
    this.says = el("p.finding", { role: "status" });
    this.story = el("div.story");
    this.scale = el("div.scale", { role: "img" });
    this.play = el("button.primary", { onclick: () => this.hint() });
    root.replaceChildren(el("div.headline", this.says, this.play), this.story, this.scale);
  }

  update(data, { setStateValue }) {
    this.tell = (name) => setStateValue("name", name);
    if (this.data) return;
    this.data = data; // a model of the house: it never changes
    const { wheels, after, words, mark } = data;
    this.hasOpened = data.solved;
    const asked = spelled(param("puzzle_name"), wheels);
    this.at = asked ?? wheels.map(() => 0);
    this.wheels = wheels.map((_, n) => this.wheel(n));
    this.story.replaceChildren(el("div.name", ...this.wheels), el("span", `${after} …`));
    this.bars = words.map((word) => el("i", { class: word }));
    this.numbers = words.map((word) => el("p", word, " ", el("b")));
    const inset = `${100 * mark}%`;
    this.goal = el(
      "u",
      { style: `left: ${inset}; right: ${inset}` },
      el("small", `goal: the edge in here, ${asShare(mark)} for each`),
    );
    this.scale.replaceChildren(...this.numbers, el("div.track", ...this.bars, this.goal));
    this.show();
    if (asked) this.tell(this.name);
  }

  get name() {
    return this.at.map((place, n) => this.data.wheels[n][place]).join("");
  }

  get number() {
    return numberOf(this.at, this.data.wheels);
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
      el("span.roll", el("span"), el("b"), el("span")),
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
      node.style.setProperty("--roll", `${(100 * (by - steps * pitch)) / height}%`);
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

  /** The wheel that matters turns by one letter. */
  hint() {
    const [n, by] = this.hinted;
    this.turn(n, this.at[n] + by);
    this.settle();
  }

  turn(n, to) {
    const { length } = this.data.wheels[n];
    this.at[n] = ((to % length) + length) % length;
    this.show();
  }

  /** A name has been spelled: the address and the server hear of it. */
  settle() {
    this.link.later();
    this.tell(this.name);
  }

  show() {
    const { wheels, words, shares, mark } = this.data;
    const [now, name] = [shares[this.number], this.name];
    this.wheels.forEach((node, n) => {
      const [letters, at] = [wheels[n], this.at[n]];
      [-1, 0, 1].forEach((by, row) => {
        node.firstChild.children[row].textContent = letters.at((at + by) % letters.length);
      });
      node.setAttribute("aria-valuenow", at + 1);
      node.setAttribute("aria-valuetext", letters[at]);
    });
    now.forEach((share, n) => {
      this.bars[n].style.width = `${100 * share}%`;
      this.numbers[n].lastChild.textContent = besideMark(share, mark);
    });
    const isOpen = Math.min(...now) >= mark;
    const both = words.map((word, n) => `${word} ${besideMark(now[n], mark)}`).join(", ");
    this.scale.setAttribute("aria-label", `${both}; each has to reach ${asShare(mark)}`);
    this.hasOpened ||= isOpen; // from then on the next puzzle leads
    this.says.textContent = verdict(name, words, now, mark, this.hasOpened);
    this.root.classList.toggle("solved", isOpen);
    this.hinted = this.hasOpened ? null : hinted(this.at, this.data);
    this.play.hidden = !this.hinted;
    if (this.hinted) this.play.textContent = `Turn the ${PLACES[this.hinted[0]]} letter`;
    Object.assign(this.root.dataset, { name });
  }
}

export default mount(".name-lock", NameLock);
