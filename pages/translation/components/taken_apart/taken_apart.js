// The sentence that a translator writes without one of its parts, as large as there is room: wrong words are struck,
// with those of the whole model above them. Over it the parts, which a press takes out and puts back.

import { capital, el, mount, windowHeight, write } from "../../../../attention_view/lab.js";
import { firstBeat } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { corrected } from "./corrected.js";
import { following, parts, spoken } from "./parts.js";

const NOTHING = "nothing"; // is out
const BEAT = 3000; // milliseconds in which the sentence falls apart at first
const WHOLE = 1100; // of them, while the model is whole
const [LARGEST, ONE_LINE, ON_A_PHONE, SMALLEST] = [112, 46, 34, 20]; // pixels of letters
const NARROW = 700; // pixels: less room is a phone's

/** How many of n sentences come out right, with this out and with every part in place. isSame: what is written here is
 * what the whole model writes. */
export function scored(out, right, whole, n, isSame = false) {
  const lead = out === "one head" ? "without this head" : spoken(out); // which head stands over what it writes
  const first = lead ? `${capital(lead)}, ` : "With every part in place, ";
  const rest = right === whole ? ", as many as with the whole model." : `; the whole model: ${whole} of ${n}.`;
  const are = right === 1 ? "is" : "are";
  const of = `${right} of ${n} new sentences`;
  if (lead && isSame) return `${first.slice(0, -2)} nothing changes here; ${of} ${are} still right.`;
  return `${first}${of} ${are} right${lead ? rest : "."}`;
}

export class TakenApart {
  constructor(root) {
    this.root = root;
    this.machine = el("div.parts", { role: "group", "aria-label": "Parts of the model" });
    this.what = el("p.what", { "aria-hidden": "true" });
    this.text = el("p.text", { "aria-hidden": "true" });
    this.room = el("div.room", this.what, this.text);
    this.score = el("p.finding");
    this.status = el("p.unseen", { role: "status" });
    this.stage = el("div.stage", this.machine, this.room, this.status);
    const act = el("button.primary", { onclick: () => this.press(...following(this.out, this.data)) }, "Next part");
    root.replaceChildren(el("div.headline", this.score, act), this.stage);
    this.resized = () => this.fit();
    this.presses = new Presses(() => this.agree());
  }

  /** Streamlit calls this with new data, and again whenever the theme changes. */
  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const first = !this.data;
    this.data = data;
    this.build();
    if (this.beating) return; // it ends with what the page says
    if (this.presses.isNews(this.nameOf(data.out, data.head))) this.take();
    if (first && data.out !== NOTHING) this.endBeat = this.beat();
    if (!this.beating) this.paint();
  }

  /** The first beat: the whole model's sentence, and then what becomes of it. Returns what ends it. */
  beat() {
    let timer = null;
    const begin = () => {
      Object.assign(this, { out: NOTHING, beating: true });
      this.root.classList.add("slowly");
      this.paint();
      timer = setTimeout(() => this.agree(), WHOLE);
    };
    const end = () => {
      clearTimeout(timer);
      this.beating = false;
      this.root.classList.remove("slowly");
      this.agree();
    };
    return firstBeat("ablation", BEAT, begin, end);
  }

  take() {
    Object.assign(this, { out: this.data.out, head: this.data.head });
  }

  agree() {
    this.take();
    this.paint();
  }

  nameOf(out, head) {
    return out === "one head" ? [out, ...head].join(":") : out;
  }

  /** A part is taken out, or put back. The page has nearly all texts; of a head it has to be asked. */
  press(out, head = null) {
    this.endBeat?.();
    const name = this.nameOf(out, head);
    this.presses.add(name);
    Object.assign(this, { out, head });
    this.paint();
    this.send("press", name);
  }

  /** What is written now; null while the page is asked. */
  get written() {
    const { data, out, head } = this;
    if (out === "one head" && String(head) !== String(data.head)) return null;
    return data.texts[out] ?? null;
  }

  paint() {
    for (const { show } of this.parts) show(this.out, this.head);
    const { data, out, head, written } = this;
    const whole = data.texts[NOTHING];
    const lead = spoken(out, head);
    const told = lead ? `${lead}, it writes` : "the whole model writes";
    this.root.dataset.out = out;
    this.root.classList.toggle("waiting", !written);
    this.what.textContent = told;
    if (!written) return;
    const signature = JSON.stringify([whole.words, written.words, written.ended]);
    if (signature !== this.corrected) {
      this.text.replaceChildren(...corrected(whole.words, written.words, written.ended));
      this.corrected = signature; // the page's answer to a press brings the same text, which is not to begin again
    }
    const fault = data.fault ? `${data.fault} ` : "";
    const isSame = written.ended === whole.ended && String(written.words) === String(whole.words);
    write(this.score, `${fault}${scored(out, written.right, whole.right, data.n, isSame)}`);
    this.status.textContent = `${told} ${written.words.join(" ")}`;
    this.fit();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** Makes the parts, where they hold something else or the theme is another. */
  build() {
    const { source, memory, weights, even, heads } = this.data;
    const held = JSON.stringify([source, memory, weights, even, heads]);
    const theme = getComputedStyle(this.root).color;
    if (this.held === held + theme) return;
    this.held = held + theme;
    this.parts = parts(this.data, this.root, (out, head) => this.press(out, head));
    this.machine.replaceChildren(...this.parts.map(({ node }) => node));
  }

  /** Letters as large as the room allows: in one line while they are large there, else in several. Of every pair the
   * wider word counts, at any moment: the right one begins where the wrong one comes. */
  fit() {
    const width = this.stage.clientWidth;
    if (!width) return;
    this.root.classList.add("measured");
    this.enlarge(width < NARROW);
    this.root.classList.remove("measured");
  }

  enlarge(isNarrow) {
    const { stage, room, text, what } = this;
    this.root.classList.toggle("narrow", isNarrow);
    stage.style.height = isNarrow ? "auto" : `${Math.max(440, Math.min(960, windowHeight(this.root) - 203))}px`;
    const fits = (size) => {
      text.style.fontSize = `${size}px`;
      const isTall = !isNarrow && text.offsetHeight > room.clientHeight - what.offsetHeight;
      return text.scrollWidth <= room.clientWidth && !isTall;
    };
    const shrink = (from, least) => {
      for (let size = from; size >= least; size -= 2) if (fits(size)) return true;
      return false;
    };
    text.style.flexWrap = "nowrap";
    if (!isNarrow && shrink(LARGEST, ONE_LINE)) return;
    text.style.flexWrap = "";
    if (!shrink(isNarrow ? ON_A_PHONE : ONE_LINE + 16, SMALLEST)) stage.style.height = "auto";
  }

  destroy() {
    this.endBeat?.();
  }
}

export default mount(".taken-apart", TakenApart);
