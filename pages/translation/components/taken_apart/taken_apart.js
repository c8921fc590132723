// A translation, and below it the machine that writes it: a hand pulls a part out, and the sentence falls apart.

import { capital, el, mount, write } from "../../../../attention_view/lab.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { agrees, lost } from "./compared.js";
import { everyHead, HEAD, NOTHING, parts, REST, someHead, spare, spoken } from "./parts.js";

const END = "⟨end⟩";

/** What one sees without a head: what became of the sentence; and, quieter, how many of its heads it needs. */
function ofHead({ gone, added, found }, data) {
  const [all, needed] = [everyHead(data).length, Object.keys(data.without).length - 1];
  const which = `Only ${needed} of its ${all} heads ${needed === 1 ? "changes" : "change"} this sentence`;
  const open = found ? `${which}: ${found} found.` : `${which}. Find ${needed === 1 ? "it" : "them"}.`;
  const more = all - needed > 1 ? ` Can the other ${all - needed} go at once?` : "";
  const done = needed < all ? `No other does.${more}` : "It needs every head.";
  const what = gone.length ? `loses “${gone.join(" ")}”` : added.length ? `adds “${added.join(" ")}”` : "";
  return [
    what ? `Without this head, it ${what}.` : "One head less, and not a word changes.",
    !needed ? `It can lose any one of its ${all}.` : found === needed ? done : open,
  ];
}

/** What one sees, as a sentence, and one that is quieter.
 *
 * gone, added: the words that the whole model writes and this one does not, and the other way round; found: how many of
 * the heads that this sentence needs were out. */
export function said({ out, right, ...seen }, data) {
  const { n, texts } = data;
  if (out === NOTHING)
    return [`It gets ${texts[NOTHING].right} of ${n} new sentences right. Which part can it lose?`, ""];
  if (out === HEAD) return ofHead(seen, data);
  const isSame = !seen.gone.length && !seen.added.length;
  const these = `these ${spare(data).length} heads`;
  if (out === REST)
    return [isSame ? `It can even lose ${these} all at once.` : `Any one of ${these} can go, but not all.`, ""];
  const but = isSame ? " nothing changes here;" : "";
  return [`${capital(spoken(out))},${but} ${right} of ${n} new sentences ${right === 1 ? "is" : "are"} right.`, ""];
}

export class TakenApart {
  constructor(root) {
    this.root = root;
    this.machine = el("div.machine", { role: "group", "aria-label": "Parts of the model" });
    for (const name of ["source", "text", "fallen"]) this[name] = el(`p.${name}`);
    [this.said, this.more] = [el("span"), el("span.quiet")];
    this.score = el("p.score", { "aria-hidden": "true" }, el("b"), el("span"));
    this.status = el("p.unseen", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.press(...this.next) });
    const headline = el("div.headline", el("p.finding", this.said, " ", this.more), this.act);
    root.replaceChildren(
      headline,
      el("div.stage", this.score, this.source, this.text, this.fallen, this.machine, this.status),
    );
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

  /** A part is pulled out, or pushed in. The page has all texts; how many are right without a head it has to ask. */
  press(out, head = null) {
    Object.assign(this, { out, head });
    if (out !== REST) {
      const name = this.nameOf(out, head);
      this.presses.add(name);
      this.send("press", name);
    }
    this.paint();
  }

  /** What is written now: its words, without the end, and whether it ended. */
  get written() {
    const { out, head, data } = this;
    const words = out === REST ? data.without[""] : out === HEAD ? data.without[head] : null;
    if (!words) return data.texts[out === HEAD ? NOTHING : out];
    return { words: words.filter((word) => word !== END), ended: words.at(-1) === END };
  }

  get found() {
    return [...this.tried].filter((head) => this.data.without[head]);
  }

  /** What the button takes out: each part; then the heads that this sentence needs; then all others at once; and then
   * it goes round. */
  get next() {
    const { data, out, tried, parts: all } = this;
    const part = all.find(({ name }) => !tried.has(name));
    if (part) return part.name === HEAD ? someHead(data) : [part.name];
    const head = everyHead(data).find((one) => data.without[one] && !tried.has(String(one)));
    if (head) return [HEAD, head];
    if (!tried.has(REST) && spare(data).length > 1) return [REST];
    return [out === NOTHING ? all[0].name : NOTHING];
  }

  paint() {
    const { data, out, head, tried, rights } = this;
    for (const [name, { right }] of Object.entries(data.texts))
      rights.set(name === HEAD ? String(data.head) : name, right);
    tried.add(out).add(String(head));
    const footOf = (name) => {
      const right = rights.get(name === HEAD ? String(head) : name);
      return !tried.has(name) || right === undefined || (name === HEAD && out !== HEAD)
        ? ""
        : `${right} of ${data.n} right`;
    };
    for (const { name, show } of this.parts) show(out, head, footOf(name));
    const [whole, { words, ended }] = [data.texts[NOTHING].words, this.written];
    const same = agrees(whole, words);
    const gone = lost(whole, words);
    this.write(whole, words, ended, same, gone);
    const added = words.filter((_, n) => !same[n]);
    const state = { out, gone, added, right: rights.get(out === HEAD ? String(head) : out), found: this.found.length };
    const [main, more] = said(state, data);
    write(this.said, `${data.fault ? `${data.fault} ` : ""}${main}`);
    write(this.more, more);
    this.score.hidden = state.right === undefined; // of some heads nobody has measured it
    write(this.score.firstChild, String(state.right));
    write(this.score.lastChild, `of ${data.n} new sentences right`);
    const [next, which] = this.next;
    const rest = `Take all ${spare(data).length} out`;
    write(
      this.act,
      which && tried.has(HEAD) ? "Show me one" : ({ [NOTHING]: "Put all back", [REST]: rest }[next] ?? "Next part"),
    );
    const lead = spoken(out, head);
    this.status.textContent = `${lead ? `${lead}, it writes` : "the whole model writes"} ${words.join(" ")}`;
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** The sentence, bold where a word is another, and what has fallen out of it. */
  write(whole, words, ended, same, gone) {
    const text = String([words, ended]);
    if (text === this.shown) return; // the page's answer to a press brings the same, which does not begin again
    this.shown = text;
    const [before, now] = [whole, words].map((text) => text.join(" ").length);
    const letters = now < 2 * before ? now : 0.55 * now; // a long one takes two lines
    this.root.style.setProperty("--letters", Math.max(before, letters));
    write(this.source, this.data.source.join(" "));
    const nodes = words.flatMap((word, n) => [el(same[n] ? "span" : "b", word), " "]);
    this.text.replaceChildren(...nodes, ended ? "" : "…");
    const turn = (n) => ({ style: `--turn:${((n * 29 + 5) % 17) - 8}deg;--at:${n}` });
    this.fallen.replaceChildren(...gone.flatMap((word, n) => [el("span", turn(n), word), " "]));
  }

  /** Makes the parts, where they hold something else; what was tried stays while the sentence and the model do. */
  build() {
    const { source, ordered, memory, weights, even, heads } = this.data;
    const held = JSON.stringify([source, ordered, memory, weights, even, heads]);
    if (this.held === held) return;
    Object.assign(this, { held, tried: new Set(), rights: new Map(), shown: null });
    this.parts = parts(this.data, (out, head) => this.press(out, head), this.tried);
    this.machine.replaceChildren(...this.parts.map(({ node }) => node));
  }
}

export default mount(".taken-apart", TakenApart);
