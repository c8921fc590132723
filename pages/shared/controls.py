"""Groups of widgets that return plain values, each mirrored to the address bar under its own name.

What a link asks for and cannot have falls back to the usual, and is said in `notices`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import streamlit as st

from pages.shared import catalogue, readers, settings
from pages.shared.readers import RANDOM, Kind, Mask, Reader, Seed
from transformer.config import TransformerConfig
from transformer.training.text import clean, words

MAX_TOKENS = 512
MAX_LETTERS = 6000  # what a link can carry

EXAMPLES = (
    "The animal didn't cross the street because it was too tired",
    "The cat sat on the mat",
    "The mat sat on the cat",
    "I went to the bank to sit by the river",
    "the keys to the old wooden cabinet are on the table",
    "one two three one two three one two three",
)
WIDTHS = (4, 6, 8, 9, 12, 15, 16, 24, 32, 36, 48, 60, 64, 96, 120, 128, 144, 192, 256)
MOST_HEADS = 16
MOST_LAYERS = 12
BASES = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000)

# What is chosen by name: the name stands on screen and in the link; behind it, the model's word for it.
KINDS: dict[str, Kind] = {"Encoder": "encoder", "Decoder": "decoder"}
POSITIONS = {
    "none": "none",
    "sinusoidal": "sinusoidal",
    "learned": "learned",
    "rotary": "rotary",
    "T5 relative": "relative",
    "ALiBi": "alibi",
}
MASKS: dict[Kind, dict[str, str]] = {
    "encoder": {"none": "none", "window": "window", "padding": "padding"},
    "decoder": {"causal": "causal", "causal window": "window", "causal prefix": "prefix"},
}
LAYER_NORMS = {"before (pre)": "pre", "after (post)": "post"}
ACTIVATION_NAMES = {"ReLU": "relu", "GELU": "gelu"}
SCALINGS = {"divided by √d_k": True, "not divided": False}
SPANS = {
    "window": ("Window", "How far a token may look, itself included."),
    "prefix": ("Prefix", "How many first tokens everybody may look at."),
    "padding": ("Padding", "How many of the last tokens are padding, which nobody may look at."),
}


@dataclass(frozen=True)
class Sentence:
    """What was typed, cut into tokens; `left_out` tokens did not fit."""

    tokens: tuple[str, ...]
    left_out: int = 0
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelChoice:
    """The model that was chosen, its mask, and the seed of its random weights or the key of its trained ones."""

    kind: Kind
    config: TransformerConfig
    mask: Mask
    seed: Seed
    notices: tuple[str, ...] = ()


def cut(text: str) -> Sentence:
    """A text as tokens; what is over the limit is left out, and said."""
    tokens = words(clean(text))
    left_out = max(0, len(tokens) - MAX_TOKENS)
    too_long = (
        f"The first {MAX_TOKENS} tokens are shown; {left_out:,} more are left out. Type a shorter text to see all."
    )
    return Sentence(tuple(tokens[:MAX_TOKENS]), left_out, (too_long,) if left_out else ())


def sentence(usual: str = EXAMPLES[0]) -> Sentence:
    """A box to type into (Enter commits) and examples to pick from; `usual` stands in it at first."""
    pinned = settings.replaying()
    if pinned:
        return cut(pinned.take_text("text", "sentence", usual, lambda text: text[:MAX_LETTERS]))
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="sentence-row"):
        text = _box(usual, EXAMPLES)
    typed = cut(text)
    return replace(typed, notices=(*st.session_state.get("_text_notices", ()), *typed.notices))


def _box(usual: str, examples: tuple[str, ...]) -> str:
    """The box and its examples. An example that nobody changed gives way to those of another model, and comes back."""
    _mend_text()
    before = st.session_state.get("_examples", examples)
    st.session_state["_examples"] = examples
    text = st.session_state.get("text")
    if before != examples and text in before:
        left = st.session_state.setdefault("_left", {})
        left[before] = text
        st.session_state["text"] = left.get(examples) or usual
    text = st.text_input(
        "Sentence",
        usual,
        key="text",
        bind="query-params",
        label_visibility="collapsed",
        placeholder="Type a sentence and press Enter",
        icon=":material/edit:",
    )
    st.menu_button("Examples", examples, key="example", on_click=_take_example, format_func=_plain)
    settings.note("text", "sentence", text or "", usual, long=True)
    return text or ""


def sentence_again(typed: Sentence, usual: str = EXAMPLES[0]) -> Sentence:
    """The sentence that was typed into a box that stands on the page already, as one of the settings asked for."""
    if settings.replaying():
        return sentence(usual)
    settings.note("text", "sentence", st.session_state.get("text") or "", usual, long=True)
    return typed


# ---- trained weights in the place of random ones ----


@dataclass(frozen=True)
class Read:
    """Whose weights read, by their title, and the text, cut as they read it; `reader` is None for random weights."""

    title: str
    reader: Reader | None
    sentence: Sentence


def read(say: list[str], usual: str = RANDOM) -> Read:
    """Whose weights read, `usual` at first, and a sentence: any for random weights, one of its own for a trained model.

    What there is to say of the weights goes to `say`; what there is to say of the text stands in its notices.
    """
    offered = readers.offered()
    usual = usual if usual in offered else RANDOM
    with settings.place(st.container, horizontal=True, vertical_alignment="center", gap="small", key="sentence-row"):
        title = choose(
            st.segmented_control, "Weights", "weights", (RANDOM, *offered), usual, say,
            why="there is no such model here; train one on the page Live, and hand it over there",
            follows=True, label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        reader = readers.of(offered[title]) if title in offered else None
        examples = reader.examples if reader else EXAMPLES
        pinned = settings.replaying()
        if pinned:
            text = pinned.take_text("text", "sentence", examples[0], lambda text: text[:MAX_LETTERS])
        else:
            text = _box(examples[0], examples)
            if reader:
                _words(reader)
    typed = _cut_for(reader, text) if reader else cut(text)
    if not pinned:
        typed = replace(typed, notices=(*st.session_state.get("_text_notices", ()), *typed.notices))
    return Read(title, reader, typed)


def read_again(found: Read, say: list[str], usual: str = RANDOM) -> Read:
    """What `read` found at the top of the page, as settings that are asked for."""
    if settings.replaying():
        return read(say, usual)
    offered = readers.offered()
    settings.note("weights", "Weights", found.title, usual if usual in offered else RANDOM)
    examples = found.reader.examples if found.reader else EXAMPLES
    settings.note("text", "sentence", st.session_state.get("text") or "", examples[0], long=True)
    return found


def _words(reader: Reader) -> None:
    """All that a trained model knows. Letter by letter: the vocabulary of an uploaded model can be anything."""
    with st.popover("Words", help="All that this model has ever read.", key="reader-words"):
        for kind, words in reader.known.items():
            st.caption(kind)
            st.code(", ".join(words), language=None, wrap_lines=True)


def _cut_for(reader: Reader, text: str) -> Sentence:
    """A text as this model reads it; what it does not know, what is too long, and what is longer than it is used to."""
    tokens = reader.cut(clean(text))
    say = []
    unknown = reader.unknown(text)
    if unknown:
        listed = ", ".join(f"“{_short(word)}”" for word in unknown[:5]) + (" and more" if len(unknown) > 5 else "")
        say.append(
            f"This model has never read {listed}: all it sees there is <unk>. “Words” shows what it knows, and "
            "“Examples” has sentences of its kind."
        )
    left_out = max(0, len(tokens) - reader.most)
    if left_out:
        say.append(f"The first {reader.most} tokens are shown; {left_out:,} more are left out. Type a shorter text.")
    elif len(tokens) - 1 > reader.task.longest:
        say.append(f"It was trained on at most {reader.task.longest} tokens; so long a text is new to it.")
    return Sentence(tokens[: reader.most], left_out, tuple(say))


def read_with_model(say: list[str]) -> tuple[Sentence, ModelChoice]:
    """A sentence and the model that reads it: random, of any size, or one that was trained."""
    found = read(say)
    return found.sentence, of_reader(found.reader) if found.reader else model()


def of_reader(reader: Reader) -> ModelChoice:
    """A trained model as the one that was chosen, with a line on it where the sizes of a random one would stand."""
    reader_row(reader)
    L = reader.n_layers
    config = replace(reader.config, n_encoder_layers=L, n_decoder_layers=L)
    return ModelChoice(reader.kind, config, Mask("causal" if reader.kind == "decoder" else "none"), reader.key)


def reader_row(reader: Reader) -> None:
    """What is to be known of a trained model, in one line, and the way to its film. Nothing where no widgets are
    drawn."""
    if settings.replaying():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="reader-row"):
        st.caption(" · ".join(reader.facts), width="content")
        if reader.film:
            st.page_link(
                catalogue.page("live").script, label="Watch it learn", icon=":material/arrow_forward:",
                query_params={"live_film": reader.film},
            )  # fmt: skip


def _take_example() -> None:
    st.session_state["text"] = st.session_state["example"]


def _mend_text() -> None:
    """Keep the text to what a link can carry, before the box is drawn with it; say how much was left out."""
    text = st.session_state.get("text")
    if text is None:
        return
    kept = clean(text)[:MAX_LETTERS] if len(text) > MAX_LETTERS else text.encode("utf-8", "replace").decode()
    if kept != text:
        st.session_state["text"] = kept
    if len(text) > MAX_LETTERS:
        st.session_state["_text_notices"] = (
            f"The first {MAX_LETTERS:,} letters are kept; {len(text) - MAX_LETTERS:,} more are left out.",
        )
        st.session_state["_kept_text"] = kept
    elif text != st.session_state.get("_kept_text"):
        st.session_state.pop("_text_notices", None)


def _plain(text: str) -> str:
    """A label that Markdown leaves alone."""
    return text.replace("*", r"\*").replace("_", r"\_")


# Every setting of a model: what can be chosen and what is usual, given the settings before it.
_SETTINGS: dict[str, tuple[Callable[[dict], Iterable], Callable[[dict], object]]] = {
    "model": (lambda v: KINDS, lambda v: "Encoder"),
    "d_model": (lambda v: WIDTHS, lambda v: 64),
    "heads": (
        lambda v: _divisors(v["d_model"], MOST_HEADS),
        lambda v: _nearest(4, _divisors(v["d_model"], MOST_HEADS)),
    ),
    "layers": (lambda v: range(1, MOST_LAYERS + 1), lambda v: 3),
    "positions": (lambda v: POSITIONS, lambda v: "sinusoidal"),
    "mask": (lambda v: MASKS[KINDS[v["model"]]], lambda v: next(iter(MASKS[KINDS[v["model"]]]))),
    "span": (lambda v: range(1, 33), lambda v: 3),
    "kv_heads": (lambda v: _divisors(v["heads"], v["heads"]), lambda v: v["heads"]),
    "scores": (lambda v: SCALINGS, lambda v: "divided by √d_k"),
    "norm": (lambda v: LAYER_NORMS, lambda v: "before (pre)"),
    "activation": (lambda v: ACTIVATION_NAMES, lambda v: "ReLU"),
    "base": (lambda v: BASES, lambda v: 10_000),
    "seed": (lambda v: range(100), lambda v: 0),
}


def model() -> ModelChoice:
    """The hyperparameters of an encoder or decoder, in one row; the rarer ones behind "More"."""
    say: list[str] = []
    values: dict = {}

    def ask(widget, label: str, key: str, **more):
        options, usual = _SETTINGS[key]
        values[key] = choose(widget, label, key, options(values), usual(values), say, **more)
        return values[key]

    def leave(key: str) -> None:
        values[key] = _SETTINGS[key][1](values)

    with settings.place(
        st.grid, 7, min_column_width=112, gap="small", vertical_alignment="bottom", key="model-row"
    ) as row:
        kind = KINDS[
            ask(
                st.segmented_control,
                "Model",
                "model",
                width="stretch",
                help="In an encoder every token sees all; in a decoder it sees itself and what came before it.",
            )
        ]
        d_model = ask(
            st.select_slider,
            "d_model",
            "d_model",
            help="The width of the stream: how many numbers stand for a token.",
        )
        can = ", ".join(map(str, _divisors(d_model, MOST_HEADS)))
        n_heads = ask(
            st.select_slider,
            "Heads",
            "heads",
            why=f"d_model={d_model} cannot be split into {{}} equal heads",
            help=f"The heads share d_model equally: {d_model} can be split into {can}.",
        )
        ask(
            st.select_slider,
            "Layers",
            "layers",
            help="How many layers stand on each other; each looks at what the one below made of the text.",
        )
        positions = ask(st.selectbox, "Positions", "positions", help="How the model learns where a token stands.")
        mask = ask(
            st.selectbox,
            "Mask",
            "mask",
            why=f"the mask {{}} is not for {'an' if kind == 'encoder' else 'a'} {kind}",
            follows=True,
            help="Which tokens may be looked at. Its size stands behind More.",
        )
        with row.popover("More", icon=":material/tune:", width="stretch", key="more"):
            if MASKS[kind][mask] in SPANS:
                label, help = SPANS[MASKS[kind][mask]]
                ask(st.select_slider, label, "span", help=help)
            else:
                leave("span")
            if n_heads > 1:
                ask(
                    st.select_slider,
                    "Key/value heads",
                    "kv_heads",
                    why=f"{n_heads} heads cannot share {{}} key/value heads equally",
                    follows=True,
                    help="Fewer than heads: groups of heads share keys and values. 1 is multi-query attention.",
                )
            else:
                leave("kv_heads")
            ask(
                st.segmented_control,
                "Scores",
                "scores",
                help="Without the division large d_k makes softmax pick a single key.",
            )
            ask(
                st.segmented_control,
                "Layer norm",
                "norm",
                help="Where a layer normalises: before each sublayer (as GPT-2) or after it (as the paper).",
            )
            ask(
                st.segmented_control,
                "Feed-forward",
                "activation",
                help="The curve inside the feed-forward layer: see Blocks.",
            )
            if positions in ("sinusoidal", "rotary"):
                ask(
                    st.select_slider,
                    "Base of the wavelengths",
                    "base",
                    help="The larger, the slower the slowest sine turns; the paper has 10000.",
                )
            else:
                leave("base")
            ask(st.select_slider, "Seed", "seed", help="Another seed draws other random weights.")
    return _chosen(values, say)


def _chosen(values: dict, say: Iterable[str] = ()) -> ModelChoice:
    """The model that the settings name."""
    kind = KINDS[values["model"]]
    mask = MASKS[kind][values["mask"]]
    config = TransformerConfig(
        d_model=values["d_model"],
        n_heads=values["heads"],
        n_kv_heads=values["kv_heads"],
        n_encoder_layers=values["layers"],
        n_decoder_layers=values["layers"],
        positions=POSITIONS[values["positions"]],
        base=float(values["base"]),
        scaled=SCALINGS[values["scores"]],
        norm=LAYER_NORMS[values["norm"]],
        activation=ACTIVATION_NAMES[values["activation"]],
        max_len=MAX_TOKENS,
    )
    span = values["span"] if mask in SPANS else 0
    return ModelChoice(kind, config, Mask(mask, span), values["seed"], tuple(say))


def choose(
    widget, label: str, key: str, options: Iterable, usual, say: list[str], *, why: str = "", follows=False, **more
):
    """settings.choose, whose notice goes to `say`."""
    value, notice = settings._answer(widget, label, key, tuple(options), usual, why, follows, more)
    say.extend(filter(None, [notice]))
    return value


def _short(asked: object) -> str:
    text = clean(str(asked))
    return text if len(text) <= 24 else text[:23] + "…"


def _divisors(n: int, most: int) -> tuple[int, ...]:
    return tuple(d for d in range(1, min(n, most) + 1) if n % d == 0)


def _nearest(value: int, options: tuple[int, ...]) -> int:
    return min(options, key=lambda option: (abs(option - value), option))
