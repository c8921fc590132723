"""What a checkpoint says of itself, taken as far as it holds: first the plain facts, then the tensors.

A file is read as if a stranger had made it. FACTS says what each plain fact must be and in which words it is refused;
what depends on the task or on the model follows, a function each. All of them raise InputError.
"""

import math
from collections.abc import Callable
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from transformer.core.checks import InputError, is_number, is_whole
from transformer.core.config import TransformerConfig
from transformer.core.model import Model
from transformer.training import tasks
from transformer.training.batches import batch_of, forward_batch
from transformer.training.film import CURVES, Film, Script, axes, script_of
from transformer.training.optimiser import moments_of
from transformer.training.settings import Knobs, Settings, Turn, turned
from transformer.training.stages import Stage, most_stages
from transformer.training.tasks import tales
from transformer.training.tasks.asking import with_probe
from transformer.training.tasks.task import Task
from transformer.training.text import clean
from transformer.training.writing import Written

MAX_FRAMES = 1000
MAX_TURNS = 200
MAX_PARAMETERS = 5_000_000  # what AdamW remembers is twice as much again, and all of it fits in MAX_BYTES of a file
MAX_HEADS = 192  # of all layers together: each has a map of attention, and all of them are kept
MAX_CURVE = 1e30  # of a curve of the film: what lies beyond cannot be drawn, and no training that goes on comes near
_MOST = {"accuracy": 1.0, "exact": 1.0, "seconds": 1e9}  # of the other curves
_LIMITS = {
    "d_model": 1024,
    "d_ff": 8192,
    "n_heads": 64,
    "n_encoder_layers": 24,
    "n_decoder_layers": 24,
    "vocab_size": 60_000,
    "tgt_vocab_size": 60_000,
    "max_len": 8192,
    "n_buckets": 1024,
    "max_distance": 8192,
    "head_width": 1024,
    "n_segments": 1024,
    "position_offset": 1024,
    "window": 60_000,
    "n_experts": 64,
    "top_k": 64,
}


class Fact(NamedTuple):
    """One plain fact of a file: what it must be, the sentence where it is not, and what it is in a file without it."""

    holds: Callable[[Any], bool]
    otherwise: str
    usually: Any = None


def _is_card(facts: Any) -> bool:
    """A card is shown to people: short names with numbers or short texts, not many."""
    return isinstance(facts, dict) and len(facts) <= 40 and all(_is_measured(*entry) for entry in facts.items())


def _is_measured(name: str, value: Any) -> bool:
    is_value = isinstance(value, int | float) and abs(value) < 1e18
    return len(name) <= 60 and _is_text(name) and (is_value or (_is_text(value) and len(value) <= 500))


def _is_text(value: Any) -> bool:
    """Whether it is a text that can be written: half a surrogate pair, which JSON can hold, cannot."""
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


FACTS = {
    "step": Fact(lambda x: is_whole(x) and 0 <= x <= 10_000_000, "its step must be a number from 0 to 10,000,000"),
    "seconds": Fact(lambda x: is_number(x) and 0 <= x <= 1e9, "its seconds must be a number from 0 to 1,000,000,000.0"),
    "settings": Fact(lambda x: isinstance(x, dict), "its settings are missing"),
    "losses": Fact(
        lambda x: isinstance(x, list) and all(isinstance(loss, float) and math.isfinite(loss) for loss in x),
        "its losses are not a list of numbers",
        [],
    ),
    "card": Fact(_is_card, "its card is not a short list of measurements", {}),
    "turns": Fact(
        lambda x: isinstance(x, list) and len(x) <= MAX_TURNS, "the turns of its knobs are not a short list", []
    ),
}


def plain(facts: dict) -> dict[str, Any]:
    """Those of FACTS, each as it must be."""
    said = {name: facts.get(name, fact.usually) for name, fact in FACTS.items()}
    for name, fact in FACTS.items():
        refuse(not fact.holds(said[name]), fact.otherwise)
    return said


def refuse(condition: bool, sentence: str) -> None:
    """Raises InputError with this sentence where the condition holds."""
    if condition:
        raise InputError(sentence)


def short(value: object) -> str:
    """A value as it stands in a sentence: on one line, and no longer than it needs to be recognised."""
    text = " ".join(clean(str(value)).split()).rstrip(".")
    return text if len(text) <= 200 else text[:199] + "…"


def task_of(facts: Any, config: Any = None) -> Task:
    """The task that a file names, with its settings and perhaps a question of its own; config: the file's, as it is."""
    settings = facts.get("settings") if isinstance(facts, dict) else None
    if not isinstance(settings, dict):
        raise InputError("its settings are missing")
    refuse(not isinstance(facts.get("name"), str), "it does not name its task")
    task = tasks.make(_name_today(facts["name"], config), **settings)
    if "probe" in facts:
        refuse(not isinstance(facts["probe"], str), "what it was asked is no text")
        task = with_probe(task, facts["probe"])
    nothing = "its task has so few examples that none is kept for the test, so there is nothing to show"
    refuse(not task.probes, nothing)
    return task


def _name_today(name: str, config: Any) -> str:
    """What a task of this name is called today: short tales, told by their number of words, were once "stories"."""
    words = config.get("vocab_size") if isinstance(config, dict) else None
    return "tales" if name == "stories" and words == len(tales.WORDS) else name


def config_of(facts: Any, task: Task) -> TransformerConfig:
    """The model's hyperparameters, if they are those of a model of this task that is not too large."""
    names = [f.name for f in fields(TransformerConfig)]
    first = names[: names.index("norm_eps") + 1]  # files that were saved before there were more lack the rest
    is_ours = isinstance(facts, dict) and set(first) <= set(facts) <= set(names)
    refuse(not is_ours, "its hyperparameters are not those of a Transformer of this project")
    for name, maximum in _LIMITS.items():
        value = facts.get(name, 0)
        fits = (value is None and name not in first) or (is_whole(value) and 0 <= value <= maximum)
        refuse(not fits, f"{name}={short(value)} must be a whole number up to {maximum:,}")
    sizes = {"image_size": None} | task.sizes
    fits = all(facts.get(name) == value for name, value in sizes.items() if "vocab" not in name)
    refuse(not fits, "its patches are not those of its task" if task.sight else "it reads pictures, its task texts")
    config = TransformerConfig(**facts)
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers}
    refuse(layers.get(task.kind) == 0, "it has no layers, so there is no attention to show")
    heads = config.n_heads * max(layers.values())
    refuse(heads > MAX_HEADS, f"it would have {heads:,} heads in all; the most that is read is {MAX_HEADS}")
    vocabularies = config.vocab_size, config.tgt_vocab_size
    refuse(vocabularies != (len(task.source), len(task.target)), "its vocabulary is not that of its task")
    count, most = min_parameters(config, task.kind), MAX_PARAMETERS
    refuse(count > most, f"it would have over {count:,} parameters; the most that is read is {most:,}")
    return config


def min_parameters(config: TransformerConfig, kind: str) -> int:
    """A lower bound of the number of parameters: those of the tables and the large matrices."""
    D, has_both = config.d_model, kind == "encoder-decoder"
    attention = 2 * D * config.d_k * (config.n_heads + config.n_kv_heads)
    layer = attention + config.n_experts * config.n_ff_matrices * D * config.d_ff
    encoder = config.n_encoder_layers * layer if kind != "decoder" else 0
    decoder = config.n_decoder_layers * (layer + has_both * attention) if kind != "encoder" else 0
    tables = 1 + (has_both and not config.tie_source) + (not config.tie_output)
    places = {"learned": config.max_len * D, "relative": config.n_buckets * config.n_heads}.get(config.positions, 0)
    return encoder + decoder + tables * config.vocab_size * D + (1 + has_both) * places


def turns_of(facts: list, settings: Settings, config: TransformerConfig, last: int) -> tuple[Turn, ...]:
    """The turns of the knobs up to this step, each to what they can be set to."""
    try:
        turns = tuple(Turn(step, Knobs(*knobs)) for step, knobs in facts)
    except (TypeError, ValueError) as error:
        raise InputError("the turns of its knobs are not put together as they should be") from error
    refuse(
        not _is_rising([turn.step for turn in turns], 0, last),
        "the turns of its knobs are not in the order of its steps",
    )
    for turn in turns:
        turned(settings, config, turn.knobs)
    return turns


def _is_rising(steps: list, first: int, last: int) -> bool:
    """Whether these are steps in their order, none twice."""
    return all(is_whole(step) and first <= step <= last for step in steps) and steps == sorted(set(steps))


def _under(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """The tensors whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def weights_of(tensors: dict[str, Tensor], model: nn.Module) -> dict[str, Tensor]:
    """The weights as float32, if they are exactly those that this model has, and all of them numbers."""
    wanted = {name: p.shape for name, p in model.named_parameters()}
    result = _under(tensors, "weights.")
    for name in sorted(wanted.keys() ^ result.keys()):
        raise InputError(f"the weights {short(name)} are {'missing' if name in wanted else 'too many'}")
    for name, tensor in result.items():
        shapes = tuple(tensor.shape), tuple(wanted[name])
        refuse(shapes[0] != shapes[1], f"{name} has shape {shapes[0]} instead of {shapes[1]}")
        has_type = tensor.dtype in (torch.float16, torch.bfloat16, torch.float32)
        refuse(not has_type, f"{name} is not made of 16 or 32 bit numbers")
    weights = {name: result[name].float() for name in wanted}
    for name, tensor in weights.items():
        refuse(not _is_finite(tensor), f"{name} holds values that are no numbers (NaN or infinity)")
    return weights


def _is_finite(tensor: Tensor) -> bool:
    """Whether all are numbers: the extremes of float32 are NaN if one is; ten times as quick as asking each."""
    return not tensor.numel() or math.isfinite(sum(map(float, tensor.aminmax())))


def memory_of(tensors: dict[str, Tensor], weights: dict[str, Tensor], optimiser: str) -> dict[str, Tensor]:
    """What this optimiser remembers, whole and fitting, or nothing at all."""
    result = _under(tensors, "moments.")
    if not result:
        return {}
    # Of parameters that nothing depends on it remembers nothing, but of the others all.
    wanted = {
        f"{moment}.{name}": weight.shape
        for name, weight in weights.items()
        for moments in [moments_of(optimiser, name, weight)]
        for moment in moments
        if f"{moments[0]}.{name}" in result
    }
    fits = {name: t.shape for name, t in result.items()} == wanted
    good = fits and all(t.dtype == torch.float32 and torch.isfinite(t).all() for t in result.values())
    is_negative = any((t < 0).any() for name, t in result.items() if name.startswith("exp_avg_sq"))
    refuse(not good or is_negative, "what the optimiser remembers does not fit the weights")
    return result


def film_of(
    facts: Any, tensors: dict[str, Tensor], task: Task, config: TransformerConfig, step: int, names: tuple[str, ...]
) -> Film:
    """The film, if it is one of this task and this model, whose parts have these names, up to this step."""
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers, "cross": config.n_decoder_layers}
    labels = tuple(axes(task, probe) for probe in task.probes)
    script = script_of(task)
    try:
        steps = np.array(facts["steps"], dtype=np.int64)
        n = len(steps)
        most = _MOST | dict.fromkeys(script.curves, 1.0)
        names_of_curves = (*CURVES, *script.curves)
        curves = {c: _numbers(facts["curves"][c], (n,), most.get(c, MAX_CURVE)) for c in names_of_curves}
        grad_norms = _numbers(facts["grad_norms"], (n, len(names)), MAX_CURVE)
        frames = tuple(
            {kind: tensors[f"film.{p}.{kind}"].numpy() for kind in probe if layers[kind]}
            for p, probe in enumerate(labels)
        )
        good = [
            0 < n <= MAX_FRAMES and (np.diff(steps) > 0).all() and steps[0] >= 0 and steps[-1] <= step,
            tuple(facts["parts"]) == names,
            *(
                maps.shape == (n, layers[kind], config.n_heads, len(probe[kind].queries), len(probe[kind].keys))
                and maps.dtype == np.uint8
                for p, probe in enumerate(labels)
                for kind, maps in frames[p].items()
            ),
        ]
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise InputError("its film does not fit its task") from error
    refuse(not all(good), "its film does not fit its task")
    return Film(
        steps=steps,
        curves=curves,
        parts=names,
        grad_norms=grad_norms,
        frames=frames,
        axes=labels,
        written=_answers(tensors, script, n),
        script=script,
    )


def _answers(tensors: dict[str, Tensor], script: Script, n: int) -> tuple[Written, ...]:
    """What the model wrote in n frames of its film; () in a file that does not say."""
    if "film.0.ids" not in tensors:
        return ()
    result = []
    for p, asked in enumerate(script.questions):
        parts = [tensors.get(f"film.{p}.{name}") for name in Written._fields]
        types = (torch.int32, torch.uint8)
        fits = all(
            part is not None and part.shape == (n, asked.length) and part.dtype == dtype
            for part, dtype in zip(parts, types, strict=True)
        )
        refuse(not fits, "what its film says does not fit its task")
        ids, chances = (part.numpy() for part in parts if part is not None)
        is_known = not ids.size or 0 <= ids.min() <= ids.max() < len(script.words)
        refuse(not is_known, "what its film says is not in its vocabulary")
        result.append(Written(ids, chances))
    return tuple(result)


def _numbers(values: Any, shape: tuple[int, ...], most: float) -> np.ndarray:
    """Numbers of a film, from 0 (but for rounding) to `most`; None is a value that was not measured."""
    result = np.array(values, dtype=float)
    if result.shape != shape or (result < -1e-6).any() or (result > most).any():
        raise ValueError
    return result


def check_runs(model: Model, weights: dict[str, Tensor], task: Task) -> None:
    """Refuse numbers that are finite one by one but too large for sums, and a model too short for its task."""
    model.load_state_dict(weights)
    with torch.inference_mode():
        for probe in task.probes[:1]:
            answers = forward_batch(model.eval(), batch_of(task, [probe])).logits
            is_number = bool(torch.isfinite(answers).all())
            refuse(not is_number, "what it answers to an example of its task are no numbers (NaN or infinity)")


def stages_of(facts: Any, tensors: dict[str, Tensor], model: Model, last: int) -> tuple[Stage, ...]:
    """The stages, if they are of this model and up to this step."""
    n = sum(p.numel() for p in model.parameters())
    wrong = "the stages of its training do not fit it"
    refuse(not isinstance(facts, list) or not 0 < len(facts) <= most_stages(n) or "stages" not in tensors, wrong)
    weights = tensors["stages"]
    refuse(weights.shape != (len(facts), n) or weights.dtype != torch.float16, wrong)
    refuse(not torch.isfinite(weights).all(), wrong)
    refuse(not all(isinstance(fact, list) and len(fact) == 2 and is_number(fact[1]) for fact in facts), wrong)
    refuse(not _is_rising([step for step, _ in facts], 1, last), wrong)
    return tuple(Stage(step, float(loss), row) for (step, loss), row in zip(facts, weights.numpy(), strict=True))
