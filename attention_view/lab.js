// What every component shares: elements, the mount, payloads, short numbers, the address bar, colours, and motion.

// ---- elements -----------------------------------------------------------------------------------------------

/** An element of HTML: el("p.quiet.small", { title }, "text", child); it may have classes, properties and children.
 *
 * Properties that begin with "on" are listeners; null and false leave an attribute out. A button submits nothing. */
export const el = (tag, ...inside) => furnished((name) => document.createElement(name), tag, inside);

/** An element of SVG, otherwise like el(). */
export const svg = (tag, ...inside) =>
  furnished((name) => document.createElementNS("http://www.w3.org/2000/svg", name), tag, inside);

function furnished(make, tag, inside) {
  const [name, ...classes] = tag.split(".");
  const node = make(name);
  if (name === "button") node.setAttribute("type", "button");
  if (classes.length) node.setAttribute("class", classes.join(" "));
  const props = inside[0]?.constructor === Object ? inside.shift() : {};
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) node[name] = value && listener(value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...inside.filter((child) => child != null)); // text only: a token is never read as HTML
  return node;
}

/** A listener whose result means nothing: in a property of an element, false would undo what the browser does by
 * itself, and hold Tab where it is. */
const listener = (act) => (event) => {
  act(event);
};

/** Sets attributes, but not those that are as they should be: each that is set may cost a new style. */
export function put(node, props) {
  for (const [name, value] of Object.entries(props))
    if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** Writes a text into an element, unless it stands there: a new node for the same text costs a new layout. */
export const write = (node, text) => rewrite(node, ...(text === "" ? [] : [text]));

/** Gives an element these children, texts or elements without listeners, and keeps of those it has what can stay. */
export function rewrite(node, ...children) {
  const old = [...node.childNodes];
  const isAlike = (child, n) => (child.nodeName ?? "#text") === old[n].nodeName;
  if (children.length !== old.length || !children.every(isAlike)) {
    node.replaceChildren(...children);
    return;
  }
  for (const [n, child] of children.entries()) {
    const text = child.data ?? child;
    if (typeof text !== "string") become(old[n], child);
    else if (old[n].data !== text) old[n].data = text;
  }
}

function become(node, other) {
  if (node.isEqualNode(other)) return;
  for (const name of node.getAttributeNames()) if (!other.hasAttribute(name)) node.removeAttribute(name);
  for (const name of other.getAttributeNames()) put(node, { [name]: other.getAttribute(name) });
  rewrite(node, ...other.childNodes);
}

/** What a component's script exports by default: Streamlit calls it with new data, and again with every theme.
 *
 * There is one View per root element: constructor(root), update(data, { setStateValue, setTriggerValue }), and, if
 * need be, resized() for when the root has another size or a lesson's bar another height, a `link` as mirror() makes
 * it, whose last words are written in the end, `presses` that are forgotten then, endDrag() and endBeat() as drag()
 * and firstBeat() return them, and destroy() for what else must end. */
export function mount(selector, View) {
  const views = new WeakMap();
  return ({ data, parentElement, setStateValue, setTriggerValue }) => {
    const root = parentElement.querySelector(selector);
    root.dataset.figure = selector.slice(1); // by which tests find and measure it
    if (!views.has(root)) views.set(root, opened(new View(root), root));
    const { view, end } = views.get(root);
    view.update(data, { setStateValue, setTriggerValue });
    return () => {
      end();
      view.endDrag?.();
      view.endBeat?.();
      view.destroy?.();
      view.link?.end();
      view.presses?.forget();
      views.delete(root);
    };
  };
}

function opened(view, root) {
  if (!view.resized) return { view, end() {} };
  const resized = () => view.resized();
  const sizes = new ResizeObserver(resized);
  sizes.observe(root);
  addEventListener(COVERING, resized);
  const end = () => {
    sizes.disconnect();
    removeEventListener(COVERING, resized);
  };
  return { view, end };
}

/** Radio buttons as one bar (see lab.css), of which one is on: options are [value, help]. They are made anew only where
 * others are offered. */
export function offer(bar, name, options, chosen, choose) {
  const values = String(options.map(([value]) => value));
  if (bar.dataset.offered !== values) {
    bar.dataset.offered = values;
    const radio = (value) => el("input", { type: "radio", name, value, onchange: () => choose(value) });
    bar.replaceChildren(...options.map(([value, title]) => el("label", { title }, radio(value), value)));
  }
  for (const { firstChild: input, classList } of bar.children) {
    input.checked = input.value === chosen;
    classList.toggle("on", input.checked);
  }
}

// ---- places, in the pixels of the element itself: large screens and presentations enlarge figures --------------

/** How much larger an element is drawn than it says. */
export const enlarged = (node) => node.currentCSSZoom ?? 1;

/** How tall the window is above the bar of a lesson, if there is one; style sheets know it as --window. */
export const windowHeight = (node) => (innerHeight - coveredHeight()) / enlarged(node);

/** Pixels that the bar of a lesson covers; when they change, the window says so by an event of this name. */
const coveredHeight = () => parseFloat(document.documentElement.style.getPropertyValue("--below")) || 0;
export const COVERING = "attention-lab-covering";

/** What a figure was drawn for: another width, or a window of another height, needs another drawing. */
export const roomOf = (node) => `${node.clientWidth} ${windowHeight(node)}`;

/** Where an element is: its rectangle. */
export function boxOf(node) {
  const by = enlarged(node);
  const { left, top, width, height } = node.getBoundingClientRect();
  return new DOMRect(left / by, top / by, width / by, height / by);
}

/** Where a pointer is in an element: [x, y] from its upper left corner. */
export function pointIn({ clientX, clientY }, node) {
  const { left, top } = node.getBoundingClientRect();
  return [(clientX - left) / enlarged(node), (clientY - top) / enlarged(node)];
}

// ---- payloads -----------------------------------------------------------------------------------------------

const TYPES = { f4: Float32Array, u1: Uint8Array };

/** Read a payload (see payload.py): {header, body, arrays: name -> typed array with a `shape`}. */
export function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  // Typed arrays must start on a multiple of their width, so a body at an odd place is copied once.
  const body = (bytes.byteOffset + 4 + length) % 8 ? bytes.slice(4 + length) : bytes.subarray(4 + length);
  const arrays = {};
  for (const [name, { at, shape, type }] of Object.entries(header.arrays ?? {})) {
    const size = shape.reduce((a, b) => a * b, 1);
    arrays[name] = new TYPES[type](body.buffer, body.byteOffset + at, size);
    arrays[name].shape = shape;
  }
  return { header, body, arrays };
}

/** The bytes that a text in base64 stands for. */
export function fromBase64(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < bytes.length; n++) bytes[n] = letters.charCodeAt(n);
  return bytes;
}

// ---- short texts and numbers --------------------------------------------------------------------------------

export const sumOf = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/** "0 heads", "1 head", "2,048 heads". */
export const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

/** The text with a capital as its first letter. */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What is said below words of which one is a piece that continues a word, as lab.kit.words writes it; else nothing. */
export const piecesSaid = (words) => (words.some((word) => /^….|^##./.test(word)) ? "“…” continues a word" : "");

/** At most n letters, the last of them "…" if some are left out. */
export function shorten(text, n = 13) {
  const letters = Array.from(text);
  return letters.length > n ? letters.slice(0, n - 1).join("") + "…" : text;
}

const ORDINAL = new Intl.PluralRules("en", { type: "ordinal" });

/** 1838 -> "1,838th". */
export const ordinal = (n) =>
  n.toLocaleString("en") + { one: "st", two: "nd", few: "rd", other: "th" }[ORDINAL.select(n)];

/** What is to be known of a word that a model has no token for; it is drawn with the class "unread". */
export const UNREAD = "This model has never read this word: all it sees here is ⟨unknown⟩.";

/** A written number with the typographer's minus. */
export const minus = (text) => text.replace("-", "−");

/** "−2.310": so many digits behind the point. A zero has no sign. */
export const fixed = (x, digits = 2) => minus(x.toFixed(digits).replace(/^-(?=[0.]+$)/, ""));

/** "−2.31": at most so many digits behind the point, and no noughts at the end. */
export const trimmed = (x, digits = 2) => minus(String(Number(x.toFixed(digits))));

/** "0.65", "0", "12.3", "<0.01": what fits a label. */
export function brief(x) {
  if (x === 0) return "0";
  const text = x.toFixed(Math.abs(x) >= 10 ? 1 : 2);
  if (Number(text) === 0) return x > 0 ? "<0.01" : ">−0.01";
  return minus(text);
}

const ROUNDING = 1e-5; // what is nearer to none, or to all of it, differs by rounding

/** What near its ends a share is called: 0% is only none of it, 100% only all of it. */
function atEnds(p) {
  if (Math.abs(p) < ROUNDING) return "0%";
  if (Math.abs(p - 1) < ROUNDING) return "100%";
  if (p > 0 && p < 0.0005) return "<0.1%";
  return p < 1 && p >= 0.9995 ? ">99.9%" : null;
}

/** "12.3%": a share of 1 with its tenths. */
export const percent = (p) => atEnds(p) ?? minus(`${(100 * p).toFixed(1)}%`);

const wholeShare = (p) => minus(`${(100 * p).toFixed(0)}%`);

/** A share, or a chance, in as few digits as tell it from none and from all of it: 0%, <0.1%, 0.3%, 12%, 99.7%, >99.9%,
 * 100%. lab.kit.words.as_chance says the same. */
export function asShare(p) {
  if (p <= -ROUNDING) {
    const size = asShare(-p);
    if (size.startsWith("<")) return `>−${size.slice(1)}`;
    return size.startsWith(">") ? `<−${size.slice(1)}` : `−${size}`;
  }
  const isNearAnEnd = (p > 0 && p <= 0.005) || (p >= 0.995 && p < 1);
  return isNearAnEnd ? percent(p) : (atEnds(p) ?? wholeShare(p));
}

/** The same within a sentence: "over 99.9%"; below zero "over" and "under" would say the opposite. */
export const shareInProse = (p) =>
  p < 0
    ? asShare(p).replace("<−99.9%", "nearly −100%").replace(">−0.1%", "just below 0%")
    : asShare(p).replace(">", "over ").replace("<", "under ");

/** "12%": a chance in whole per cent; the smallest are "<1%", the largest ">99%". */
export const wholePercent = (p) => (p < 0.005 ? "<1%" : p >= 0.995 && p <= 1 - ROUNDING ? ">99%" : wholeShare(p));

/** "never", "once", "twice", "17 times". */
export const howOften = (n) => ["never", "once", "twice"][n] ?? `${n.toLocaleString("en")} times`;

const NUMERALS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
/** "none", "one", "two"; what is more than ten in figures. */
export const numeral = (n) => NUMERALS[n] ?? String(n);

// ---- the address bar ----------------------------------------------------------------------------------------

/** The whole address that people copy: hosted apps live in a frame, whose own address nobody can open alone. */
export function address() {
  try {
    return window.parent.location.href;
  } catch {
    return location.href; // embedded in another site, whose address is none of ours
  }
}

/** Lets the browser save a file under this name. */
export function saveFile(blob, download) {
  const link = el("a", { href: URL.createObjectURL(blob), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A parameter of the address, or null. */
export const param = (name) => new URLSearchParams(location.search).get(name);

/** A parameter of the address that is a whole number from 0 to below `end`, or null. */
export function wholeParam(name, end = Infinity) {
  const text = param(name);
  return text !== null && /^\d{1,6}$/.test(text) && Number(text) < end ? Number(text) : null;
}

/** A query of these parameters, as it stands behind the "?" of a link. */
export const queryOf = (params) => new URLSearchParams(params).toString();

/** A parameter of a query, or null. */
export const paramOf = (query, name) => new URLSearchParams(query).get(name);

/** Where we are: [the path of the app itself, which ends with "/", and the page of it that is open, "" for the first].
 *
 * pages: the paths of all pages, one step below the app's own */
export function appPlace(pages, path = location.pathname) {
  const steps = path.replace(/\/+$/, "").split("/");
  const page = pages.includes(steps.at(-1)) ? steps.pop() : "";
  return [`${steps.join("/")}/`, page];
}

/** Writes what is chosen to the address bar, so that a link brings it back: {later(), now(), cancel(), end()}.
 *
 * write(put) calls put(name, value, usual) per parameter; null and what is usual are left out. Whoever is taken off the
 * page ends: what still waits is written at once, unless the visitor has gone to another page meanwhile; what
 * still runs there writes no more. */
export function mirror(write, wait = 150) {
  let timer, page, isOver;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const now = () => {
    cancel();
    if (isOver) return;
    const params = new URLSearchParams(location.search);
    write((name, value, usual) =>
      value == null || value === usual ? params.delete(name) : params.set(name, String(value)),
    );
    setSearch(params.toString());
  };
  const later = () => {
    cancel();
    if (isOver) return;
    page = location.pathname;
    timer = setTimeout(now, wait);
  };
  const end = () => {
    if (timer && location.pathname === page) now();
    cancel();
    isOver = true;
  };
  return { later, now, cancel, end };
}

function setSearch(search) {
  if (search === location.search.slice(1)) return;
  const query = search && `?${search}`;
  history.replaceState(history.state, "", location.pathname + query + location.hash);
  // Hosted apps live in a frame; the page around it keeps the address that people copy.
  const message = { stCommVersion: 1, type: "SET_QUERY_PARAM", queryParams: query };
  if (window.parent !== window) window.parent.postMessage(message, location.origin);
}

// ---- colours and motion -------------------------------------------------------------------------------------

/** Reads variables of the theme: theme(root)("query") is the colour --query. */
export function theme(root) {
  const style = getComputedStyle(root);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}

let probe;

/** Red, green and blue, 0 to 255, of any colour that CSS knows. */
export function rgb(colour) {
  probe ??= document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  probe.fillStyle = "#000";
  probe.fillStyle = colour;
  probe.clearRect(0, 0, 1, 1);
  probe.fillRect(0, 0, 1, 1);
  return probe.getImageData(0, 0, 1, 1).data.slice(0, 3);
}

export const EXPONENT = 0.6;

/** How strong the colour of a share of the largest value is: the law of lab/kit/figures/strength.py, by which
 * small weights stay visible. */
export const strength = (share) => Math.min(1, Math.max(0, share)) ** EXPONENT;

/** So many percent of a colour of the palette, the rest is the panel's. The browser mixes them, light or dark. */
export const mix = (name, share) => `color-mix(in srgb, var(--${name}) ${share}%, var(--panel))`;

/** The colour of a signed number: amber below zero, slate above, the panel at zero. */
export const tint = (x, largest = 1) =>
  mix(x < 0 ? "negative" : "positive", Math.round(100 * Math.min(1, Math.abs(x) / largest)));

/** Draws numbers as pixels, so many across: each as far from `zero` to the colour of its sign as shareOf(number) says.
 *
 * colours: [below zero, zero, above zero] as rgb() has them */
export function paintPixels(canvas, numbers, across, [below, zero, above], shareOf = Math.abs) {
  Object.assign(canvas, { width: across, height: Math.max(1, numbers.length / across) });
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(canvas.width, canvas.height);
  numbers.forEach((number, n) => {
    const [end, share] = [number < 0 ? below : above, Math.min(1, shareOf(number))];
    for (let c = 0; c < 3; c++) image.data[4 * n + c] = zero[c] + share * (end[c] - zero[c]);
    image.data[4 * n + 3] = 255;
  });
  pen.putImageData(image, 0, 0);
}

/** Whether the visitor asked for less motion. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
