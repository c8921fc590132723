// Words of two languages, and threads between them as thick as the cross-attention. One layer and head at a time, or
// the mean of a layer's heads. With frames the translation can be played; without, it can be guessed at.

import { el, fixed, mirror, mount, param, percent, svg, tint, wholeParam } from "../../../../attention_view/lab.js";

const LEAST = 0.03; // thinner threads only blur the picture
const PACE = 1100; // milliseconds per step, while playing

class Threads {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.write(put));
    const n = (this.nodes = {});
    n.layers = el("span", { class: "choice", role: "radiogroup", "aria-label": "Layer" });
    n.heads = el("span", { class: "choice", role: "radiogroup", "aria-label": "Head" });
    n.mass = el("span", { class: "quiet mass" });
    n.ghost = el("input", { type: "checkbox", onchange: () => this.set({ ghost: n.ghost.checked }) });
    n.ghostLabel = el("label", { class: "switch" }, n.ghost, el("i", { class: "dash" }), "the right alignment");
    n.yourself = el("button", {
      type: "button",
      class: "act",
      onclick: () => this.set({ guess: this.guess ? null : this.quiz(), word: null }),
    });
    n.back = el(
      "button",
      { type: "button", title: "One word back", "aria-label": "One word back", onclick: () => this.go(this.step - 1) },
      "‹",
    );
    n.play = el("button", { type: "button", class: "play", onclick: () => (this.timer ? this.pause() : this.play()) });
    n.on = el(
      "button",
      { type: "button", title: "One word on", "aria-label": "One word on", onclick: () => this.go(this.step + 1) },
      "›",
    );
    n.range = el("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "Word that is being written",
      oninput: () => this.go(Number(n.range.value)),
    });
    n.count = el("output", {});
    n.player = el("div", { class: "player" }, n.back, n.play, n.on, n.range, n.count);
    n.lines = svg("svg", { class: "lines", "aria-hidden": "true" });
    n.words = el("div", { class: "words" });
    n.stage = el("div", { class: "stage" }, n.lines, n.words);
    n.bars = el("div", { class: "bars" });
    n.side = el("div", { class: "side" }, n.bars);
    n.say = el("p", { class: "say", role: "status" });
    root.replaceChildren(
      el(
        "div",
        { class: "top" },
        el("span", { class: "pick" }, "Layer ", n.layers),
        el("span", { class: "pick" }, "Head ", n.heads),
        n.mass,
        n.player,
        el("span", { class: "right" }, n.ghostLabel, n.yourself),
      ),
      el("div", { class: "body" }, n.stage, n.side),
      n.say,
    );
    this.observer = new ResizeObserver(() => this.data && this.width !== this.nodes.stage.clientWidth && this.paint());
    this.observer.observe(root);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const first = !this.signature;
    this.signature = signature;
    this.data = data;
    this.pause();
    const { source: S, target: T, layers, frames } = data;
    if (first) this.readUrl();
    else Object.assign(this, { word: null, guess: null, step: this.usualStep() });
    if (this.layer >= layers) this.layer = layers - 1;
    if (this.head >= data.heads) this.head = -1;
    if (this.word && this.word[1] >= (this.word[0] === "s" ? S : T).length) this.word = null;
    this.step = Math.max(0, Math.min(this.step, T.length - 1));
    this.hover = null;
    this.playing = frames.length > 0;
    this.root.classList.toggle("playing", this.playing);
    this.furnish();
    this.paint();
  }

  readUrl() {
    const { layers, heads, target } = this.data;
    this.layer = wholeParam("tr_thread_layer", layers) ?? layers - 1;
    this.head = wholeParam("tr_thread_head", heads) ?? -1;
    this.step = (wholeParam("tr_thread_step", target.length + 1) ?? this.usualStep() + 1) - 1;
    const word = /^([st])(\d{1,3})$/.exec(param("tr_thread_word") ?? "");
    this.word = word ? [word[1], Number(word[2])] : null;
    this.ghost = param("tr_thread_ghost") !== "off";
    this.guess = null;
  }

  write(put) {
    put("tr_thread_layer", this.layer, this.data.layers - 1);
    put("tr_thread_head", this.head, -1);
    put("tr_thread_ghost", this.ghost ? null : "off");
    if (this.playing) put("tr_thread_step", this.step + 1, this.usualStep() + 1);
    else put("tr_thread_word", this.word && this.word.join(""));
  }

  set(change) {
    Object.assign(this, change);
    this.hover = null;
    this.furnish();
    this.paint();
    this.link.later();
  }

  // ---- numbers ----------------------------------------------------------------------------------------------

  /** The weight with which target token i looks at source token j. */
  weight(i, j) {
    const { weights, heads, source, target } = this.data,
      T = target.length,
      S = source.length;
    const at = (h) => weights[((this.layer * heads + h) * T + i) * S + j];
    if (this.head >= 0) return at(this.head);
    let sum = 0;
    for (let h = 0; h < heads; h++) sum += at(h);
    return sum / heads;
  }

  row(i) {
    return this.data.source.map((_, j) => this.weight(i, j));
  }

  top(i) {
    const row = this.row(i);
    return row.indexOf(Math.max(...row));
  }

  right(i) {
    return this.data.ghost.filter((pair) => pair[0] === i).map((pair) => pair[1]);
  }

  /** On how many of the words asked for the model itself looks at the right one, as the end of a sentence. */
  itsScore() {
    const { order } = this.guess;
    const known = order.filter((i) => this.right(i).length);
    if (known.length < order.length) return "";
    return `; the model looks at the right word for ${known.filter((i) => this.right(i).includes(this.top(i))).length}`;
  }

  /** How far word i stands from the one it comes from: those are the words worth a question. */
  crossing(i) {
    const right = this.right(i);
    return Math.abs((right.length ? right[0] : this.top(i)) - i);
  }

  usualStep() {
    const { target } = this.data;
    this.layer ??= this.data.layers - 1;
    this.head ??= -1;
    const ways = target.slice(0, -1).map((_, i) => (this.data.ghost.length ? this.crossing(i) : 0));
    return Math.max(0, ways.indexOf(Math.max(...ways, 0)));
  }

  quiz() {
    const words = this.data.target.map((_, i) => i).filter((i) => this.data.target[i] !== "⟨end⟩");
    const order = words.sort((a, b) => this.crossing(b) - this.crossing(a) || a - b).slice(0, 5);
    return { order, at: 0, picks: [] };
  }

  /** Whether the threads of target word i are still to be guessed. */
  hides(i) {
    const { order, picks } = this.guess;
    return order.includes(i) && order.indexOf(i) >= picks.length;
  }

  // ---- playing ----------------------------------------------------------------------------------------------

  go(step) {
    this.pause();
    this.show(step);
  }

  show(step) {
    this.set({ step: Math.max(0, Math.min(step, this.data.target.length - 1)) });
  }

  play() {
    if (this.step >= this.data.target.length - 1) this.show(0);
    this.timer = setInterval(() => {
      this.show(this.step + 1);
      if (this.step >= this.data.target.length - 1) this.pause();
    }, PACE);
    this.furnish();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.data) this.furnish();
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  /** Switches and numbers; not the stage. */
  furnish() {
    const n = this.nodes,
      { layers, heads, ghost, target } = this.data;
    const radios = (box, name, options, chosen, pick) => {
      const wanted = options.map(([text]) => text).join();
      if (box.dataset.offered !== wanted) {
        box.dataset.offered = wanted;
        box.replaceChildren(
          ...options.map(([text, value]) =>
            el("label", {}, el("input", { type: "radio", name, value, onchange: () => pick(value) }), text),
          ),
        );
      }
      for (const input of box.querySelectorAll("input")) {
        input.checked = Number(input.value) === chosen;
        input.parentElement.classList.toggle("on", input.checked);
      }
    };
    radios(
      n.layers,
      "layer",
      Array.from({ length: layers }, (_, l) => [String(l), l]),
      this.layer,
      (layer) => this.set({ layer }),
    );
    radios(
      n.heads,
      "head",
      [["mean", -1], ...Array.from({ length: heads }, (_, h) => [String(h), h])],
      this.head,
      (head) => this.set({ head }),
    );
    n.ghostLabel.hidden = !ghost.length || Boolean(this.guess);
    n.ghost.checked = this.ghost;
    const rows = [...new Set(ghost.map((pair) => pair[0]))];
    const mass = ghost.reduce((sum, [i, j]) => sum + this.weight(i, j), 0) / (rows.length || 1);
    n.mass.textContent =
      rows.length && !this.guess && !this.playing
        ? `${Math.round(100 * mass)}% of the attention weight on the right words`
        : "";
    n.yourself.hidden = this.playing;
    n.yourself.textContent = this.guess ? "Show all threads" : "Thread it yourself";
    n.player.hidden = !this.playing;
    n.range.max = target.length - 1;
    n.range.value = this.step;
    n.range.setAttribute("aria-valuetext", `${this.step + 1} of ${target.length}: ${target[this.step]}`);
    n.count.textContent = `word ${this.step + 1} of ${target.length}`;
    n.play.textContent = this.timer ? "Pause" : "Play";
    n.back.disabled = this.step === 0;
    n.on.disabled = this.step >= target.length - 1;
  }

  /** Where words stand: two rows if there is room, else two columns. */
  place() {
    const { source, target } = this.data,
      width = this.nodes.stage.clientWidth,
      most = Math.max(source.length, target.length);
    this.width = width;
    const wide = (word) => Math.min(148, 22 + 7.8 * word.length);
    const fits = (words) =>
      words.every((word, n) => !n || (wide(words[n - 1]) + wide(word)) / 2 + 4 <= Math.min(width / words.length, 128));
    const upright = width < 520 || !fits(source) || !fits(target);
    const strip = this.playing ? 56 : 0;
    if (upright) {
      const row = 36,
        at = (n, of) => 18 + (n + 0.5 + (most - of) / 2) * row;
      const left = width * 0.34,
        right = width * 0.66;
      return {
        upright,
        width,
        height: 36 + most * row,
        source: source.map((_, j) => ({ x: left, y: at(j, source.length) })),
        target: target.map((_, i) => ({ x: right, y: at(i, target.length) })),
      };
    }
    const line = (words, y) => {
      const step = Math.min(width / words.length, 128),
        start = (width - step * words.length) / 2;
      return words.map((_, n) => ({ x: start + (n + 0.5) * step, y }));
    };
    const height = (this.playing ? 252 : 292) + strip;
    return { upright, width, height, source: line(source, 46 + strip), target: line(target, height - 42) };
  }

  paint() {
    const n = this.nodes,
      { source, target, memory } = this.data;
    const place = (this.placed = this.place());
    if (!place.width) return;
    n.stage.style.height = `${place.height}px`;
    n.stage.classList.toggle("upright", place.upright);
    n.lines.setAttribute("viewBox", `0 0 ${place.width} ${place.height}`);
    const chip = (side, at, text) => {
      const { x, y } = place[side === "s" ? "source" : "target"][at];
      const node = el(
        "button",
        {
          type: "button",
          class: `word ${side === "s" ? "source" : "target"}`,
          style: `left:${x}px;top:${y}px`,
          title: text,
          "data-word": `${side}${at}`,
          onpointerenter: () => this.point([side, at]),
          onpointerleave: () => this.point(null),
          onfocus: () => this.point([side, at]),
          onblur: () => this.point(null),
          onclick: () => this.pick(side, at),
        },
        el("span", {}, text),
        el("small", {}),
      );
      return node;
    };
    this.chips = { s: source.map((word, j) => chip("s", j, word)), t: target.map((word, i) => chip("t", i, word)) };
    const tags =
      place.upright || this.playing
        ? []
        : [
            el("span", { class: "tag source", style: "top:0" }, "the sentence: keys and values"),
            el("span", { class: "tag target", style: "bottom:0" }, "the translation: queries"),
          ];
    const strips =
      this.playing && !place.upright && memory ? memory.map((vector, j) => this.strip(vector, place.source[j])) : [];
    n.words.replaceChildren(...tags, ...strips, ...this.chips.s, ...this.chips.t);
    if (this.playing && !place.upright) {
      const frame = this.data.frames[this.step];
      n.words.append(
        el("span", { class: "tag source", style: "top:0" }, `Encoder: ran ${times(frame.encoder)}. Its memory:`),
        el("span", { class: "tag target", style: "bottom:0" }, `Decoder: ran ${times(frame.decoder)}`),
      );
    }
    this.paintThreads();
    this.paintBars();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  /** A vector of the memory as a small strip of colours: amber below zero, slate above. */
  strip(vector, { x, y }) {
    const largest = Math.max(...vector.map(Math.abs), 1e-9);
    const cells = vector.map((v) => el("i", { style: `background: ${tint(v, largest)}` }));
    return el(
      "span",
      {
        class: "strip",
        style: `left:${x}px;top:${y - 56}px`,
        "aria-hidden": "true",
        title: `${vector.length} numbers`,
      },
      ...cells,
    );
  }

  /** The word everything points at: under the pointer, else pinned; while playing the one being written. */
  get focus() {
    if (this.guess) return null;
    if (this.playing) return ["t", this.step];
    return this.hover ?? this.word;
  }

  point(word) {
    if (this.playing || this.guess || String(word) === String(this.hover)) return;
    this.hover = word;
    this.paintThreads();
  }

  pick(side, at) {
    if (this.playing) return side === "t" && this.go(at);
    if (this.guess) {
      if (side === "s" && this.guess.picks.length === this.guess.at) {
        this.guess.picks.push(at);
        this.paintThreads();
      }
      return undefined;
    }
    const same = String(this.word) === String([side, at]);
    return this.set({ word: same ? null : [side, at] });
  }

  path(i, j) {
    const { upright, source, target } = this.placed,
      a = target[i],
      b = source[j];
    if (upright) {
      const x1 = b.x + 6,
        x2 = a.x - 6,
        middle = (x1 + x2) / 2;
      return `M${x1} ${b.y} C${middle} ${b.y} ${middle} ${a.y} ${x2} ${a.y}`;
    }
    const y1 = b.y + 19,
      y2 = a.y - 19,
      bend = (y2 - y1) * 0.45;
    return `M${b.x} ${y1} C${b.x} ${y1 + bend} ${a.x} ${y2 - bend} ${a.x} ${y2}`;
  }

  paintThreads() {
    const { source, target, ghost } = this.data,
      { guess, focus } = this;
    const asked = guess ? guess.order[guess.at] : null,
      revealed = guess && guess.picks.length > guess.at;
    // While guessing: the threads of words that nobody is asked for, and those that are known by now.
    const seen = (i, j) => (guess ? !this.hides(i) : !focus || (focus[0] === "t" ? focus[1] === i : focus[1] === j));
    const lines = [];
    for (let i = 0; i < target.length; i++)
      for (let j = 0; j < source.length; j++) {
        const w = this.weight(i, j);
        if (w >= LEAST && seen(i, j))
          lines.push([
            w,
            svg("path", {
              class: "thread",
              d: this.path(i, j),
              "stroke-width": (0.8 + 13 * w).toFixed(2),
              opacity: ((0.12 + 0.68 * w) * (guess && i !== asked ? 0.35 : 1)).toFixed(2),
              "data-pair": `${i} ${j}`,
            }),
          ]);
      }
    lines.sort((a, b) => a[0] - b[0]);
    const marks = ghost
      .filter(([i, j]) => (guess ? revealed && i === asked : this.ghost) && seen(i, j))
      .map(([i, j]) => svg("path", { class: "ghost", d: this.path(i, j) }));
    if (revealed) marks.push(svg("path", { class: "mine", d: this.path(asked, guess.picks[guess.at]) }));
    this.nodes.lines.replaceChildren(...lines.map(([, line]) => line), ...marks);

    const row = focus?.[0] === "t" ? this.row(focus[1]) : revealed ? this.row(asked) : null;
    const column = focus?.[0] === "s" ? target.map((_, i) => this.weight(i, focus[1])) : null;
    const dress = (chip, on, weight, hidden = false) => {
      chip.classList.toggle("on", on);
      chip.classList.toggle("faint", !on && weight !== null && weight < LEAST);
      chip.classList.toggle("later", hidden);
      chip.disabled = hidden;
      chip.style.setProperty("--share", `${Math.round(100 * (weight ?? 0))}%`);
      chip.querySelector("small").textContent = weight !== null && weight >= LEAST ? fixed(weight) : "";
    };
    this.chips.s.forEach((chip, j) => dress(chip, focus?.[0] === "s" && focus[1] === j, row ? row[j] : null));
    this.chips.t.forEach((chip, i) =>
      dress(
        chip,
        (focus?.[0] === "t" && focus[1] === i) || i === asked,
        column ? column[i] : null,
        this.playing && i > this.step,
      ),
    );
    this.speak(asked, revealed);
    this.root.dataset.shown = JSON.stringify({
      layer: this.layer,
      head: this.head,
      focus: focus ? focus.join("") : "",
      step: this.playing ? this.step : -1,
      threads: lines.length,
      row,
    });
  }

  speak(asked, revealed) {
    const { source, target } = this.data,
      say = this.nodes.say;
    const english = (j) => el("b", { class: "source" }, source[j]),
      foreign = (i) => el("b", { class: "target" }, target[i]);
    const strong = (text) => el("b", { class: "weight" }, text);
    const joined = (nodes, glue = ", ") => nodes.flatMap((node, at) => (at ? [glue, ...[node].flat()] : [node].flat()));
    if (this.guess) {
      const { guess } = this,
        from = this.right(asked);
      if (!revealed)
        return say.replaceChildren(
          `Question ${guess.at + 1} of ${guess.order.length}. Which word does the model look at to write `,
          foreign(asked),
          "? Pick it.",
        );
      const top = this.top(asked),
        hits = guess.order.slice(0, guess.at + 1).filter((i, at) => this.top(i) === guess.picks[at]).length;
      const more = guess.at + 1 < guess.order.length;
      return say.replaceChildren(
        guess.picks[guess.at] === top ? "Yes. " : guess.picks[guess.at] === asked ? ORDER : "Not here. ",
        "It looks most at ",
        english(top),
        " (",
        strong(fixed(this.weight(asked, top))),
        ")",
        ...(from.length && !from.includes(top) ? ["; it should look at ", ...joined(from.map(english))] : []),
        more ? `. So far ${hits} of ${guess.at + 1}. ` : `. You found ${hits} of ${guess.at + 1}${this.itsScore()}. `,
        el(
          "button",
          {
            type: "button",
            class: "act",
            onclick: () => this.set({ guess: more ? { ...guess, at: guess.at + 1 } : null }),
          },
          more ? "Next word" : "Show all threads",
        ),
      );
    }
    const focus = this.focus;
    if (!focus) return say.replaceChildren("Hover over a word to see its threads alone; click or tap to hold it.");
    const [side, at] = focus;
    const weights = side === "t" ? this.row(at) : target.map((_, i) => this.weight(i, at));
    const best = weights
      .map((w, n) => [w, n])
      .sort((a, b) => b[0] - a[0])
      .slice(0, 3)
      .filter(([w]) => w >= LEAST);
    if (side === "s")
      return say.replaceChildren(
        english(at),
        " is looked at by ",
        ...(best.length ? joined(best.map(([w, i]) => [foreign(i), " ", strong(fixed(w))])) : ["nobody here"]),
        ".",
      );
    const read = this.playing
      ? [
          "The decoder has read ",
          el("span", { class: "quiet" }, ["⟨start⟩", ...target.slice(0, at)].join(" ")),
          " and writes ",
        ]
      : ["To write "];
    return say.replaceChildren(
      ...read,
      foreign(at),
      this.playing ? ", looking at " : ", it looks at ",
      ...joined(best.map(([w, j]) => [english(j), " ", strong(fixed(w))])),
      ".",
    );
  }

  /** The words that could have come, while playing. */
  paintBars() {
    const { frames, target } = this.data,
      n = this.nodes;
    n.side.hidden = !this.playing;
    if (!this.playing) return;
    const frame = frames[this.step];
    n.bars.replaceChildren(
      el("h3", {}, "The next word: how likely"),
      ...frame.top.flatMap(([word, p], at) => [
        el("span", { class: at ? "name" : "name chosen" }, word),
        el(
          "span",
          { class: "track", "aria-hidden": "true" },
          el("i", { class: at ? "" : "chosen", style: `width:${(100 * p).toFixed(2)}%` }),
        ),
        el("span", { class: "value" }, percent(p)),
      ]),
      el(
        "p",
        { class: "quiet" },
        target[this.step] === "⟨end⟩"
          ? "⟨end⟩ is the likeliest: the sentence is done."
          : "The likeliest is written, and read at the next step.",
      ),
      ...(this.placed.upright
        ? [el("p", { class: "quiet" }, `Encoder: ran ${times(frame.encoder)}. Decoder: ran ${times(frame.decoder)}.`)]
        : []),
    );
  }

  destroy() {
    this.observer.disconnect();
    clearInterval(this.timer);
    this.link.end();
  }
}

const ORDER = "Not here: the words do not keep their places. ";

const times = (n) => (n === 1 ? "once" : n === 2 ? "twice" : `${n} times`);

export default mount(".threads", Threads);
