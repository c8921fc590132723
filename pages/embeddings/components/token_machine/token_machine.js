// Text, tokens, ids, the table, a vector: one machine. All text comes as data and goes to textContent.

import { boxOf, el, fixed, fromBase64, mirror, mount, rgb, still, svg, theme } from "../../../../attention_view/lab.js";

const ROWS = 11; // of the table at once; what lies between is counted

/** Which rows are drawn: all of a small table; of a large one the first, the last and those around the picked one. */
export function rowsAround(picked, V, rows = ROWS) {
  if (V <= rows) return Array.from({ length: V }, (_, id) => id);
  const around = rows - 2;
  const from = Math.max(0, Math.min(picked - (around >> 1), V - around));
  return [...new Set([0, ...Array.from({ length: around }, (_, n) => from + n), V - 1])].sort((a, b) => a - b);
}

/** The tokens after n merges: [id, whether this very merge made it, where it begins, counted before any merge]. */
export function tokensAfter({ ids, merges, joins }, n) {
  const tokens = ids.map((id) => id); // at every place the token that begins there
  const last = n ? merges[n - 1][2] : -1;
  for (const [start, middle, end, id] of joins) {
    if (id > last) break;
    tokens[start] = id;
    for (let at = middle; at < end; at++) tokens[at] = null;
  }
  return tokens.map((id, start) => [id, id === last, start]).filter(([id]) => id !== null);
}

class TokenMachine {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      const { step_url, token_url, merges } = this.data;
      if (step_url) put(step_url, this.at, merges.length);
      if (token_url) put(token_url, this.token, 0);
    });
    this.at = this.start = null;
    const n = (this.nodes = {});
    n.play = el("button", { onclick: () => this.toggle() });
    n.range = el("input", {
      type: "range",
      min: 0,
      step: 1,
      "aria-label": "Merges applied",
      oninput: () => this.go(Number(n.range.value), true),
    });
    n.output = el("output");
    n.scrub = el("div.scrub", n.play, n.range, n.output);
    n.step = el("p.step");
    n.chips = el("div.chips", { role: "radiogroup", "aria-label": "Tokens and their ids: choose one to look up" });
    n.chips.onkeydown = (e) => this.onKey(e);
    n.chips.onscroll = () => this.drawWire();
    n.count = el("p.count");
    n.tail = el("div");
    n.history = el("ol.history", { "aria-label": "Merges in the order of learning" });
    n.side = el("section.side", el("h2", "Merge history"), n.history);
    n.wire = svg("svg.wire", { "aria-hidden": "true" });
    n.columns = el("div.columns", el("div", n.chips, n.count, n.tail), n.side);
    root.replaceChildren(n.wire, n.scrub, n.step, n.columns);
    this.watch = new ResizeObserver(() => this.data && this.drawWire());
    this.watch.observe(root);
  }

  update(data) {
    const before = this.data;
    const same =
      before &&
      before.zoom === data.zoom &&
      JSON.stringify([before.merges, before.ids.length]) === JSON.stringify([data.merges, data.ids.length]);
    const changed = !before || before.table !== data.table;
    this.data = data;
    const all = data.merges.length;
    if (changed) {
      this.table = new Float32Array(fromBase64(data.table).buffer);
      // Colours end where 99 of 100 numbers do: a few large ones would leave all the others pale.
      const sizes = this.table.map(Math.abs).sort();
      this.largest = sizes[Math.floor(0.99 * (sizes.length - 1))] || 1e-12;
    }
    if (!same) {
      this.stop();
      this.at = data.at;
      this.start = data.zoom === "cut" ? null : data.token;
      this.listHistory();
    }
    this.colours = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    const { nodes: n } = this;
    this.root.classList.toggle("plain", !all);
    this.root.classList.toggle("cut", data.zoom === "cut");
    this.root.classList.toggle("look-up", data.zoom !== "cut");
    n.columns.classList.toggle("film-on", all > 0);
    n.scrub.hidden = n.step.hidden = n.side.hidden = !all;
    n.range.max = all;
    if (data.zoom === "cut") this.buildSmall();
    else this.buildSheet();
    this.go(Math.min(this.at, all), false);
  }

  label(id) {
    return this.data.labels[id] ?? String(id);
  }

  row(id) {
    return this.table.subarray(id * this.data.d, (id + 1) * this.data.d);
  }

  /** Rows of the table from `first` to before `end` as a picture, a pixel per number. */
  picture(first, end) {
    const { d } = this.data;
    const canvas = el("canvas", { width: d, height: Math.max(1, end - first) });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(canvas.width, canvas.height);
    const [negative, zero, positive] = this.colours;
    this.table.subarray(first * d, end * d).forEach((value, n) => {
      const to = value < 0 ? negative : positive,
        share = Math.min(1, Math.abs(value) / this.largest);
      for (let k = 0; k < 3; k++) pixels.data[4 * n + k] = zero[k] + (to[k] - zero[k]) * share;
      pixels.data[4 * n + 3] = 255;
    });
    context.putImageData(pixels, 0, 0);
    return canvas;
  }

  strip(id) {
    const canvas = this.picture(id, id + 1);
    const { d } = this.data;
    canvas.onpointermove = (event) => {
      const box = canvas.getBoundingClientRect();
      const c = Math.max(0, Math.min(d - 1, Math.floor(((event.clientX - box.left) / box.width) * d)));
      this.say(`row ${id}, feature ${c}: ${fixed(this.row(id)[c], 4)}`);
    };
    canvas.onpointerleave = () => this.say();
    return canvas;
  }

  // ---- merges ---------------------------------------------------------------------------------------------------

  listHistory() {
    const { merges } = this.data;
    this.rows = merges.map(([left, right, id, count], n) =>
      el(
        "button",
        {
          onclick: () => this.go(n + 1, true),
          title: `${this.label(left)} + ${this.label(right)}, ${count} times side by side, becomes id ${id}`,
        },
        el("small", String(n + 1)),
        el("span.pair", el("code", this.label(left)), " + ", el("code", this.label(right))),
        el("small", `${count}×`),
      ),
    );
    this.nodes.history.replaceChildren(...this.rows.map((row) => el("li", row)));
  }

  go(at, byHand) {
    if (byHand) this.stop();
    this.at = at;
    this.draw();
    if (byHand) this.link.later();
  }

  draw() {
    const { data, at } = this;
    this.tokens = tokensAfter(data, at);
    const fresh = this.tokens.findIndex(([, isFresh]) => isFresh);
    if (!this.byHand && fresh >= 0 && data.zoom === "cut") this.start = this.tokens[fresh][2];
    this.drawChips();
    this.drawStep();
    this.pick(this.tokenAt(this.start ?? 0), false);
  }

  /** Which token covers the place `start`. */
  tokenAt(start) {
    let found = 0;
    this.tokens.forEach(([, , from], n) => {
      if (from <= start) found = n;
    });
    return found;
  }

  drawChips() {
    const { data, nodes: n, tokens } = this;
    const { unknown, glue } = data;
    const raw = new Set(data.raw);
    const isGlued = (label) => glue && label.startsWith(glue) && label.length > glue.length;
    const hadFocus = n.chips.contains(n.chips.getRootNode().activeElement);
    this.chips = tokens.map(([id, fresh], at) => {
      const label = this.label(id);
      const classes = [
        id === unknown && "unknown",
        fresh && "fresh",
        raw.has(id) && "byte",
        /^[␣⏎⇥]$/.test(label) && "space",
      ].filter(Boolean);
      const text = isGlued(label) ? [el("span.glue", glue), label.slice(glue.length)] : [label];
      return el(
        "button",
        { role: "radio", class: classes.join(" "), onclick: () => this.choose(at) },
        el("b", { dir: "auto" }, ...text),
        el("i", String(id)),
      );
    });
    n.chips.replaceChildren(...this.chips);
    if (hadFocus) this.refocus = true;
    n.chips.classList.toggle("many", tokens.length > 26 && data.zoom === "cut");
    const unknowns = tokens.filter(([id]) => id === unknown).length;
    const notes = [
      `${tokens.length.toLocaleString("en")} token${tokens.length === 1 ? "" : "s"}` +
        (unknowns ? `, ${unknowns} of them unknown.` : ", each with its id."),
    ];
    const labels = tokens.map(([id]) => this.label(id));
    if (labels.some(isGlued)) notes.push(`${glue} says: no space before it.`);
    if (labels.some((label) => label.includes("␣"))) notes.push("␣ is a space.");
    if (tokens.some(([id]) => raw.has(id)))
      notes.push("Two characters such as C3 are one byte: part of a letter that takes several.");
    n.count.textContent = notes.join(" ");
    n.count.hidden = data.zoom !== "cut";
    this.root.dataset.at = this.at;
    this.root.dataset.ids = tokens.map(([id]) => id).join(" ");
  }

  drawStep() {
    const { data, nodes: n, at } = this;
    const { merges } = data;
    if (!merges.length) return;
    n.range.value = at;
    n.range.setAttribute("aria-valuetext", `${at} of ${merges.length} merges`);
    n.output.textContent = `${at} of ${merges.length} merges`;
    n.play.textContent = this.playing ? "Pause" : "▶ Watch it merge";
    if (at === 0) n.step.replaceChildren("Before any merge every byte is a token of its own.");
    else {
      const [left, right, id, count] = merges[at - 1];
      const made = this.tokens.filter(([, fresh]) => fresh).length;
      n.step.replaceChildren(
        `Merge ${at}: `,
        el("code", this.label(left)),
        " + ",
        el("code", this.label(right)),
        " occurred ",
        el("b", `${count.toLocaleString("en")}×`),
        " and became ",
        el("code", this.label(id)),
        `, id ${id}`,
        made ? `: ${made}× in your sentence.` : ".",
      );
    }
    this.rows.forEach((row, at_) => {
      row.classList.toggle("later", at_ >= at);
      row.setAttribute("aria-current", String(at_ === at - 1));
    });
    const list = n.history;
    const height = this.rows[0].offsetHeight || 27;
    const top = Math.max(0, at - 1) * height;
    if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight)
      list.scrollTop = Math.max(0, Math.max(0, at - 1) - 6) * height; // whole lines only
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
    this.byHand = false;
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

  // ---- the token that is looked up ------------------------------------------------------------------------------

  choose(at) {
    this.byHand = true;
    this.start = this.tokens[at][2];
    this.pick(at, true);
    this.chips[at].focus({ preventScroll: true });
    this.link.later();
  }

  onKey(event) {
    const last = this.tokens.length - 1;
    const to = {
      ArrowRight: this.token + 1,
      ArrowDown: this.token + 1,
      ArrowLeft: this.token - 1,
      ArrowUp: this.token - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(last, to)));
  }

  pick(at, moving) {
    this.token = at;
    this.picked = this.tokens[at][0];
    this.chips.forEach((chip, n) => {
      chip.setAttribute("aria-checked", String(n === at));
      chip.tabIndex = n === at ? 0 : -1;
    });
    if (this.refocus) this.chips[at].focus({ preventScroll: true });
    this.refocus = false;
    this.root.dataset.token = at;
    this.root.dataset.id = this.picked;
    this.root.dataset.row = JSON.stringify(Array.from(this.row(this.picked)));
    const [source, result] = this.data.zoom === "cut" ? this.drawSmall() : this.drawSheet();
    this.say();
    this.drawWire();
    if (!moving || still()) return;
    const a = source.getBoundingClientRect(),
      b = result.getBoundingClientRect();
    result.animate(
      [
        {
          transform: `translate(${a.left - b.left}px,${a.top - b.top}px) scaleX(${a.width / b.width})`,
          transformOrigin: "0 0",
        },
        { transform: "none", transformOrigin: "0 0" },
      ],
      { duration: 200, easing: "cubic-bezier(.3,.7,.2,1)" },
    );
  }

  say(text) {
    const values = this.row(this.picked);
    const first = Array.from(values.slice(0, 4), (v) => fixed(v, 2)).join("  ");
    this.nodes.readout.textContent = text ?? `[ ${first}${values.length > 4 ? "  …" : ""} ]  ${values.length} numbers`;
  }

  // ---- zoomed on the cut ------------------------------------------------------------------------------------------

  buildSmall() {
    const { data, nodes: n } = this;
    n.big = el("output");
    n.id = el("div.id", n.big);
    n.mark = el("i");
    n.whole = el("div.whole", this.picture(0, data.V), n.mark);
    n.rows = el("span.head");
    n.readout = el("p.readout");
    n.strip = el("div");
    n.of = el("span.head", { style: "grid-column:4" });
    n.tail.className = "small";
    n.tail.replaceChildren(
      el("span.head", { style: "text-align:right" }, "id"),
      n.rows,
      n.of,
      n.id,
      n.whole,
      el("div.vector", n.strip, n.readout, el("p.about", data.about)),
    );
  }

  drawSmall() {
    const { data, nodes: n, picked } = this;
    const V = data.V - data.merges.length + this.at; // every merge adds a row
    const height = 124;
    const y = ((picked + 0.5) / data.V) * height;
    n.whole.firstChild.style.clipPath = `inset(0 0 ${(100 * (data.V - V)) / data.V}% 0)`;
    n.mark.style.top = `${Math.min(height - 3, Math.max(0, y - 1.5))}px`;
    n.big.textContent = picked;
    n.big.style.top = `${Math.min(height - 26, Math.max(0, y - 13))}px`;
    n.rows.replaceChildren(el("b", "table"), ` ${V.toLocaleString("en")} rows`);
    n.of.replaceChildren(el("b", "vector"), ` of “${this.label(picked)}”: row ${picked}`);
    const strip = this.strip(picked);
    n.strip.replaceChildren(strip);
    return [n.mark, strip];
  }

  // ---- zoomed on the table ----------------------------------------------------------------------------------------

  buildSheet() {
    const { nodes: n } = this;
    n.sheet = el("div.sheet");
    n.readout = el("p.readout");
    const legend = el(
      "span.legend",
      `${fixed(-this.largest, 2)} or less`,
      el("i"),
      `${fixed(this.largest, 2)} or more`,
    );
    n.tail.className = "table";
    n.tail.replaceChildren(n.sheet, el("div.below", n.readout, legend));
  }

  drawSheet() {
    const { data, nodes: n, picked } = this;
    const cells = [
      el("span.head.id", "id"),
      el("span.head", "token"),
      el("span.head.hot", el("b", "x")),
      el(
        "span.head",
        el("b", "W", el("sub", "e")),
        `  ${data.about}: ${data.V.toLocaleString("en")} rows of ${data.d} numbers`,
      ),
    ];
    let before = -1,
      source = null;
    const rows = n.chips.offsetHeight > 80 ? ROWS - 3 : ROWS; // a second line of chips takes the room of three
    for (const id of rowsAround(picked, data.V, rows)) {
      if (id > before + 1)
        cells.push(el("span.gap", `⋮  ${(id - before - 1).toLocaleString("en")} more rows, each times 0`));
      const state = id === picked ? "on" : "off";
      const strip = el("span", { class: `row ${state}` }, this.strip(id));
      const name = el("span", { class: `id ${state}` }, String(id));
      if (id === picked) [source, n.name] = [strip, name];
      cells.push(
        name,
        el("span", { class: `token ${state}`, dir: "auto" }, this.label(id)),
        el("span", { class: `hot ${state}` }, id === picked ? "1" : "0"),
        strip,
      );
      before = id;
    }
    const result = el("span.row.picked", this.strip(picked));
    cells.push(el("span.result"), el("span.equals", "x W", el("sub", "e"), ` = row ${picked}`), result);
    n.sheet.replaceChildren(...cells);
    return [source, result];
  }

  // ---- from the chip to its row -----------------------------------------------------------------------------------

  drawWire() {
    const { nodes: n } = this;
    const chip = this.chips?.[this.token];
    if (!chip) return;
    const root = boxOf(this.root);
    const box = (node) => {
      const { left, right, top, bottom } = boxOf(node);
      const [x, y] = [left - root.left, top - root.top];
      return { left: x, right: right - root.left, top: y, bottom: bottom - root.top, middle: y + (bottom - top) / 2 };
    };
    const from = box(chip);
    const x = (from.left + from.right) / 2;
    const y = Math.min(from.bottom, box(n.chips).bottom);
    // Down to the gap below the chips, along it, and down to the id: at (tx, ty), to the right up to `end`.
    const led = (lane, tx, ty, end) => {
      const side = x > tx ? 6 : -6;
      const along = `V${lane - 6}Q${x},${lane} ${x - side},${lane}H${tx + side}Q${tx},${lane} ${tx},${lane + 6}`;
      return `M${x},${y}${along}V${ty - 6}Q${tx},${ty} ${tx + 6},${ty}H${end}`;
    };
    const paths = [];
    if (this.data.zoom === "cut") {
      const [id, mark, strip] = [box(n.big), box(n.mark), box(n.strip)];
      paths.push(led(box(n.tail).top - 7, id.left - 10, id.middle, id.left - 2));
      paths.push(`M${id.right + 2},${mark.middle}H${mark.left}`);
      const bend = `${mark.right + 24},${mark.middle} ${strip.left - 26},${strip.middle}`;
      paths.push(`M${mark.right},${mark.middle}C${bend} ${strip.left - 2},${strip.middle}`);
    } else {
      const name = box(n.name);
      paths.push(led(box(n.sheet).top - 9, name.left + 2, name.middle, name.left + 11));
    }
    n.wire.setAttribute("width", root.width);
    n.wire.setAttribute("height", root.height);
    n.wire.replaceChildren(...paths.map((d) => svg("path", { d })));
  }

  destroy() {
    this.stop();
    this.link.end();
    this.watch.disconnect();
  }
}

export default mount(".token-machine", TokenMachine);
