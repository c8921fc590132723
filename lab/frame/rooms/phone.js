// The page of a phone: the question of the moment, large, and one answer to it. It follows the teacher, or goes by
// itself while that is allowed, and finds its way back through a lost connection or a reload.

import { el, svg } from "../../../attention_view/lab.js";
import { INPUTS } from "./answers.js";
import { mapOfModel } from "./map.js";
import { changeTold, inWords, judge, lateTold, nextTold, pathOf, replyTo, truthOf, wanted } from "./said.js";
import { Line, ask, codeIn, CODE, followTheme } from "./wire.js";

class Phone {
  constructor(root) {
    this.root = root;
    this.open = new Set(); // questions that have stood here while they could be answered
    this.said = el("p.said", { role: "status" });
    this.lost = el("p.lost", { role: "alert", hidden: true }, "No connection. Trying again…");
    this.body = el("div.body");
    root.append(this.lost, this.body, this.said);
    const code = codeIn(new URLSearchParams(location.search).get("room"));
    if (CODE.test(code)) this.join(code);
    else this.askForCode();
  }

  // ---- the way in ----

  /** typed: what stands in the box, as somebody has typed it; the sentence says why it did not open a room. */
  askForCode(sentence = "", typed = "") {
    this.line?.stop();
    this.lost.hidden = true;
    const box = el("input.code", {
      name: "room",
      maxlength: 7,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      "aria-label": "Code of the room: four letters",
      placeholder: "K R T M",
      value: typed,
    });
    const submit = (event) => {
      event.preventDefault();
      const code = codeIn(box.value);
      if (CODE.test(code)) this.join(code);
      else this.tell("A code has four letters, and no vowels.");
    };
    this.body.replaceChildren(
      el("h1", "Join a class"),
      el("p.quiet", "Type the four letters that stand on the board."),
      el("form", { onsubmit: submit }, box, el("button.go", { type: "submit" }, "Join")),
      this.said, // below the button: no sentence moves what a thumb is about to press
      el("p.quiet.small", "No account, no name. Nobody sees who answered what."),
    );
    this.tell(sentence);
    box.focus();
  }

  /** Who was inside, or comes back, reads that the class is over, and not that a code is wrong. */
  end() {
    this.line?.stop();
    this.lost.hidden = true;
    this.news = this.asked = undefined;
    const heading = el("h1", { tabindex: -1 }, "The class is over.");
    this.body.replaceChildren(
      heading,
      el("p.quiet", "Nobody has seen who answered what."),
      el("button.go", { onclick: () => this.askForCode() }, "Join another class"),
    );
    this.root.append(this.said);
    this.tell("");
    heading.focus();
  }

  async join(code) {
    this.code = code;
    this.open.clear();
    this.tell("");
    const { status, told } = await ask(`./rooms/${code}/seat`, {});
    if (status === 0 || status === 503) {
      this.lost.hidden = false;
      setTimeout(() => this.join(code), 2000);
      return;
    }
    if (status !== 200) {
      if (status === 410) this.end();
      else this.askForCode(told.sentence, code);
      return;
    }
    history.replaceState(null, "", `?room=${code}`);
    document.title = `${told.title} · room ${code}`;
    const own = () => (this.own === undefined ? "" : `&at=${this.own}`);
    this.line = new Line((since) => `./rooms/${code}/phone?since=${since}${own()}`, {
      heard: (news) => this.hear(news),
      lost: (isLost) => (this.lost.hidden = !isLost),
      over: (why, hasEnded) => (hasEnded || this.news ? this.end() : this.askForCode(why)),
    });
    this.line.run();
  }

  // ---- the question of the moment ----

  hear(news) {
    const { at, step, free } = news;
    const asked = `${at}.${step.round}.${step.counted}.${step.shown}.${news.done}.${step.ask}`;
    if (free) this.own = at;
    else this.own = undefined;
    const isOther = asked !== this.asked;
    this.news = news;
    if (!step.counted) this.open.add(at);
    if (isOther) {
      this.asked = asked;
      this.draft = undefined;
      this.kept = news.mine ?? undefined;
      if (news.done) this.drawEnd();
      else this.draw();
      if (scrollY) scrollTo(0, 0);
    }
    this.moves.hidden = !free;
    if (free) this.drawMoves(news);
  }

  draw() {
    const { at, of, step } = this.news;
    this.moves = el("nav.moves", { "aria-label": "Questions" });
    this.go = el("button.go", { onclick: () => this.send(), disabled: true }, "");
    this.hint = el("p.hint.quiet");
    this.body.replaceChildren(
      el("p.place", el("span", `Room ${this.code}`), el("span", `${at + 1} of ${of}`)),
      el("h1", { tabindex: -1 }, step.heading),
      ...(step.round && !step.counted ? [el("p.again", "Second vote: you have talked. What do you say now?")] : []),
      ...(this.isLate ? [el("p.again", lateTold(this.news, this.open.has(at)))] : []),
      ...(step.say ? [el("p.told", step.say)] : []),
      el(step.counted ? "p.ask.past" : "p.ask", step.ask),
      ...(step.shown ? this.reveal(step) : step.counted ? this.counted(step) : this.question(step)),
      this.moves,
      el("p.quiet.small", "Nobody sees who answered what."),
    );
    this.root.append(this.said);
    const now = step.shown ? "The answer is shown." : step.counted ? "The votes are shown." : "";
    this.tell(now || (step.round ? "Vote again." : `Question ${at + 1}.`));
    this.label();
  }

  /** After the last question: nothing is asked any more, and the class is still there. */
  drawEnd() {
    const heading = el("h1", { tabindex: -1 }, "Thank you.");
    this.moves = el("nav.moves", { hidden: true });
    this.body.replaceChildren(
      heading,
      el("p.waits", "That was the last question. What the class has answered stands on the board."),
      this.moves,
      el("p.quiet.small", "Nobody has seen who answered what."),
    );
    this.root.append(this.said);
    this.tell("");
    heading.focus();
  }

  /** The votes are on the board, the model is not: nothing can be changed any more. */
  counted(step) {
    const { kept } = this;
    const own = kept === undefined ? [] : [el("p.mine", "You said: ", el("b", inWords(step, kept)))];
    return [...own, el("p.waits", `The votes are on the board. ${nextTold(step)}`)];
  }

  /** Whether the answers are counted and somebody gave none: there is nothing to press. */
  get isLate() {
    const { step } = this.news;
    return step.counted && this.kept === undefined && step.kind !== "talk";
  }

  question(step) {
    const changed = (value, words) => {
      this.draft = { value, words };
      this.label();
    };
    const input = INPUTS[step.kind](step, this.kept, changed);
    return [input, ...(step.kind === "talk" ? [] : [this.go, this.hint])];
  }

  label() {
    const { draft, kept, go } = this;
    go.disabled = draft === undefined;
    const mine = kept === undefined ? "" : inWords(this.news.step, kept);
    go.textContent = draft ? `I say: ${draft.words}` : mine ? `You said: ${mine}` : wanted(this.news.step);
    this.hint.textContent = mine || draft ? changeTold(this.news.step) : "";
  }

  async send() {
    const { at, step } = this.news;
    const { value } = this.draft;
    this.go.disabled = true;
    const { status, told } = await ask(`./rooms/${this.code}/answer`, { at, round: step.round, value });
    if (status === 200) {
      this.kept = value;
      this.draft = undefined;
      this.label();
      this.tell(`Sent: ${inWords(step, value)}.`);
    } else {
      this.go.disabled = false;
      this.tell(told?.sentence ?? "It was not sent: there is no connection. Try again.");
      if (told) this.line.again();
    }
  }

  reveal(step) {
    const { kept } = this;
    const truth = truthOf(step);
    const own = kept === undefined ? [] : [el("p.mine", "You said: ", el("b", inWords(step, kept)))];
    const best = step.truth.indexOf(Math.max(...step.truth));
    const reply = replyTo(step, kept ?? best);
    const curves =
      step.kind === "curve" && step.truth.length
        ? [
            el(
              "div.curve",
              paperOf(
                [
                  [kept, "mine"],
                  [step.truth, "truth"],
                ],
                step,
              ),
            ),
          ]
        : [];
    const maps = step.kind === "map" ? [el("div.touch-map", mapOfModel(step, kept ? [kept] : []))] : [];
    return [
      ...own,
      ...(truth ? [el("p.truth", judge(step) === "right" ? "Right: " : "The model: ", el("b", truth))] : []),
      ...curves,
      ...maps,
      ...(reply ? [el("p.reply", reply)] : []),
    ];
  }

  // ---- by oneself, while the teacher allows it ----

  drawMoves({ at, of, step }) {
    const to = (n, label) => el("button", { disabled: n < 0 || n >= of, onclick: () => this.roam(n) }, label);
    const view = step.view && el("a", { href: step.view, target: "_blank", rel: "noopener" }, "Look at it in the app");
    this.moves.replaceChildren(to(at - 1, "← Back"), ...(view ? [view] : []), to(at + 1, "Next →"));
  }

  roam(n) {
    this.own = n;
    this.line.again();
  }

  tell(sentence) {
    this.said.textContent = sentence;
  }
}

/** Curves over each other as one picture: [[values, class], ...]. */
function paperOf(curves, step) {
  const drawn = curves.filter(([values]) => values);
  const lines = drawn.map(([values, name]) => svg(`path.${name}`, { d: pathOf(values, step) }));
  return svg("svg.paper", { viewBox: "0 0 320 220", preserveAspectRatio: "none", "aria-hidden": "true" }, ...lines);
}

followTheme();
new Phone(document.querySelector("main"));
