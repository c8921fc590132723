"""A family of published models: how its settings (config.json) become a TransformerConfig, and its tensors ours.

A family is a table from our parameters to its tensors, and a function from its settings to a config; each has a short
file of its own beside this one. Settings and tensors come from strangers: every value is checked before it is used.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, NamedTuple

from torch import Tensor

from transformer.core.checks import InputError, either, is_number, is_whole
from transformer.core.config import Kind, TransformerConfig
from transformer.core.stretching import yarn_gain

MAX_WIDTH, MAX_LAYERS, MAX_VOCAB, MAX_TOKENS = 65_536, 512, 4_000_000, 100_000_000

_ACTIVATIONS = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_python": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
}


class Settings:
    """The values of a config.json, each checked when it is asked for. Raises InputError for one that cannot be."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        if not isinstance(values, Mapping):
            raise InputError("the model's config.json holds no settings")
        self._values = values

    def get(self, name: str, default: Any = None) -> Any:
        """The value as it stands there; the default where there is none, or null."""
        value = self._values.get(name)
        return default if value is None else value

    def whole(self, name: str, default: int | None = None, most: int = MAX_WIDTH) -> int:
        value = self.get(name, default)
        if not is_whole(value) or not 0 <= value <= most:
            raise self._error(name, value, f"a whole number up to {most:,}")
        return value

    def number(self, name: str, default: float | None = None) -> float:
        value = self.get(name, default)
        if not is_number(value):
            raise self._error(name, value, "a number")
        return value

    def flag(self, name: str, default: bool) -> bool:
        value = self.get(name, default)
        if not isinstance(value, bool):
            raise self._error(name, value, "true or false")
        return value

    def activation(self, name: str, default: str) -> str:
        """Our name of the activation that stands there."""
        value = self.get(name, default)
        if not isinstance(value, str) or value not in _ACTIVATIONS:
            raise self._error(name, value, either(list(_ACTIVATIONS)))
        return _ACTIVATIONS[value]

    def part(self, name: str) -> "Settings":
        """Settings within the settings; none if there are none."""
        return Settings(self.get(name, {}))

    def refuse(self, name: str, default: Any) -> None:
        """Raise InputError if a setting asks for what is not built here."""
        if (value := self.get(name, default)) != default:
            raise InputError(f"the model's config.json has {name}={_short(value)}, which is not built here")

    def was_made_for(self, *tasks: str) -> bool:
        """Whether its `architectures` name one of these tasks, such as "MaskedLM"."""
        names = self.get("architectures", [])
        return isinstance(names, list) and any(isinstance(name, str) and name.endswith(tasks) for name in names)

    @staticmethod
    def _error(name: str, value: Any, rule: str) -> InputError:
        if value is None:
            return InputError(f"the model's config.json does not say what {name} is")
        return InputError(f"the model's config.json has {name}={_short(value)}, which should be {rule}")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


class Theirs(NamedTuple):
    """The tensor that one of our parameters is made of.

    names       what it is called, without `.weight` or `.bias`; the first that a file holds is taken
    transposed  stored as (n_in, n_out), where ours are (n_out, n_in)
    part, parts  one of several equal parts that are stored as one, one below the other
    by_head     the parts of one head stand together, then come those of the next
    n_ones      that many dimensions of size 1 come first
    optional    zeros, where a file does not hold it
    """

    names: tuple[str, ...]
    transposed: bool = False
    part: int = 0
    parts: int = 1
    by_head: bool = False
    n_ones: int = 0
    optional: bool = False

    def shape(self, ours: tuple[int, ...]) -> tuple[int, ...]:
        """The shape of theirs that gives ours."""
        rows, *rest = ours
        shape = (rows * self.parts, *rest)
        return (1,) * self.n_ones + (shape[::-1] if self.transposed else shape)

    def take(self, theirs: Tensor, n_heads: int) -> Tensor:
        """Our tensor, made of theirs."""
        theirs = theirs.flatten(0, self.n_ones)
        if self.transposed and theirs.dim() == 2:
            theirs = theirs.T
        if self.parts > 1:
            theirs = theirs.unflatten(0, (n_heads if self.by_head else 1, self.parts, -1))[:, self.part].flatten(0, 1)
        return theirs.contiguous()


def named(*names: str, **how: Any) -> Theirs:
    """A tensor by its name, or by whichever of several names a file has for it."""
    return Theirs(names, **how)


Table = Mapping[str, Theirs]


@dataclass(frozen=True)
class Family:
    """Models that differ in sizes only, or nearly.

    name      as people know it
    describe  settings -> which kind of model, and its config
    table     our parameters -> their tensors. A key is a parameter, or a module for its weight and its bias; {} stands
              for the number of the layer
    lacking   what the matter is with files that hold no tensor at all whose name begins so: half a model
    untied    what takes the place of entries of the table where tie_word_embeddings is false
    prefix    what their names may begin with, or not
    ignored   a pattern of tensors that are no part of the model here: heads for other tasks, tables of constants
    start     the role of the token that an encoder-decoder's own text begins with, where config.json does not say it
    """

    name: str
    describe: Callable[[Settings], tuple[Kind, TransformerConfig]]
    table: Table
    prefix: str = ""
    ignored: str = r"$^"
    start: str = ""
    untied: Table = field(default_factory=dict)
    lacking: Mapping[str, str] = field(default_factory=dict)

    def config(self, settings: Mapping[str, Any]) -> tuple[Kind, TransformerConfig]:
        """Which kind of model a config.json describes, and its config. Raises InputError for what is not built here."""
        try:
            return self.describe(Settings(settings))
        except InputError as error:
            raise InputError(_in_their_words(str(error), settings)) from error

    def why_missing(self, name: str, names: Iterable[str]) -> str:
        """What files with these bare names are, where they hold nothing of what this tensor belongs to; or nothing."""
        return next(
            (
                f": {reason}"
                for start, reason in self.lacking.items()
                if name.startswith(start) and not any(other.startswith(start) for other in names)
            ),
            "",
        )

    def bare(self, name: str) -> str:
        """Their name without prefix, and without the names that TensorFlow had for the parameters of a norm."""
        name = name.removeprefix(self.prefix)
        return re.sub(r"(?<=LayerNorm\.)(gamma|beta)$", lambda m: {"gamma": "weight", "beta": "bias"}[m[0]], name)

    def source(self, parameter: str) -> Theirs:
        """Which tensor of theirs makes this parameter of ours, with its full names."""
        pattern = re.sub(r"(?<=layers\.)\d+", "{}", parameter)
        layer = re.findall(r"(?<=layers\.)\d+", parameter)
        stem, _, leaf = pattern.rpartition(".")
        theirs, ending = self.table.get(pattern), ""
        if theirs is None:
            theirs, ending = self.table[stem], f".{leaf}"
        return theirs._replace(names=tuple(name.format(*layer) + ending for name in theirs.names))


FAMILIES = {  # model_type -> where its family is described
    "bert": "bert.BERT",
    "roberta": "bert.ROBERTA",
    "xlm-roberta": "bert.ROBERTA",
    "camembert": "bert.ROBERTA",
    "distilbert": "bert.DISTILBERT",
    "gpt2": "gpt2.GPT2",
    "llama": "llama.LLAMA",
    "mistral": "llama.MISTRAL",
    "qwen2": "llama.QWEN2",
    "qwen3": "llama.QWEN3",
    "gpt_neox": "gpt_neox.GPT_NEOX",
    "t5": "t5.T5",
    "mt5": "t5.T5",
    "bart": "bart.BART",
    "vit": "vit.VIT",
    "deit": "vit.DEIT",
}
CAN_BE_OPENED = (
    "BERT, DistilBERT, RoBERTa, XLM-RoBERTa, CamemBERT, GPT-2, Llama, Mistral, Qwen2, Qwen3, GPT-NeoX (Pythia), T5,"
    " mT5, BART, ViT and DeiT"
)
# Our names of what a config.json says under another -> what it may be called there.
_THEIR_NAMES = {
    "d_model": ("hidden_size", "n_embd", "dim"),
    "n_heads": ("num_attention_heads", "n_head", "num_heads", "encoder_attention_heads"),
    "norm_eps": ("layer_norm_eps", "layer_norm_epsilon", "rms_norm_eps"),
    "max_len": ("max_position_embeddings", "n_positions"),
    "d_ff": ("intermediate_size", "n_inner", "hidden_dim", "encoder_ffn_dim"),
    "head_width": ("head_dim", "d_kv"),
    "window": ("sliding_window",),
    "n_buckets": ("relative_attention_num_buckets",),
    "max_distance": ("relative_attention_max_distance",),
    "rotary_factor": ("factor",),
}


def _in_their_words(text: str, settings: Mapping[str, Any]) -> str:
    """What is wrong with a config, with the names that config.json has for it: nobody can try another number there."""
    if "config.json" in text or not isinstance(settings, Mapping):
        return text
    rope = settings.get("rope_parameters") or settings.get("rope_scaling")
    values = {**(rope if isinstance(rope, Mapping) else {}), **settings}

    def theirs(match: re.Match[str]) -> str:
        ours, value = match.groups()
        name = next((name for name in _THEIR_NAMES.get(ours, ()) if str(values.get(name)) == value), ours)
        return f"{name}={value}"

    renamed = re.sub(r"; try .*", "", re.sub(r"\b([a-z_]+)=([\d.e+-]*\d)", theirs, text))
    return text if renamed == text else f"the model's config.json: {renamed}"


def family_of(settings: Mapping[str, Any]) -> Family:
    """The family that `model_type` names. Raises InputError for one that is not built here."""
    name = Settings(settings).get("model_type")
    if not isinstance(name, str) or name not in FAMILIES:
        kind = f"of the type {_short(name)}" if isinstance(name, str) else "of a type that config.json does not name"
        raise InputError(f"the model is {kind}, which cannot be opened here; these can: {CAN_BE_OPENED}")
    module, _, family = FAMILIES[name].partition(".")
    found = getattr(import_module(f"transformer.pretrained.{module}"), family)
    is_untied = settings.get("tie_word_embeddings") is False
    return replace(found, table={**found.table, **found.untied}) if is_untied and found.untied else found


def rotary(settings: Settings, *, share: float | None = None) -> dict[str, Any]:
    """The fields of rotary positions, wherever the versions of `transformers` have written them.

    share  of each head that turns, where config.json does not say; None: a family whose heads turn as a whole,
           whatever is said
    """
    given = settings.part("rope_parameters" if settings.get("rope_parameters") else "rope_scaling")
    kind = given.get("rope_type", given.get("type", "default"))
    fields: dict[str, Any] = {
        "positions": "rotary",
        "pairing": "half",
        "base": given.number("rope_theta", settings.number("rope_theta", 10_000.0)),
    }
    said = given.number("partial_rotary_factor", settings.number("partial_rotary_factor", share or 1.0))
    if share is not None:
        fields["rotary_share"] = said
    if kind == "default":
        return fields
    if share is None and said != 1:
        raise InputError(f"its rotary positions turn {_short(said)} of each head, which is not built here")
    if kind not in ("linear", "llama3", "yarn"):
        raise InputError(f"its rotary positions are stretched by {_short(kind)}, which is not built here")
    length = given.get("original_max_position_embeddings")
    if length is not None or kind == "llama3":
        length = given.whole("original_max_position_embeddings", most=MAX_TOKENS)
    if kind == "yarn":
        return fields | _yarn(given, length or settings.whole("max_position_embeddings", most=MAX_TOKENS), settings)
    fields |= {"rotary_scaling": kind, "rotary_factor": given.number("factor")}
    if kind == "llama3":
        fields |= {
            "rotary_low": given.number("low_freq_factor"),
            "rotary_high": given.number("high_freq_factor"),
            "rotary_len": length,
        }
    return fields


def _yarn(given: Settings, length: int, settings: Settings) -> dict[str, Any]:
    """The fields of YaRN (Peng et al. 2023), which also makes the scores of a stretched model a little larger."""
    given.refuse("truncate", True)
    if given.get("factor") is None and length:
        factor = settings.whole("max_position_embeddings", most=MAX_TOKENS) / length
    else:
        factor = given.number("factor")
    shares = [given.number(name, 0.0) for name in ("mscale", "mscale_all_dim")]
    usual = yarn_gain(factor, shares[0]) / yarn_gain(factor, shares[1]) if all(shares) else yarn_gain(factor)
    return {
        "rotary_scaling": "yarn",
        "rotary_factor": factor,
        "rotary_low": given.number("beta_slow", 1.0) or 1.0,
        "rotary_high": given.number("beta_fast", 32.0) or 32.0,
        "rotary_len": length,
        "rotary_gain": given.number("attention_factor", usual),
    }
