// What hands do in several components: choose one of a few, set a number, walk with keys, drag, and let something play.

import { el, still } from "./lab.js";

/** Radio buttons side by side, of which one is on: {node, offer([[value, text], ...]), show(value)}.
 *
 * tag, label: of the group; choose(value) hears which one was pressed */
export function choice(tag, label, choose) {
  const node = el(tag, { role: "radiogroup", "aria-label": label });
  let offered = "";
  const offer = (names) => {
    if (String(names) === offered) return;
    offered = String(names);
    const radio = (value) => el("input", { type: "radio", name: label, value, onchange: () => choose(value) });
    node.replaceChildren(...names.map(([value, text]) => el("label", radio(value), text)));
  };
  const show = (value) => {
    for (const input of node.querySelectorAll("input")) {
      input.checked = input.value === String(value);
      input.parentElement.classList.toggle("on", input.checked);
    }
  };
  return { node, offer, show };
}

/** A slider from `min` to `max`, with more properties if need be; act(value) hears every move. */
export function slider(label, { min = 0, max, step = 1, ...more }, act) {
  const oninput = () => act(Number(node.value));
  const node = el("input", { type: "range", min, max, step, "aria-label": label, oninput, ...more });
  return node;
}

const within = (n, size) => Math.max(0, Math.min(size - 1, n));

/** Where an arrow key leads from a cell of a grid: [i, j]; null for any other key. */
export function inGrid(event, [i, j], [rows, columns]) {
  const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!by) return null;
  event.preventDefault();
  return [within(i + by[0], rows), within(j + by[1], columns)];
}

/** Where an arrow key, Home or End leads from the nth of so many; null for any other key. On a slider ArrowUp goes up
 * by 1, and PageUp by a page. */
export function inRow(event, n, size, up = -1, page = 0) {
  const arrows = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: up, ArrowDown: -up };
  const by = { ...arrows, PageUp: page, PageDown: -page, Home: -size, End: size }[event.key];
  if (!by) return null;
  event.preventDefault();
  return within(n + by, size);
}

/** Until the pointer that is down is lifted: move(event) hears where it goes, end(event) that it is over. Returns what
 * ends it early, as a component does that goes: then neither of the two hears any more. */
export function drag(move, end) {
  const over = new AbortController();
  const { signal } = over;
  const lifted = (event) => (over.abort(), end(event));
  addEventListener("pointermove", move, { signal });
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, lifted, { signal });
  return () => over.abort();
}

/** Whether a press takes hold of a slider, as the main button does: the slider then has the focus, and a drag marks no
 * text. */
export function takesHold(event) {
  if (event.button) return false;
  event.preventDefault();
  event.currentTarget.focus({ preventScroll: true, focusVisible: false });
  return true;
}

/** A finger that comes down on one element is heard by each that it then passes, as a mouse is. */
export const letGo = ({ target, pointerId }) => target.releasePointerCapture(pointerId);

/** Takes a step every so many milliseconds; changed() hears of each beginning and end. */
export class Player {
  constructor(step, pause, changed) {
    Object.assign(this, { step, pause, changed, timer: null });
  }

  get isOn() {
    return this.timer !== null;
  }

  start(pause = this.pause) {
    this.timer = setInterval(this.step, pause);
    this.changed();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.changed();
  }

  toggle() {
    if (this.isOn) this.stop();
    else this.start();
  }
}

/** Calls draw(share) at every frame, with 0 now and with 1 after so many milliseconds; returns what ends it early. */
export function tween(milliseconds, draw) {
  const began = performance.now();
  let request = null;
  const frame = (now) => {
    const share = Math.min(1, Math.max(0, now - began) / milliseconds);
    draw(share);
    if (share < 1) request = requestAnimationFrame(frame);
  };
  draw(0);
  request = requestAnimationFrame(frame);
  return () => cancelAnimationFrame(request);
}

/** A share of the time as a share of the way: slow at both ends. */
export const smoothly = (share) => share * share * (3 - 2 * share);

export const LONGEST_BEAT = 3000; // milliseconds of a first beat: so long somebody who has just come looks on

/** The first beat of a page: what it shows comes into being once, within so many milliseconds, LONGEST_BEAT at most.
 *
 * begin() opens it at its beginning, end() leaves it as it is from then on. A key or a press ends it at once; on a
 * button that says something else in the end, it does no more than that: what it said then was not meant. Returns what
 * ends it early; null where it does not play, for who has seen it or asked for less motion. */
export function firstBeat(name, milliseconds, begin, end) {
  if (still() || hasSeen(name)) return null;
  const over = new AbortController();
  const finish = (event) => {
    if (over.signal.aborted) return;
    over.abort();
    clearTimeout(timer);
    const button = event?.composedPath()[0].closest?.("button");
    const said = offerOf(button);
    end();
    if (![said, "false"].includes(offerOf(button))) takeClick();
  };
  const timer = setTimeout(finish, milliseconds);
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, finish, { capture: true, signal: over.signal });
  begin();
  return finish;
}

/** What a button says that it would do: whether it is pressed already, or else its name. */
const offerOf = (button) => button?.getAttribute("aria-pressed") ?? button?.textContent;

/** The click that the press or key of this moment makes is heard by nobody. */
function takeClick() {
  const over = new AbortController();
  const options = { capture: true, signal: over.signal };
  const take = (event) => (event.stopImmediatePropagation(), over.abort());
  const next = (event) => event.repeat || over.abort();
  addEventListener("click", take, options);
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, next, options);
}

/** A first beat in which what is marked "from-left" or "from-top" in `root` is drawn in; nothing else waits for it. */
export function drawnIn(root, name) {
  const begin = () => (root.dataset.beat = name);
  const end = () => delete root.dataset.beat;
  return firstBeat(name, LONGEST_BEAT, begin, end);
}

/** Whether this browser has seen what is called so; from now on it has. */
function hasSeen(name) {
  try {
    const key = `seen ${name}`;
    const before = localStorage.getItem(key);
    localStorage.setItem(key, "1");
    return before !== null;
  } catch {
    return false; // a browser that keeps nothing shows it each time
  }
}
