"""Trained models as files: safetensors, with everything that is not a tensor as JSON in its header. No pickle.

A file is read as if a stranger had made it: what it says of itself is checked before memory is taken for it.
"""

import json
import math
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor, nn

from attention_view import safetensors
from attention_view.stored import BadTensors, parsed
from transformer.core.checks import InputError, is_number, is_whole
from transformer.core.config import TransformerConfig
from transformer.core.model import Model
from transformer.training import tasks
from transformer.training.batches import batch_of, build, forward_batch
from transformer.training.film import CURVES, Film, Script, axes, script_of
from transformer.training.settings import Knobs, Settings, Turn, settings_from, turned
from transformer.training.stages import Stage, most_stages, set_weights
from transformer.training.tasks.asking import with_probe
from transformer.training.tasks.task import Task
from transformer.training.text import clean
from transformer.training.trainer import Trainer, parts
from transformer.training.writing import Written

VERSION = 1
MAX_BYTES = 64 * 2**20
MAX_HEADER = 2 * 2**20
MAX_FILM = 4 * 2**20
MAX_FRAMES = 1000
MAX_TURNS = 200
MAX_PARAMETERS = 5_000_000  # what AdamW remembers is twice as much again, and all of it fits in MAX_BYTES
MAX_HEADS = 192  # of all layers together: each has a map of attention, and all of them are kept
_LIMITS = {
    "d_model": 1024, "d_ff": 8192, "n_heads": 64, "n_encoder_layers": 24, "n_decoder_layers": 24,
    "vocab_size": 60_000, "tgt_vocab_size": 60_000, "max_len": 8192, "n_buckets": 1024, "max_distance": 8192,
    "head_width": 1024, "n_segments": 1024, "position_offset": 1024, "window": 60_000,
    "n_experts": 64, "top_k": 64,
}  # fmt: skip
MAX_CURVE = 1e30  # of a curve of the film: what lies beyond cannot be drawn, and no training that goes on comes near
_MOST = {"accuracy": 1.0, "exact": 1.0, "seconds": 1e9}  # of the other curves
_KEY = "attention_lab"


class BadCheckpoint(InputError):
    """A file is not a checkpoint of this project, or not a whole one. The message names the fault."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Checkpoint:
    """A trained model and how it was trained.

    weights  by the names of the model's parameters
    moments  what AdamW remembers, so that training can go on exactly; empty if it was left out
    losses   those since the last snapshot, for the same reason
    card     what was measured on this model: names -> numbers or short texts
    turns    of the knobs on the way, in the order of their steps
    stages   of the model on the way, in the order of their steps; () where none were kept
    """

    task: Task
    config: TransformerConfig
    settings: Settings
    step: int
    seconds: float
    weights: dict[str, Tensor]
    moments: dict[str, Tensor] = field(default_factory=dict)
    losses: tuple[float, ...] = ()
    film: Film | None = None
    card: dict = field(default_factory=dict)
    turns: tuple[Turn, ...] = ()
    stages: tuple[Stage, ...] = ()

    def model(self) -> Model:
        """The model in evaluation mode."""
        model = build(self.task.kind, self.config, torch.Generator().manual_seed(0))
        model.load_state_dict(self.weights)
        return model.eval()

    def model_before(self) -> Model:
        """The model as it was before its first step, in evaluation mode: the weights that the training's seed draws."""
        return build(self.task.kind, self.config, torch.Generator().manual_seed(self.settings.seed)).eval()

    @property
    def stops(self) -> tuple[int, ...]:
        """The steps at which the model can be had: before the first, at every stage, and now."""
        return tuple(sorted({0, *(stage.step for stage in self.stages), self.step}))

    def model_at(self, step: int) -> Model:
        """The model at one of its stops, in evaluation mode. Raises KeyError for another step."""
        if step == self.step:
            return self.model()
        model = self.model_before()
        if step:
            set_weights(model, {stage.step: stage for stage in self.stages}[step])
        return model

    def trainer(self, steps: int | None = None) -> Trainer:
        """A trainer that continues from here up to step `steps` (None: up to the planned one)."""
        settings = self.settings if steps is None else replace(self.settings, steps=steps)
        trainer = Trainer(self.task, self.config, settings)
        trainer.resume(self.weights, self.moments, self.step, self.seconds, self.losses)
        trainer.turns = self.turns
        return trainer


def checkpoint_of(trainer: Trainer, film: Film | None = None, card: dict | None = None) -> Checkpoint:
    """The trainer's present state as a checkpoint; later steps do not change it."""
    return Checkpoint(
        task=trainer.task,
        config=trainer.config,
        settings=trainer.settings,
        step=trainer.step,
        seconds=trainer.seconds,
        weights={name: p.detach().cpu().clone() for name, p in trainer.model.named_parameters()},
        moments={name: moment.cpu().clone() for name, moment in trainer.moments().items()},
        losses=tuple(trainer.losses),
        film=film,
        card=card or {},
        turns=_until(trainer.turns, trainer.step),
    )


def save(checkpoint: Checkpoint, *, half: bool = False, moments: bool = True) -> bytes:
    """The bytes of a checkpoint file.

    half=True keeps 16 bits per weight; moments=False leaves out the optimiser's state, which only more training needs.
    A long film is thinned until it fits. Raises InputError for a model that load() would refuse.
    """
    tensors = {f"weights.{name}": _kept(tensor, half) for name, tensor in checkpoint.weights.items()}
    if moments:
        tensors |= {f"moments.{name}": tensor.contiguous() for name, tensor in checkpoint.moments.items()}
    facts = {
        "version": VERSION,
        "task": {
            "name": checkpoint.task.name,
            "settings": checkpoint.task.settings,
            **({"probe": checkpoint.task.own_probe} if checkpoint.task.own_probe else {}),
        },
        "config": asdict(checkpoint.config),
        "settings": asdict(checkpoint.settings),
        "step": checkpoint.step,
        "seconds": checkpoint.seconds,
        "losses": checkpoint.losses if moments else (),
        "card": checkpoint.card,
        **({"turns": checkpoint.turns} if checkpoint.turns else {}),
    }
    if checkpoint.stages:
        facts, tensors = _with_stages(facts, tensors, checkpoint.stages)
    return _packed(facts, tensors, checkpoint.film)


def with_film(
    data: bytes, film: Film | None, card: dict, turns: Sequence[Turn] = (), stages: Sequence[Stage] = ()
) -> bytes:
    """The bytes of a checkpoint without a film, with this one up to its step, and with this card, turns and stages.

    Much quicker than load() and save(), and for bytes of our own: nothing is checked. Raises InputError as save does.
    """
    facts: dict[str, Any] = {**_header(data), "card": card}
    facts |= {"turns": _until(turns, facts["step"])} if turns else {}
    tensors = read_tensors(data)
    if stages := [stage for stage in stages if stage.step <= facts["step"]]:
        facts, tensors = _with_stages(facts, tensors, stages)
    return _packed(facts, tensors, film and film.until(facts["step"]))


def _with_stages(facts: dict, tensors: dict[str, Tensor], stages: Sequence[Stage]) -> tuple[dict, dict[str, Tensor]]:
    said = [[stage.step, float(f"{stage.loss:.5g}")] for stage in stages]
    return {**facts, "stages": said}, {**tensors, "stages": torch.from_numpy(np.stack([s.weights for s in stages]))}


def _until(turns: Sequence[Turn], step: int) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if turn.step <= step)


def _packed(facts: dict, tensors: dict[str, Tensor], film: Film | None) -> bytes:
    if film:
        film = _thinned(film)
        facts["film"] = {
            "steps": film.steps.tolist(),
            "parts": film.parts,
            "curves": {name: _plain(curve) for name, curve in film.curves.items()},
            "grad_norms": [_plain(row) for row in film.grad_norms],
        }
        for p, probe in enumerate(film.frames):
            tensors |= {f"film.{p}.{kind}": torch.from_numpy(maps.copy()) for kind, maps in probe.items()}
        for p, written in enumerate(film.written):
            tensors |= {f"film.{p}.{name}": torch.from_numpy(part.copy()) for name, part in written._asdict().items()}
    data = write_tensors(tensors, {_KEY: json.dumps(facts, allow_nan=False, ensure_ascii=False)})
    (header,) = struct.unpack("<Q", data[:8])
    if len(data) > MAX_BYTES or header > MAX_HEADER:
        raise InputError("this model is too large to be kept in a file; a smaller d_model or fewer layers would fit")
    return data


def _kept(weights: Tensor, half: bool) -> Tensor:
    fits = half and weights.abs().max() <= torch.finfo(torch.float16).max
    return weights.to(torch.float16 if fits else torch.float32).contiguous()


def _thinned(film: Film) -> Film:
    a_frame = sum(maps[0].nbytes for probe in film.frames for maps in probe.values())
    return film.thinned(min(MAX_FRAMES, max(2, MAX_FILM // max(1, a_frame))))


def load(data: bytes) -> Checkpoint:
    """The checkpoint in the bytes of a file. Raises BadCheckpoint, and nothing else, whatever the bytes are."""
    if len(data) > MAX_BYTES:
        raise BadCheckpoint(f"The file has {len(data) / 2**20:.0f} MB; the most that is read is {MAX_BYTES >> 20} MB.")
    facts = _header(data)
    try:
        return _checkpoint(facts, data)
    except Exception as error:  # whatever a stranger's file does to those who read it, the file is to blame
        raise BadCheckpoint(f"The file cannot be used: {_reason(error)}.") from error


def _checkpoint(facts: dict, data: bytes) -> Checkpoint:
    if facts.get("version") != VERSION:
        raise InputError(f"it is of version {_short(facts.get('version'))}, and this is version {VERSION}")
    task = _task(facts.get("task"))
    config = _config(facts.get("config"), task)
    settings = settings_from(_dict(facts, "settings"))
    step = _whole(facts, "step", 0, 10_000_000)
    seconds = _number(facts, "seconds", 0, 1e9)
    losses = _losses(facts.get("losses", []))
    card = _card(facts.get("card", {}))
    turns = _turns(facts.get("turns", []), settings, config, step)
    tensors = read_tensors(data)
    model = build(task.kind, config, torch.Generator())
    weights = _weights(tensors, model)
    moments = _moments(tensors, weights)
    film = _film(facts["film"], tensors, task, config, step, tuple(parts(model))) if "film" in facts else None
    stages = _stages(facts["stages"], tensors, model, step) if "stages" in facts else ()
    known = (
        ["stages"] * bool(stages) + [f"weights.{name}" for name in weights] + [f"moments.{name}" for name in moments]
    )
    known += [f"film.{p}.{kind}" for p, probe in enumerate(film.frames if film else ()) for kind in probe]
    known += [f"film.{p}.{name}" for p in range(len(film.written) if film else 0) for name in Written._fields]
    for name in sorted(tensors.keys() - set(known)):
        raise InputError(f"nothing here is called {_short(name)}")
    _check_runs(model, weights, task)
    return Checkpoint(
        task=task, config=config, settings=settings, step=step, seconds=float(seconds),
        weights=weights, moments=moments, losses=losses, film=film, card=card, turns=turns, stages=stages,
    )  # fmt: skip


def _header(data: bytes) -> dict:
    """The file's description of itself, from the JSON at its beginning."""
    not_ours = "The file is not a checkpoint of Attention Lab: "
    # Safetensors may begin with the same bytes, the length of the header; but then the header follows, a JSON object.
    if data[8:9] != b"{" and (what := _other_format(data)):
        raise BadCheckpoint(f"{not_ours}it is {what}.")
    try:
        _, texts = safetensors.header(lambda start, stop: data[start:stop], len(data), MAX_HEADER, MAX_HEADER)
        facts = parsed(texts[_KEY], "what it says of itself")
    except BadTensors as error:
        raise BadCheckpoint(f"{not_ours}{error.fault}.") from error
    except (TypeError, KeyError) as error:
        raise BadCheckpoint(not_ours + "it does not say which task it was trained on.") from error
    if not isinstance(facts, dict):
        raise BadCheckpoint(not_ours + "it does not say which task it was trained on.")
    return facts


def _other_format(data: bytes) -> str:
    """What a file is that begins as files of other programs do; "" if it does not. Nothing of it is opened."""
    pickled = "a pickle, which could run any code. Save it as safetensors"
    if data[:1] == b"\x80":
        return pickled
    if data[:6] == b"\x93NUMPY":
        return "an array of NumPy (.npy). Bring a model that was saved on this page"
    if data[:2] != b"PK":
        return ""
    (length,) = struct.unpack("<H", data[26:28].ljust(2, b"\0"))
    name = data[30 : 30 + length]  # of the first file in a zip archive
    if name.endswith(b".npy"):
        return "an archive of NumPy's arrays (.npz). Bring a model that was saved on this page"
    return pickled if b"data.pkl" in data[:65_536] else "a zip archive. Unpack it, and bring the model that is in it"


def _task(facts: Any) -> Task:
    settings = _dict(facts, "settings")
    if not isinstance(facts.get("name"), str):
        raise InputError("it does not name its task")
    task = tasks.make(facts["name"], **settings)
    if "probe" in facts:
        if not isinstance(facts["probe"], str):
            raise InputError("what it was asked is no text")
        task = with_probe(task, facts["probe"])
    if not task.probes:
        raise InputError("its task has so few examples that none is kept for the test, so there is nothing to show")
    return task


def _config(facts: Any, task: Task) -> TransformerConfig:
    names = [f.name for f in fields(TransformerConfig)]
    first = names[: names.index("norm_eps") + 1]  # files that were saved before there were more lack the rest
    if not isinstance(facts, dict) or not set(first) <= set(facts) <= set(names):
        raise InputError("its hyperparameters are not those of a Transformer of this project")
    for name, maximum in _LIMITS.items():
        value = facts.get(name)
        if value is None and name not in first:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= maximum:
            raise InputError(f"{name}={_short(value)} must be a whole number up to {maximum:,}")
    sizes = {"image_size": None} | task.sizes
    if any(facts.get(name) != value for name, value in sizes.items() if "vocab" not in name):
        raise InputError("its patches are not those of its task" if task.sight else "it reads pictures, its task texts")
    config = TransformerConfig(**facts)
    if {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers}.get(task.kind) == 0:
        raise InputError("it has no layers, so there is no attention to show")
    heads = config.n_heads * max(config.n_encoder_layers, config.n_decoder_layers)
    if heads > MAX_HEADS:
        raise InputError(f"it would have {heads:,} heads in all; the most that is read is {MAX_HEADS}")
    if (config.vocab_size, config.tgt_vocab_size) != (len(task.source), len(task.target)):
        raise InputError("its vocabulary is not that of its task")
    count = min_parameters(config, task.kind)
    if count > MAX_PARAMETERS:
        raise InputError(f"it would have over {count:,} parameters; the most that is read is {MAX_PARAMETERS:,}")
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


def _weights(tensors: dict[str, Tensor], model: nn.Module) -> dict[str, Tensor]:
    """The weights as float32, if they are exactly those that this model has, and all of them numbers."""
    wanted = {name: p.shape for name, p in model.named_parameters()}
    result = {name.removeprefix("weights."): tensor for name, tensor in tensors.items() if name.startswith("weights.")}
    for name in sorted(wanted.keys() ^ result.keys()):
        raise InputError(f"the weights {_short(name)} are {'missing' if name in wanted else 'too many'}")
    for name, tensor in result.items():
        if tensor.shape != wanted[name]:
            raise InputError(f"{name} has shape {tuple(tensor.shape)} instead of {tuple(wanted[name])}")
        if tensor.dtype not in (torch.float16, torch.bfloat16, torch.float32):
            raise InputError(f"{name} is not made of 16 or 32 bit numbers")
        if not torch.isfinite(tensor).all():
            raise InputError(f"{name} holds values that are no numbers (NaN or infinity)")
    return {name: result[name].float() for name in wanted}


def _moments(tensors: dict[str, Tensor], weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """AdamW's memory, whole and fitting, or none at all."""
    result = {name.removeprefix("moments."): tensor for name, tensor in tensors.items() if name.startswith("moments.")}
    if not result:
        return {}
    # Of parameters that nothing depends on AdamW remembers nothing, but of the others it has both.
    wanted = {
        f"{moment}.{name}": weight.shape
        for name, weight in weights.items()
        for moment in ("exp_avg", "exp_avg_sq")
        if f"exp_avg.{name}" in result
    }
    fits = {name: t.shape for name, t in result.items()} == wanted
    good = fits and all(t.dtype == torch.float32 and torch.isfinite(t).all() for t in result.values())
    if not good or any((t < 0).any() for name, t in result.items() if name.startswith("exp_avg_sq")):
        raise InputError("what the optimiser remembers does not fit the weights")
    return result


def _film(
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
    if not all(good):
        raise InputError("its film does not fit its task")
    return Film(
        steps=steps, curves=curves, parts=names, grad_norms=grad_norms, frames=frames, axes=labels,
        written=_answers(tensors, script, n), script=script,
    )  # fmt: skip


def _answers(tensors: dict[str, Tensor], script: Script, n: int) -> tuple[Written, ...]:
    """What the model wrote in n frames of its film; () in a file that does not say."""
    if "film.0.ids" not in tensors:
        return ()
    result = []
    for p, asked in enumerate(script.questions):
        parts = [tensors.get(f"film.{p}.{name}") for name in Written._fields]
        types = (torch.int32, torch.uint8)
        if not all(
            part is not None and part.shape == (n, asked.length) and part.dtype == dtype
            for part, dtype in zip(parts, types, strict=True)
        ):
            raise InputError("what its film says does not fit its task")
        ids, chances = (part.numpy() for part in parts if part is not None)
        if ids.size and not 0 <= ids.min() <= ids.max() < len(script.words):
            raise InputError("what its film says is not in its vocabulary")
        result.append(Written(ids, chances))
    return tuple(result)


def _numbers(values: Any, shape: tuple[int, ...], most: float) -> np.ndarray:
    """Numbers of a film, from 0 (but for rounding) to `most`; None is a value that was not measured."""
    result = np.array(values, dtype=float)
    if result.shape != shape or (result < -1e-6).any() or (result > most).any():
        raise ValueError
    return result


def _check_runs(model: Model, weights: dict[str, Tensor], task: Task) -> None:
    """Refuse numbers that are finite one by one but too large for sums, and a model too short for its task."""
    model.load_state_dict(weights)
    with torch.inference_mode():
        for probe in task.probes[:1]:
            if not torch.isfinite(forward_batch(model.eval(), batch_of(task, [probe])).logits).all():
                raise InputError("what it answers to an example of its task are no numbers (NaN or infinity)")


def _losses(facts: Any) -> tuple[float, ...]:
    is_list = isinstance(facts, list) and all(isinstance(x, float) and math.isfinite(x) for x in facts)
    if not is_list:
        raise InputError("its losses are not a list of numbers")
    return tuple(facts)


def _stages(facts: Any, tensors: dict[str, Tensor], model: Model, last: int) -> tuple[Stage, ...]:
    """The stages, if they are of this model and up to this step."""
    n = sum(p.numel() for p in model.parameters())
    wrong = InputError("the stages of its training do not fit it")
    if not isinstance(facts, list) or not 0 < len(facts) <= most_stages(n) or "stages" not in tensors:
        raise wrong
    weights = tensors["stages"]
    if weights.shape != (len(facts), n) or weights.dtype != torch.float16 or not torch.isfinite(weights).all():
        raise wrong
    if not all(isinstance(fact, list) and len(fact) == 2 and is_number(fact[1]) for fact in facts):
        raise wrong
    steps = [step for step, _ in facts]
    if not all(is_whole(step) and 0 < step <= last for step in steps) or steps != sorted(set(steps)):
        raise wrong
    return tuple(Stage(step, float(loss), row) for (step, loss), row in zip(facts, weights.numpy(), strict=True))


def _turns(facts: Any, settings: Settings, config: TransformerConfig, last: int) -> tuple[Turn, ...]:
    if not isinstance(facts, list) or len(facts) > MAX_TURNS:
        raise InputError("the turns of its knobs are not a short list")
    try:
        turns = tuple(Turn(step, Knobs(*knobs)) for step, knobs in facts)
    except (TypeError, ValueError) as error:
        raise InputError("the turns of its knobs are not put together as they should be") from error
    steps = [turn.step for turn in turns]
    if not all(is_whole(step) and 0 <= step <= last for step in steps) or steps != sorted(set(steps)):
        raise InputError("the turns of its knobs are not in the order of its steps")
    for turn in turns:
        turned(settings, config, turn.knobs)
    return turns


def _card(facts: Any) -> dict:
    """A card is shown to people: short names with numbers or short texts, not many."""
    if not isinstance(facts, dict) or len(facts) > 40:
        raise InputError("its card is not a short list of measurements")
    for name, value in facts.items():
        is_number = isinstance(value, int | float) and abs(value) < 1e18
        is_short = isinstance(value, str) and len(value) <= 500 and _is_text(value)
        if len(name) > 60 or not _is_text(name) or not (is_number or is_short):
            raise InputError("its card is not a short list of measurements")
    return facts


def _is_text(value: str) -> bool:
    """Whether it can be written: half a surrogate pair, which JSON can hold, cannot."""
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _dict(facts: Any, name: str) -> dict:
    value = facts.get(name) if isinstance(facts, dict) else None
    if not isinstance(value, dict):
        raise InputError(f"its {name} are missing")
    return value


def _number(facts: dict, name: str, minimum: float, maximum: float) -> float:
    value = facts.get(name)
    if not is_number(value) or not minimum <= value <= maximum:
        raise InputError(f"its {name} must be a number from {minimum} to {maximum:,}")
    return value


def _whole(facts: dict, name: str, minimum: int, maximum: int) -> int:
    value = facts.get(name)
    if not is_whole(value) or not minimum <= value <= maximum:
        raise InputError(f"its {name} must be a number from {minimum} to {maximum:,}")
    return value


def _plain(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON: five digits each, None in the place of NaN and of numbers beyond any scale."""
    return [float(f"{value:.5g}") if abs(value) <= MAX_CURVE else None for value in values]


def _reason(error: Exception) -> str:
    """A reason for readers: the sentence of an InputError, but not a message of Python or torch."""
    if isinstance(error, InputError):
        return _short(error)
    if isinstance(error, SafetensorError):
        return "its tensors are not where it says; it may have been cut off on the way"
    return "it is not put together as a checkpoint is"


def _short(value: object) -> str:
    text = " ".join(clean(str(value)).split()).rstrip(".")
    return text if len(text) <= 200 else text[:199] + "…"
