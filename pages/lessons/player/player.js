// Plays a lesson in a learning platform: stop by stop a prediction, the view, and a question. What the platform is
// told: which stop, the share of first answers that were right, and that the lesson is completed.

const { title, stops } = globalThis.LESSON;
const main = document.querySelector("main");
const QUESTIONS = stops.flatMap((stop, n) =>
  ["predict", "question"].filter((kind) => stop[kind]).map((kind) => [n, kind]),
);

// ---- the platform ------------------------------------------------------------------------------------------------

/** The platform's SCORM 1.2 API: in a frame above this one, or in the window that opened it; null without one. */
function found(from) {
  for (let [at, n] = [from, 0]; at && n < 500; n++) {
    try {
      if (at.API) return at.API;
    } catch {
      return null; // a frame of another host
    }
    if (at.parent === at) break;
    at = at.parent;
  }
  return null;
}
const api = found(window) ?? (window.opener ? found(window.opener) : null);
const began = Date.now();
const isTold = api?.LMSInitialize("") === "true";
const tell = (name, value) => isTold && api.LMSSetValue(name, String(value));
const told = (name) => (isTold ? api.LMSGetValue(name) : "");

/** So many milliseconds as SCORM writes them: 0001:02:03.04. */
function span(ms) {
  const two = (x) => String(Math.floor(x)).padStart(2, "0");
  const s = ms / 1000;
  const hours = String(Math.floor(s / 3600)).padStart(4, "0");
  return `${hours}:${two((s / 60) % 60)}:${two(s % 60)}.${two((s * 100) % 100)}`;
}

/** What is kept for the next time: the stop, and of each question the first answer. */
function kept() {
  try {
    const { at, first } = JSON.parse(told("cmi.suspend_data"));
    const isWhole = Number.isInteger(at) && at >= 0 && at < stops.length && typeof first === "object" && first;
    return isWhole ? { at, first } : { at: 0, first: {} };
  } catch {
    return { at: 0, first: {} };
  }
}

const state = { ...kept(), open: null, isDone: false };
state.isDone = ["completed", "passed"].includes(told("cmi.core.lesson_status"));

function report() {
  const right = QUESTIONS.filter(([n, kind]) => stops[n][kind].options[state.first[`${n} ${kind}`]]?.right).length;
  tell("cmi.core.lesson_status", state.isDone ? "completed" : "incomplete");
  tell("cmi.core.lesson_location", state.at + 1);
  tell("cmi.core.score.min", 0);
  tell("cmi.core.score.max", 100);
  tell("cmi.core.score.raw", QUESTIONS.length ? Math.round((100 * right) / QUESTIONS.length) : 100);
  tell("cmi.suspend_data", JSON.stringify({ at: state.at, first: state.first }));
  if (isTold) api.LMSCommit("");
  return right;
}

let isOver = false;
function leave() {
  if (!isTold || isOver) return;
  isOver = true;
  report();
  tell("cmi.core.session_time", span(Date.now() - began));
  tell("cmi.core.exit", state.isDone ? "" : "suspend");
  api.LMSFinish("");
}
window.addEventListener("pagehide", leave);

// ---- what is seen ------------------------------------------------------------------------------------------------

function el(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter(Boolean));
  return node;
}

/** A question with its options; the first answer counts, and each has its reply. */
function asked(kind, then) {
  const { text, options } = stops[state.at][kind];
  const key = `${state.at} ${kind}`;
  const reply = el("p", { className: "reply" });
  reply.setAttribute("role", "status");
  const buttons = options.map((option, n) => {
    const button = el("button", { onclick: () => choose(n) }, option.text);
    button.setAttribute("aria-pressed", String(state.first[key] === n));
    return button;
  });
  function choose(n) {
    state.first[key] ??= n;
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === n)));
    reply.textContent = `${options[n].right ? "✓" : "✗"} ${options[n].reply}`;
    report();
    then();
  }
  return el("section", {}, el("p", {}, text), el("div", { className: "options" }, ...buttons), reply);
}

/** A table, a formula or a picture of the board. */
function shown({ src, alt, tex, rows }) {
  if (src) return el("img", { src, alt });
  if (tex) return el("code", {}, tex);
  const row = (cells, n) => el("tr", {}, ...cells.map((cell) => el(n ? "td" : "th", {}, cell)));
  return el("table", {}, ...rows.map(row));
}

function draw() {
  const { heading, view, opening, say, board, do: todo, predict, question } = stops[state.at];
  const frame = el("iframe", { src: view, title: heading });
  const words = el("div", {}, el("p", {}, say), todo && el("p", {}, el("b", {}, "Do. "), todo));
  const below = el("div", {}, words, frame, question && asked("question", () => {}));
  const isHidden = predict && state.first[`${state.at} predict`] === undefined;
  below.hidden = isHidden;
  if (isHidden) frame.removeAttribute("src"); // nothing of the answer is loaded before the guess
  const lead = predict && el("p", { hidden: !isHidden }, opening); // what one has to know for the guess
  const before =
    predict &&
    asked("predict", () => {
      lead.hidden = true;
      below.hidden = next.disabled = false;
      frame.src ||= view;
    });
  const back = el("button", { onclick: () => go(state.at - 1), disabled: state.at === 0 }, "Back");
  const isLast = state.at === stops.length - 1;
  const next = el("button", { className: "next", onclick: () => (isLast ? finish() : go(state.at + 1)) });
  next.append(isLast ? "Finish" : "Next");
  next.disabled = isHidden;
  main.replaceChildren(
    el("p", { className: "quiet" }, `${title} · stop ${state.at + 1} of ${stops.length}`),
    el("h1", { tabIndex: -1 }, heading),
    el("div", { className: "board" }, ...board.map(shown)),
    ...[lead, before, below].filter(Boolean),
    el("div", { className: "moves" }, back, next),
    isTold ? "" : el("p", { className: "quiet" }, "No learning platform listens here: nothing is recorded."),
  );
}

function go(at) {
  state.at = at;
  report();
  draw();
  main.querySelector("h1").focus();
}

function finish() {
  state.isDone = true;
  const right = report();
  main.replaceChildren(
    el("h1", { tabIndex: -1 }, `You have finished “${title}”`),
    el("p", {}, `${right} of ${QUESTIONS.length} right at the first try.`),
    el("div", { className: "moves" }, el("button", { onclick: () => go(0) }, "Once more")),
  );
  main.querySelector("h1").focus();
}

report();
draw();
