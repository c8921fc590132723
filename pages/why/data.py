"""What the page on why computes once and shares; read-only.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from lab.kit.models.references import Shipped
from lab.server.caching import cached
from pages.why import stored as stored_times
from pages.why.controls import HEADS
from transformer import inspection, training
from transformer.core.workload import Workload

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor


class Lines(NamedTuple):
    """Values by length of the text: a line per name."""

    lengths: tuple[int, ...]
    values: dict[str, list[int]]


class Costs(NamedTuple):
    """Costs of one layer by the number of words.

    weights          bytes of the attention weights
    states           bytes of a recurrent layer's states
    table            the rows of the paper's Table 1
    multiplications  of a layer with its linear maps
    """

    weights: list[int]
    states: list[int]
    table: list[dict[str, "inspection.costs.Cost"]]
    multiplications: dict[str, list[int]]


class HeadDifference(NamedTuple):
    """How far all heads at once and head by head differ at most, on a text of n_words."""

    largest: float
    n_words: int


class Measured(NamedTuple):
    """Milliseconds by the number of words, attention and recurrent, and by the number of heads, at once and by one."""

    lengths: "inspection.timing.Timings"
    heads: "inspection.timing.Timings"


def stored(d: int, n_heads: int) -> Measured:
    """What was measured when the project was made."""
    by_length, by_heads = stored_times.BY_LENGTH[d, n_heads], stored_times.BY_HEADS[d]
    return Measured(
        inspection.timing.Timings(inspection.timing.LENGTHS, *by_length, ()),
        inspection.timing.Timings(HEADS, *by_heads, ()),
    )


def machine() -> str:
    """What the stored times were measured on."""
    return stored_times.MACHINE


@cached()
def maximum_path(network: "inspection.paths.Network", n: int, k: int) -> "inspection.paths.MaximumPath":
    """The shortest path from the first word to the last output."""
    return inspection.paths.maximum_path(network, n, k)


@cached()
def costs(lengths: tuple[int, ...], d: int, n_heads: int, k: int) -> Costs:
    """What layers of this width cost, by formula."""
    table: list[dict[str, inspection.costs.Cost]] = [
        {network: inspection.costs.cost(network, n, d, k) for network in inspection.costs.NETWORKS} for n in lengths
    ]
    weights = [inspection.costs.weights_bytes(n_heads, n) for n in lengths]
    states = [inspection.costs.states_bytes(n, d) for n in lengths]
    networks: tuple[inspection.paths.Network, ...] = ("attention", "recurrent")
    multiplications: dict[str, list[int]] = {
        network: [inspection.costs.multiplications(network, n, d, k) for n in lengths] for network in networks
    }
    return Costs(weights, states, table, multiplications)


def _timing(d: int, *_: object) -> Workload:
    """Layers of this width on up to 1024 words: their maps, and those of the heads one by one."""
    return Workload(n_bytes=4 * (16 * 1024 * 1024 * 4 + 16 * 1024 * d), is_timed=True)


@cached(work=_timing)
def time_lengths(d: int, n_heads: int, n_measured: int) -> "inspection.timing.Timings":
    """Milliseconds of attention and of a recurrent network; another `n_measured` measures anew."""
    return inspection.timing.time_lengths(d, n_heads)


@cached(work=_timing)
def time_heads(d: int, heads: tuple[int, ...], n_measured: int) -> "inspection.timing.Timings":
    """Milliseconds of all heads at once and head by head; another `n_measured` measures anew."""
    return inspection.timing.time_heads(d, heads)


@cached()
def head_difference(d: int, n_heads: int) -> HeadDifference:
    return HeadDifference(inspection.timing.largest_difference(d, n_heads), inspection.timing.N_WORDS)


# ---- cheaper attention --------------------------------------------------------------------------------------------

REVIEW = "i love the food but i do not enjoy the service"  # its second half decides
N_DRAWN, H, D_K = 12, 4, 8  # tokens of it, the heads of the trained encoder, and their width
SIZES = tuple(range(1, N_DRAWN + 1))  # of a window: from the word itself to the whole review
HELD = tuple(2**n for n in range(5, 13))  # lengths of the chart of memory: 32 to 4,096 words


def variant_lengths() -> tuple[int, ...]:
    """The numbers of words that are timed."""
    return inspection.variants.LENGTHS


def costs_compared(size: int, n_kept: int) -> "dict[str, inspection.variants.Cost]":
    """What each variant takes of what full attention takes, at the length and width of the pictures."""
    sizes = inspection.variants.Sizes(size, n_kept)
    return {name: inspection.variants.cost(name, N_DRAWN, D_K, H, sizes) for name in inspection.variants.NAMES}


def words_compared() -> tuple[str, ...]:
    """The tokens that the encoder reads."""
    return tuple(Shipped("sentiment").resolve().cut(REVIEW))


class Look(NamedTuple):
    """The attention weight that a head gives a word."""

    layer: int
    head: int
    to: int
    weight: float


@cached()
def strongest_look() -> Look:
    """Where the first token, at which the encoder gives its verdict, looks most of all: of all heads, with full
    attention."""
    import numpy as np

    source, tokens = Shipped("sentiment").resolve(), words_compared()
    maps = inspection.run.run_with_maps(source.single_stack, source.ids(tokens), tokens).attention["encoder"]
    rows = np.stack([layer[:, 0] for layer in maps.weights])  # (L, H, T)
    layer, head, to = (int(at) for at in np.unravel_index(rows.argmax(), rows.shape))
    return Look(layer, head, to, float(rows.max()))


@cached()
def verdicts_by_hub() -> tuple[str, ...]:
    """What the encoder says of the review with a hub on each of its words, where the others see only that and
    themselves."""
    source, sizes = Shipped("sentiment").resolve(), inspection.variants.Sizes(1, 1)
    first = inspection.variants.mask_of(inspection.variants.GLOBAL, N_DRAWN, sizes)
    assert first is not None
    ids, masks = _reviews()[0], (first.roll((at, at), (0, 1)) for at in range(N_DRAWN))
    logits = (inspection.variants.logits_under(source.single_stack, ids, mask) for mask in masks)
    return tuple(training.tasks.sentiment.LABELS[int(one[0, 0, _labels()].argmax())] for one in logits)


def _labels() -> list[int]:
    """The entries of the vocabulary that the encoder's verdict is one of."""
    return [Shipped("sentiment").resolve().labels.index(label) for label in training.tasks.sentiment.LABELS]


N_REVIEWS = 100  # new ones, which the encoder reads with every variant


class Reading(NamedTuple):
    """What the encoder says of the drawn review, "negative" or "positive", and how many of N_REVIEWS it reads right."""

    says: str
    n_right: int


@cached()
def reading(name: str, size: int, n_kept: int) -> Reading | None:
    """How the encoder reads with a variant in every head; None for shared keys and values, with which no head has
    learned anything."""
    if name == inspection.variants.GROUPED:
        return None
    source, sizes = Shipped("sentiment").resolve(), inspection.variants.Sizes(size, n_kept)

    def positive(texts: "Tensor") -> "Tensor":  # of texts (B, T): True or False, (B,)
        logits = inspection.variants.logits_with(source.single_stack, texts, name, sizes)
        return logits[:, 0, _labels()].argmax(-1) == 1

    shown, reviews = _reviews()
    n_right = sum(int((positive(texts) == truth).sum()) for texts, truth in reviews)
    return Reading(training.tasks.sentiment.LABELS[int(positive(shown))], n_right)


@cache
def _reviews() -> "tuple[Tensor, list[tuple[Tensor, Tensor]]]":
    """The ids of the drawn review, (1, T), and N_REVIEWS others by their length, (B, T), each with whether they are
    positive, (B,)."""
    import torch

    task, source, rng = training.tasks.sentiment, Shipped("sentiment").resolve(), Random(2_026)
    by_length: dict[int, list[tuple[list[int], bool]]] = {}
    for example in (task.draw(rng) for _ in range(N_REVIEWS)):
        ids = list(source.ids(source.cut(task.WORDS.decode(example.source))))
        by_length.setdefault(len(ids), []).append((ids, task.WORDS.vocabulary[example.target[0]] == task.LABELS[1]))
    reviews = [
        (torch.tensor([ids for ids, _ in texts]), torch.tensor([truth for _, truth in texts]))
        for texts in by_length.values()
    ]
    return torch.tensor([source.ids(words_compared())]), reviews


@cached()
def held_by_variants(size: int, n_kept: int) -> Lines:
    """Bytes that one head of each variant holds at once, by the number of words."""
    sizes = inspection.variants.Sizes(size, n_kept)
    names = (inspection.variants.FULL, *inspection.variants.NAMES)
    return Lines(HELD, {name: [inspection.variants.bytes_held(name, n, D_K, sizes) for n in HELD] for name in names})


def _timed_variants(*_: object) -> Workload:
    """Four heads on up to 2048 words: scores, weights and what softmax makes of them."""
    return Workload(n_bytes=4 * (6 * 4 * 2048 * 2048), is_timed=True)


@cached(work=_timed_variants)
def time_variants(size: int, n_kept: int, n_measured: int) -> dict[str, list[float]]:
    """Milliseconds of each variant by length; another `n_measured` measures anew."""
    return inspection.variants.time_lengths(16, 4, inspection.variants.Sizes(size, n_kept))


# ---- networks that were trained ------------------------------------------------------------------------------------

HEARD = (1, 2, 4, 8, 12, 16, 20, 24)  # distances at which the effect on the last output is computed
N_HEARD = 3  # texts for each


class Recalled(NamedTuple):
    """Shares of right answers (seeds, distances) by network, and what they were measured with.

    n_parameters  by network
    speeds        stored tokens per second in training by network, at each of `lengths`
    """

    shares: "dict[str, np.ndarray]"
    n_parameters: dict[str, int]
    setting: "training.studies.recall.Setting"
    lengths: tuple[int, ...]
    speeds: dict[str, tuple[float, ...]]
    made: str


@cached()
def recalled(n_kept: int) -> Recalled:
    """What was stored of the trainings with so many names to keep in mind."""
    import numpy as np

    stored = training.studies.recall.stored()
    runs = [run for run in stored.runs if run.n_kept == n_kept]
    shares: dict[str, np.ndarray] = {
        name: np.array([run.accuracy for run in runs if run.network == name])
        for name in training.studies.recall.NETWORKS
    }
    n_parameters: dict[str, int] = {
        name: training.studies.recall.n_parameters(name, stored.setting) for name in training.studies.recall.NETWORKS
    }
    return Recalled(shares, n_parameters, stored.setting, stored.lengths, stored.speeds, stored.made)


@cached()
def heard(n_kept: int, is_trained: bool) -> "dict[str, np.ndarray]":
    """The norm of d out_T / d x_t at the distances HEARD, for each network before or after its training."""
    setting = replace(training.studies.recall.stored().setting, n_kept=n_kept)
    texts = training.studies.recall_runs.ending_at_the_question(setting, HEARD, N_HEARD)
    models = {
        name: training.studies.recall_runs.trained(name, n_kept)
        if is_trained
        else training.studies.recall_runs.build(name, setting, 0)
        for name in training.studies.recall.NETWORKS
    }
    return {name: inspection.vanishing.norms_at_distances(model, texts, HEARD) for name, model in models.items()}


N_GROWN, N_ASKED, DEPTH = 4000, 1000, 8  # texts that a decision tree learns from, and others; its questions in a row


@cached()
def decision_tree(n_kept: int) -> float:
    """The share of new texts that a decision tree answers right, grown on others that end at the question."""
    import numpy as np
    from torch import Generator

    setting = replace(training.studies.recall.stored().setting, n_kept=n_kept)
    texts = training.studies.recall_runs.draw(setting, N_GROWN + N_ASKED, Generator().manual_seed(0))
    ids = texts.ids[:, : setting.n_tokens + 1].numpy()
    wanted = texts.wanted[:, 0].numpy() - texts.wanted.min().item()
    tree = inspection.decision_tree.grow(ids[:N_GROWN], wanted[:N_GROWN], setting.n_colours, setting.vocab_size, DEPTH)
    return float(np.mean(inspection.decision_tree.answers(tree, ids[N_GROWN:]) == wanted[N_GROWN:]))


# ---- what size brings ----------------------------------------------------------------------------------------------

PARAMETERS, TALES, COMPUTE = "parameters", "tales", "computation"


class Scaled(NamedTuple):
    """Losses by one kind of size, and the law through the best line.

    lines   name -> (x, mean losses); the law goes through the last one (of computation: through the lowest of all)
    fit     the law, and x where it is drawn
    apart   the largest difference between two trainings of one size on its line, as a share of what is above the floor
    """

    lines: dict[str, tuple[tuple[float, ...], tuple[float, ...]]]
    fit: "inspection.power_law.Fit"
    x: "np.ndarray"
    apart: float
    sweep: "training.studies.scaling.Stored"


@cached()
def scaled(by: str) -> Scaled:
    """The stored sweep by parameters, by tales, or by computation."""
    import numpy as np

    stored = training.studies.scaling.stored()
    lines = training.studies.scaling.lines(stored, by)
    points = training.studies.scaling.frontier(lines) if by == COMPUTE else next(reversed(lines.values()))
    x = np.geomspace(points[0].x, points[-1].x, 40)
    shown = {
        name: (tuple(p.x for p in line), tuple(float(np.mean(p.losses)) for p in line)) for name, line in lines.items()
    }
    apart = max((max(p.losses) - min(p.losses)) / (np.mean(p.losses) - stored.floor) for p in points)
    return Scaled(
        shown, inspection.power_law.fitted([(p.x, p.losses) for p in points], stored.floor), x, float(apart), stored
    )
