"""What the page on positions computes once and shares; read-only.

torch is imported inside the functions: a page is on screen before it is loaded.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import transformer
from lab.kit.controls.hyperparameters import POSITIONS
from lab.kit.models.references import VOCABULARY, Shipped, Untrained
from lab.kit.models.source import Kind, ModelRef
from lab.server.caching import cached
from transformer import core, inspection
from transformer.core import workload
from transformer.core.config import TransformerConfig
from transformer.core.workload import Workload
from transformer.training.studies import far
from transformer.training.text import hashed_ids

if TYPE_CHECKING:
    import numpy as np

    from transformer.inspection import positions


class WaveTable(NamedTuple):
    """The sinusoidal table with its wavelengths, and how far two ways to write its angles differ in float32."""

    waves: "positions.Waves"
    rounding: float


class LookBack(NamedTuple):
    """A head that should look k positions back.

    weights      of a text longer than those of training, a row per query; NaN where the model cannot read it
    on_diagonal  their mean on the position to look at, in a text of the trained length
    chance       the uniform weight there
    beyond       their mean on it for the queries past the trained length; None where there are none
    """

    weights: "np.ndarray"
    on_diagonal: float
    chance: float
    beyond: float | None


@cached()
def waves(length: int, d_model: int, base: int) -> WaveTable:
    return WaveTable(
        inspection.positions.waves(length, d_model, float(base)),
        inspection.positions.rounding_difference(d_model, float(base)),
    )


@cached()
def similarity(length: int, d_model: int, base: int) -> "inspection.positions.Similarity":
    """The dot products of the codes of all pairs of positions."""
    return inspection.positions.similarity(length, d_model, float(base))


@cached()
def position_code(length: int, d_model: int, base: int, at: int) -> bytes:
    """The codes of so many positions, and of those that a step from there leads to, as bytes for the browser."""
    from pages.positions.components.position_code import MAX_STEP, pack

    waves = inspection.positions.waves(length + MAX_STEP, d_model, float(base))
    return pack(waves.table, waves.wavelengths.tolist(), length, at)


@cached()
def clocks(n_pairs: int, base: int, seed: int, n_places: int, max_offset: int) -> bytes:
    """The clocks of one rotated query and key, as bytes for the browser."""
    from pages.positions.components.position_clocks import pack

    hands = inspection.positions.rotary_hands(n_places, 2 * n_pairs, float(base), seed)
    wavelengths = inspection.positions.waves(1, 2 * n_pairs, float(base)).wavelengths.tolist()
    return pack(hands.first, hands.second, wavelengths, max_offset)


def small_model(kind: Kind, positions: str, seed: int) -> Untrained:
    """The untrained model of two layers that reads a text in two orders."""
    config = TransformerConfig(d_model=32, n_encoder_layers=2, n_decoder_layers=2, positions=positions)
    return Untrained(kind, config, seed)


@cached()
def shuffled(ref: ModelRef, tokens: tuple[str, ...], order: tuple[int, ...]) -> "positions.Shuffled":
    """The outputs of a model for one text in two orders."""
    source = ref.resolve()
    return inspection.positions.shuffle(source.single_stack, source.ids(tokens), order)


@cached()
def summands(
    positions: str, d_model: int, seed: int, amount: float, batch: int, tokens: tuple[str, ...]
) -> "positions.Summands":
    """Token vectors, position codes, and their sum."""
    config = TransformerConfig(
        vocab_size=VOCABULARY, d_model=d_model, n_heads=1, positions=positions, max_len=max(len(tokens), 1)
    )
    return inspection.positions.summands(
        hashed_ids(list(tokens), VOCABULARY), config, amount=amount, batch=batch, seed=seed
    )


@cached()
def loudness(
    widths: tuple[int, ...], seed: int, narrow: bool, scaled: bool, tokens: tuple[str, ...]
) -> "list[inspection.embeddings.SourceRms]":
    """The rms of this text's token vectors and of its sinusoidal codes, at each of these widths."""
    ids = hashed_ids(list(tokens), VOCABULARY)
    return [
        inspection.embeddings.rms_by_source(ids, VOCABULARY, d, seed=seed, narrow=narrow, scaled=scaled) for d in widths
    ]


@cached()
def same_word(schemes: tuple[str, ...], T: int, head: int, seed: int) -> "np.ndarray":
    """(schemes, T, T): the weights of one head of an untrained model that reads one word T times."""
    import numpy as np

    return np.stack([inspection.positions.same_word(s, T, d_model=64, n_heads=4, seed=seed)[head] for s in schemes])


N_WORDS, N_PLACES = 9, 64  # equal words on the rail, and the positions that it has
WIDTH, HEADS = 64, 4  # of the models that read one word
DRAWN = 32  # of the numbers of a code; every other of them is a sine
TURNED, PAIRS = 1, WIDTH // HEADS // 2  # the pair whose hands are drawn, for the first turns too fast for the eye


@cached()
def moved_words(head: int, seed: int) -> bytes:
    """One head of an untrained model per way, which reads N_WORDS equal words that begin at any position, as bytes
    for the browser."""
    from pages.positions.components.moved_words import pack

    starts = N_PLACES - N_WORDS + 1
    moved = {
        name: inspection.moving.moved(POSITIONS[name], N_WORDS, starts, d_model=WIDTH, n_heads=HEADS, seed=seed)
        for name in ("sinusoidal", "rotary", "ALiBi")
    }
    return pack(
        {name: one.weights[head] for name, one in moved.items()},
        moved["sinusoidal"].codes[:, :DRAWN:2],
        moved["ALiBi"].bias[head],
        float(moved["rotary"].turns[TURNED]),
    )


@cached()
def score_bias(
    scheme: Literal["relative", "alibi"], T: int, reach: int, n_heads: int, max_distance: int
) -> "positions.ScoreBias":
    """The bias of T5 or ALiBi for every head."""
    return inspection.positions.score_bias(scheme, T, reach, n_heads=n_heads, max_distance=max_distance)


CODE = Shipped("code")  # the model whose rotary positions are stretched
AS_TRAINED = "none"
N_CODES, LONG, STEP = 96, 192, 16  # texts to measure on, their tokens, and the tokens that share a point of the curve


def trained_length() -> int:
    """Tokens of the longest text of its training."""
    return CODE.resolve().task.longest


@cached()
def stretched_pairs(kind: str, factor: int) -> "inspection.stretching.Pairs":
    """Every pair of features of a head of the model, as trained and stretched."""
    return inspection.stretching.stretched_pairs(CODE.resolve().config, kind, float(factor), trained_length(), LONG)


def _closing(kind: str, factor: int) -> Workload:
    config = CODE.resolve().config
    return workload.one_pass(
        config, LONG, config.n_decoder_layers, B=inspection.stretching.AT_ONCE, keeps_maps=True
    ) * (N_CODES // inspection.stretching.AT_ONCE)


@cached(work=_closing)
def closing_answers(kind: str, factor: int) -> "inspection.stretching.Answers":
    """What the model gives to the right bracket, wherever one is closed in long texts."""
    source = CODE.resolve()
    model = inspection.stretching.stretched_model(
        cast("transformer.DecoderModel", source.model), kind, float(factor), trained_length()
    )
    return inspection.stretching.closing_answers(model, source.task, inspection.stretching.long_codes(N_CODES, LONG))


class PairLayout(NamedTuple):
    """Which features of a head turn together, numbered as in training.

    order    the features of a head in the order of its columns
    trained  the pairs of training, the fastest first
    read     the pairs as they are read
    """

    order: tuple[int, ...]
    trained: tuple[tuple[int, int], ...]
    read: tuple[tuple[int, int], ...]


@cached()
def pair_layout(pairing: str, is_reordered: bool) -> PairLayout:
    """The pairs of the model of code, as trained and as read."""
    config = CODE.resolve().config
    order = inspection.pairings.order_for_halves(config) if is_reordered else list(range(config.d_k))
    read = tuple((order[a], order[b]) for a, b in inspection.pairings.pairs(replace(config, pairing=pairing)))
    return PairLayout(tuple(order), tuple(inspection.pairings.pairs(config)), read)


N_SHORT = 32  # texts as long as those of training, to measure other pairs on
SHORT_CODE = ("(", "name", "+", "[", "0", "+", "name", "]", "+", "{", "name", "}", ")")


@cached()
def bracket_head() -> tuple[int, int]:
    """The head of the model of code whose maps are shown: the one that looks most at the partners of brackets."""
    source = CODE.resolve()
    return inspection.pairings.bracket_head(cast("transformer.DecoderModel", source.model), source.task, SHORT_CODE)


def _short_codes(pairing: str, is_reordered: bool) -> Workload:
    config = CODE.resolve().config
    once = workload.one_pass(
        config, trained_length(), config.n_decoder_layers, B=inspection.stretching.AT_ONCE, keeps_maps=True
    )
    return once * (N_SHORT // inspection.stretching.AT_ONCE)


@cached(work=_short_codes)
def read_with_pairs(pairing: str, is_reordered: bool) -> "inspection.pairings.ReadWith":
    """The model of code, read with these pairs, its W_q and W_k as trained or in the order for halves."""
    source = CODE.resolve()
    model = cast("transformer.DecoderModel", source.model)
    if is_reordered:
        model = inspection.pairings.reordered(model)
    codes = inspection.stretching.long_codes(N_SHORT, trained_length())
    return inspection.pairings.read_code(
        inspection.pairings.read_with(model, pairing), source.task, SHORT_CODE, bracket_head(), codes
    )


@cached()
def learned_table(max_len: int, used: int, seed: int, offset: int) -> "positions.LearnedTable":
    """A learned table before training, and the rows that one text trains."""
    return inspection.positions.learned_table(max_len, 32, used, seed, offset)


@cached()
def look_back(scheme: str, k: int, T: int, longer: int, d_k: int, base: int, sharpness: int) -> LookBack:
    """A head built by hand to look k positions back, in texts of T and of `longer` tokens."""
    import numpy as np

    if scheme == "learned":
        weights = np.full((longer, longer), np.nan)
        weights[:T, :T] = _look_back_learned(k, T, d_k, float(sharpness))
        return LookBack(weights, *inspection.positions.diagonal_weight(weights[:T, :T], k), None)
    short, long = (
        inspection.positions.look_back(scheme, k, n, d_k, base=float(base), sharpness=float(sharpness))
        for n in (T, longer)
    )
    return LookBack(long, *inspection.positions.diagonal_weight(short, k), float(np.diagonal(long, -k)[T - k :].mean()))


def _look_back_learned(k: int, T: int, d_k: int, sharpness: float) -> "np.ndarray":
    """The same head on a learned table of T rows: in the place of M_-k the matrix that moves its rows best by k."""
    import torch

    rows = core.positions.LearnedPositions(T, d_k, torch.Generator().manual_seed(0)).weight.detach().double()
    M = torch.linalg.pinv(rows[k:]) @ rows[: T - k]
    q, keys = sharpness * rows @ M, rows
    _, weights = transformer.scaled_dot_product_attention(q[None, None], keys[None, None], keys[None, None])
    return weights[0, 0].numpy()


class ReadOn(NamedTuple):
    """Models that read past their training length.

    shares    of right answers (seeds, points) by scheme, from the first positions on
    refusals  what those say that can read no further, by scheme
    """

    setting: "far.Setting"
    shares: "dict[str, np.ndarray]"
    refusals: dict[str, str]
    made: str


@cached()
def read_on() -> ReadOn:
    """The stored trainings, by the scheme of their positions."""
    import numpy as np

    stored = far.stored()
    of_scheme = {scheme: [run for run in stored.runs if run.scheme == scheme] for scheme in far.SCHEMES}
    return ReadOn(
        stored.setting,
        {scheme: np.array([run.accuracy for run in runs]) for scheme, runs in of_scheme.items()},
        {scheme: runs[0].refusal for scheme, runs in of_scheme.items() if runs[0].refusal},
        stored.made,
    )
