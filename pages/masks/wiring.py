"""Which stream feeds queries, keys and values of one attention; and the three attentions that a Transformer has."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from lab.kit import questions, settings, teaching
from lab.kit.figures import display
from lab.kit.view import Comparison, View, places
from lab.kit.words import counted
from pages.masks import attentions, data
from pages.masks.attentions import Texts
from pages.masks.components.wiring_plugs import Map, plugged, wiring_plugs
from pages.masks.data import Attentions
from transformer import inspection

STREAMS: "dict[str, inspection.qkv_sources.Stream]" = {"encoder": "encoder", "decoder": "decoder"}
PLUGS = "masks_plugs"  # the key of the component


def layout() -> Mapping[str, Any]:
    return {
        "picture": st.container(key="masks-picture"),
        "words": display.prose(),
        "shown": st.container(),
        "three": st.container(),
    }


class Settings(NamedTuple):
    """Where queries, keys and values come from, and the texts of the two streams."""

    queries: "inspection.qkv_sources.Stream"
    keys: "inspection.qkv_sources.Stream"
    values: "inspection.qkv_sources.Stream"
    texts: Texts
    shown: str

    @property
    def sources(self) -> "dict[str, inspection.qkv_sources.Stream]":
        return {"queries": self.queries, "keys": self.keys, "values": self.values}

    @property
    def is_unheard(self) -> bool:
        """Whether the trained translator writes without its source, and so another text than its translation."""
        return self.texts.text is not None and set(self.sources.values()) == {"decoder"}

    @property
    def lengths(self) -> dict[str, int]:
        decoder = _unheard(self.texts).queries if self.is_unheard else self.texts.target
        return {"encoder": len(self.texts.source), "decoder": len(decoder)}

    @property
    def home(self) -> "inspection.qkv_sources.Stream":
        """The stream whose residual connection the output is meant for."""
        return "encoder" if set(self.sources.values()) == {"encoder"} else "decoder"


class Result(NamedTuple):
    """written: what the translator writes with keys and values from either stream; {} for another model"""

    wiring: "inspection.qkv_sources.Wiring"
    attentions: Attentions
    written: dict[str, str]


def ask() -> Settings | None:
    texts = attentions.ask_texts()
    with settings.place_named("row"), settings.line(key="wires"):
        queries, keys, values = (
            STREAMS[
                settings.choose(
                    st.segmented_control,
                    f"{name.capitalize()} from",
                    f"mask_wire_{name}",
                    STREAMS,
                    default,
                    chip=f"{name}: {{}}",
                )
            ]
            for name, default in (("queries", "decoder"), ("keys", "encoder"), ("values", "encoder"))
        )
    if texts is None:
        return None
    return Settings(queries, keys, values, texts, attentions.ask_shown())


def compute(s: Settings) -> Result:
    wiring = data.wiring(s.queries, s.keys, s.values, s.lengths["encoder"], s.lengths["decoder"])
    return Result(wiring, attentions.compute(s.texts), _written(s.texts))


def _written(texts: Texts) -> dict[str, str]:
    if texts.text is None:
        return {}
    heard, unheard = texts.target, _unheard(texts).queries
    return {stream: " ".join(_spoken(words)) for stream, words in (("encoder", heard), ("decoder", unheard))}


def _unheard(texts: Texts) -> "inspection.run.AttentionMap":
    """The decoder's self-attention over what the translator writes from its own text alone."""
    assert texts.text is not None
    return data.unheard()


def _spoken(words: Sequence[str]) -> list[str]:
    """Without the marks that are no words."""
    return [word for word in words if not word.startswith("⟨")]


def draw(s: Settings, result: Result) -> None:
    wiring = result.wiring
    output = "nothing" if wiring.n_outputs is None else counted(wiring.n_outputs, "vector")
    shown = maps(s.texts, result.attentions)
    with places()["picture"]:
        wiring_plugs(
            s.sources,
            s.lengths,
            wiring.n_outputs,
            s.home,
            wiring.name,
            words={"encoder": s.texts.source, "decoder": s.texts.target},
            maps=shown,
            unheard=_own_map(s.texts) if s.texts.text else None,
            written=result.written,
            key=PLUGS,
            alt="; ".join(f"{name} from the {stream}" for name, stream in s.sources.items()) + f". Out: {output}.",
            on_plug=_take_plug,
        )
    with places()["words"]:
        streams = " and ".join(sorted(wiring.depends_on))
        st.markdown(
            _verdict(s, wiring) + (f" Its gradient shows that the output depends on {streams}." if streams else "")
        )
        own = [_own_map(s.texts)] if s.is_unheard else shown
        who = next(one.who for one in own if (one.queries, one.keys) == (s.queries, s.keys))
        st.markdown(f"The map shows the attention weights of {who}. {_rows(s)}")
        _explain(s)
        _ask_back()
        teaching.code_expander("transformer/core/layers.py", "DecoderLayer.forward")
    with places()["three"]:
        attentions.draw(s.texts, s.shown, result.attentions)


def maps(texts: Texts, result: Attentions) -> list[Map]:
    """Who looks at whom, for every pair of streams that send queries and keys; values have no say in it.

    Three of the four are those of the model, without padding. No model has a head that asks from the encoder and looks
    into the decoder, so that one is untrained.
    """
    lengths = {"encoder": len(texts.source), "decoder": len(texts.target)}
    who = "head 0 of the translator’s last layer" if texts.text else "head 0 of an untrained model"
    pairs: list[tuple[str, str, str, str]] = [
        ("encoder", "encoder", "encoder", "encoder self-attention"),
        ("decoder", "decoder", "decoder", "decoder self-attention"),
        ("decoder", "encoder", "cross", "cross-attention"),
    ]
    known = []
    for queries, keys, kind, name in pairs:
        m, (T, S) = result.maps[kind], (lengths[queries], lengths[keys])
        weights = m.weights[-1, 0, :T, :S]
        allowed = np.ones((T, S), bool) if m.mask is None else m.mask[:T, :S]
        writes = queries == "decoder" and texts.text is not None
        known.append(Map(queries, keys, m.queries[:T], m.keys[:S], weights, allowed, f"{name}, {who}", writes))
    weights = data.wiring("encoder", "decoder", "decoder", lengths["encoder"], lengths["decoder"]).weights
    who = "an untrained head: no Transformer has one that looks this way"
    asked = (result.maps["encoder"].queries[: len(weights)], result.maps["decoder"].keys)
    never = Map("encoder", "decoder", *asked, weights, np.ones_like(weights, bool), who)
    return [*known, never]


def _own_map(texts: Texts) -> Map:
    """Who looks at whom in the text that the translator writes without its source."""
    m = _unheard(texts)
    allowed = np.ones(m.weights.shape[-2:], bool) if m.mask is None else m.mask
    who = "decoder self-attention, head 0 of the translator’s last layer, in what it writes without the English"
    return Map("decoder", "decoder", m.queries, m.keys, m.weights[-1, 0], allowed, who, True)


def _rows(s: Settings) -> str:
    """What the rows of the decoder are named for, in a sentence; "" where none are shown, or are what it reads."""
    if s.queries == "encoder" or s.texts.text is None:
        return ""
    return "Each row is named for the word that the decoder writes there; it has read only those before it."


def _take_plug() -> None:
    for port, stream in plugged(PLUGS).items():
        st.session_state[f"mask_wire_{port}"] = stream


def _verdict(s: Settings, wiring: "inspection.qkv_sources.Wiring") -> str:
    """What this wiring is, or why it is none, in Markdown."""
    if wiring.n_outputs is None:
        n_keys, values = s.lengths[s.keys], counted(s.lengths[s.values], "value")
        gets = f"Each of the {n_keys} keys gets" if n_keys > 1 else "The one key gets"
        are = "are" if s.lengths[s.values] > 1 else "is"
        return f"**Nothing comes out.** {gets} an attention weight, but there {are} {values} to mix."
    if wiring.name:
        queries = "1 query" if wiring.n_outputs == 1 else f"{wiring.n_outputs} queries"
        return f"This is **{wiring.name}**: {queries} in, {counted(wiring.n_outputs, 'vector')} out."
    if s.home in wiring.fits:
        return (
            f"**It runs, and it is wrong.** Both texts have {counted(wiring.n_outputs, 'word')}, so every shape fits; "
            "but this is none of the three attentions of a Transformer."
        )
    come, they = ("comes", "it") if wiring.n_outputs == 1 else ("come", "they")
    out = f"{counted(wiring.n_outputs, 'vector')} {come} out"
    return f"**{out}, but the {s.home} has {s.lengths[s.home]}**: {they} cannot be added to its stream."


def _explain(s: Settings) -> None:
    st.markdown(
        f"{_read(s)} "
        "The stream that sends the :blue[**queries**] asks, and gets one vector back per query; :orange[**keys**] and "
        ":green[**values**] are two readings of the same words, so they must come from one stream. Of the eight ways "
        "to plug, a Transformer uses three. If both texts have the same length, the other five run as well: no error "
        "is raised, and the mistake goes unnoticed."
    )


def _read(s: Settings) -> str:
    """What the two streams hold, in a sentence; the decoder is one word behind what it writes."""
    n_words, n_written = s.lengths["encoder"], s.lengths["decoder"] - 1
    own = f"⟨start⟩ and {counted(n_written, 'word')} of its own" if n_written else "⟨start⟩ alone"
    if s.is_unheard:
        whose = "word is" if n_words == 1 else f"{n_words} words are"
        return f"The encoder’s {whose} not read; the decoder has read {own}."
    return f"The encoder has read {counted(n_words, 'word')}; the decoder has read {own}."


def _ask_back() -> None:
    questions.ask("masks-wiring")


VIEW = View(
    ask,
    compute,
    draw,
    layout=layout,
    height=300,
    comparison=Comparison(
        lambda s: attentions.compared_title(s.shown), lambda s, result: attentions.sheet(s.shown, result.attentions)
    ),
)
