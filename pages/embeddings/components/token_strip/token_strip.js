// Chips and ids, and the merges that made them. All text comes as data and goes to textContent.

import { el, mirror, mount } from "../../../../attention_view/lab.js";

/** The tokens after n merges: [id, whether this very merge made it]. */
export function tokensAfter({ ids, merges, joins }, n) {
  const tokens = ids.map((id) => [id, 1]); // at every place the token that begins there, and how long it is
  const last = n ? merges[n - 1][2] : -1;
  for (const [start, middle, end, id] of joins) {
    if (id > last) break;
    tokens[start] = [id, end - start];
    for (let at = middle; at < end; at++) tokens[at] = null;
  }
  return tokens.filter(Boolean).map(([id]) => [id, id === last]);
}

class StripView {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put(this.data.url, this.at, this.data.merges.length));
    this.at = null;
    const n = (this.nodes = {});
    n.play = el("button", { type: "button", onclick: () => this.toggle() });
    n.range = el("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "Merges applied",
      oninput: () => this.go(Number(n.range.value), true),
    });
    n.output = el("output");
    n.scrub = el("div", { class: "scrub" }, n.play, n.range, n.output);
    n.step = el("p", { class: "step", role: "status" });
    n.chips = el("ol", { class: "chips", "aria-label": "Tokens and their ids", tabindex: 0 });
    n.count = el("p", { class: "count" });
    n.note = el("p", { class: "note" });
    n.history = el("ol", { class: "history", "aria-label": "Merges in the order of learning" });
    n.side = el("section", { class: "side" }, el("h4", {}, "Merge history"), n.history);
    root.replaceChildren(
      n.scrub,
      n.step,
      el("div", { class: "columns" }, el("div", {}, n.chips, n.count, n.note), n.side),
    );
  }

  update(data) {
    const all = data.merges.length;
    const same = this.data && JSON.stringify(this.data.merges) === JSON.stringify(data.merges);
    this.data = data;
    if (!same) {
      this.stop();
      this.at = data.at;
      this.listHistory();
    }
    const hasMerges = all > 0;
    this.root.classList.toggle("plain", !hasMerges);
    this.nodes.scrub.hidden = this.nodes.step.hidden = this.nodes.side.hidden = !hasMerges;
    this.nodes.range.max = all;
    this.go(Math.min(this.at, all), false);
  }

  label(id) {
    return this.data.labels[id] ?? String(id);
  }

  listHistory() {
    const { merges } = this.data;
    this.rows = merges.map(([left, right, id, count], n) =>
      el(
        "button",
        {
          type: "button",
          onclick: () => this.go(n + 1, true),
          title: `${this.label(left)} + ${this.label(right)}, ${count} times side by side, becomes id ${id}`,
        },
        el("small", {}, String(n + 1)),
        el("span", { class: "pair" }, el("code", {}, this.label(left)), " + ", el("code", {}, this.label(right))),
        el("small", {}, `${count}×`),
      ),
    );
    this.nodes.history.replaceChildren(...this.rows.map((row) => el("li", {}, row)));
  }

  go(at, byHand) {
    if (byHand) this.stop();
    this.at = at;
    this.draw();
    if (byHand) this.link.later();
  }

  draw() {
    const { data, nodes: n, at } = this;
    const { merges, unknown, glue } = data;
    const raw = new Set(data.raw);
    const isGlued = (label) => glue && label.startsWith(glue) && label.length > glue.length;
    const tokens = tokensAfter(data, at);
    n.chips.replaceChildren(
      ...tokens.map(([id, fresh]) => {
        const label = this.label(id);
        const classes = [
          id === unknown && "unknown",
          fresh && "fresh",
          raw.has(id) && "byte",
          /^[␣⏎⇥]$/.test(label) && "space",
        ]
          .filter(Boolean)
          .join(" ");
        const text = isGlued(label) ? [el("span", { class: "glue" }, glue), label.slice(glue.length)] : [label];
        return el("li", { class: classes }, el("b", { dir: "auto" }, ...text), el("i", {}, String(id)));
      }),
    );
    const unknowns = tokens.filter(([id]) => id === unknown).length;
    n.count.textContent =
      `${tokens.length.toLocaleString("en")} token${tokens.length === 1 ? "" : "s"}` +
      (unknowns ? `, ${unknowns} of them unknown` : "");
    const labels = tokens.map(([id]) => this.label(id));
    const notes = [];
    if (labels.some(isGlued)) notes.push(`${glue} says: no space before it.`);
    if (labels.some((label) => label.includes("␣"))) notes.push("␣ is a space.");
    if (tokens.some(([id]) => raw.has(id)))
      notes.push("Two signs such as C3 are a byte: part of a letter that takes several.");
    n.note.textContent = notes.join(" ");
    this.root.dataset.at = at;
    this.root.dataset.ids = tokens.map(([id]) => id).join(" ");
    if (!merges.length) return;
    n.range.value = at;
    n.range.setAttribute("aria-valuetext", `${at} of ${merges.length} merges`);
    n.output.textContent = `${at} of ${merges.length} merges`;
    n.play.textContent = this.playing ? "Pause" : "Play";
    if (at === 0) n.step.replaceChildren("Before any merge every byte is a token of its own.");
    else {
      const [left, right, id, count] = merges[at - 1];
      const made = tokens.filter(([, fresh]) => fresh).length;
      n.step.replaceChildren(
        `Merge ${at}: `,
        el("code", {}, this.label(left)),
        " + ",
        el("code", {}, this.label(right)),
        " stood side by side ",
        el("b", {}, `${count.toLocaleString("en")}×`),
        " and became ",
        el("code", {}, this.label(id)),
        `, id ${id}`,
        made ? `: ${made}× in your sentence.` : ".",
      );
    }
    this.rows.forEach((row, at_) => {
      row.classList.toggle("later", at_ >= at);
      row.setAttribute("aria-current", String(at_ === at - 1));
    });
    const row = this.rows[Math.max(0, at - 1)];
    const list = n.history;
    const top = row.offsetTop,
      bottom = top + row.offsetHeight;
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }

  toggle() {
    if (this.playing) {
      this.stop();
      this.draw();
      this.link.later();
      return;
    }
    const all = this.data.merges.length;
    if (this.at >= all) this.at = 0;
    // The whole film takes about eight seconds, and no step less than a blink.
    const pause = Math.max(60, Math.min(700, 8000 / all));
    this.playing = setInterval(() => {
      this.at += 1;
      if (this.at >= all) this.stop();
      this.draw();
      if (!this.playing) this.link.later();
    }, pause);
    this.draw();
  }

  stop() {
    clearInterval(this.playing);
    this.playing = null;
  }

  destroy() {
    this.stop();
    this.link.cancel();
  }
}

export default mount(".token-strip", StripView);
