"""Trained models as files: safetensors, with everything that is not a tensor as JSON in its header. No pickle.

A file is read as if a stranger had made it: `claims` checks what it says of itself before memory is taken for it.
"""

import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor

from attention_view import safetensors
from attention_view.stored import BadTensors, parsed
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.model import Model
from transformer.training import claims
from transformer.training.batches import build
from transformer.training.film import Film
from transformer.training.settings import Settings, Turn, settings_from
from transformer.training.stages import Stage, set_weights
from transformer.training.tasks.task import Task
from transformer.training.trainer import Trainer, parts
from transformer.training.writing import Written

VERSION = 1
MAX_BYTES = 64 * 2**20
MAX_HEADER = 2 * 2**20
MAX_FILM = 4 * 2**20
_KEY = "attention_lab"


class BadCheckpoint(InputError):
    """A file is not a checkpoint of this project, or not a whole one. The message names the fault."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Checkpoint:
    """A trained model and how it was trained.

    weights  by the names of the model's parameters
    moments  what the optimiser remembers, so that training can go on exactly; empty if it was left out
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
    return film.thinned(min(claims.MAX_FRAMES, max(2, MAX_FILM // max(1, a_frame))))


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
        raise InputError(f"it is of version {claims.short(facts.get('version'))}, and this is version {VERSION}")
    task = claims.task_of(facts.get("task"), facts.get("config"))
    config = claims.config_of(facts.get("config"), task)
    said = claims.plain(facts)
    settings, step = settings_from(said["settings"]), said["step"]
    turns = claims.turns_of(said["turns"], settings, config, step)
    tensors = read_tensors(data)
    model = build(task.kind, config, torch.Generator())
    weights = claims.weights_of(tensors, model)
    moments = claims.memory_of(tensors, weights, settings.optimiser)
    names = tuple(parts(model))
    film = claims.film_of(facts["film"], tensors, task, config, step, names) if "film" in facts else None
    stages = claims.stages_of(facts["stages"], tensors, model, step) if "stages" in facts else ()
    known = {"stages"} if stages else set()
    known |= {f"weights.{name}" for name in weights} | {f"moments.{name}" for name in moments}
    if film:
        known |= {f"film.{p}.{kind}" for p, probe in enumerate(film.frames) for kind in probe}
        known |= {f"film.{p}.{name}" for p in range(len(film.written)) for name in Written._fields}
    for name in sorted(tensors.keys() - known):
        raise InputError(f"nothing here is called {claims.short(name)}")
    claims.check_runs(model, weights, task)
    return Checkpoint(
        task=task,
        config=config,
        settings=settings,
        step=step,
        seconds=float(said["seconds"]),
        weights=weights,
        moments=moments,
        losses=tuple(said["losses"]),
        film=film,
        card=said["card"],
        turns=turns,
        stages=stages,
    )


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


def _plain(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON: five digits each, None in the place of NaN and of numbers beyond any scale."""
    return [float(f"{value:.5g}") if abs(value) <= claims.MAX_CURVE else None for value in values]


def _reason(error: Exception) -> str:
    """A reason for readers: the sentence of an InputError, but not a message of Python or torch."""
    if isinstance(error, InputError):
        return claims.short(error)
    if isinstance(error, SafetensorError):
        return "its tensors are not where it says; it may have been cut off on the way"
    return "it is not put together as a checkpoint is"
