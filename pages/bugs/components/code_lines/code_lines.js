// Lines of code, one of which is wrong. Each can be pressed; the one that is wrong flips to its cure and back.

import { el, mount } from "../../../../attention_view/lab.js";

const MANY = 8; // lines that have room in large letters
const ASK = "One line is wrong. Press the one you suspect.";
const NOT_IT = "Nothing is wrong with that one. Look again.";
const SHORT = 50; // letters of a sentence that has room in large ones
const FOUND = { true: "Cured. Press the line to break it again.", false: "The wrong line is back." };

/** What is said above the lines. last: the number of the line that was pressed last: with nothing wrong in it, it does
 * what it is for. */
export function verdict({ code, open, cured }, last = null) {
  if (open) return FOUND[cured];
  if (code[last]?.tried && code[last].gloss) return `That line does its job: “${code[last].gloss}.” Look again.`;
  return code.some(({ tried }) => tried) ? NOT_IT : ASK;
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
    const press = (n) => setTriggerValue("press", (this.last = n));
    this.rows = data.code.map((line, n) => this.row(line, data, () => press(n)));
    this.root.classList.toggle("long", data.code.length > MANY);
    this.code.replaceChildren(...this.rows);
    this.rows[focused]?.focus();
    this.say.textContent = verdict(data, this.last);
    this.say.classList.toggle("why", this.say.textContent.length > SHORT);
  }

  row(line, data, onclick) {
    const { kind, says } = look(line, data);
    const style = `--depth:${line.depth}`;
    if (kind === "head") return el("div.line.head", { style }, el("code", line.text));
    const shown =
      kind === "cured"
        ? [el("s", line.text), ...line.cure.split("\n").map((text) => el("b", text))]
        : [el("span", line.text)];
    const whole = [...(line.gloss ? [el("i", line.gloss)] : []), el("code", ...shown)];
    const isDone = kind === "tried" || (data.open && line.cure === null);
    return el(`button.line.${kind}`, { style, onclick, disabled: isDone, "aria-description": says || null }, ...whole);
  }
}

export default mount(".code-lines", CodeLines);
