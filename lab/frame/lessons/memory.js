// What a browser remembers of lessons, so that a reload, a restart of the server or another server takes nothing away:
// of each lesson the stop to go on at, those that were seen, and which options were chosen. A day after the lesson went
// on for the last time it is forgotten: whoever comes then may be somebody else. What was written in words stays with
// the tab, and so does all of a lesson that its link holds ("~…"), whose name is too long to be kept.

const DAY = 24 * 60 * 60 * 1000;
const HOUR = DAY / 24;
const REMEMBERED = "attention-lab-lessons";
const UNDATED = "attention-lab-told"; // where answers were kept before they had a date
const MOST_STOPS = 99;
const ofBrowser = () => localStorage; // asked for when they are used: a private window may refuse
const ofTab = () => sessionStorage;
const isStop = (n) => Number.isInteger(n) && n >= 1 && n <= MOST_STOPS;

/** What one store has of each lesson, but for what is older than a day or has no date. */
function remembered(store) {
  try {
    const all = Object.entries(Object(JSON.parse(store().getItem(REMEMBERED) ?? "{}")));
    return Object.fromEntries(all.filter(([, one]) => Math.abs(Date.now() - one?.date) < DAY));
  } catch {
    return {};
  }
}

function remember(store, all) {
  try {
    if (Object.keys(all).length) store().setItem(REMEMBERED, JSON.stringify(all));
    else store().removeItem(REMEMBERED);
  } catch {
    // A browser that keeps nothing still shows the lesson.
  }
}

function add(store, lesson, facts) {
  const all = remembered(store);
  const { date, ...before } = all[lesson] ?? {};
  const now = { ...before, ...facts };
  const isSame = JSON.stringify(now) === JSON.stringify(before);
  const isEmpty = !date && !Object.values(facts).some(Boolean);
  if (isEmpty || (isSame && Date.now() - date < HOUR)) return;
  remember(store, { ...all, [lesson]: { ...now, date: Date.now() } });
}

export class LessonMemory {
  /** opened: the lesson that was on screen before the page was loaded anew; null for none. */
  constructor(opened) {
    this.open = opened; // the lesson under way
    this.heard = null; // what the server said last
    for (const store of [ofBrowser, ofTab]) remember(store, remembered(store));
    try {
      ofBrowser().removeItem(UNDATED);
    } catch {
      // Nothing was kept.
    }
  }

  /** The stop to go on at, 0 once the lesson is finished or was never begun, and the stops that were seen. */
  way(lesson) {
    const { at, seen } = remembered(ofBrowser)[lesson] ?? {};
    return { at: isStop(at) ? at : 0, seen: new Set(Array.isArray(seen) ? seen.filter(isStop) : []) };
  }

  /** The reader has come to a stop; 0: to the end. */
  come(lesson, at) {
    if (lesson.startsWith("~")) return;
    const way = this.way(lesson);
    if (at) way.seen.add(at);
    else if (!way.at) return;
    add(ofBrowser, lesson, { at, seen: [...way.seen].sort((a, b) => a - b) });
  }

  forget(lesson) {
    for (const store of [ofBrowser, ofTab]) {
      const { [lesson]: _, ...others } = remembered(store);
      remember(store, others);
    }
  }

  /** Hears what the server knows of a lesson's answers at each look. Where it knows none but the browser does, the
   * server has lost them, or the reader comes back: returns what to tell it, once; else "".
   *
   * Whoever comes to the first stop, but neither from another one nor from exploring, and has no answer there, begins
   * anew: then the browser forgets, too. */
  hear({ lesson, stop, told, written }) {
    const news = JSON.stringify([lesson, stop, told, written]);
    if (news === this.heard) return "";
    const isBegun = stop === "1" && lesson !== this.open;
    [this.heard, this.open] = [news, stop ? lesson : null]; // at its end a lesson can be begun anew
    if (!told && !written) {
      if (isBegun) this.forget(lesson);
      const lost = this.answers(lesson);
      if (lost) return lost;
    }
    add(lesson.startsWith("~") ? ofTab : ofBrowser, lesson, { told });
    add(ofTab, lesson, { written });
    return "";
  }

  answers(lesson) {
    const [kept, tab] = [ofBrowser, ofTab].map((store) => remembered(store)[lesson] ?? {});
    return [kept.told ?? tab.told, tab.written].filter((part) => part && typeof part === "string").join("&");
  }

  /** No lesson leads: the reader has left it, or explores while it waits. waiting: the lesson that does; null for
   * none. */
  leave(waiting) {
    this.open = waiting;
  }
}
