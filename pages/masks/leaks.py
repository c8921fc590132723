"""Edit one token: which outputs move, and which does the mask predict?"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.controls.hyperparameters import LAYERS
from lab.kit.controls.reader import UNTRAINED, sentence_row
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.models.source import ModelRef
from lab.kit.view import Comparison, View, places
from lab.kit.words import counted, listed, numbered, shorten
from pages.masks import data
from pages.masks.components.leak_ripple import edited_in, leak_ripple
from pages.masks.components.mask_brush import Panel, mask_brush
from pages.masks.controls import (
    BRUSH,
    MaskChoice,
    Reading,
    Windows,
    ask_mask,
    ask_mask_name,
    ask_new_word,
    ask_reading,
    ask_windows,
    leave_painted,
    take_painted,
)
from pages.masks.data import Reach
from transformer import inspection

MAX_LETTERS = 24  # of a token in a sentence
OPENS = "causal window"  # the mask at first: with it news takes several layers
RIPPLE = "mask_ripple"  # the key of the component


class Settings(NamedTuple):
    reading: Reading
    mask: MaskChoice
    windows: Windows | None  # where some layers have the window, and others not
    position: int  # of the token that is edited
    word: str  # that takes its place
    n_layers: int

    @property
    def tokens(self) -> tuple[str, ...]:
        return self.reading.tokens


class Result(NamedTuple):
    """What moved, and how far news can travel."""

    leak: "inspection.masks.Leak"
    reach: Reach


def layout() -> Mapping[str, Any]:
    model, edit = st.container(key="masks-picture"), st.container()
    below = {"words": display.prose(), "mask": st.container(), "more": display.prose()}
    return {"model": model, "edit": edit, **below}


def ask() -> Settings | None:
    with settings.place_named("row"):
        box = sentence_row()
        with settings.line():
            reading = ask_reading(box)
            if reading is None:
                return None
            tokens = reading.tokens
            leave_painted(OPENS)
            mask = ask_mask(ask_mask_name(OPENS), len(tokens))
            if reading.ref is None:
                n_layers = LAYERS.ask(
                    help="In each layer, a token receives what the tokens it sees had received before."
                )
            else:
                n_layers = reading.ref.resolve().n_layers
            windows = ask_windows(mask, n_layers) if reading.ref is None else None
    place, first, n = _usual_place(reading), _first(tokens), len(tokens)
    with (
        settings.place_named("edit"),
        settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        number = settings.choose(
            st.select_slider,
            "Edit token",
            "masks_edit",
            range(first, n + 1),
            place + 1,
            why=f"the text has {n} tokens, so there is no token {{}}"
            if first == 1
            else f"of its {n} tokens, 2 to {n} are words to change, not {{}}",
            follows=True,
            width=170,
            help="Its number in the sentence.",
        )
        word = ask_new_word(tokens[number - 1], usual_word(reading.ref, tokens[number - 1]))
        if reading.ref is not None:
            word = reading.ref.resolve().as_token(word)
    return Settings(reading, mask, windows, number - 1, word, n_layers)


def _first(tokens: Sequence[str]) -> int:
    """The number of the first token that may be changed: the sign of the start is no word."""
    return 2 if len(tokens) > 1 and tokens[0].startswith("⟨") else 1


def _usual_place(reading: Reading) -> int:
    """The position of a token that a familiar word can stand for: the first of the kind of that word."""
    for word, kind in _familiar(reading.ref):
        places = [n for n, token in enumerate(reading.tokens) if token in kind and token != word]
        if places:
            return places[0]
    return len(reading.tokens) // 2


def _familiar(ref: ModelRef | None) -> list[tuple[str, Sequence[str]]]:
    """Words that the model knows, each with its kind."""
    kinds = ref.resolve().vocabulary.values() if ref else ()
    return [(word, kind) for kind in kinds for word in ("green", "lovely") if word in kind]


def usual_word(ref: ModelRef | None, token: str) -> str:
    """What takes the place of a token: a word of its kind, if it has one that the model knows."""
    familiar = _familiar(ref)
    kinds: list[Sequence[str]] = [kind for _, kind in familiar] + list(ref.resolve().kinds.values() if ref else ())
    for kind in kinds:
        if token in kind:
            return next(word for word in (*[word for word, of in familiar if of is kind], *kind) if word != token)
    return familiar[0][0] if familiar else "dragon"


def compute(s: Settings) -> Result:
    of, code, windows = (s.n_layers, s.reading.ref), s.mask.code, s.windows
    if windows is None:
        return Result(data.leak(s.tokens, code, s.position, s.word, *of), data.reach(code, s.n_layers))
    leak = data.leak(s.tokens, windows.others, s.position, s.word, *of, windows.size, windows.layers)
    return Result(leak, data.reach(code, s.n_layers, windows.others, windows.layers))


def draw(s: Settings, result: Result) -> None:
    with places()["model"]:
        _draw_model(s, result)
    with places()["mask"]:
        _draw_mask(s, result.reach.needed)
    with places()["words"]:
        st.markdown(f"{_verdict(s, result.leak)} {_reach(s, result.reach)}")
        _explain()
    with places()["more"]:
        _ask_back()
        teaching.code_expander("transformer/inspection/masks.py", "reach", "leak")


def _draw_model(s: Settings, result: Result) -> None:
    """What the edit moved in the model, beside what the mask predicts."""
    leak, old = result.leak, s.tokens[s.position]
    moved = ", ".join(token for token, moves in zip(s.tokens, leak.output, strict=True) if moves)
    leak_ripple(
        leak.moved,
        leak.change,
        leak.predicted,
        result.reach.masks,
        s.tokens,
        s.position,
        s.word,
        key=RIPPLE,
        alt=f"Which tokens moved after each of {s.n_layers} layers after an edit of {old}. Outputs that moved:"
        f" {moved or 'none'}. {'As predicted.' if leak.agrees else 'Not as predicted.'}",
        on_edit=partial(_take_edit, len(s.tokens), _first(s.tokens)),
    )


def _take_edit(n_tokens: int, first: int = 1) -> None:
    """Edit the token that was just clicked."""
    token = edited_in(RIPPLE, n_tokens)
    if token is not None and token + 1 >= first:
        st.session_state["masks_edit"] = token + 1


def _verdict(s: Settings, leak: "inspection.masks.Leak") -> str:
    """What moved, and what the mask had predicted, in Markdown."""
    old, others = s.tokens[s.position], np.arange(len(s.tokens)) != s.position
    change = f":orange[**{_shortened(old)}**] becomes :orange[**{_shortened(s.word)}**]."
    if len(s.tokens) == 1:
        return f"{change} There is no other token that could notice."
    verdict = "They agree." if leak.agrees else "They do **not** agree: look for the dashed rings."
    noticed = _noticed(int(leak.predicted[-1][others].sum()), int(leak.output[others].sum()), len(s.tokens) - 1)
    return f"{change} {noticed} {verdict}"


def _noticed(n_predicted: int, n_moved: int, n_others: int) -> str:
    """How many of the other tokens notice by the mask, and how many do in the model, in Markdown."""
    if n_others == 1:
        foretold, did = "**notices**" if n_predicted else "does **not** notice", "**did**" if n_moved else "did **not**"
        return f"The mask predicts that the other token {foretold}; in the model it {did}."
    notice = "notices" if n_predicted == 1 else "notice"
    return f"The mask predicts that **{n_predicted}** of {n_others} others {notice}; in the model **{n_moved}** did."


def _draw_mask(s: Settings, needed: np.ndarray) -> None:
    """The mask to paint holes into, and after how many layers each token can have heard of each."""
    tokens = s.tokens
    title = f"Mask, {numbered('layer', s.windows.layers)}" if s.windows else "Mask"
    panels = [
        Panel(title, "mask", tokens, tokens, mask=s.mask.cells),
        Panel("Layers until news arrives", "steps", tokens, tokens, needed, needed >= 0, "never"),
    ]
    alt = f"The mask, and the number of layers until news of each of {len(tokens)} tokens can reach each other."
    mask_brush(panels, key=BRUSH, paint=True, marked=s.position, alt=alt, on_paint=take_painted)


def _reach(s: Settings, reach: Reach) -> str:
    """How much of the text can hear of how much if there are enough layers, in a sentence or two."""
    if s.windows is not None:
        others = tuple(n for n in range(s.n_layers) if n not in s.windows.layers)
        return (
            f"The window is in {numbered('layer', s.windows.layers)} only; in {numbered('layer', others)} a token looks"
            f" as far as the text goes. {_far(reach)}."
        )
    said = _connected(reach.needed)
    if reach.far[-1] > reach.sight:
        said += f" {_far(reach)}, though no layer looks farther than {reach.sight}."
    return said


def _far(reach: Reach) -> str:
    """How far news has come after each layer, as long as it gets farther; without a full stop."""
    n = reach.far.index(reach.far[-1]) + 1
    steps = listed(reach.far[:n])
    tokens = "token" if steps == "1" else "tokens"
    return f"News travels **{steps}** {tokens} in {listed(range(1, n + 1))} layer{'s' if n > 1 else ''}"


def _connected(needed: np.ndarray) -> str:
    """Between how many tokens news can travel, in a sentence."""
    n_connected, n_layers = int((needed >= 0).sum()), int(needed.max())
    layers = counted(max(n_layers, 1), "layer")
    if n_connected < needed.size:
        return (
            f"With this mask, news can travel between {n_connected} of the {needed.size} pairs, in {layers} at most; "
            "between the others never, however deep the model."
        )
    if n_layers <= 1:
        return "With this mask every output is connected to every input, in one layer."
    return f"With this mask every output is connected to every input, but it takes {n_layers} layers."


def _explain() -> None:
    st.markdown(
        "The model runs twice, once with the edited token, and every number is compared bit for bit. Whoever sees the "
        "new word hears the news in the first layer; whoever sees *them*, in the second. A token keeps what it has "
        "heard, because every layer only adds to what was there (the residual connection). So who can hear of whom "
        "after $L$ layers is a power of the mask: $M$, with the diagonal $I$, multiplied by itself $L$ times."
    )
    teaching.formula(r"R_L = (M \lor I)^L \qquad \text{moved} = \{\, \q{i} : R_L[\q{i}, \k{j}] \,\}")


def _ask_back() -> None:
    questions.ask(
        "masks-reach",
        try_it={
            "masks_view": "Leaks",
            "mask": "causal window",
            "span": 2,
            "weights": UNTRAINED,
            "layers": 3,
            "masks_edit": 1,
        },
    )
    questions.ask("masks-order")


def _shortened(token: str) -> str:
    """A token for a sentence in Markdown."""
    return display.plain(shorten(token, MAX_LETTERS))


def _change(s: Settings, result: Result) -> Sheet:
    return Sheet(result.leak.change, "change", ("height", "token"), None, s.tokens)


VIEW = View(ask, compute, draw, comparison=Comparison("how far each token moved", _change), layout=layout, height=400)
