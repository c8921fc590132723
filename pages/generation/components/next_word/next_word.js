// The next word: a tree of texts, the bars of what may come, one draw, and where the model looked.
// The settings of the draw work here, on the logits that were sent. All text comes as data and goes to textContent.

import { el, fixed, mirror, mount, strength, theme } from "../../../../attention_view/lab.js";

const SHOWN = 12;
const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });
export const ordinal = (n) =>
  n.toLocaleString("en") + { one: "st", two: "nd", few: "rd", other: "th" }[ORDINAL.select(n)];
export const share = (p) =>
  p === 0 ? "0" : p === 1 ? "1" : p < 0.0005 ? "<0.001" : p > 0.9995 ? ">0.999" : fixed(p, 3);
const REASON = { top_k: "top-k", top_p: "top-p", greedy: "not the largest" };

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

/** As transformer/generation/slices.py: the slices of 0 to 1, the largest first, and the one that u falls into. */
export function draw({ final, left }, u) {
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
    n.tree = el("div", { class: "tree", role: "tree", "aria-label": "The text and its branches" });
    n.tree.onkeydown = (event) => this.walk(event);
    const act = (text, onclick, title) => el("button", { type: "button", class: "act", onclick, title }, text);
    n.best = act(
      "",
      () => this.pick(this.dist.order[0]),
      "Go on with the token that is most probable under the settings below.",
    );
    n.draw = act("", () => this.pick(this.drawn.id), "Go on with the token that this seed draws.");
    n.write = act("Write to the end", () => this.act("write"), "Draw token after token until the end of the text.");
    n.back = act(
      "Take back",
      () => this.act("go", this.data.nodes[this.data.at][0]),
      "Go back one token. What was written stays as a branch.",
    );
    n.anew = act("Clear the tree", () => this.act("anew"));
    n.where = el("p", { class: "where", role: "status" });
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
      return el("label", { title }, el("span", {}, label, output), range);
    };
    n.knobs = el(
      "div",
      { class: "knobs" },
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
      knob("seed", "Seed of the draw", 0, 1, 1, "Another seed draws another number from 0 to 1."),
    );
    n.bars = el("ol", { class: "bars" });
    n.more = el("button", {
      type: "button",
      class: "more",
      onclick: () => {
        this.all = !this.all;
        this.draw();
      },
    });
    n.slices = el("div", { class: "slices", role: "img" });
    n.why = el("p", { class: "why", role: "status" });
    n.strip = el("p", { class: "strip" });
    n.heads = el("div", { class: "heads", role: "group", "aria-label": "Every head" });
    n.looked = el("p", { class: "quiet" });
    n.now = el(
      "div",
      { class: "now" },
      el("section", {}, el("h3", {}, "What may come next"), n.bars, n.more),
      el(
        "section",
        {},
        el("h3", {}, "One draw"),
        n.slices,
        n.why,
        el("h3", { class: "second" }, "Where it looked to say this"),
        n.strip,
        n.looked,
        n.heads,
      ),
    );
    root.replaceChildren(
      n.tree,
      el("div", { class: "acts" }, n.best, n.draw, n.write, n.back, n.anew),
      n.where,
      n.knobs,
      n.now,
    );
    this.observer = new ResizeObserver(() => this.data && this.paintHeads());
    this.observer.observe(n.heads);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const { temperature, top_k, top_p, penalty, seed } = data;
    this.knobs ??= { temperature, top_k, top_p, penalty, seed };
    const grown = !this.data || this.data.at !== data.at || this.data.nodes.length !== data.nodes.length;
    this.data = data;
    this.waiting = false;
    const L = data.attention.length,
      H = L ? data.attention[0].length : 0;
    if (this.taken === undefined && /^\d{1,2}\.\d{1,2}$/.test(data.head)) this.taken = data.head.split(".").map(Number);
    if (!this.taken || this.taken[0] >= L || this.taken[1] >= H) this.taken = null; // then the sharpest head is shown
    this.nodes.top_k.range.max = data.labels.length;
    this.nodes.seed.range.max = data.draws.length - 1;
    this.path = [];
    for (let at = data.at; at >= 0; at = data.nodes[at][0]) this.path.unshift(at);
    this.text = [...data.given, ...this.path.map((at) => data.nodes[at][1])];
    this.over = this.text.length > 0 && this.text.at(-1) === data.end;
    this.growTree();
    this.draw();
    this.look();
    if (grown) this.scrollTree();
  }

  label(id) {
    return this.data.labels[id];
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
          type: "button",
          role: "treeitem",
          class: classes,
          tabindex: at === data.at ? 0 : -1,
          "aria-current": at === data.at ? "true" : null,
          "aria-selected": String(at === data.at),
          "data-node": at,
          title: `${this.label(id)}: the model gave it ${share(p)} here, the ${ordinal(rank)}`,
          onclick: () => this.act("go", at),
        },
        el("b", {}, id === data.end ? "■" : this.label(id)),
        el("small", {}, share(p)),
      );
      return button;
    };
    const branch = (start) => {
      const line = el("div", { class: "line" });
      let at = start;
      while (true) {
        line.append(word(at));
        if (children[at].length !== 1) break;
        at = children[at][0];
      }
      return el("div", { class: "branch", role: "none" }, line, fork(children[at]));
    };
    const fork = (starts) =>
      starts.length ? el("div", { class: "fork", role: "group" }, ...starts.map(branch)) : null;
    const given = el(
      "button",
      {
        type: "button",
        role: "treeitem",
        class: "word given on",
        tabindex: data.at < 0 ? 0 : -1,
        "aria-selected": String(data.at < 0),
        "aria-current": data.at < 0 ? "true" : null,
        "data-node": -1,
        onclick: () => this.act("go", -1),
        title: "The beginning, as you typed it",
      },
      el(
        "b",
        {},
        data.given
          .slice(data.given.length > 1 ? 1 : 0)
          .map((id) => this.label(id))
          .join(data.glue),
      ),
      el("small", {}, "given"),
    );
    const had = this.root.getRootNode().activeElement?.dataset?.node != null;
    n.tree.replaceChildren(
      el("div", { class: "branch", role: "none" }, el("div", { class: "line" }, given), fork(first)),
    );
    if (had) n.tree.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    const [best, ...rest] = [n.back, n.write];
    best.disabled = data.at < 0;
    n.anew.disabled = !data.nodes.length;
    for (const button of [n.best, n.draw, ...rest]) button.disabled = this.over || data.full;
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
      const name = id === data.end ? "The end" : `“${this.label(id)}”`;
      const among = data.labels.length.toLocaleString("en");
      words.push(`${name} had a probability of ${share(p)} where it stands, the ${ordinal(rank)} of ${among}.`);
    }
    if (this.over) words.push("The text ends here. Click any word above to go on from there in another way.");
    else if (data.full) words.push("There is no room for more words. Go back to an earlier one, or clear the tree.");
    else words.push("Click a bar to go on with that word, even a wrong one; click a word above to go back to it.");
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

  // ---- the bars and the draw ----

  turn(name, value) {
    const top = this.data.labels.length;
    this.knobs[name] = name === "top_k" && value >= top ? 0 : value;
    this.draw();
    this.link.later();
  }

  draw() {
    const { data, nodes: n, knobs } = this;
    const dist = (this.dist = distribution(data.logits, this.text, knobs));
    const u = data.draws[knobs.seed];
    const drawn = (this.drawn = draw(dist, u));
    const values = {
      temperature: knobs.temperature.toFixed(2),
      top_k: knobs.top_k || "all",
      top_p: knobs.top_p.toFixed(2),
      penalty: knobs.penalty.toFixed(2),
      seed: knobs.seed,
    };
    for (const [name, text] of Object.entries(values)) {
      n[name].range.value = name === "top_k" ? knobs.top_k || data.labels.length : knobs[name];
      n[name].output.textContent = text;
      n[name].range.setAttribute("aria-valuetext", String(text));
    }
    n.now.classList.toggle("over", this.over);
    n.best.textContent = this.over ? "Take the most probable" : `Take the most probable: ${this.name(dist.order[0])}`;
    n.draw.textContent = this.over ? "Draw one" : `Draw one: ${this.name(drawn.id)}`;
    this.drawBars(dist, drawn);
    this.drawSlices(dist, drawn, u);
    n.why.replaceChildren(...this.reason(dist, drawn, u));
    // For those who check: what the browser has worked out, token by token.
    this.root.dataset.final = JSON.stringify(dist.final);
    this.root.dataset.removed = JSON.stringify(data.labels.map((_, id) => dist.removed.get(id) ?? ""));
    this.root.dataset.drawn = drawn.id;
  }

  name(id) {
    return id === this.data.end ? "the end" : this.label(id);
  }

  drawBars(dist, drawn) {
    const { data, nodes: n } = this;
    const shown = this.all ? dist.order : dist.order.slice(0, SHOWN);
    const rest = dist.order.slice(shown.length);
    const scale = Math.max(...shown.map((id) => Math.max(dist.probs[id], dist.final[id])));
    const bar = (p, kind) => el("i", { class: kind, style: `width:${((100 * p) / scale).toFixed(2)}%` });
    const tried = new Set((data.at < 0 ? this.first : this.children[data.at]).map((at) => data.nodes[at][1]));
    n.bars.replaceChildren(
      el(
        "li",
        { class: "head" },
        el("span", {}, ""),
        el("span", {}, ""),
        el("span", {}, "model"),
        el("span", {}, "drawn from"),
      ),
      ...shown.map((id) => {
        const gone = dist.removed.get(id);
        const fate = gone ? `taken out by ${REASON[gone]}` : `${share(dist.final[id])} in the draw`;
        return el(
          "li",
          { class: [gone && "gone", id === drawn.id && "drawn", tried.has(id) && "tried"].filter(Boolean).join(" ") },
          el(
            "button",
            {
              type: "button",
              "data-id": id,
              disabled: this.over || data.full,
              onclick: () => this.pick(id),
              "aria-label": `${this.name(id)}: ${share(dist.probs[id])} by the model, ${fate}`,
            },
            el("b", {}, this.name(id)),
            el("span", { class: "bar" }, bar(dist.probs[id], "before"), bar(dist.final[id], "after")),
            el("span", { class: "n" }, share(dist.probs[id])),
            el("span", { class: "n" }, gone ? el("em", {}, REASON[gone]) : share(dist.final[id])),
          ),
        );
      }),
    );
    const sum = (what) => share(rest.reduce((total, id) => total + what[id], 0));
    n.more.hidden = dist.order.length <= SHOWN;
    const others = `The other ${rest.length.toLocaleString("en")} together`;
    n.more.textContent = this.all
      ? `Show the ${SHOWN} likeliest`
      : `${others}: ${sum(dist.probs)} by the model, ${sum(dist.final)} in the draw. Show them`;
    this.root.dataset.bars = shown.filter((id) => dist.final[id] > 0).length;
  }

  drawSlices(dist, drawn, u) {
    const parts = [];
    let low = 0;
    for (const id of dist.left) {
      const p = dist.final[id];
      if (p < 0.004) break;
      parts.push(
        el(
          "span",
          {
            class: id === drawn.id ? "slice drawn" : "slice",
            style: `left:${100 * low}%;width:${100 * p}%`,
            title: `${this.name(id)}: ${share(low)} to ${share(Math.min(1, low + p))}`,
          },
          p > 0.05 ? this.name(id) : "",
        ),
      );
      low += p;
    }
    this.nodes.slices.replaceChildren(...parts, el("i", { class: "u", style: `left:${100 * u}%` }));
    this.nodes.slices.setAttribute(
      "aria-label",
      "The line from 0 to 1, cut into slices as long as the probabilities. " +
        `The draw is ${u.toFixed(3)} and falls on ${this.name(drawn.id)}.`,
    );
  }

  /** Why the token that is drawn is drawn, and why the top one is not: one sentence of the real draw. */
  reason(dist, drawn, u) {
    const { knobs } = this;
    const bold = (text) => el("b", {}, text);
    const top = dist.order[0],
      own = dist.probs.indexOf(Math.max(...dist.probs));
    const said = [];
    if (dist.left.length === 1) {
      said.push(
        "Only ",
        bold(this.name(top)),
        " is left",
        knobs.temperature ? "" : " at temperature 0",
        ", so nothing has to be drawn.",
      );
    } else {
      said.push("The draw is ", bold(u.toFixed(3)), ". ");
      if (drawn.id === top)
        said.push(
          "It falls on the most probable, ",
          bold(this.name(top)),
          `, which holds the line from 0 to ${drawn.high.toFixed(3)}.`,
        );
      else
        said.push(
          "The most probable, ",
          bold(this.name(top)),
          `, holds the line only from 0 to ${dist.final[top].toFixed(3)}, so the draw falls beyond it, on `,
          bold(this.name(drawn.id)),
          `: ${drawn.low.toFixed(3)} to ${drawn.high.toFixed(3)}.`,
        );
    }
    if (own !== top)
      said.push(
        " The model’s own first, ",
        bold(this.name(own)),
        ", stands in the text already: the penalty put it back.",
      );
    const count = (which) => [...dist.removed.values()].filter((by) => by === which).length;
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
    const row = data.attention[l]?.[h] ?? [];
    const most = Math.max(...row, 1e-9);
    n.strip.replaceChildren(
      ...this.text.map((id, at) =>
        el(
          "span",
          {
            style: `--w:${strength((row[at] ?? 0) / most).toFixed(3)}`,
            title: `${this.name(id)}: ${(row[at] ?? 0).toFixed(3)}`,
          },
          this.name(id),
        ),
      ),
    );
    const best = row.indexOf(Math.max(...row));
    const last = this.text.length ? this.name(this.text.at(-1)) : "";
    const head = `Layer ${l}, head ${h}${this.taken ? "" : ", which looks most sharply"}`;
    const [to, weight] = best < 0 ? ["", ""] : [this.name(this.text[best]), row[best].toFixed(2)];
    n.looked.replaceChildren(
      `${head}: from “${last}”, the last place, most to “${to}” (${weight}). Every head, one row a layer:`,
    );
    const H = data.attention[0]?.length ?? 0;
    n.heads.style.setProperty("--heads", H);
    n.heads.replaceChildren(
      ...data.attention.flatMap((layer, i) =>
        layer.map((weights, j) =>
          el(
            "button",
            {
              type: "button",
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
    if (!this.over && !this.data.full) this.act("pick", id);
  }

  act(what, number = 0) {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => (this.waiting = false), 3000);
    this.link.now();
    this.send("act", { do: what, number, knobs: this.knobs });
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
    this.link.cancel();
  }
}

export default mount(".next-word", NextWord);
