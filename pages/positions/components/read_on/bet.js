// Before anybody has read to the end it is asked who will hold, and at the end a bet is held against what came.

export const whole = (share) => `${Math.round(100 * share)}%`;

/** What is asked, with the line that one bets on, and how far it was read. */
export function asks({ curves, trained, step, last, far, bet }) {
  const end = (last + 1) * step;
  if (Math.floor(far + 1) * step > trained) return `No text in training was longer than ${trained}. Read on to ${end}.`;
  const { name } = curves[bet] ?? {};
  return name
    ? `You say ${name}. Now read on.`
    : `Six models learned from texts of ${trained} tokens. Which works best at ${end}? Press its name.`;
}

/** What came of the bet. */
export function answers({ curves, step, last, bet }) {
  const { name, shares } = curves[bet];
  const reading = curves.filter((curve) => curve.shares.length > last);
  const best = reading.reduce((a, b) => (b.shares[last] > a.shares[last] ? b : a));
  const held = `${best.name} is right ${whole(best.shares[last])} of the time at ${(last + 1) * step} tokens`;
  if (best.name === name) return `Yes: ${held}.`;
  const own = shares.length > last ? `only ${whole(shares[last])}` : `nothing: it stops at ${shares.length * step}`;
  return `No: ${held}, ${name} ${own}.`;
}
