// What happens at a station to the token that is followed: the numbers of its picture, and a sentence with them.

import { asShare, brief, capital, shorten } from "../../../../attention_view/lab.js";
import { saidAt, stopsOf } from "./whole.js";

const LITTLE = 0.01, // of the attention: what is less is not told
  ALIKE = 1.01; // lengths that differ by a smaller factor are the same

/** Of the stops that lie at the nth station or before it, the last one's number. */
export const stopAt = (stations, n) => stopsOf(stations).filter((stop) => stations.indexOf(stop) <= n).length - 1;

/** What every token would say where the layer begins: [{word, says, isSame}]; null where not all of them say a word. */
export function firstGuesses({ words, said, speaks_at: only }) {
  if (!said || (only ?? null) !== null) return null;
  return words.map((word, lane) => ({ word, says: said[0].words[lane], isSame: said[0].words[lane] === word }));
}

/** The lengths of all vectors that the norm at the nth station reads, and of those that it makes. */
export function normLengths({ stations, parallel }, n) {
  const from = parallel ? 0 : stations.slice(0, n).findLastIndex(({ main }) => main);
  return { before: stations[from].lengths, after: stations[n].lengths };
}

/** The triangle of an addition, as it lies in the plane of both vectors: their lengths and that of the sum, and the
 * angle in degrees by which the sum turns away from what came; null where nothing came or nothing is left. */
export function triangle({ stations }, n, lane) {
  const met = stations.slice(0, n).findLast(({ main }) => main);
  const [a, b, sum] = [met, stations[n - 1], stations[n]].map(({ lengths }) => lengths[lane]);
  if (!(a > 0 && sum > 0)) return null;
  const cosine = Math.max(-1, Math.min(1, (a * a + sum * sum - b * b) / (2 * a * sum)));
  return { met: a, push: b, sum, angle: (Math.acos(cosine) * 180) / Math.PI };
}

/** The words before and after the addition at the nth station, [[word, chance], [word, chance]]; null where none are
 * read there. */
export function guessesAround(data, n, lane) {
  const said = saidAt(data, lane);
  const k = stopAt(data.stations, n);
  return said && stopsOf(data.stations)[k] === data.stations[n] && k > 0 ? [said[k - 1], said[k]] : null;
}

/** The step of the sublayer at the nth station, or whose result is added there. */
export const partOf = (stations, n) => stations[stations[n].step.startsWith("add") ? n - 1 : n].step;

const TOLD = { in: ofStart, norm: ofNorm, attention: ofAttention, add: ofAddition, feed_forward: ofUnits };

/** What happens at the nth station, in a sentence. */
export const toldAt = (data, n, lane) => TOLD[data.stations[n].step.replace(/\d$/, "")](data, n, lane);

const quoted = (word) => `“${shorten(word)}”`;

function ofStart(data, n, lane) {
  const { words, stations, width, left_out: more } = data;
  const guesses = firstGuesses(data);
  const { lengths } = stations[n];
  const [guess] = saidAt(data, lane) ?? [];
  if (!guesses) {
    const begins = `${quoted(words[lane])} comes in as ${width} numbers`;
    if (guess) return `${begins}. If the model stopped here, it would say ${quoted(guess[0])}.`;
    const longest = lengths.indexOf(Math.max(...lengths));
    const is = `${begins}, a vector of length ${brief(lengths[lane])}`;
    return longest === lane
      ? `${is}.`
      : `${is}; the longest, that of ${quoted(words[longest])}, has ${brief(lengths[longest])}.`;
  }
  const { word, says, isSame } = guesses[lane];
  if (words.length === 1)
    return `If the model stopped here, ${quoted(word)} would ${isSame ? "only repeat itself" : `say ${quoted(says)}`}.`;
  const same = guesses.filter(({ isSame }) => isSame).length;
  const of = more ? `the first ${words.length}` : words.length;
  const who = same ? `${same} of ${of} tokens` : "no token";
  const link = isSame ? ": " : same ? ", but " : ": ";
  const own = `${quoted(word)}${isSame ? "" : " already"} says ${quoted(says)}`;
  const itself = same === 1 || !same ? "itself" : "themselves";
  return `If the model stopped here, ${who} would only repeat ${itself}${link}${own}.`;
}

function ofNorm(data, n, lane) {
  const { before, after } = normLengths(data, n);
  if (before.length === 1)
    return `The norm rescales ${quoted(data.words[lane])} from length ${brief(before[lane])} to ${brief(after[lane])}.`;
  const [was, now] = [before, after].map((lengths) => Math.max(...lengths) / Math.min(...lengths));
  if (!Number.isFinite(was + now)) return data.stations[n].help;
  if (times(was) === EQUAL) {
    const come = "The vectors come in about equally long";
    return times(now) === EQUAL
      ? `${come}, and the norm leaves them so.`
      : `${come}; ${longestIs(now)} after the norm.`;
  }
  const first = capital(longestIs(was));
  if (now < ALIKE) return `${first}; after the norm, all are equally long.`;
  if (times(now) === EQUAL) return `${first}; after the norm, all are about equally long.`;
  if (times(now) === times(was)) return `${first}, before the norm and after it.`;
  return `${first}; after the norm, ${now < was ? "only " : ""}${times(now)}.`;
}

const times = (factor) => `${factor.toFixed(factor < 10 ? 1 : 0)} times`;
const EQUAL = times(1);
const longestIs = (factor) => `the longest vector is ${times(factor)} as long as the shortest`;

function ofAttention({ words, seen, heads, weights }, n, lane) {
  const most = seen[lane];
  const word = quoted(words[lane]);
  const own = weights[lane][lane];
  if (!most && !own) return `In this layer, ${word} may look at nothing, so it gathers nothing.`;
  if (!most) return `In this layer, ${word} gives its attention ${own < 1 ? "nearly " : ""}only to itself.`;
  const other = quoted(most.word) + (most.source < words.length ? "" : ", which is not drawn,");
  const gives = `${word} gives ${other} ${asShare(most.share)} of its attention`;
  return heads.length > 1 ? `${gives}; head ${most.head} gives it ${asShare(most.given)}.` : `${gives}.`;
}

const ADDS = { attention: "What attention gathered", feed_forward: "What feed-forward worked out" };

function ofAddition(data, n, lane) {
  const drawn = triangle(data, n, lane);
  if (!drawn) return data.stations[n].help;
  const turns = `${ADDS[partOf(data.stations, n)]} turns the stream by ${Math.round(drawn.angle)}°`;
  const around = guessesAround(data, n, lane);
  if (!around) return `${turns}: its length was ${brief(drawn.met)} and is now ${brief(drawn.sum)}.`;
  const [[was, first], [now, then]] = around;
  const [before, sure] = [first, then].map(asShare);
  if (was !== now) return `${turns}, and the guess from ${quoted(was)} to ${quoted(now)}.`;
  if (before === sure) return `${turns}; the guess stays ${quoted(now)}, at ${sure}.`;
  return `${turns}; ${quoted(now)} ${first < then ? "rises" : "falls"} from ${before} to ${sure}.`;
}

function ofUnits({ units, words }, n, lane) {
  const [awake, half] = [units.awake[lane], units.half[lane]];
  const are = awake === 1 ? "is" : "are";
  const count = `Of ${units.n.toLocaleString("en")} hidden units, ${awake} ${are} awake for ${quoted(words[lane])}`;
  if (!half || half >= awake) return `${count}.`;
  return `${count}, but ${half === 1 ? "a single one does" : `just ${half} do`} half of the work.`;
}

/** What the picture at the nth station is drawn from, in a line below it. */
export function noteAt(data, n, lane) {
  const { stations, units, n_heads: heads } = data;
  const { step, main } = stations[n];
  if (step === "in")
    return firstGuesses(data)
      ? "Small: the token. Large: the word that the model would say next, outlined where it is a new one."
      : "";
  if (step === "attention") {
    const cut = heads > data.heads.length ? ` You see the first ${data.heads.length} of ${heads} heads.` : "";
    const rest = 1 - data.weights[lane].reduce((sum, weight) => sum + weight, 0);
    const beyond = rest < LITTLE ? "" : ` ${asShare(rest)} goes to tokens that are not drawn.`;
    return `Thickness: attention weight. Every head has 100% to give.${cut}${beyond}`;
  }
  if (step === "feed_forward") {
    const cut = units.drawn < units.n ? ` You see the first ${units.drawn.toLocaleString("en")} units.` : "";
    return `Every dot is a hidden unit; its area is its share of what feed-forward adds. Amber works against it.${cut}`;
  }
  if (step.startsWith("norm"))
    return main
      ? "The stream itself goes on like this."
      : `${capital(stations[n + 1].label.toLowerCase())} reads this evened copy; the stream itself stays as it was.`;
  const reads = guessesAround(data, n, lane) && stations.at(-1).step.startsWith("add");
  const scale = "Drawn to scale, in the plane of the two vectors.";
  return reads ? `${scale} Only direction decides the guess: a last norm takes the length away.` : scale;
}
