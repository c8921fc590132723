// A translator as a machine of four parts: a hand pulls one out, and beside its place stands what the rest writes, and
// how many new sentences it still gets right. Each place is empty until its part was out once.

import { capital, el, mount, write } from "../../../../attention_view/lab.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { compared } from "./compared.js";
import { everyHead, following, parts, saysOf, spoken } from "./parts.js";

const [NOTHING, HEAD] = ["nothing", "one head"]; // are out

/** How many of n sentences come out right, with this out and with every part in place. isSame: what is written here is
 * what the whole model writes. */
export function scored(out, right, whole, n, isSame = false) {
  const lead = out === HEAD ? "without this head" : spoken(out); // which head stands over what it writes
  const first = lead ? `${capital(lead)}, ` : "Which part can it spare? With all of them, ";
  const rest = right === whole ? ", as many as with the whole model." : `; the whole model: ${whole} of ${n}.`;
  const are = right === 1 ? "is" : "are";
  const of = `${right} of ${n} new sentences`;
  if (lead && isSame) return `${first.slice(0, -2)} nothing changes here; ${of} ${are} still right.`;
  return `${first}${of} ${are} right${lead ? rest : "."}`;
}

/** What the comparison comes to once every part was out: [[its name, how many are right without it]]. */
export function spared(rights) {
  const most = Math.max(...rights.map(([, right]) => right));
  const best = rights.filter(([, right]) => right === most);
  return rights.every(([, right]) => right >= 0) && best.length === 1
    ? `Of the four, it can best spare ${best[0][0] === "memory" ? "the memory" : best[0][0]}.`
    : "";
}

/** A line of the comparison: what is written, and how many are right. */
class Line {
  constructor(name, first, head = "") {
    this.name = name;
    this.says = el("span.says");
    this.text = el("p.text");
    this.many = el("span.many");
    this.bar = el("i");
    const right = el("div", el("span.says", head), this.many, el("span.track", { "aria-hidden": "true" }, this.bar));
    this.node = el("div.row", { "data-row": name }, first, el("div", this.says, this.text), right);
  }

  /** written: undefined where nobody knows yet. letters: of a text that has this line for itself. */
  show({ says, written, whole, n, isOn, letters }) {
    write(this.says, says);
    this.node.classList.toggle("on", isOn);
    this.node.classList.toggle("empty", !written);
    write(this.many, written ? `${written.right} of ${n}` : "");
    this.bar.style.width = `${written ? (100 * written.right) / n : 0}%`;
    const words = written ? written.words.join(" ") : "";
    if (words === this.words) return; // the page's answer to a press brings the same, which does not begin again
    this.words = words;
    this.text.style.setProperty("--letters", Math.max(letters, words.length));
    this.text.replaceChildren(...(written ? compared(whole.words, written) : []));
  }
}

export class TakenApart {
  constructor(root) {
    this.root = root;
    this.machine = el("div.machine", { role: "group", "aria-label": "Parts of the model" });
    this.whole = new Line(NOTHING, el("span.name", "the whole model"), "new sentences right");
    this.score = el("span");
    this.spared = el("span.quiet");
    this.status = el("p.unseen", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.press(...this.next) });
    const headline = el("div.headline", el("p.finding", this.score, this.spared), this.act);
    root.replaceChildren(headline, el("div.stage", this.whole.node, this.machine, this.status));
    this.presses = new Presses(() => this.agree());
  }

  /** Streamlit calls this with new data, and again whenever the theme changes. */
  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    this.data = data;
    this.build();
    if (this.presses.isNews(this.nameOf(data.out, data.head))) this.take();
    this.paint();
  }

  take() {
    Object.assign(this, { out: this.data.out, head: this.data.head });
  }

  agree() {
    this.take();
    this.paint();
  }

  nameOf(out, head) {
    return out === HEAD ? [out, ...head].join(":") : out;
  }

  /** A part is pulled out, or pushed in. The page has nearly all texts; of a head it has to be asked. */
  press(out, head = null) {
    const name = this.nameOf(out, head);
    this.presses.add(name);
    Object.assign(this, { out, head });
    this.paint();
    this.send("press", name);
  }

  /** What is written now; undefined while the page is asked. */
  get written() {
    return this.out === HEAD ? this.heads.get(String(this.head)) : this.data.texts[this.out];
  }

  /** What the button takes out: a part after another; once each was out, the next head that was not. */
  get next() {
    const { out, data, heads, lines, tried } = this;
    const head = lines.every(({ name }) => tried.has(name)) && everyHead(data).find((one) => !heads.has(String(one)));
    return head ? [HEAD, head] : following(out, data);
  }

  paint() {
    const { data, out, head, heads, tried } = this;
    const whole = data.texts[NOTHING];
    if (data.head) heads.set(String(data.head), data.texts[HEAD]);
    const { written } = this;
    if (written) tried.set(out, written);
    if (written && head) this.last = head;
    for (const { show } of this.parts) show(out, head, heads);
    this.root.dataset.out = out;
    this.root.classList.toggle("waiting", !written);
    const letters = 1.15 * whole.words.join(" ").length;
    this.whole.show({ says: data.source.join(" "), written: whole, whole, n: data.n, isOn: out === NOTHING, letters });
    for (const line of this.lines) {
      const known = tried.get(line.name);
      const says = saysOf(line.name, Boolean(known), this.last);
      line.show({ says, written: known, whole, n: data.n, isOn: out === line.name, letters });
    }
    write(this.act, this.next[0] === HEAD && out === HEAD ? "Next head" : "Next part");
    if (!written) return;
    const isSame = written.ended === whole.ended && String(written.words) === String(whole.words);
    const fault = data.fault ? `${data.fault} ` : "";
    write(this.score, `${fault}${scored(out, written.right, whole.right, data.n, isSame)}`);
    const all = spared(this.lines.map(({ name }) => [name, tried.get(name)?.right ?? -1]));
    write(this.spared, all && ` ${all}`);
    const lead = spoken(out, head);
    this.status.textContent = `${lead ? `${lead}, it writes` : "the whole model writes"} ${written.words.join(" ")}`;
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** Makes the lines, where the parts hold something else or the theme is another; what was tried stays while the
   * sentence and the model do. */
  build() {
    const { source, memory, weights, even, heads } = this.data;
    const held = JSON.stringify([source, memory, weights, even, heads]);
    const theme = getComputedStyle(this.root).color;
    if (this.held === held + theme) return;
    if (!this.held?.startsWith(held)) Object.assign(this, { tried: new Map(), heads: new Map() });
    this.held = held + theme;
    this.parts = parts(this.data, this.root, (out, head) => this.press(out, head));
    this.lines = this.parts.map(({ name, node }) => new Line(name, node));
    this.machine.replaceChildren(...this.lines.map(({ node }) => node));
  }
}

export default mount(".taken-apart", TakenApart);
