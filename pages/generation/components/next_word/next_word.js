// The next word: the story in large letters, at its end a ladder of what may come, the random numbers that decide, and
// the branches that were tried. The settings of the draw work here, on the logits that were sent. All text comes as
// data and goes to textContent.

import { boxOf, el, fixed, mirror, mount, still, strength, svg, theme } from "../../../../attention_view/lab.js";

const SHOWN = 9;
const MANY = 100; // draws at once
const DOT = 7; // pixels
const FALL = 180; // milliseconds
const WIDE = 780; // pixels that the ladder needs beside the story
const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
export const ordinal = (n) =>
  n.toLocaleString("en") + { one: "st", two: "nd", few: "rd", other: "th" }[ORDINAL.select(n)];
export const share = (p) =>
  p === 0 ? "0" : p === 1 ? "1" : p < 0.0005 ? "<0.001" : p > 0.9995 ? ">0.999" : fixed(p, 3);
const REASON = { top_k: "top-k", top_p: "top-p", greedy: "not the largest" };

const settingsOf = ({ temperature, top_k, top_p, penalty }) => String([temperature, top_k, top_p, penalty]);

export function softmax(values) {
  const most = Math.max(...values);
  const powers = values.map((x) => Math.exp(x - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((x) => x / sum);
}

/** As transformer/generation/sampling.py: penalty, temperature, top-k, top-p; what was taken out, and by which. */
export function distribution(logits, read, { temperature, top_k, top_p, penalty }) {
  const seen = new Set(read);
  const penalised = logits.map((x, id) => (seen.has(id) ? (x < 0 ? x * penalty : x / penalty) : x));
  const removed = new Map();
  const most = Math.max(...penalised);
  const tempered = temperature ? softmax(penalised.map((x) => (x - most) / temperature)) : softmax(penalised);
  const order = [...tempered.keys()].sort((a, b) => tempered[b] - tempered[a] || a - b);
  if (!temperature) {
    const best = penalised.indexOf(most);
    for (const id of order) if (id !== best) removed.set(id, "greedy");
  } else {
    let kept = order;
    if (top_k) {
      for (const id of order.slice(top_k)) removed.set(id, "top_k");
      kept = order.slice(0, top_k);
    }
    if (top_p < 1) {
      const wanted = top_p * kept.reduce((sum, id) => sum + tempered[id], 0);
      let mass = 0;
      kept.forEach((id, n) => {
        if (n && mass >= wanted) removed.set(id, "top_p");
        mass += tempered[id];
      });
    }
  }
  const left = order.filter((id) => !removed.has(id));
  const sum = left.reduce((total, id) => total + tempered[id], 0);
  const final = tempered.map((p, id) => (removed.has(id) ? 0 : p / sum));
  return { probs: softmax(logits), tempered, final, removed, order, left };
}

/** The same as `distribution` of a vocabulary that is too large to be sent: the server has worked it out, and names the
 * likeliest and the sum of the rest. */
export function received({ rows, rest: [n, probs, final], removed: counts, falls, own }, draws) {
  const by = (place) => Object.fromEntries(rows.map((row) => [row[0], row[place]]));
  const removed = new Map(rows.filter((row) => row[3]).map((row) => [row[0], row[3]]));
  const order = rows.map(([id]) => id);
  return {
    probs: by(1),
    final: by(2),
    removed,
    order,
    left: order.filter((id) => !removed.has(id)),
    rest: { n, probs, final },
    counts,
    own,
    falls: new Map(draws.map((u, at) => [u, { id: falls[at][0], low: falls[at][1], high: falls[at][2] }])),
  };
}

/** As transformer/generation/slices.py: the slices of 0 to 1, the largest first, and the one that u falls into. */
export function draw({ final, left, falls }, u) {
  if (falls) return falls.get(u);
  let low = 0;
  for (const [n, id] of left.entries()) {
    const high = n === left.length - 1 ? 1 : low + final[id];
    if (u < high) return { id, low, high };
    low = high;
  }
}

class NextWord {
  constructor(root) {
    this.root = root;
    this.all = false;
    this.link = mirror((put) => this.write(put));
    const n = (this.nodes = {});
    const act = (text, onclick, title, kind = "act") => el("button", { class: kind, onclick, title }, text);
    n.story = el("p.story");
    n.looked = el("p.quiet");
    n.heads = el("div.heads", { role: "group", "aria-label": "Every head" });
    n.best = act(
      "",
      () => this.pick(this.dist.order[0]),
      "Go on with the token that is most probable under the settings below.",
    );
    n.write = act("Write to the end", () => this.writeOn(), "Draw token after token until the end of the text.");
    n.back = act(
      "Take back",
      () => this.act("go", this.data.nodes[this.data.at][0]),
      "Go back one token. What was written stays as a branch.",
    );
    n.anew = act("Clear the tree", () => this.act("anew"));
    n.where = el("p.where", { role: "status" });
    n.bars = el("ol.bars", { "aria-label": "What may come next" });
    n.more = el("button.more", {
      onclick: () => {
        this.all = !this.all;
        this.draw();
      },
    });
    n.fan = svg("svg.fan", { "aria-hidden": "true" });
    n.ladder = el("section.ladder", n.bars, n.more);
    n.left = el(
      "div.left",
      n.story,
      el("div.acts", n.best, n.write, n.back),
      n.where,
      el("div.attention", n.looked, n.heads),
    );
    n.hero = el("div.hero", n.fan, n.left, n.ladder);

    n.draw = act("Draw one", () => this.drawOne(), "The next random number falls on the line.", "act first");
    n.many = act(`Draw ${MANY}`, () => this.drawMany(), "The next 100 random numbers fall on the line.");
    n.rain = el("div.rain", { "aria-hidden": "true" });
    n.slices = el("div.slices", { role: "img" });
    n.rail = el("div.rail", n.rain, n.slices);
    n.why = el("p.why", { role: "status" });
    n.luck = el("div.luck", el("div.acts", n.draw, n.many), n.rail, n.why);

    const knob = (name, label, min, max, step, title) => {
      const range = el("input", {
        type: "range",
        min,
        max,
        step,
        "aria-label": label,
        oninput: () => this.turn(name, Number(range.value)),
      });
      const output = el("output");
      n[name] = { range, output };
      return el("label", { title }, el("span", label, output), range);
    };
    const seed = el("input", {
      type: "number",
      min: 0,
      step: 1,
      "aria-label": "Next random number",
      oninput: () => {
        const value = Number(seed.value);
        if (seed.value !== "" && Number.isInteger(value) && value >= 0 && value < this.data.draws.length)
          this.turn("seed", value);
      },
    });
    n.seed = { range: seed, output: el("output") };
    n.knobs = el(
      "div.knobs",
      knob(
        "temperature",
        "Temperature",
        0,
        2,
        0.05,
        "Logits are divided by it. Below 1 the likely gets likelier; 0 takes the likeliest.",
      ),
      knob("top_k", "Top-k", 1, 1, 1, "Only so many of the likeliest stay."),
      knob("top_p", "Top-p", 0.05, 1, 0.05, "Only the likeliest that together reach this share stay: the nucleus."),
      knob("penalty", "Repetition penalty", 1, 2, 0.05, "What stands in the text already gets a lower logit."),
      el(
        "label",
        { title: "The random numbers are the same for everyone. Each draw takes the next one." },
        el("span", "Next random number"),
        seed,
      ),
    );
    n.tree = el("div.tree", { role: "tree", "aria-label": "The text and its branches" });
    n.tree.onkeydown = (event) => this.walk(event);
    n.branches = el("section.branches", el("div.acts", el("h2", "Branches: what was tried"), n.anew), n.tree);
    root.replaceChildren(n.hero, n.luck, n.knobs, n.branches);
    this.observer = new ResizeObserver(() => this.data && this.width !== root.clientWidth && this.place());
    this.observer.observe(root);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const { temperature, top_k, top_p, penalty, seed } = data;
    if (this.knobs) this.link.later(); // the server wrote older ones into the link
    this.knobs ??= { temperature, top_k, top_p, penalty, seed };
    const grown = !this.data || this.data.at !== data.at || this.data.nodes.length !== data.nodes.length;
    this.data = data;
    this.waiting = false;
    const L = data.attention.length,
      H = L ? data.attention[0].length : 0;
    if (this.taken === undefined && /^\d{1,2}\.\d{1,2}$/.test(data.head)) this.taken = data.head.split(".").map(Number);
    if (!this.taken || this.taken[0] >= L || this.taken[1] >= H) this.taken = null; // then the sharpest head is shown
    this.nodes.top_k.range.max = this.most;
    this.nodes.seed.range.max = data.draws.length - 1;
    this.path = [];
    for (let at = data.at; at >= 0; at = data.nodes[at][0]) this.path.unshift(at);
    const text = [...data.given, ...this.path.map((at) => data.nodes[at][1])];
    if (String(text) !== String(this.text)) {
      this.fallen = []; // dots lie on the line of one text
      this.shown = null;
      this.nodes.rain.replaceChildren();
    }
    this.text = text;
    this.over = this.path.length > 0 && this.text.at(-1) === data.end; // GPT-2 begins with what ends its texts
    this.nodes.hero.classList.toggle("over", this.over);
    this.growTree();
    this.tell();
    this.draw();
    this.look();
    this.place();
    if (grown) this.scrollTree();
    if (data.ladder && this.asked !== this.settings && this.settings !== settingsOf(data)) this.ask();
  }

  /** The settings that a distribution depends on. */
  get settings() {
    return settingsOf(this.knobs);
  }

  /** How many tokens there are. */
  get size() {
    return this.data.ladder?.size ?? this.data.labels.length;
  }

  /** The end of the knob for top-k, which stands for all of them. */
  get most() {
    return this.data.ladder ? this.data.ladder.rows.length + 1 : this.data.labels.length;
  }

  label(id) {
    return this.data.labels[id];
  }

  // ---- the story ----

  /** The text in large letters: what was given, and the words that were taken, which lead back to themselves. */
  tell() {
    const { data } = this;
    const glued = data.glue === "" && !data.ladder; // parts of words stand apart: each has its share below it
    const given = data.given.map((id, n) =>
      el("span", { class: n || !data.starts ? "token" : "token start", "data-token": n }, this.label(id)),
    );
    const taken = this.path.map((at, n) => {
      const [, id, p, rank] = data.nodes[at];
      return el(
        "button.token.taken",
        {
          "data-token": data.given.length + n,
          "data-about": `the model gave it ${share(p)} here, the ${ordinal(rank)}. Click to go back to it.`,
          onclick: () => this.act("go", at),
        },
        el("b", this.label(id)),
        el("small", share(p)),
      );
    });
    this.tokens = [...given, ...taken];
    this.nodes.story.classList.toggle("glued", glued);
    this.nodes.story.classList.toggle("long", this.text.length > (glued ? 90 : 26));
    this.caret = el("i.caret", { "aria-hidden": "true" });
    this.nodes.story.replaceChildren(...this.tokens, ...(this.over ? [] : [this.caret]));
    this.nodes.story.scrollTop = this.nodes.story.scrollHeight;
  }

  /** The ladder stands where the sentence ends; below it where there is no room beside. */
  place() {
    const { hero, story, ladder, left } = this.nodes;
    const width = (this.width = this.root.clientWidth);
    if (!width) return;
    const beside = width >= WIDE && !this.over;
    hero.classList.toggle("beside", beside);
    story.style.maxWidth = beside ? `${width - 500}px` : "";
    ladder.hidden = this.over;
    ladder.style.marginTop = "";
    left.style.paddingRight = beside ? "84px" : "";
    hero.style.gridTemplateColumns = beside ? `${width - 400}px 1fr` : "";
    if (beside) {
      const { width: end, top } = boxOf(story);
      hero.style.gridTemplateColumns = `${Math.min(Math.max(end + 96, 520), width - 400)}px minmax(0, 540px)`;
      const lower = boxOf(this.caret).top - top;
      ladder.style.marginTop = `${Math.max(0, Math.min(lower - 4, 60))}px`;
    }
    this.paintFan();
    this.paintHeads();
  }

  /** From the end of the story to every rung, as thick as its probability. */
  paintFan() {
    const { hero, fan, bars, story } = this.nodes;
    fan.replaceChildren();
    if (!hero.classList.contains("beside") || !this.caret.isConnected) return;
    const box = boxOf(hero),
      from = boxOf(this.caret),
      seen = boxOf(bars);
    fan.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    // Along the last line to the end of the longest, and from there to the rungs.
    const x0 = from.right - box.left + 4,
      x1 = Math.max(x0, boxOf(story).right - box.left),
      y1 = (from.top + from.bottom) / 2 - box.top;
    if (x1 > x0 + 8) fan.append(svg("path.twig", { d: `M${x0} ${y1}H${x1}`, "stroke-width": 3 }));
    for (const button of bars.querySelectorAll("[data-id]")) {
      const to = boxOf(button);
      if (to.top < seen.top - 4 || to.bottom > seen.bottom + 4) continue;
      const x2 = to.left - box.left - 2,
        y2 = (to.top + to.bottom) / 2 - box.top,
        bend = (x2 - x1) / 2;
      const p = this.dist.final[Number(button.dataset.id)];
      fan.append(
        svg("path", {
          class: p ? "twig" : "twig gone",
          d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
          "stroke-width": (1 + 15 * p).toFixed(2),
        }),
      );
    }
  }

  // ---- the tree ----

  growTree() {
    const { data, nodes: n } = this;
    const children = data.nodes.map(() => []),
      first = [];
    data.nodes.forEach(([parent], at) => (parent < 0 ? first : children[parent]).push(at));
    this.children = children;
    this.first = first;
    const onPath = new Set(this.path);
    const word = (at) => {
      const [, id, p, rank] = data.nodes[at];
      const classes = ["word", onPath.has(at) && "on", id === data.end && "end"].filter(Boolean).join(" ");
      const button = el(
        "button",
        {
          role: "treeitem",
          class: classes,
          tabindex: at === data.at ? 0 : -1,
          "aria-current": at === data.at ? "true" : null,
          "aria-selected": String(at === data.at),
          "data-node": at,
          title: `${this.label(id)}: the model gave it ${share(p)} here, the ${ordinal(rank)}`,
          onclick: () => this.act("go", at),
        },
        el("b", this.label(id)),
        el("small", share(p)),
      );
      return button;
    };
    const branch = (start) => {
      const line = el("div.line");
      let at = start;
      while (true) {
        line.append(word(at));
        if (children[at].length !== 1) break;
        at = children[at][0];
      }
      return el("div.branch", { role: "none" }, line, fork(children[at]));
    };
    const fork = (starts) => (starts.length ? el("div.fork", { role: "group" }, ...starts.map(branch)) : null);
    const given = el(
      "button.word.given.on",
      {
        role: "treeitem",
        tabindex: data.at < 0 ? 0 : -1,
        "aria-selected": String(data.at < 0),
        "aria-current": data.at < 0 ? "true" : null,
        "data-node": -1,
        onclick: () => this.act("go", -1),
        title: "The beginning, as you typed it",
      },
      el(
        "b",
        data.given
          .slice(data.starts && data.given.length > 1 ? 1 : 0)
          .map((id) => this.label(id))
          .join(data.glue),
      ),
      el("small", "given"),
    );
    const had = this.root.getRootNode().activeElement?.dataset?.node != null;
    n.tree.replaceChildren(el("div.branch", { role: "none" }, el("div.line", given), fork(first)));
    if (had) n.tree.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    n.branches.hidden = !data.nodes.length;
    n.back.disabled = data.at < 0;
    n.anew.disabled = !data.nodes.length;
    for (const button of [n.best, n.draw, n.write]) button.disabled = this.over || data.full;
    n.many.disabled = this.over;
    n.where.textContent = this.standing();
    this.root.dataset.at = data.at;
    this.root.dataset.nodes = data.nodes.length;
    this.root.dataset.text = this.text.join(" ");
  }

  standing() {
    const { data } = this;
    const words = [];
    if (data.at >= 0) {
      const [, id, p, rank] = data.nodes[data.at];
      const among = this.size.toLocaleString("en");
      words.push(`“${this.label(id)}” had a probability of ${share(p)} there, the ${ordinal(rank)} of ${among}.`);
    }
    if (this.over) words.push("The text ends here. Click any word to go on from there in another way.");
    else if (data.full) words.push("There is no room for more words. Go back to an earlier one, or clear the tree.");
    else words.push("Click a word of the ladder, even a wrong one, to go on with it.");
    return words.join(" ");
  }

  walk(event) {
    const at = Number(this.root.getRootNode().activeElement?.dataset?.node ?? NaN);
    if (Number.isNaN(at)) return;
    const siblings = at < 0 ? [-1] : this.data.nodes[at][0] < 0 ? this.first : this.children[this.data.nodes[at][0]];
    const children = at < 0 ? this.first : this.children[at];
    const near = (by) => siblings[siblings.indexOf(at) + by];
    const to = {
      ArrowLeft: at < 0 ? undefined : this.data.nodes[at][0],
      ArrowRight: children[0],
      ArrowUp: near(-1),
      ArrowDown: near(1),
      Home: -1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.nodes.tree.querySelector(`[data-node="${to}"]`)?.focus();
  }

  scrollTree() {
    const tree = this.nodes.tree,
      now = tree.querySelector("[aria-current]");
    if (!now) return;
    const box = tree.getBoundingClientRect(),
      it = now.getBoundingClientRect();
    if (it.left < box.left || it.right > box.right - 20) tree.scrollLeft += it.right - box.right + 60;
    if (it.top < box.top || it.bottom > box.bottom) tree.scrollTop += it.top - box.top - 20;
  }

  // ---- the ladder and the draw ----

  turn(name, value) {
    this.knobs[name] = name === "top_k" && value >= this.most ? 0 : value;
    this.shown = this.last = null;
    this.draw();
    this.paintFan();
    this.link.later();
    if (this.data.ladder && name !== "seed") this.ask();
  }

  /** The server works out the draw of a large vocabulary, once the knobs have come to rest. */
  ask() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.waiting) return this.ask();
      this.asked = this.settings;
      this.send("act", { do: "turn", number: 0, knobs: { ...this.knobs } });
    }, 150);
  }

  draw() {
    const { data, nodes: n, knobs } = this;
    const dist = (this.dist = data.ladder
      ? received(data.ladder, data.draws)
      : distribution(data.logits, this.text, knobs));
    const u = data.draws[knobs.seed];
    this.drawn = draw(dist, u);
    const values = {
      temperature: knobs.temperature.toFixed(2),
      top_k: knobs.top_k || "all",
      top_p: knobs.top_p.toFixed(2),
      penalty: knobs.penalty.toFixed(2),
      seed: knobs.seed,
    };
    for (const [name, text] of Object.entries(values)) {
      const value = name === "top_k" ? knobs.top_k || this.most : knobs[name];
      if (n[name].range.value === "" || Number(n[name].range.value) !== value) n[name].range.value = value;
      n[name].output.textContent = text;
      if (name !== "seed") n[name].range.setAttribute("aria-valuetext", String(text));
    }
    n.best.textContent = this.over ? "Take the most probable" : `Take the most probable: ${this.label(dist.order[0])}`;
    const counts = new Map();
    for (const number of this.fallen) {
      const { id } = draw(dist, number);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    n.rail.hidden = n.why.hidden = this.over;
    this.drawBars(dist, counts);
    this.drawSlices(dist, counts);
    n.why.replaceChildren(...this.told(dist, counts));
    // For those who check: what the browser has worked out, token by token.
    this.root.dataset.final = JSON.stringify(dist.final);
    this.root.dataset.settings = settingsOf(data.ladder ? data : knobs);
    this.root.dataset.removed = JSON.stringify(
      data.ladder ? Object.fromEntries(dist.removed) : data.labels.map((_, id) => dist.removed.get(id) ?? ""),
    );
    this.root.dataset.drawn = this.drawn.id;
    this.root.dataset.counts = JSON.stringify([...counts]);
  }

  drawBars(dist, counts) {
    const { data, nodes: n } = this;
    const shown = this.all ? dist.order : dist.order.slice(0, SHOWN);
    const rest = dist.order.slice(shown.length);
    const scale = Math.max(...shown.map((id) => Math.max(dist.probs[id], dist.final[id])));
    const differs = dist.order.some((id) => Math.abs(dist.probs[id] - dist.final[id]) > 1e-9);
    const bar = (p, kind) => el("i", { class: kind, style: `width:${((100 * p) / scale).toFixed(2)}%` });
    const tried = new Set((data.at < 0 ? this.first : this.children[data.at]).map((at) => data.nodes[at][1]));
    n.bars.classList.toggle("differs", differs);
    n.bars.classList.toggle("counted", counts.size > 0);
    n.bars.replaceChildren(
      ...shown.map((id) => {
        const gone = dist.removed.get(id),
          count = counts.get(id) ?? 0;
        const fate = gone ? `taken out by ${REASON[gone]}` : `${share(dist.final[id])} in the draw`;
        const drawn = counts.size ? `, drawn ${count} of ${this.fallen.length} times` : "";
        return el(
          "li",
          { class: [gone && "gone", tried.has(id) && "tried"].filter(Boolean).join(" ") },
          el(
            "button",
            {
              "data-id": id,
              disabled: this.over || data.full,
              onclick: () => this.pick(id),
              title: `${share(dist.probs[id])} by the model, ${fate}${drawn}`,
            },
            el("b", { style: `font-size:${(14.5 + 9 * Math.sqrt(dist.final[id])).toFixed(1)}px` }, this.label(id)),
            el(
              "span.bar",
              bar(dist.probs[id], "before"),
              bar(dist.final[id], "after"),
              counts.size && !gone
                ? el("i.tick", { style: `left:${((100 * count) / this.fallen.length / scale).toFixed(2)}%` })
                : null,
            ),
            el("span.n", gone ? el("em", REASON[gone]) : share(dist.final[id])),
            el("span.n.own", differs ? share(dist.probs[id]) : ""),
            el("span.n.times", counts.size ? `${count}×` : ""),
          ),
        );
      }),
    );
    const sum = (name) => share(rest.reduce((total, id) => total + dist[name][id], dist.rest?.[name] ?? 0));
    n.more.hidden = dist.order.length <= SHOWN;
    const n_others = rest.length + (dist.rest?.n ?? 0);
    const others = `The other ${n_others.toLocaleString("en")} together: ${sum("final")}. `;
    const more = dist.rest?.n ? `Show the ${dist.order.length} likeliest` : "Show them";
    n.more.textContent = (n_others ? others : "") + (this.all ? `Show the ${SHOWN} likeliest` : more);
    this.root.dataset.bars = dist.left.filter((id) => shown.includes(id)).length;
  }

  drawSlices(dist, counts) {
    const parts = [];
    let low = 0;
    for (const id of dist.left) {
      const p = dist.final[id];
      if (p < 0.004) break;
      const fell = this.shown?.id === id;
      parts.push(
        el(
          "span",
          {
            class: fell ? "slice drawn" : "slice",
            style: `left:${100 * low}%;width:${100 * p}%`,
            title: `${this.label(id)}: ${share(low)} to ${share(Math.min(1, low + p))}`,
          },
          p > 0.05 ? this.label(id) : "",
        ),
      );
      low += p;
    }
    this.nodes.slices.replaceChildren(
      ...parts,
      ...(this.shown ? [el("i.u", { style: `left:${100 * this.shown.u}%` })] : []),
    );
    const fell = counts.size ? ` ${this.fallen.length} random numbers lie on it.` : "";
    this.nodes.slices.setAttribute(
      "aria-label",
      `The line from 0 to 1, cut into slices as long as the probabilities.${fell}`,
    );
  }

  /** The dots of these numbers: each falls on the line where it belongs, and on those that lie there already. */
  rainDown(numbers) {
    const width = this.nodes.rain.clientWidth || 600,
      piles = new Map(),
      moves = !still();
    this.nodes.rain.replaceChildren(
      ...numbers.map((u, n) => {
        const column = Math.min(Math.floor((u * width) / DOT), Math.floor(width / DOT) - 1),
          height = piles.get(column) ?? 0;
        piles.set(column, height + 1);
        return el("i", {
          class: moves ? "dot falls" : "dot",
          style: `left:${column * DOT}px;bottom:${height * DOT}px;animation-delay:${moves ? n * DOT : 0}ms`,
        });
      }),
    );
  }

  /** The numbers that come next, and the knob turned past them. */
  next(n) {
    const { draws } = this.data;
    const numbers = Array.from({ length: n }, (_, at) => draws[(this.knobs.seed + at) % draws.length]);
    this.knobs.seed = (this.knobs.seed + n) % draws.length;
    return numbers;
  }

  drawOne() {
    if (this.over || this.data.full || this.waiting) return;
    const number = this.knobs.seed;
    const [u] = this.next(1);
    this.shown = { u, number, ...draw(this.dist, u) };
    this.fallen = [];
    this.draw();
    this.rainDown([u]);
    // It stays to be read when the text has grown.
    this.last = this.nodes.why.textContent.replace("The random number is", "Last draw:");
    const { id } = this.shown;
    this.waiting = true;
    setTimeout(
      () => {
        this.waiting = false;
        this.pick(id);
      },
      still() ? 0 : 2 * FALL,
    );
  }

  drawMany() {
    if (this.over) return;
    this.shown = this.last = null;
    this.fallen = this.next(MANY);
    this.draw();
    this.rainDown(this.fallen);
    this.paintFan();
    this.link.later();
  }

  writeOn() {
    this.shown = this.last = null;
    this.act("write");
    this.next(1);
    this.link.now();
  }

  /** What fell on the line; before anything has, what the line is. */
  told(dist, counts) {
    if (counts.size) {
      const best = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 3);
      const most = best.map(([id, count]) => `${this.label(id)} ${count}`).join(", ");
      return [`${this.fallen.length} random numbers fell: ${most}. Turn a knob, and the slices move under them.`];
    }
    if (this.shown && this.dist.left.length > 1) return this.reason(dist, this.shown, this.shown.u);
    if (this.last) return [this.last];
    if (dist.left.length === 1) return this.reason(dist, this.drawn, 0);
    return [
      "A slice is as long as its probability. A random number falls on the line, and its slice is the next token.",
      ...this.filtered(dist),
    ];
  }

  /** Why the token that is drawn is drawn, and why the top one is not: one sentence of the real draw. */
  reason(dist, drawn, u) {
    const { knobs } = this;
    const bold = (text) => el("b", text);
    const top = dist.order[0],
      own = dist.own ?? dist.probs.indexOf(Math.max(...dist.probs));
    const said = [];
    if (dist.left.length === 1) {
      said.push(
        "Only ",
        bold(this.label(top)),
        " is left",
        knobs.temperature ? "" : " at temperature 0",
        ", so nothing has to be drawn.",
      );
    } else {
      said.push("The random number is ", bold(u.toFixed(3)), ". ");
      if (drawn.id === top)
        said.push(
          "It falls on the most probable, ",
          bold(this.label(top)),
          `, which holds the line from 0 to ${drawn.high.toFixed(3)}.`,
        );
      else
        said.push(
          "The most probable, ",
          bold(this.label(top)),
          `, holds the line only from 0 to ${dist.final[top].toFixed(3)}, so the number falls beyond it, on `,
          bold(this.label(drawn.id)),
          `: ${drawn.low.toFixed(3)} to ${drawn.high.toFixed(3)}.`,
        );
    }
    if (own !== top)
      said.push(
        " The model’s own first, ",
        bold(this.label(own)),
        ", stands in the text already: the penalty put it back.",
      );
    return [...said, ...this.filtered(dist)];
  }

  /** What the filters took out. */
  filtered(dist) {
    const said = [];
    const count = (which) =>
      dist.counts ? dist.counts[which] : [...dist.removed.values()].filter((by) => by === which).length;
    const took = ["top_k", "top_p"]
      .filter(count)
      .map((by) => `${REASON[by]} took out ${count(by).toLocaleString("en")}`);
    if (took.length)
      said.push(` ${took.join(", ").replace(/^./, (c) => c.toUpperCase())}; the others share their part.`);
    return said;
  }

  // ---- where it looked ----

  look() {
    const { data, nodes: n } = this;
    const [l, h] = this.taken ?? this.sharpest();
    const row = this.over ? [] : (data.attention[l]?.[h] ?? []);
    const most = Math.max(...row, 1e-9);
    this.tokens.forEach((token, at) => {
      const weight = row[at] ?? 0;
      token.style.setProperty("--w", strength(weight / most).toFixed(3));
      const seen = this.over ? "" : `attention weight ${weight.toFixed(3)}`;
      token.title = [`${this.label(this.text[at])}: ${seen}`, token.dataset.about].filter(Boolean).join("; ");
    });
    n.looked.parentElement.hidden = this.over;
    const best = row.indexOf(Math.max(...row));
    const last = this.text.length ? this.label(this.text.at(-1)) : "";
    const [to, weight] = best < 0 ? ["", ""] : [this.label(this.text[best]), row[best].toFixed(2)];
    n.looked.replaceChildren(
      "It looked at the words in ",
      el("b.weight", "violet"),
      `: layer ${l}, head ${h}, from “${last}” most to “${to}” (`,
      el("b.weight", weight),
      `).${this.taken ? "" : " No head looks more sharply."} All heads:`,
    );
    const H = data.attention[0]?.length ?? 0,
      n_heads = H * data.attention.length;
    n.heads.style.setProperty("--heads", n_heads <= 8 ? n_heads : H);
    n.heads.classList.toggle("many", n_heads > 64);
    n.heads.replaceChildren(
      ...data.attention.flatMap((layer, i) =>
        layer.map((weights, j) =>
          el(
            "button",
            {
              "aria-pressed": String(i === l && j === h),
              "aria-label": `Layer ${i}, head ${j}`,
              title: `Layer ${i}, head ${j}`,
              onclick: () => this.take(i, j),
            },
            el("canvas", { "data-head": `${i}.${j}` }),
          ),
        ),
      ),
    );
    this.paintHeads();
  }

  /** The head with the largest weight on a token that is neither the first nor the last. */
  sharpest() {
    let best = [0, 0],
      most = -1;
    this.data.attention.forEach((layer, l) =>
      layer.forEach((row, h) => {
        const weight = Math.max(0, ...row.slice(1, -1));
        if (weight > most) [best, most] = [[l, h], weight];
      }),
    );
    return best;
  }

  take(l, h) {
    this.taken = [l, h];
    const place = this.data.attention[0].length * l + h;
    this.look();
    this.nodes.heads.children[place].focus();
    this.link.later();
  }

  paintHeads() {
    const colour = theme(this.root)("weight");
    for (const canvas of this.nodes.heads.querySelectorAll("canvas")) {
      const [l, h] = canvas.dataset.head.split(".").map(Number);
      const weights = this.data.attention[l]?.[h];
      const wide = canvas.clientWidth,
        tall = canvas.clientHeight,
        dense = devicePixelRatio || 1;
      if (!weights || !wide) continue;
      canvas.width = wide * dense;
      canvas.height = tall * dense;
      const pen = canvas.getContext("2d");
      pen.scale(dense, dense);
      pen.fillStyle = colour;
      const step = wide / weights.length;
      weights.forEach((w, s) =>
        pen.fillRect(s * step, tall * (1 - w), Math.max(1, step - (step > 3 ? 1 : 0)), tall * w),
      );
    }
  }

  // ---- to the server, and to the link ----

  pick(id) {
    if (this.over || this.data.full) return;
    if (this.shown?.id !== id) this.last = null; // it was not drawn
    this.act("pick", id);
  }

  act(what, number = 0) {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => (this.waiting = false), 3000);
    clearTimeout(this.timer); // the knobs go along
    this.link.now();
    this.send("act", { do: what, number, knobs: { ...this.knobs } });
  }

  write(put) {
    const { url } = this.data;
    const usual = { temperature: 1, top_k: 0, top_p: 1, penalty: 1, seed: 0 };
    for (const [name, value] of Object.entries(this.knobs))
      put(url + name, value === usual[name] ? null : Math.round(value * 100) / 100);
    put(`${url}head`, this.taken && this.taken.join("."));
  }

  destroy() {
    this.observer.disconnect();
    this.link.end();
    clearTimeout(this.timer);
  }
}

export default mount(".next-word", NextWord);
