"""Where queries, keys and values come from: a word's vector times a learned matrix, with the model's own numbers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.references import BeforeTraining
from lab.kit.view import Comparison, View, places
from lab.kit.words import fixed, is_rounding
from pages.attention import data, subject
from pages.attention.components.three_mills import Finds, Made, Swap, three_mills
from pages.attention.subject import Subject
from transformer import inspection

MAPS: "dict[Made, inspection.projections.Projected]" = {"query": "q", "key": "k", "value": "v"}
HUES = {"query": "blue", "key": "orange", "value": "green"}  # in Markdown
FIRST: Made = "query"  # what the text tells of while no strip is in hand
WORD, HELD, NONE = "att_query", "att_make", "none"  # in links
MAX_NAMED = 3  # products that the sum spells out
FINDS = 0.2  # the least attention weight of a key that a query finds


class Settings(NamedTuple):
    subject: Subject
    word: int
    held: Made | None  # the strip that has a number in hand

    @property
    def made(self) -> Made:
        return self.held or FIRST


class Result(NamedTuple):
    """How the head makes queries, keys and values, what the numbers of its queries earn, where that can be said, and
    another word in the place of the one that is looked at."""

    made: "dict[Made, inspection.projections.Projection]"
    earned: "inspection.projections.Earned | None"
    swap: Swap | None


def layout() -> Mapping[str, Any]:
    return {"picture": st.container(key="att-picture"), "reader": st.container()}


def ask() -> Settings | None:
    with settings.place_named("reader"):
        asked = subject.ask_head(_ask_turn)
    if asked is None:
        return None
    shown_on, (word, held) = asked
    return Settings(shown_on, word, held)


def _named(labels: tuple[str, ...]) -> dict[str, int]:
    """The words by what they are called in links: one may stand there twice."""
    return {f"{n} {name}": n for n, name in enumerate(labels)}


def _ask_turn(shown_on: Subject) -> tuple[int, Made | None]:
    """The word that is looked at, and the strip in hand: both are pressed in the figure; the lists behind the chips
    are their names in links."""
    words = _named(shown_on.labels)
    word = settings.choose(
        st.selectbox, "Word", WORD, words, list(words)[_opens(shown_on)], quiet=True, follows=True, chip=None
    )
    held = settings.choose(st.selectbox, "Strip in hand", HELD, (NONE, *MAPS), NONE, quiet=True, chip=None)
    return words[word], next((made for made in MAPS if made == held), None)


def _opens(shown_on: Subject) -> int:
    """The first of the two words that are most similar: one stands well in the place of the other."""
    assert shown_on.ref is not None
    cosines = data.similar_words(shown_on.ref, shown_on.labels)[1]
    return int(cosines.argmax()) if cosines.max() >= data.ALIKE else len(cosines) - 1


def compute(s: Settings) -> Result:
    ref, labels, layer, head = s.subject.ref, s.subject.labels, s.subject.layer, s.subject.head
    assert ref is not None
    made = {made: data.projection(ref, labels, layer, head, which) for made, which in MAPS.items()}
    swap = data.swapped(ref, labels, layer, head, s.word)
    earned = data.earned(ref, labels, layer, head, s.subject.is_causal)
    return Result(made, earned, Swap(*swap) if swap else None)


def draw(s: Settings, result: Result) -> None:
    chosen = result.made[s.made]
    finds = _finds(result.earned)
    feature = _first(chosen, finds if s.made == "query" else None, s.word)
    names = list(_named(s.subject.labels))

    def on_turn(word: int, held: Made | None) -> None:
        st.session_state[WORD] = names[word]
        st.session_state[HELD] = held or NONE

    with places()["picture"]:
        three_mills(
            chosen.x,
            {made: (one.w, one.b) for made, one in result.made.items()},
            words=s.subject.names("k"),
            at=s.word,
            held=s.held,
            finds=finds,
            swap=result.swap,
            of=_head(s.subject),
            trained=not isinstance(s.subject.ref, BeforeTraining),
            key="att_projection",
            on_turn=on_turn,
        )
    with display.prose():
        _describe(s, chosen, feature)
        _ask_what_is_learned()
        teaching.code_expander(
            "transformer/core/attention.py", "MultiHeadAttention.forward", "MultiHeadAttention.keys_values"
        )


def _head(shown_on: Subject) -> str:
    """The head, which is the same before training."""
    ref = shown_on.ref.of if isinstance(shown_on.ref, BeforeTraining) else shown_on.ref
    return f"{ref} {shown_on.layer} {shown_on.head}"


def _finds(earned: "inspection.projections.Earned | None") -> Finds | None:
    """What each query finds, and what its numbers earn of that score."""
    if earned is None:
        return None
    is_found = (earned.weight >= FINDS) & (earned.score > 0)
    keys = [int(key) if found else None for key, found in zip(earned.key, is_found, strict=True)]
    return Finds(keys, earned.score, earned.earned, earned.met, earned.turned, earned.scale)


def _first(chosen: "inspection.projections.Projection", finds: Finds | None, word: int) -> int:
    """The number that is in hand at first: the one that earns most of the score, or else the largest by size."""
    if finds and finds.keys[word] is not None:
        return int(finds.earned[word].argmax())
    return int(np.abs(chosen.y[word]).argmax())


def _describe(s: Settings, result: "inspection.projections.Projection", feature: int) -> None:
    word, hue, (D, d_k) = display.plain(s.subject.names("k")[s.word]), HUES[s.made], result.w.shape
    st.markdown(
        "**Where do queries, keys and values come from?** A word brings none of them, only one vector; that of "
        f"*{word}* has {D} numbers. Three matrices turn it into three shorter vectors of {d_k} numbers: :blue[what it "
        "asks for], :orange[what it can be found by] and :green[what it passes on]."
    )
    teaching.formula(r"\q{q} = x\,W_q \qquad \k{k} = x\,W_k \qquad \v{v} = x\,W_v")
    st.markdown(
        f"Each number of this :{hue}[{s.made}] comes from one column of the matrix: every number of the column times"
        f" the one to its left, all added up. Number {feature + 1}, for example:\n\n{_sum(result, s.word, feature)}"
    )
    assert s.subject.ref is not None
    learned = "learned once, in training" if s.subject.ref.resolve().is_trained else "what training would change"
    st.markdown(
        f"| {learned} | computed afresh for every text |\n|---|---|\n"
        "| $W_q$, $W_k$, $W_v$ | vectors, :blue[queries], :orange[keys], :green[values], :violet[attention weights] |"
    )
    st.caption(_twice(s, result))


def _sum(result: "inspection.projections.Projection", word: int, feature: int) -> str:
    """The largest products of one number of the result, what the others add up to, and the sum, in Markdown."""
    x, w = result.x[word].astype(float), result.w[:, feature].astype(float)
    products, bias, total = x * w, float(result.b[feature]), float(result.y[word, feature])
    largest = np.argsort(-np.abs(products), kind="stable")[:MAX_NAMED]
    named = " + ".join(f"{_signed(x[i])} · {_signed(w[i])}" for i in largest)
    rest = float(products.sum() - products[largest].sum())
    more = f" + {_signed(rest)} from {len(x) - len(largest)} more" if len(x) > len(largest) else ""
    constant = f" + {_signed(bias)}, a learned constant" if abs(bias) >= 0.005 else ""
    return f"{named}{more}{constant} = **{fixed(total)}**"


def _signed(number: float) -> str:
    """A number inside a sum; one below zero stands in brackets."""
    return f"({fixed(number)})" if round(number, 2) < 0 else fixed(number)


def _twice(s: Settings, result: "inspection.projections.Projection") -> str:
    """What the word's other occurrence shows; how this view differs from the next where the word stands once."""
    names = s.subject.names("k")
    token, same = names[s.word], [n for n, name in enumerate(names) if name == names[s.word]]
    if len(same) < 2:
        return f"Head {s.subject.head} in layer {s.subject.layer}. Every head has three matrices of its own."
    other = next(n for n in same if n != s.word)
    gap = float(np.abs(result.y[s.word] - result.y[other]).max())
    name = display.plain(token)
    if is_rounding(gap):
        return f"“{name}” occurs {len(same)} times. Its vector is the same each time here, so its {s.made} is, too."
    return (
        f"“{name}” occurs {len(same)} times, and each has another {s.made}: up to {gap:.2f} apart in one number. By now"
        " its vector also says where it stands and what is around it."
    )


def _ask_what_is_learned() -> None:
    questions.ask(
        "attention-learned", try_it={"text": "mia found a green hat. tom found a blue ball. mia took the green"}
    )


def _numbers(s: Settings, result: Result) -> Sheet:
    made = result.made[s.made]
    features = tuple(str(n + 1) for n in range(made.y.shape[1]))
    return Sheet(made.y, s.made, ("token", "number"), s.subject.names("k"), features)


VIEW = View(
    ask, compute, draw, layout=layout, comparison=Comparison("what the matrix makes of each word", _numbers), height=470
)
