// What both pages of a room share: asking the server, waiting for news through lost connections, and the theme.

/** Whether this page is one of a rehearsal: the page around it is then its server, and nobody else is asked. */
export const IS_REHEARSAL =
  globalThis.parent !== globalThis && new URLSearchParams(globalThis.location?.search).has("rehearsal");

const tellAround = (path, sent) => parent.postMessage({ path, sent }, location.origin);

/** What the server answers where there is no such room for this browser; the last one: not any more. */
export const IS_OVER = [403, 404, 410];

export const CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{4}$/;

/** The code that was typed or scanned, in capitals and without what stands between its letters. */
export const codeIn = (text) => (text ?? "").toUpperCase().replace(/[^A-Z]/g, "");

/** How long to wait before the nth try: a second, then twice as long each time, up to eight; no two phones alike. */
export const pauseBefore = (n, chance = Math.random()) => 1000 * Math.min(8, 2 ** n) * (0.5 + chance / 2);

/** The dark palette where the reader's device is dark. */
export function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", follow);
  follow();
}

/** An answer of the server: {status, told}; status 0 where there was none. */
export async function ask(path, sent, end = new AbortController()) {
  if (IS_REHEARSAL) {
    tellAround(path, sent);
    return { status: 200, told: { title: "Rehearsal" } };
  }
  const how = sent && {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(sent),
  };
  try {
    const answer = await fetch(path, {
      credentials: "same-origin",
      signal: AbortSignal.any([AbortSignal.timeout(30_000), end.signal]),
      ...how,
    });
    return { status: answer.status, told: answer.status === 204 ? null : await answer.json() };
  } catch {
    return { status: 0, told: null }; // no connection, or somebody else's answer on the way
  }
}

/** Whether news (of "turn" or "turn.answers") is older than what was heard: an answer may be overtaken on its way. */
export function isOlder(news, heard) {
  const [turn, count = 0] = `${news}`.split(".").map(Number);
  const [heardTurn, heardCount = 0] = `${heard}`.split(".").map(Number);
  return heard !== "" && (turn < heardTurn || (turn === heardTurn && count < heardCount));
}

const wait = (pause) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pause);
    addEventListener("online", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Asks path(since) for news for as long as the room lasts.
 *
 * heard(news); lost(whether there is no connection); over(why, whether the class is known to have ended) */
export class Line {
  constructor(path, { heard, lost, over }) {
    Object.assign(this, { path, heard, lost, over, since: "", turn: 0, isOn: true });
  }

  /** Asks at once for all there is, also if nothing is new. */
  again() {
    this.since = "";
    return this.run();
  }

  /** News, wherever it was heard. */
  tell(news) {
    if (isOlder(news.since, this.since)) return;
    this.since = news.since;
    this.heard(news);
  }

  stop() {
    this.turn += 1;
    this.end?.abort();
  }

  async run() {
    if (IS_REHEARSAL) {
      this.rehearse();
      return;
    }
    this.stop();
    const turn = this.turn;
    this.end = new AbortController();
    for (let n = 0; turn === this.turn;) {
      const { status, told } = await ask(this.path(this.since), undefined, this.end);
      if (turn !== this.turn) return;
      if (status === 200 || status === 204) {
        n = 0;
        this.lost(false);
        if (told) this.tell(told);
      } else if (IS_OVER.includes(status)) {
        this.over(told.sentence, status === 410);
        return;
      } else {
        if (n > 0 || status === 0) this.lost(true);
        await wait(pauseBefore(n));
        n += 1;
      }
    }
  }
  /** The page around this one tells the news, and whether it is dark there. */
  rehearse() {
    onmessage = ({ source, origin, data }) => {
      if (source !== parent || origin !== location.origin || !data?.news) return;
      document.documentElement.dataset.theme = data.look;
      this.heard(data.news);
    };
    tellAround(this.path(""));
  }
}
