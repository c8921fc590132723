"""Models that the front page can show in place of the storyteller: who they are, and one pass of each for a scene."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import transformer
from lab.kit import answers
from lab.kit.controls.reader import REVIEWS, STORIES
from lab.kit.models.published import there
from lab.kit.models.recordings import recorded, scored
from lab.kit.models.references import Shipped
from lab.kit.models.source import ModelRef, Source
from lab.server.caching import cached
from pages.overview import passes
from transformer import core, inspection, pretrained, training
from transformer.core import workload
from transformer.core.workload import Workload
from transformer.training.tasks import shapes

if TYPE_CHECKING:
    from torch.nn import Module

    from attention_view.scenes import Pass, Station, TwoTowers
    from transformer.core.config import TransformerConfig
    from transformer.core.layers import DecoderLayer, EncoderLayer

TRANSLATES, SHAPES, RECORDED = "English to French", "trained on shapes", "MiniLM, recorded"
REVIEWER, TRANSLATOR = Shipped("sentiment"), Shipped("translator")
N_READ, FEWEST = 40, 8  # tokens of a text; of how many a scene must have room
STRONG = "strong"  # of a finding: the part of it that is the answer
GIVEN = {"shape": "triangle", "colour": "red", "count": "two", "place": "upper left"}  # as the page on vision opens
SEEDS = range(1, 21)  # as there
# The positions that stand in q and k: of others the scores have a bias, which a scene does not draw.
_WITHOUT_BIAS = ("none", "sinusoidal", "learned", "rotary")
MOST_VECTORS = 1_200_000  # numbers of q, k and v together: what a browser is sent at once
MOST_UNITS = 400_000  # weights from the units of a layer into the stream: the same


class Scene(NamedTuple):
    """One pass of a model, ready to be drawn.

    tokens   as they stand below the columns; of an encoder-decoder those of the source, and in `target` those that are
             written so far; `writes` is what comes next
    run      all that was recorded
    opens    (layer, head) that is entered first
    row      the token whose row matters most: the last of a text that goes on, the first where an answer is read there
    answer   where what is read out at the top goes, in a few words
    finding  what this pass comes to, in a sentence: parts of it with what each is, "" or the name of a colour
    patches  (n, p, p, 3) uint8: the picture in pieces, which are the last n tokens; None for a text
    stations  what the token of that row passes in each layer, as passes.stations_of has it; () where that is not known
    units    of each layer of the scene its feed-forward network, as passes.units_of has it, or None where it has none
             that can be entered; () for a model of which none can
    """

    tokens: tuple[str, ...]
    run: "Pass | TwoTowers"
    opens: tuple[int, int]
    row: int
    answer: str
    finding: tuple[tuple[str, str], ...]
    patches: np.ndarray | None = None
    target: tuple[str, ...] = ()
    writes: str = ""
    units: "tuple[Mapping[str, np.ndarray] | None, ...]" = ()
    stations: "tuple[tuple[Station, ...], ...]" = ()


def texts() -> Mapping[str, ModelRef]:
    """The models that read a text of the visitor's own, by name on screen; the storyteller is not among them."""
    return {REVIEWS: REVIEWER} | there("encoder", "decoder")


def names() -> tuple[str, ...]:
    """All that can be chosen, by name on screen, the storyteller first."""
    return (STORIES, REVIEWS, TRANSLATES, SHAPES, RECORDED, *(name for name in texts() if name != REVIEWS))


def why_not(source: Source) -> str:
    """Why no scene of a model is drawn, in a sentence; "" where one is."""
    config = source.config
    if config.positions not in _WITHOUT_BIAS:
        return "Its positions are a bias on the scores, which the scene does not draw. Choose another model."
    if not config.has_usual_parts or longest(source) < FEWEST:
        return "This model has other parts than the scene draws, or too many. Choose another model."
    return ""


def longest(source: Source) -> int:
    """Of how many tokens the scene of this model can be sent."""
    config = source.config
    of_token = source.n_layers * config.d_k * (config.n_heads + 2 * config.n_kv_heads)
    return min(N_READ, source.max_tokens, MOST_VECTORS // of_token)


def _reading(ref: ModelRef, tokens: tuple[str, ...]) -> Workload:
    source = ref.resolve()
    kept = len(tokens) * source.n_layers * (5 * source.config.d_model + source.config.d_ff) * workload.FLOAT
    return workload.one_pass(source.config, len(tokens), source.n_layers, keeps_maps=True).keeping(kept)


@cached(work=_reading)
def read(ref: ModelRef, tokens: tuple[str, ...]) -> Scene:
    """The pass of a model over a text."""
    import torch

    from attention_view import Picture

    source, recorder = ref.resolve(), transformer.Recorder()
    with torch.inference_mode():
        logits = source.single_stack(torch.tensor([source.ids(tokens)]), tap=recorder).logits
    run = passes.of(recorder, source.config, causal=source.kind == "decoder")
    row = source.answer_position(tokens)
    answer = "to the next word" if source.kind == "decoder" else "to the answer"
    units = _units(recorder, source.config, source.single_stack)
    stations = passes.stations_of(recorder, source.config, source.single_stack, {source.kind: row})
    opens = scored(Picture(tokens, tokens, run.weights)).opens
    if ref == REVIEWER or source.kind == "decoder":
        said = answers.answer(source, tokens, logits[0].float().numpy())
        before = "The model calls this review " if ref == REVIEWER else "The likeliest next word is "
        ending = f", with a probability of {_sure(said.probability)}."
        finding = ((before, ""), (said.word.strip("·"), STRONG), (ending, ""))
    else:
        finding = _looked(tokens, run, opens, row)
    return Scene(tokens, run, opens, row, answer, finding, units=units, stations=stations)


def _sure(p: float) -> str:
    """A probability in whole per cent, with none that is not quite certain called so."""
    return "more than 99%" if p > 0.995 else f"{p:.0%}"


def _looked(tokens: tuple[str, ...], run: "Pass", head: tuple[int, int], row: int) -> tuple[tuple[str, str], ...]:
    """Where a token looks most in a head, as the finding of a scene."""
    weights = run.weights[head[0], head[1], row]
    key = int(weights.argmax())
    return (
        (f"In layer {head[0]}, head {head[1]}, ", ""),
        (f"“{tokens[row]}”", "query"),
        (" looks at ", ""),
        (f"“{tokens[key]}”", "key"),
        (" with ", ""),
        (f"{weights[key]:.2f}", "weight"),
        (" of its attention.", ""),
    )


def _units(
    recorder: "transformer.Recorder", config: "TransformerConfig", model: "Module"
) -> "tuple[Mapping[str, np.ndarray] | None, ...]":
    """What can be entered of the feed-forward networks of a model: where what they add goes into the stream as it
    is (a norm before them), and is not too much to send."""
    if config.norm != "pre" or config.parallel or config.d_ff * config.d_model > MOST_UNITS:
        return ()
    return tuple(passes.units_of(recorder, path, layer) if layer else None for path, layer in _layers(model))


def _layers(model: "Module") -> "Iterator[tuple[str, EncoderLayer | DecoderLayer | None]]":
    """The layers of a scene of this model: (path of its taps, itself); (its path, None) for the self-attention of a
    decoder with cross-attention, which is a layer of the scene without a feed-forward network."""
    for stack in ("encoder", "decoder"):
        if hasattr(model, stack):
            for n, layer in enumerate(getattr(model, stack).layers):
                if hasattr(layer, "cross_attn"):
                    yield f"{stack}.{n}", None
                yield f"{stack}.{n}", layer


def _translating(text: str) -> Workload:
    source = TRANSLATOR.resolve()
    return workload.writing(source.config, len(text.split()) + 1, 2 * source.longest)


@cached(work=_translating)
def translate(text: str) -> Scene:
    """The pass of the translator over a text and its own translation, up to the last word that it writes."""
    import torch

    source = TRANSLATOR.resolve()
    model, task = source.model, source.task
    assert isinstance(model, transformer.Transformer)
    given = inspection.translation.tokenise_source(task, text)
    result = inspection.translation.translate(model, given.ids)
    read_so_far = (training.text.BOS, *result.answer[: max(1, len(result.answer) - 1)])
    recorder = transformer.Recorder()
    with torch.inference_mode():
        model(torch.tensor([given.ids]), torch.tensor([read_so_far]), tap=recorder)
    run = passes.of_towers(recorder, source.config)
    target = inspection.translation.token_labels(task.target, read_so_far)
    units = _units(recorder, source.config, model)
    last = len(run.cross.q) - 1  # what the last cross-attention looks at decides which word is next
    head = int(run.cross.weights[last, :, -1].max(-1).argmax())
    opens = (len(run.encoder.q) + 2 * last + 1, head)
    stations = passes.stations_of(recorder, source.config, model, {"encoder": -1, "decoder": -1})
    row = len(target) - 1
    labels = inspection.translation.token_labels(task.target, result.written)
    french = " ".join(labels[: len(result.answer)])
    finding = (("The model writes ", ""), (f"“{french}”", STRONG), (".", ""))
    return Scene(
        given.words,
        run,
        opens,
        row,
        "to the next word",
        finding,
        target=target,
        writes=labels[row] if row < len(labels) else "",
        units=units,
        stations=stations,
    )


@cached()
def look(seed: int) -> Scene:
    """The pass of the model that was trained on shapes over a picture; the seed draws its arrangement."""
    import torch

    model = training.vision.load("shapes").model
    pixels = shapes.draw(1, np.random.default_rng(seed), GIVEN, shapes.SIZES[2]).pixels
    recorder = transformer.Recorder()
    with torch.inference_mode():
        logits = model(core.images.scaled(pixels), tap=recorder).logits[0, 0]
    run = passes.of(recorder, model.config, causal=False)
    rows = core.images.patchify(torch.from_numpy(pixels).permute(0, 3, 1, 2), model.config.patch_size)[0]
    p, n = model.config.patch_size, len(rows)
    patches = rows.reshape(n, 3, p, p).permute(0, 2, 3, 1).numpy().astype("u1")
    most = run.weights[:, :, 0, 1:].max(-1)  # where the class token looks most at one patch
    layer, head = map(int, np.unravel_index(most.argmax(), most.shape))
    tokens = ("class", *(f"patch {t}" for t in range(n)))
    units = _units(recorder, model.config, model)
    stations = passes.stations_of(recorder, model.config, model, {"encoder": 0})
    finding = _seen(logits.double().numpy())
    return Scene(tokens, run, (layer, head), 0, "to the answer", finding, patches, units=units, stations=stations)


def _seen(logits: np.ndarray) -> tuple[tuple[str, str], ...]:
    """The answers to the four questions about a picture, and how sure the model is of the least sure one."""
    counts = [len(possible) for possible in shapes.QUESTIONS.values()]
    parts = np.split(logits[-sum(counts) :], np.cumsum(counts)[:-1])
    found = {
        name: possible[part.argmax()] for (name, possible), part in zip(shapes.QUESTIONS.items(), parts, strict=True)
    }
    sure = min(float(1 / np.exp(part - part.max()).sum()) for part in parts)
    ending = "" if found["count"] == "one" else "es" if found["shape"].endswith("s") else "s"
    things = f"{found['count']} {found['colour']} {found['shape']}{ending}"
    return (
        ("The model sees ", ""),
        (things, STRONG),
        (f" in the {found['place']}: each of these four answers with at least {int(100 * sure)}%.", ""),
    )


def titles() -> tuple[str, ...]:
    """Of the recordings that hold q and k, what there is to see."""
    return tuple(one.title for one in pretrained.recording.RECORDINGS if one.has_vectors)


@cached()
def replay(title: str) -> Scene:
    """What a published model did with a sentence, as recorded: q, k and weights, without v and the stream."""
    from attention_view.scenes import Pass

    recording = next(one for one in pretrained.recording.RECORDINGS if one.title == title)
    picture = recorded(recording.name)
    q, k, weights = (np.asarray(array, "f4") for array in (picture.q, picture.k, picture.weights))
    run = Pass(q, k, None, weights, scale=float(picture.scale), causal=False, stream=None, hidden=None)
    row = recording.edge.query
    return Scene(picture.queries, run, picture.opens, row, "", _looked(picture.queries, run, picture.opens, row))


def can_translate(text: str) -> bool:
    """Whether there is anything in a text that the translator reads."""
    return bool(inspection.translation.tokenise_source(TRANSLATOR.resolve().task, text).ids)
