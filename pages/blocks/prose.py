"""What the blocks page says beside its figures, from the same numbers."""

import numpy as np

from pages.blocks.figures import HELP, MOST_UNITS, STAGES
from pages.shared import display


def amount(x: float) -> str:
    """A number as a person writes it: 0, 0.31, 5.2, 28, 3 × 10⁷."""
    if x == 0 or 0.001 <= abs(x) < 1000:
        return f"{x:.2g}" if abs(x) < 100 else f"{x:.0f}"
    mantissa, power = f"{x:.0e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


SAID = {name: f"**{STAGES[name].capitalize()}.** {text}" for name, text in HELP.items()}
BREAKS = {
    "residual": "**Without the residual**, only what a sublayer gives goes on. Attention is an average, so with every "
    "layer the words grow more alike, until no one can tell which was which.",
    "norm": "**Without the norms**, every push is as large as the stream that made it. Nothing "
    "holds the size of the stream in bounds: look at it, and compare the scale.",
    "feed_forward": "**Without the feed-forward layers**, words still exchange what they have, but nothing is made of "
    "it: every layer only mixes and maps.",
    "attention": "**Without attention**, every word is alone: no word's vector depends on another word any more. The "
    "map is still computed, but what it finds is thrown away.",
}


def changed(moved: tuple[float, int], T: int, is_trained: bool = False) -> str:
    """What a plug did to the logits."""
    distance, n = moved
    random = " This model is random, so neither answer is good; take a trained one above, and see what it loses."
    return (
        f"What the model would say moves by **{100 * distance:.0f}%** of its probability, and for **{n} of {T}** words "
        f"another entry of the vocabulary stands first.{'' if is_trained else random}"
    )


def gains(learned: tuple[float, float, float, float] | None) -> str:
    """What γ and β are."""
    if not learned:
        return "γ is 1 and β is 0 in a fresh model; training moves them."
    least, most, low, high = learned
    return (
        f"γ was 1 and β was 0 before this model was trained. Now γ lies from {least:.2f} to {most:.2f} and β from "
        f"{low:.2f} to {high:.2f}, so what comes out has other means and deviations than 0 and 1."
    ).replace("-", "−")


def widths(d_model: int, d_ff: int, ran) -> str:
    """Row of sizes of a feed-forward layer, its parameters, and how many units fire."""
    share = 100 * ran.n_parameters / ran.layer_parameters
    shown = f" The first {MOST_UNITS} are shown." if d_ff > MOST_UNITS else ""
    return (
        f"{d_model} → **{d_ff}** → {d_model} numbers a word; the {d_ff} in the middle are the hidden **units**."
        f"{shown} 2·{d_model}·{d_ff} + {d_ff} + {d_model} = "
        f"**{ran.n_parameters:,}** parameters, {share:.0f}% of the layer. "
        f"**{100 * ran.firing.mean():.0f}%** of the units fire: their input is above zero."
    )


def gate(ran) -> str:
    """What the activation lets through."""
    kept = float(np.abs(ran.hidden).sum() / max(float(np.abs(ran.before).sum()), 1e-30))
    return (
        f"**{100 * ran.firing.mean():.0f}%** of this sentence's {ran.before.size:,} numbers are above zero; "
        f"**{100 * kept:.0f}%** of their size goes on. The dotted curve is a short cut for GELU with tanh, which some "
        "models use; this one uses the exact form."
    )


def straight(worth, name: str) -> str:
    """What one matrix can do of the layer."""
    return (
        f"Take the {name} of this layer away, and one matrix does the same: off by {amount(100 * worth.unbent)}% of "
        f"the variance, which is rounding. With it, the best single matrix misses **{100 * worth.missed:.0f}%**. "
        "The chart asks for something no single matrix can do: say 1 when exactly one input is 1."
    )


def sum_of(stream, pre: bool) -> str:
    """Whether the pushes add up."""
    n = len(stream.pushes)
    if pre:
        return (
            f"The embedding and {n} pushes add up to the last state: the largest of {stream.states.shape[1]} features "
            f"is off by {amount(stream.gap)} (rounding)."
        )
    return (
        "With the norm after each addition, the stream is rescaled on its way, so embedding and pushes no longer add "
        f"up to the last state: a feature is off by up to **{amount(stream.gap)}**. With the norm “before”, they do."
    )


def read_out(stream, word: str, named: tuple[str, ...], places: np.ndarray) -> str:
    """What the lens shows."""
    V = stream.lens.shape[1]
    gap = float(np.abs(stream.lens[-1] - stream.logits).max())
    first, last = (f"{place:,}" for place in places[[0, -1], named.index(word)])
    return (
        f"What if the stream were read out here? Colour: a word's score (logit). Number: its place among all {V:,}; "
        f"{len(named)} of them are shown. The last row is what the model says: off by {amount(gap)}. The word itself "
        f"stands at place **{first}** at the bottom and **{last}** at the top: the output map is the embedding table "
        "once more, and an untrained model has no better guess."
    )


def read_out_trained(stream, named: tuple[str, ...], places: np.ndarray, tokens, token: int, reader) -> str:
    """What the lens shows of a trained model: what it says, from which height on, and whether that is what comes."""
    V = stream.lens.shape[1]
    gap = float(np.abs(stream.lens[-1] - stream.logits).max())
    odds = np.exp(stream.logits.astype("f8") - stream.logits.max())
    word = display.plain(named[0])
    first = places[:, 0] == 1
    since = len(first) - int(np.argmin(first[::-1])) if not first.all() else 0
    said = (
        f"What if the stream were read out here? Colour: a word's score (logit). Number: its place among all {V:,}; "
        f"{len(named)} of them are shown. The top row is what the model says: off by {amount(gap)}.\n\n"
        f"At the top it says **{word}**, {odds.max() / odds.sum():.0%} sure. That word stands first from "
        f"“{stream.heights[since]}” on; at the bottom it was at place **{places[0, 0]}**. "
    )
    if reader.kind == "encoder":
        asked = "This is the place where it was asked for its answer." if token == 0 else (
            "It was only ever asked at &lt;bos&gt;: what it says here, nobody wanted of it."
        )  # fmt: skip
        return said + asked
    if token + 1 < len(tokens):
        return said + f"In the text comes **{display.plain(tokens[token + 1])}**."
    return said + "The text ends here, so this is its guess at how it goes on."


_MEASURES = (
    ("gradient", "gradient at the bottom ÷ at the top", "length of ∂loss/∂stream", True),
    ("rms", "root mean square of the stream at the top", "root mean square of the stream", True),
    ("alike", "mean cosine between words at the top", "mean cosine between words", False),
)


def swept(found: list[dict], measure: int):
    """A sweep as lines: (by depth, inside the deepest, their two titles, whether on a logarithmic axis)."""
    name, top, inside, log = _MEASURES[measure]

    def value(depth) -> float:
        y = getattr(depth, name)
        if name != "gradient":
            return float(y[-1])
        return float(y[0] / y[-1]) if y[-1] > 0 else float("nan")

    lines = {line: np.array([value(models[line]) for models in found]) for line in found[0]}
    return lines, {line: getattr(models, name) for line, models in found[-1].items()}, (top, inside), log


def swept_alt(lines: dict[str, np.ndarray], title: str) -> str:
    """The last number of every line."""
    return (
        f"{title}, at the right end: " + ", ".join(f"{name} {amount(float(y[-1]))}" for name, y in lines.items()) + "."
    )


def verdict(lines: dict[str, np.ndarray], measure: int) -> str:
    """The four models at the greatest depth, in a sentence."""
    end = {name: float(y[-1]) for name, y in lines.items()}
    last = {name: f"**{amount(value)}**" for name, value in end.items()}
    if measure == 0:
        return (
            "Measured just now, 32 layers deep: of the gradient at the top there arrives at the bottom, with neither "
            f"residual nor norm, {last['neither']} times as much; residual alone {last['no norm']}; norm alone "
            f"{last['no residual']}, but look at how alike the words are; both {last['both']}."
        )
    if measure == 1:
        return (
            f"After 32 layers the stream is {last['both']} large with both; without the residual {last['no residual']};"
            f" without the norm {last['no norm']}; with neither {last['neither']}."
        )
    return (
        "A cosine of 1 means that two words point the same way: they can no longer be told apart. After 32 layers it "
        f"is **{end['no residual']:.4f}** without the residual, **{end['both']:.2f}** with both."
    )


def linear_words(mixed) -> str:
    """How far off superposition is."""
    return (
        f"Mix two inputs, then attend; or attend, then mix. With the weights held fixed both give the same: off by "
        f"{amount(100 * mixed.frozen_off)}%, rounding. With weights that follow the input, off by "
        f"**{100 * mixed.live_off:.0f}%**. At c = −1, 0 and 1 the right-hand curve touches zero: turning "
        "every sign leaves the scores alone."
    )


def dropped_words(seen, training: bool, draws: int) -> str:
    """What dropout did."""
    if not training:
        return "In evaluation nothing is dropped: both pictures are the same, and so is every pass."
    off = float(np.abs(seen.after - seen.before).mean() / max(float(np.abs(seen.before).mean()), 1e-30))
    many = f"The mean of {draws} draws" if draws > 1 else "A single draw"
    drawn = "in the last draw" if draws > 1 else "in this draw; the dropped are grey"
    return (
        f"**{100 * seen.kept:.0f}%** stayed {drawn}. {many} is off by **{100 * off:.0f}%** of what was there. "
        "The weights that a model returns, and all other pages show, are those before dropout."
    )


def grouped(lines) -> dict[str, int]:
    """Parameters by part of the layer."""
    return {g: sum(e.n_parameters for e in lines if e.group == g) for g in ("attention", "feed-forward", "norm")}


def tower_words(tower, n: int) -> str:
    """A stack of layers in numbers."""
    return (
        f"**{n} layer{'s' if n > 1 else ''}** on each other: {n} × {tower.one:,} = **{tower.all:,}** parameters. The "
        f"plan is the same, the numbers are not: {tower.n_tensors} tensors in {tower.n_storages} places of memory, "
        "none shared."
    )
