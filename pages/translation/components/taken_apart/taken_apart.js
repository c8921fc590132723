// The sentence that a translator writes without one of its parts, as large as there is room: wrong words are struck,
// with those of the whole model above them. Over it the parts, which a press takes out and puts back.

import { capital, el, mount, windowHeight, write } from "../../../../attention_view/lab.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { corrected } from "./corrected.js";
import { following, parts, spoken } from "./parts.js";

const NOTHING = "nothing"; // is out
const [LARGEST, ONE_LINE, ON_A_PHONE, SMALLEST] = [112, 46, 34, 20]; // pixels of letters
const NARROW = 700; // pixels: less room is a phone's

/** How many of n sentences come out right, with this out and with every part in place. isSame: what is written here is
 * what the whole model writes. */
export function scored(out, right, whole, n, isSame = false) {
  const lead = out === "one head" ? "without this head" : spoken(out); // which head stands over what it writes
  const first = lead ? `${capital(lead)}, ` : "Which part can it spare? With all of them, ";
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
    return out === "one head" ? [out, ...head].join(":") : out;
  }

  /** A part is taken out, or put back. The page has nearly all texts; of a head it has to be asked. */
  press(out, head = null) {
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

  /** Letters as large as the room allows for each text, whatever is out: in one line while they are large there, else
   * in several. Of every pair the wider word counts, at any moment: the right one begins where the wrong one comes. */
  fit() {
    const width = this.stage.clientWidth;
    if (!width) return;
    this.root.classList.add("measured");
    this.enlarge(width < NARROW);
    this.root.classList.remove("measured");
  }

  enlarge(isNarrow) {
    const { stage, room, text, what, data } = this;
    const whole = data.texts[NOTHING].words;
    const texts = Object.values(data.texts).map((one) => el("p.text", ...corrected(whole, one.words, one.ended)));
    const trial = el("div.trial", { "aria-hidden": "true" }, ...texts);
    room.append(trial);
    const tallest = () => Math.max(...texts.map((one) => one.offsetHeight));
    this.root.classList.toggle("narrow", isNarrow);
    stage.style.height = isNarrow ? "auto" : `${Math.max(440, Math.min(960, windowHeight(this.root) - 203))}px`;
    const fits = (size) => {
      room.style.setProperty("--size", `${size}px`);
      const isTall = !isNarrow && tallest() > room.clientHeight - what.offsetHeight;
      return texts.every((one) => one.scrollWidth <= room.clientWidth) && !isTall;
    };
    const shrink = (from, least) => {
      for (let size = from; size >= least; size -= 2) if (fits(size)) return true;
      return false;
    };
    text.style.minHeight = "";
    room.style.setProperty("--wrap", "nowrap");
    if (isNarrow || !shrink(LARGEST, ONE_LINE)) {
      room.style.setProperty("--wrap", "wrap");
      if (!shrink(isNarrow ? ON_A_PHONE : ONE_LINE + 16, SMALLEST)) stage.style.height = "auto";
    }
    text.style.minHeight = `${tallest()}px`;
    trial.remove();
  }
}

export default mount(".taken-apart", TakenApart);
