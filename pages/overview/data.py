"""What the front page computes once and shares; read-only.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, zip_longest
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import transformer
from lab.kit.models.recordings import recorded
from lab.kit.models.references import Mask, Shipped
from lab.kit.models.source import ModelRef
from lab.server.caching import cached
from pages.overview import passes
from transformer import generation, inspection
from transformer.core import workload
from transformer.core.workload import Workload

if TYPE_CHECKING:
    from attention_view import Picture
    from attention_view.scenes import Pass, Station
    from lab.kit.models.references import TrainedSource

WRITER = Shipped("stories")
PRONOUNS = ("tired", "wide")  # recordings, by the word that their sentence ends with
N_READ = 40  # tokens of a sentence whose next word is guessed
N_TOLD = 300  # stories, which say what a word is
N_TURNS, N_LIKELY = 4, 5  # words that take turns in it; next words, the likeliest of each among them
NAMES = ("girls", "boys")  # kinds of words that can take turns
SIGNS = (".", ",", "?", "!", ":")  # that can come next, too
NAME, LAST = "name", "last"  # the words that do: a name, wherever it stands, or the last word


class Reading(NamedTuple):
    """What the writer makes of a sentence: its tokens with the start of the text, log p of each next token (V,), and
    where the last token looks (L, H, T); and log p without the head that the guess names."""

    tokens: tuple[str, ...]
    logs: np.ndarray
    attention: np.ndarray
    without: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """(V,)"""
        return np.exp(self.logs)


class Guess(NamedTuple):
    """The readings of one sentence with one word in it after another.

    swap        which word takes turns: NAME, the first name wherever it stands, or LAST, the last word; "" for none
    names       the word of each reading, first the sentence's own; ("",) where none takes turns
    candidates  ids of the likeliest next words and signs: first that of each reading, then the likeliest words of any
    head        (layer, head): without which most of the probability of the next word moves, of the text as it is
    keys        of each reading, the position of the word before it to which the last token gives most in this head
    """

    readings: tuple[Reading, ...]
    swap: str
    names: tuple[str, ...]
    candidates: tuple[int, ...]
    head: tuple[int, int]
    keys: tuple[int, ...]


class Finding(NamedTuple):
    """What a head does with a sentence: the key that gets most, and its share of all rows' attention."""

    key: int
    share: float
    is_causal: bool


class Recorded(NamedTuple):
    """Where one token of a recorded sentence looks, in one head (layer, head).

    weights  of the token number `query`, one per token; `animal` and `street` are those of these two words
    others   the most that any other token gives to the animal, but for the article before it
    start    the weight of the token that marks the beginning of the text
    """

    tokens: tuple[str, ...]
    head: tuple[int, int]
    query: int
    weights: tuple[float, ...]
    animal: float
    street: float
    others: float
    start: float


def _readings(tokens: tuple[str, ...], name: str = "") -> Workload:
    config = WRITER.resolve().config
    # With every name and every last word, twice with those that are shown; and without every head.
    passes = 4 * N_TURNS + config.n_decoder_layers * config.n_heads
    return workload.one_pass(config, len(tokens), config.n_decoder_layers, keeps_maps=True) * passes


@cached(work=_readings)
def guess(tokens: tuple[str, ...], name: str = "") -> Guess:
    """The next word of a text, the start of it in front, and of the same text with another word in it: the word on
    which the answer depends. A name that a link asks for takes its turn, whatever depends on it."""
    source = WRITER.resolve()
    assert isinstance(source.model, transformer.DecoderModel)  # whatever writes stories is one
    moved = inspection.head_ablations.each_head_ablated(source.model, source.ids(tokens), -1)  # (L, H)
    layer, head = map(int, np.unravel_index(moved.argmax(), moved.shape))
    swap, texts = _turns(source, tokens, name)
    readings = tuple(_reading(source, text, (layer, head)) for text in texts.values())
    best = list(dict.fromkeys(likeliest(source, reading.logs) for reading in readings))
    most = np.max([reading.probabilities for reading in readings], 0)
    rivals = [id for id in _rivals(source, tokens, best[0]) if id not in best]
    others = (int(id) for id in most.argsort()[::-1] if id in whole_words())
    likely = [*best, *rivals, *islice((id for id in others if id not in (*best, *rivals)), N_LIKELY)]
    candidates = sorted(likely, key=lambda id: (id != best[0], id not in best, id not in rivals, -most[id]))
    keys = tuple(_looked_at(reading.attention[layer, head]) for reading in readings)
    return Guess(readings, swap, tuple(texts), tuple(candidates[:N_LIKELY]), (layer, head), keys)


def _turns(source: "TrainedSource", tokens: tuple[str, ...], wanted: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    """(which word takes turns, the text with each word in its place): a name where the answer depends on it, or one is
    wanted; else the last word where the answer depends on that; else a name that changes nothing, if there is one."""
    own, *others = names_of(tokens, source.kinds)
    by_name = {name: tuple(name if token == own else token for token in tokens) for name in (own, *others)}
    by_word: dict[str, tuple[str, ...]] = {word: (*tokens[:-1], word) for word in last_words_of(tokens, source.kinds)}
    if wanted in others or _differ(source, by_name.values()):
        return NAME, by_name
    if _differ(source, by_word.values()):
        return LAST, by_word
    return (NAME if others else ""), by_name


def _differ(source: "TrainedSource", texts: Iterable[tuple[str, ...]]) -> bool:
    """Whether the likeliest next word is not the same after all of these texts."""
    return len({likeliest(source, _logs(source, text)) for text in texts}) > 1


@cached()
def whole_words() -> frozenset[int]:
    """The tokens that are a word of the stories, and not only the beginning of one."""
    from transformer.training.tasks.storytelling import grammar, words

    source, rng = WRITER.resolve(), Random(0)
    told = (one.word for _ in range(N_TOLD) for one in grammar.tell(rng))
    known = source.ids([*told, *words.PERSONS, *words.THINGS, *words.PLACES, *words.TAKES])
    return frozenset(id for id in known if source.label(id).isalpha())


def likeliest(source: "TrainedSource", logs: np.ndarray) -> int:
    """The likeliest next token that is a word, or a sign such as a full stop."""
    order = logs.argsort()[::-1].tolist()
    return next(id for id in order if id in whole_words() or source.label(id) in SIGNS)


def _logs(source: "TrainedSource", text: tuple[str, ...], without: tuple[int, int] | None = None) -> np.ndarray:
    """log p of each next token (V,), perhaps without a head (layer, head)."""
    import torch

    from transformer.core.taps import no_tap

    tap = transformer.ablate(f"decoder.{without[0]}.self_attn", without[1]) if without else no_tap
    with torch.inference_mode():
        logits = source.model(torch.tensor([source.ids(text)]), tap=tap).logits[0, -1]
    return logits.double().log_softmax(-1).numpy()


def _reading(source: "TrainedSource", text: tuple[str, ...], head: tuple[int, int]) -> Reading:
    assert isinstance(source.model, transformer.DecoderModel)
    state = generation.begin(source.model, source.ids(text), cached=False)
    logs = state.logits.double().log_softmax(-1).numpy()
    return Reading(text, logs, state.self_attention, _logs(source, text, head))


def _looked_at(row: np.ndarray) -> int:
    """The position that gets most of a row, other than those where heads rest: the start and the token that looks."""
    weights = row[1:-1]
    return int(weights.argmax()) + 1 if weights.size else 1


def _recorded_pass(tokens: tuple[str, ...], layer: int = 0) -> Workload:
    config = WRITER.resolve().config
    kept = len(tokens) * config.n_decoder_layers * (5 * config.d_model + config.d_ff) * workload.FLOAT
    return workload.one_pass(config, len(tokens), config.n_decoder_layers, keeps_maps=True).keeping(kept)


@cached(work=_recorded_pass)
def scene_pass(tokens: tuple[str, ...]) -> "Pass":
    """All that a scene shows of one pass of the writer."""
    import torch

    source = WRITER.resolve()
    recorder = transformer.Recorder()
    with torch.inference_mode():
        source.model(torch.tensor([source.ids(tokens)]), tap=recorder)
    return passes.of(recorder, source.config, causal=True)


@cached(work=_recorded_pass)
def stations(tokens: tuple[str, ...]) -> "tuple[tuple[Station, ...], ...]":
    """What the last token of a text passes in each layer of the writer."""
    import torch

    source = WRITER.resolve()
    assert isinstance(source.model, transformer.DecoderModel)
    recorder = transformer.Recorder("residual_in", "residual_mid", "residual_out", "heads", "out")
    with torch.inference_mode():
        source.model(torch.tensor([source.ids(tokens)]), tap=recorder)
    return passes.stations_of(recorder, source.config, source.model, {"decoder": -1})


@cached(work=_recorded_pass)
def units(tokens: tuple[str, ...], layer: int) -> dict[str, np.ndarray]:
    """The feed-forward network of a layer on one text, as passes.units_of has it."""
    import torch

    source = WRITER.resolve()
    assert isinstance(source.model, transformer.DecoderModel)
    recorder = transformer.Recorder("residual_mid", "hidden")
    with torch.inference_mode():
        source.model(torch.tensor([source.ids(tokens)]), tap=recorder)
    return passes.units_of(recorder, f"decoder.{layer}", source.model.decoder.layers[layer])


def _rivals(source: "TrainedSource", tokens: Sequence[str], best: int) -> list[int]:
    """Other words of the text of the same kind as the likeliest next one: who does not look might say one of these."""
    kinds = [kind for kind in source.kinds.values() if source.label(best) in kind]
    return list(dict.fromkeys(id for id in source.ids(tokens) if any(source.label(id) in kind for kind in kinds)))


def names_of(tokens: Sequence[str], kinds: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The first name of a text and names that can stand in its place, of the other kind first; ("",) without a name."""
    groups = [kinds.get(kind, ()) for kind in NAMES]
    own = next((token for token in tokens if any(token in group for group in groups)), "")
    if not own:
        return ("",)
    mine, others = sorted(groups, key=lambda group: own not in group)
    free = [[name for name in group if name not in tokens] for group in (others, mine)]
    turns = [name for pair in zip_longest(*free) for name in pair if name]
    return (own, *turns[: N_TURNS - 1])


def all_names() -> frozenset[str]:
    """Every name that the writer knows."""
    kinds = WRITER.resolve().kinds
    return frozenset(name for kind in NAMES for name in kinds.get(kind, ()))


def last_words_of(tokens: Sequence[str], kinds: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The last word of a text and other words of its kind that the text has, which can stand in its place."""
    own = tokens[-1]
    kind = next((words for words in kinds.values() if own in words), ())
    others = dict.fromkeys(token for token in tokens if token in kind and token != own)
    return (own, *others)[:N_TURNS]


def _one_pass(ref: ModelRef, mask: Mask, tokens: tuple[str, ...], layer: int, head: int) -> Workload:
    return workload.one_pass(ref.resolve().config, len(tokens), 1, has_logits=False)


@cached(work=_one_pass)
def finding(ref: ModelRef, mask: Mask, tokens: tuple[str, ...], layer: int, head: int) -> Finding:
    """What this head looks at most."""
    source, T = ref.resolve(), len(tokens)
    is_causal = source.kind == "decoder"
    maps = inspection.run.maps_by_layer(source.single_stack, source.ids(tokens), mask.tensor(T), is_causal=is_causal)
    shares = next(islice(maps, layer, None)).weights[head].mean(0)
    return Finding(int(shares.argmax()), float(shares.max()), is_causal)


@cached()
def recorded_pronouns() -> dict[str, Recorded]:
    """The row of "it" in the head that each of these sentences was recorded for."""
    result = {}
    for name in PRONOUNS:
        picture = recorded(name)
        tag = picture.tags[0]  # what it was recorded for
        tokens, query = picture.queries, tag["query"]
        weights = _weights(picture)[tag["layer"], tag["head"]].astype("f4")
        animal, street = tokens.index("animal"), tokens.index("street")
        others = float(np.delete(weights[:, animal], [query, animal, animal - 1]).max())
        row = tuple(weights[query].tolist())
        head = tag["layer"], tag["head"]
        result[name] = Recorded(tokens, head, query, row, row[animal], row[street], others, row[0])
    return result


def _weights(picture: "Picture") -> np.ndarray:
    assert isinstance(picture.weights, np.ndarray)  # a file has them all
    return picture.weights
