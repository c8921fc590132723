// Lines of code, one of which is wrong. Each can be pressed; the one that is wrong flips to its cure and back.

import { el, mount } from "../../../../attention_view/lab.js";

const MANY = 8; // lines that have room in large letters
const ASK = "One line is wrong. Press the one you suspect.";
const NOT_IT = "That line does its job. Look again.";
const FOUND = { true: "Cured. Press the line to break it again.", false: "The wrong line is back." };
const [SHORT, PLAIN] = [12, /^-?[\w.]+(, -?[\w.]+)*$/]; // letters of a change that is said in the heading, as names

/** What is said above the lines. */
export function verdict({ code, open, cured }) {
  if (!open) return code.some(({ tried }) => tried) ? NOT_IT : ASK;
  const wrong = code.find(({ cure }) => cure);
  const [, from, to] = wrong ? change(wrong.text, wrong.cure) : [];
  const isShort = [from, to].every((part) => part?.length <= SHORT && PLAIN.test(part));
  return cured && isShort ? `Cured: ${from} is now ${to}. Press the line to break it again.` : FOUND[cured];
}

/** What differs between a wrong line and its cure, as [before, from, to, after] in whole words. */
export function change(wrong, cure) {
  const [a, b] = [wrong, cure].map((text) => text.match(/-?[\w.]+|\s+|./gs));
  let first = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first++;
  let last = 0;
  while (last < Math.min(a.length, b.length) - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  const part = (words) => words.slice(first, words.length - last).join("");
  return [a.slice(0, first).join(""), part(a), part(b), a.slice(a.length - last).join("")];
}

/** Which classes a line has, and what tells it to whoever cannot see them. */
export function look(line, { open, cured }) {
  if (line.head) return { kind: "head", says: "" };
  if (open && line.cure !== null) return cured ? { kind: "cured", says: "cured" } : { kind: "faulty", says: "wrong" };
  return line.tried ? { kind: "tried", says: "nothing is wrong with it" } : { kind: "suspect", says: "" };
}

class CodeLines {
  constructor(root) {
    this.root = root;
    root.dataset.figure = "";
    this.code = el("div.code", { role: "group", "aria-label": "The code" });
    this.say = el("p.finding", { role: "status" });
    root.replaceChildren(this.say, this.code);
  }

  update(data, { setTriggerValue }) {
    const focused = this.rows?.indexOf(this.root.getRootNode().activeElement);
    const press = (n) => setTriggerValue("press", n);
    this.rows = data.code.map((line, n) => this.row(line, data, () => press(n)));
    this.root.classList.toggle("long", data.code.length > MANY);
    this.code.replaceChildren(...this.rows);
    this.rows[focused]?.focus();
    this.say.textContent = verdict(data);
  }

  /** The wrong line and its cure; where that is one line, too, what differs is marked in both. */
  cure({ text, cure }) {
    const lines = cure.split("\n");
    if (lines.length > 1) return [el("s", text), ...lines.map((line) => el("b", line))];
    const [before, from, to, after] = change(text, cure);
    const marked = (part) => (part ? el("mark", part) : "");
    return [el("s", before, marked(from), after), el("b", before, marked(to), after)];
  }

  row(line, data, onclick) {
    const { kind, says } = look(line, data);
    const style = `--depth:${line.depth}`;
    if (kind === "head") return el("div.line.head", { style }, el("code", line.text));
    const shown = kind === "cured" ? this.cure(line) : [el("span", line.text)];
    const whole = [...(line.gloss ? [el("i", line.gloss)] : []), el("code", ...shown)];
    const isDone = kind === "tried" || (data.open && line.cure === null);
    return el(`button.line.${kind}`, { style, onclick, disabled: isDone, "aria-description": says || null }, ...whole);
  }
}

export default mount(".code-lines", CodeLines);
