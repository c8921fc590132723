"""From any place that a model comes from to a model of ours, in evaluation mode, with its tokenizer."""

import math
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformer.core.checks import InputError, is_whole
from transformer.pretrained import convert, own, places
from transformer.pretrained.family import family_of
from transformer.pretrained.files import READ, Checked, Estimate, Folder, Store, Tensors, check, tokenizer_files
from transformer.pretrained.reading import Data, json_in, megabytes, parameters, quoted, sentence
from transformer.pretrained.tokenizer import ClassNames, Tokenizer, tokenizer_of

if TYPE_CHECKING:
    from transformer.core.model import Model

PACKAGE, LISTED, SHIPPED = "package:", "folder:", "shipped:"
HALF = "Its weights are kept as 16-bit numbers here, to save memory: last digits differ."
MAX_TOKENS = 4096  # of models whose positions have no end of their own


@dataclass(frozen=True, eq=False, repr=False)
class Pretrained:
    """A trained model in our classes: a published one, or one of the project's own.

    name        as it was asked for
    family      "bert", "gpt2", ...: its model_type; "attention_lab" of the project's own
    model       in evaluation mode; its parameters are float32, or bfloat16 where memory is short
    tokenizer   of its texts; a ClassNames, which reads none, in a model of images
    target_tokenizer  of what it answers: another one in the project's translators, whose two languages share no ids
    max_tokens  the longest text that it can read; the patches of an image, its class token among them
    facts       sentences about it for people
    start       the id that an encoder-decoder's own text begins with; None for other models
    """

    name: str
    family: str
    model: "Model"
    tokenizer: Tokenizer
    target_tokenizer: Tokenizer
    max_tokens: int
    facts: tuple[str, ...]
    start: int | None = None

    def __repr__(self) -> str:
        config, kind = self.model.config, self.model.kind
        n_encoder, n_decoder = config.n_encoder_layers, config.n_decoder_layers
        layers = {"encoder": n_encoder, "decoder": n_decoder}.get(kind, f"{n_encoder} + {n_decoder}")
        heads = f"{layers} layers of {config.n_heads} heads"
        return f"<{self.name}: {self.family} {kind}, {heads}, d_model {config.d_model}, reads with {self.tokenizer!r}>"


def load(
    where: str | Path,
    *,
    memory: float = math.inf,
    network: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Pretrained:
    """A published model, or one of the project's own.

    where     a folder; "shipped:NAME", a model that comes with the project, such as "shipped:stories"; "package:NAME",
              an installed package that carries one; "folder:NAME", one of the operator's models; or an id of the hub,
              "sentence-transformers/all-MiniLM-L6-v2"
    memory    the bytes that its parameters may take: above them 16-bit numbers are tried, then it is refused
    network   whether an id of the hub may be downloaded
    progress  is called with the bytes that have arrived, and all that are to come

    Never hand a visitor's text to `where`: it may be a path. Raises InputError, whatever a stranger's files hold.
    """
    if isinstance(where, str) and where.startswith(SHIPPED):
        return _own(where, memory)
    if isinstance(where, str) and where.startswith(PACKAGE):
        return load_from(places.package(where.removeprefix(PACKAGE)), memory=memory)
    if isinstance(where, str) and where.startswith(LISTED):
        return load_from(places.chosen(where.removeprefix(LISTED)), memory=memory)
    if isinstance(where, Path) or (where and Path(where).is_dir()):
        return load_from(Folder(where), memory=memory)
    from transformer.pretrained import hub

    if where in own.names():
        raise InputError(f"The project's own model of this name is “{SHIPPED}{where}”.")
    if not hub.ID.fullmatch(where):
        raise InputError(f"“{quoted(where)}” is neither a folder nor the id of a model on the hub.")
    if not network:
        raise InputError(f"{where} is no folder here, and models of the hub are not to be downloaded.")
    with ExitStack() as kept:
        try:
            store = kept.enter_context(hub.shared().kept(where, progress))
        except InputError as error:
            raise InputError(f"There is no folder {where} here, so the hub was asked. {error}") from error
        return load_from(store, memory=memory)


def load_from(store: Store, *, memory: float = math.inf) -> Pretrained:
    """The model of a folder, or of any other store of files. Raises InputError."""
    return load_checked(check(store), memory=memory)


def load_checked(checked: Checked, *, memory: float = math.inf) -> Pretrained:
    """The model of files that have been checked. Raises InputError where there is too little memory for it."""
    is_half = _is_half(checked.estimate, memory)
    tokenizer = reader(checked)
    try:
        model = convert.to_model(checked.settings, Tensors(checked, is_half))
    except InputError as error:
        raise InputError(sentence(error)) from error
    rows = model.config.vocab_size
    if tokenizer.vocab_size > rows:
        raise InputError(
            f"The tokenizer has {tokenizer.vocab_size:,} tokens, and the model knows only {rows:,}: they do not belong"
            " together."
        )
    return Pretrained(
        name=checked.store.name,
        family=checked.family,
        model=model,
        tokenizer=tokenizer,
        target_tokenizer=tokenizer,
        max_tokens=_max_tokens(model, checked.settings, tokenizer_files(checked.store)),
        facts=_facts(checked, model, is_half),
        start=_start(checked.settings, tokenizer, rows) if model.kind == "encoder-decoder" else None,
    )


def _is_half(estimate: Estimate, memory: float) -> bool:
    """Whether a model fits into this memory only as 16-bit numbers. Raises InputError where not even so."""
    if min(estimate.half, estimate.full) > memory:
        raise InputError(
            f"The {parameters(estimate.parameters)} of this model would take"
            f" {megabytes(estimate.half)} of memory even as 16-bit numbers, and there are {megabytes(memory)} for them."
            " Choose a smaller model."
        )
    return estimate.full > memory


def _own(where: str, memory: float) -> Pretrained:
    """A model that comes with the project. Raises InputError where there is none of this name."""
    model, tokenizer, target_tokenizer, facts, start = own.of_name(where.removeprefix(SHIPPED))
    count = sum(p.numel() for p in model.parameters())
    is_half = _is_half(Estimate(0, count, 4 * count, 2 * count), memory)
    return Pretrained(
        name=where,
        family="attention_lab",
        model=model.bfloat16() if is_half else model,
        tokenizer=tokenizer,
        target_tokenizer=target_tokenizer,
        max_tokens=_max_tokens(model, {}, {}),
        facts=(*facts, *([HALF] if is_half else [])),
        start=start,
    )


def reader(checked: Checked) -> Tokenizer:
    """What turns a text into the ids of these files' model, or names its classes. Raises InputError where they hold no
    such thing.
    """
    files = tokenizer_files(checked.store)
    config = family_of(checked.settings).config(checked.settings)[1]
    if config.image_size is not None:
        return ClassNames(checked.settings, config.vocab_size, files.get("preprocessor_config.json", b""))
    return tokenizer_of(files, checked.settings)


def _max_tokens(model: "Model", settings: Mapping[str, Any], files: Mapping[str, Data]) -> int:
    """The least of what its positions, its settings and its tokenizer say."""
    config = model.config
    described = (
        json_in(files["tokenizer_config.json"], "tokenizer_config.json") if "tokenizer_config.json" in files else {}
    )
    longest = [
        described.get("model_max_length"),
        *(settings.get(name) for name in ("max_position_embeddings", "n_positions")),
    ]
    if config.positions == "learned" or config.image_size is not None:
        longest.append(config.max_len)
    return int(min([MAX_TOKENS, *(n for n in longest if isinstance(n, int) and n > 0)]))


def _start(settings: Mapping[str, Any], tokenizer: Tokenizer, n_ids: int) -> int:
    """The id that the decoder reads first. Raises InputError where there is none."""
    for id in (settings.get("decoder_start_token_id"), getattr(tokenizer, family_of(settings).start, None)):
        if is_whole(id) and 0 <= id < n_ids:
            return id
    raise InputError("The model's config.json does not say what its own text begins with: decoder_start_token_id.")


def _facts(checked: Checked, model: "Model", is_half: bool) -> tuple[str, ...]:
    shapes = {name: entry.shape for name, entry in checked.entries.items() if entry.dtype in READ}
    count = sum(p.numel() for p in model.parameters())
    memory = [HALF] if is_half else []
    return (
        f"{family_of(checked.settings).name}, {parameters(count)}.",
        *memory,
        *convert.facts(checked.settings, shapes),
    )
