// What the buttons of a projector do when they are pressed: what a press asks the room for, and which press is none.

export const DOUBLE = 600; // milliseconds in which nobody has read what a button says by now
export const CALM = 30_000; // and those after which a first press that no second one followed was a slip

/** Whether the class's votes are shown next, and not yet what the model does. */
export const areVotesNext = ({ step, answered }) => !step.counted && !step.shown && answered.at(-1) > 0;

/** What is asked for by a press of the button that shows: the votes, if there are any; then the model; and that is
 * hidden again. said: the news by which the button was labelled. A question that is still there gets what the button
 * said; one that has come meanwhile, by a key before, what comes first there. */
export function shownBy(said, news = said) {
  const is = said.at === news.at && said.step.ask === news.step.ask ? said : news;
  return areVotesNext(is) ? { counted: true } : { shown: !is.step.shown };
}

/** once(act, since) -> what a button does: the act, but not a second time until it is done (it may be waiting for the
 * server; the button is busy) and the button has said for a moment what it says then. After another act it is done at
 * once, unless it came under the pointer of a double press; since: when it was offered. */
export function presses(clock = () => performance.now()) {
  let last = {};
  return (act, since = -DOUBLE) =>
    async (event) => {
      if (last.act && last.act !== act && event?.detail > 1) return;
      const at = last.act === act ? last.done : since;
      if (at === undefined || clock() - at < DOUBLE) return;
      const press = (last = { act });
      const button = event?.currentTarget;
      button?.setAttribute("aria-busy", true);
      try {
        await act();
      } finally {
        press.done = clock();
        button?.removeAttribute("aria-busy");
      }
    };
}

/** A button that acts when it is pressed twice. show(isSure) says what a press does; act() -> what the second one does.
 * After CALM, or Escape, the button is as it was before the first. */
export function twice(button, show, act) {
  let calm;
  const begin = () => {
    clearTimeout(calm);
    show(false);
    button.onclick = () => {
      show(true);
      button.onclick = act();
      calm = setTimeout(begin, CALM);
    };
  };
  button.onkeydown = ({ key }) => {
    if (key === "Escape") begin();
  };
  begin();
}
