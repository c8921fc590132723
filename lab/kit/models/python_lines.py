"""Lines of Python that make the picture of a reading again, for the menu of the view that shows it.

They build or load the same model and give it the same ids, with what `pip install .` brings and nothing of the app.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields

from lab.kit.models.published import Published
from lab.kit.models.readings import Reading
from lab.kit.models.references import VOCABULARY, AtStep, BeforeTraining, Mask, Shipped, TrainedSource, Untrained
from lab.kit.models.source import ModelRef
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.pretrained.own import tokenizers
from transformer.pretrained.tokenizer import Tokenizer
from transformer.training.text import BOS

_CLASSES = {"encoder": "EncoderModel", "decoder": "DecoderModel"}
_COMMENTS = {"package": "pip install {}", "folder": "in the folder that ATTENTION_LAB_MODELS names"}


def python_lines(reading: Reading) -> str:
    """The lines, the last of which shows the picture; "" for a visitor's own model, whose weights are nowhere but here.

    Every text in them is a literal, whatever a visitor has typed.
    """
    ref, mask, *_ = reading
    made = _made(ref, reading)
    if made is None:
        return ""
    kind = ref.resolve().kind
    imports, lines = made
    masked = list(_masks(mask, len(reading.tokens)))
    segmented = ["segments=torch.tensor([segments])"] if any(reading.segments) else []
    begin = ["import torch", *imports, "from attention_view import show"]
    if masked:
        begin.append("from transformer.core import masks")
    given = ", ".join(["torch.tensor([ids])", *masked, *segmented])
    run = [f"attention = model({given}).attention.{kind}", "show(attention, tokens)"]
    return "\n".join([*sorted(begin, key=lambda line: (line.startswith("from"), line)), "", *lines, *run, ""])


def _made(ref: ModelRef, reading: Reading) -> tuple[list[str], list[str]] | None:
    """What is imported, and the lines that make `model`, `tokens` and `ids`, and `segments` where there are any."""
    if isinstance(ref, Untrained):
        return _untrained(ref, reading.tokens)
    if isinstance(ref, Published):
        return _published(ref, reading)
    if isinstance(ref, Shipped):
        source = ref.resolve()
        tokenizer, _ = tokenizers(source.task)
        return _loaded(f"shipped:{ref.name}", "", tokenizer, source.ids(reading.tokens), list(reading.segments))
    if isinstance(ref, BeforeTraining) and isinstance(ref.of, Shipped):
        return _on_its_way(ref.of, "model_before()", reading.tokens)
    if isinstance(ref, AtStep) and isinstance(ref.of, Shipped):
        return _on_its_way(ref.of, f"model_at({ref.step})", reading.tokens)
    return None


def _masks(mask: Mask, T: int) -> Iterable[str]:
    """What a model is given besides ids, as `Mask.tensor` and `readings.inputs` have it."""
    match mask:
        case ("window", span):
            yield f"masks.sliding_window({T}, {span})"
        case ("prefix", span):
            yield f"masks.prefix({T}, {span})"
            yield "is_causal=False"
        case ("padding", span):
            yield f"masks.padding(torch.tensor([{max(T - span, 0)}]), {T})"


def _untrained(ref: Untrained, tokens: Sequence[str]) -> tuple[list[str], list[str]]:
    config, name = ref.resolve().config, _CLASSES[ref.kind]
    usual = TransformerConfig(d_model=config.d_model, n_heads=config.n_heads, vocab_size=config.vocab_size)
    told = [f.name for f in fields(config) if getattr(config, f.name) != getattr(usual, f.name)]
    sizes = ", ".join(f"{field}={getattr(config, field)!r}" for field in ("vocab_size", "d_model", "n_heads", *told))
    return [f"from transformer import {name}, TransformerConfig", "from transformer.training.text import hashed_ids"], [
        f"config = TransformerConfig({sizes})",
        f"model = {name}(config, torch.Generator().manual_seed({ref.seed})).eval()",
        f"tokens = {_words(tokens)}",
        f"ids = hashed_ids(tokens, {VOCABULARY})",
    ]


def _on_its_way(ref: Shipped, model: str, tokens: Sequence[str]) -> tuple[list[str], list[str]]:
    """A shipped model at a step of its training."""
    source = ref.resolve()
    return ["from transformer.training import shipped"], [
        f'checkpoint = shipped.load("{ref.name}")',
        f"model, words = checkpoint.{model}, checkpoint.task.source",
        f"ids = {_ids_of_task(source, tokens)}",
        "tokens = [words.label(id) for id in ids]",
    ]


def _ids_of_task(source: TrainedSource, tokens: Sequence[str]) -> str:
    """From the text where it can be had back from its tokens, or else number by number."""
    ids, text = source.ids(tokens), " ".join(source.of_text(tokens))
    if ids == [BOS, *source.task.source.encode(text)]:
        return f"[{BOS}, *words.encode({text!r})]  # {BOS}: <bos>"
    return repr(ids)


def _published(ref: Published, reading: Reading) -> tuple[list[str], list[str]]:
    source = ref.resolve()
    place, _, name = ref.where.rpartition(":")
    comment = f"  # {_COMMENTS[place].format(name)}" if place else ""
    return _loaded(ref.where, comment, source.loaded.tokenizer, source.ids(reading.tokens), list(reading.segments))


def _loaded(
    where: str, comment: str, tokenizer: Tokenizer, ids: list[int], segments: list[int]
) -> tuple[list[str], list[str]]:
    """A model that `transformer.load` gives, and the text that its tokenizer reads."""
    load = [f"loaded = transformer.load({where!r}){comment}", "model, tokenizer = loaded.model, loaded.tokenizer"]
    texts = _texts(tokenizer, ids, segments)
    if texts:
        encoding = f"encoding = tokenizer.encode({', '.join(map(repr, texts))})"
        lines = [*load, encoding, "ids, tokens = encoding.ids, encoding.tokens", "segments = encoding.segments"]
    else:
        lines = [*load, f"ids = {ids}", "tokens = [tokenizer.label(id) for id in ids]", f"segments = {segments}"]
    return ["import transformer"], lines if any(segments) else lines[:-1]


def _texts(tokenizer: Tokenizer, ids: list[int], segments: list[int]) -> list[str]:
    """The text, or the two, that these ids are cut from; [] where it cannot be had back, as after a cut."""
    of = segments or [0] * len(ids)
    try:
        texts = [tokenizer.decode([id for id, one in zip(ids, of, strict=True) if one == n]) for n in sorted(set(of))]
        encoding = tokenizer.encode(*texts)
    except InputError:
        return []
    is_same = encoding.ids == ids and (not any(of) or encoding.segments == of)
    return texts if is_same else []


def _words(tokens: Sequence[str]) -> str:
    """A list of tokens: as words, where splitting gives them back."""
    text = " ".join(tokens)
    return f"{text!r}.split()" if text.split() == list(tokens) else repr(list(tokens))
