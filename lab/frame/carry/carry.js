// Which head is in view, told when the page is left.

import { address, mount, param } from "../../../attention_view/lab.js";

const DOORS = 'a[href], [role="option"], [role="combobox"]'; // links, and what the search has found
const BACK = ".st-key-where a"; // to the place of a page in the whole model: its cell is in the address alone
const SOON = 20; // ms: what is told is on its way by then

/** "time:layer-head" of the head that an address names, "time:" where it names none. The time makes it news.
 *
 * given(name) is a parameter of the address, or null */
export function headOf(given, time) {
  const named = ["layer", "head"].map(given);
  const isNamed = named.some((n) => n !== null) && named.every((n) => /^\d{1,4}$/.test(n ?? "0"));
  return `${Math.round(time)}:${isNamed ? named.map((n) => n ?? 0).join("-") : ""}`;
}

/** Whether an event follows a link into the app in this window, or takes what the search has found. */
export function leads({ type, key, button, ctrlKey, metaKey, shiftKey }, path) {
  if (type === "keydown" ? key !== "Enter" : button !== 0) return false;
  const door = path.find((node) => node.matches?.(DOORS));
  if (!door || ctrlKey || metaKey || shiftKey) return false;
  const isBox = door.role === "combobox";
  return type === "click" ? !isBox && (!door.target || door.target === "_self") : isBox;
}

class Carry {
  constructor() {
    this.hear = (event) => this.leave(event);
    for (const kind of ["click", "keydown"]) window.addEventListener(kind, this.hear, { capture: true });
  }

  /** kept: whether a head goes along already, which the visitor may have left for the usual one. */
  update({ kept }, { setStateValue }) {
    this.kept = kept;
    this.tell = (told) => setStateValue("head", told);
  }

  /** Holds the event back until the server is told. Told later, it would be led back to the page that was left. */
  leave(event) {
    const path = event.composedPath();
    if (event.type === "click" && path.some((node) => node.matches?.(BACK))) window.attentionLabLeft = address();
    const told = headOf(param, performance.now());
    if (this.goesOn || !(this.kept || !told.endsWith(":")) || !leads(event, path)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.tell(told);
    setTimeout(() => {
      this.goesOn = true;
      path[0].dispatchEvent(new event.constructor(event.type, event));
      this.goesOn = false;
    }, SOON);
  }

  destroy() {
    for (const kind of ["click", "keydown"]) window.removeEventListener(kind, this.hear, { capture: true });
  }
}

export default mount(".carry", Carry);
