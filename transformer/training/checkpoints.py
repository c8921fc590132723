"""Trained models as files: safetensors, with everything that is not a tensor as JSON in its header. No pickle.

A file is read as if a stranger had made it: what it says of itself is checked before memory is taken for it.
"""

import json
import math
import struct
from dataclasses import asdict, dataclass, field, fields, replace

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor, nn

from transformer.config import TransformerConfig
from transformer.training import tasks
from transformer.training.batches import build
from transformer.training.film import CURVES, Film, axes
from transformer.training.tasks.task import Task
from transformer.training.trainer import Settings, Trainer, settings_from

VERSION = 1
MOST_BYTES = 64 * 2**20
MOST_HEADER = 4 * 2**20
MOST_PARAMETERS = 8_000_000
_LIMITS = {
    "d_model": 1024, "d_ff": 8192, "n_heads": 64, "n_encoder_layers": 24, "n_decoder_layers": 24,
    "vocab_size": 60_000, "tgt_vocab_size": 60_000, "max_len": 8192, "n_buckets": 1024, "max_distance": 8192,
}  # fmt: skip
_KEY = "attention_lab"


class BadCheckpoint(ValueError):
    """A file that is not a checkpoint of this project, or not a whole one. Says what is wrong in a sentence."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Checkpoint:
    """A trained model and how it came about.

    weights  by the names of the model's parameters
    moments  what AdamW remembers, so that training can go on exactly; empty if it was left out
    card     what was measured on this model: names -> numbers or short texts
    """

    task: Task
    config: TransformerConfig
    settings: Settings
    step: int
    seconds: float
    weights: dict[str, Tensor]
    moments: dict[str, Tensor] = field(default_factory=dict)
    film: Film | None = None
    card: dict = field(default_factory=dict)

    def model(self) -> nn.Module:
        """The model in evaluation mode."""
        model = build(self.task.kind, self.config, torch.Generator().manual_seed(0))
        model.load_state_dict(self.weights)
        return model.eval()

    def trainer(self, steps: int | None = None) -> Trainer:
        """A trainer that goes on from here; `steps` says until where (None: as was planned)."""
        settings = self.settings if steps is None else replace(self.settings, steps=steps)
        trainer = Trainer(self.task, self.config, settings)
        trainer.resume(self.weights, self.moments, self.step, self.seconds)
        return trainer


def checkpoint_of(trainer: Trainer, film: Film | None = None, card: dict | None = None) -> Checkpoint:
    """How the trainer stands now; later steps do not change it."""
    return Checkpoint(
        task=trainer.task,
        config=trainer.config,
        settings=trainer.settings,
        step=trainer.step,
        seconds=trainer.seconds,
        weights={name: p.detach().cpu().clone() for name, p in trainer.model.named_parameters()},
        moments={name: moment.cpu().clone() for name, moment in trainer.moments().items()},
        film=film,
        card=card or {},
    )


def save(checkpoint: Checkpoint, *, half: bool = False, moments: bool = True) -> bytes:
    """The file. half=True keeps 16 bits of every weight; moments=False leaves out what only more training needs."""
    kind = torch.float16 if half else torch.float32
    tensors = {f"weights.{name}": tensor.to(kind).contiguous() for name, tensor in checkpoint.weights.items()}
    if moments:
        tensors |= {f"moments.{name}": tensor.contiguous() for name, tensor in checkpoint.moments.items()}
    said = {
        "version": VERSION,
        "task": {"name": checkpoint.task.name, "settings": checkpoint.task.settings},
        "config": asdict(checkpoint.config),
        "settings": asdict(checkpoint.settings),
        "step": checkpoint.step,
        "seconds": checkpoint.seconds,
        "card": checkpoint.card,
    }
    if checkpoint.film:
        film = checkpoint.film
        said["film"] = {
            "steps": film.steps.tolist(),
            "parts": film.parts,
            "curves": {name: _plain(curve) for name, curve in film.curves.items()},
            "grad_norms": [_plain(row) for row in film.grad_norms],
        }
        for p, probe in enumerate(film.frames):
            tensors |= {f"film.{p}.{kind}": torch.from_numpy(maps.copy()) for kind, maps in probe.items()}
    return write_tensors(tensors, {_KEY: json.dumps(said, allow_nan=False)})


def load(data: bytes) -> Checkpoint:
    """A checkpoint from the bytes of a file. Raises BadCheckpoint with a sentence, whatever the bytes are."""
    if len(data) > MOST_BYTES:
        raise BadCheckpoint(f"The file has {len(data) / 2**20:.0f} MB; the most that is read is {MOST_BYTES >> 20} MB.")
    said = _header(data)
    try:
        if said.get("version") != VERSION:
            raise ValueError(f"it is of version {said.get('version')!r:.20}, and this is version {VERSION}")
        task = _task(said.get("task"))
        config = _config(said.get("config"), task)
        settings = settings_from(_dict(said, "settings"))
        step = _number(said, "step", 0, 10_000_000)
        seconds = _number(said, "seconds", 0, 1e9)
        card = _card(said.get("card", {}))
        tensors = read_tensors(data)
        weights = _weights(tensors, task, config)
        moments = _moments(tensors, weights)
        film = _film(said["film"], tensors, task, config) if "film" in said else None
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError, SafetensorError) as error:
        raise BadCheckpoint(f"The file cannot be used: {_short(error)}.") from error
    return Checkpoint(
        task=task, config=config, settings=settings, step=int(step), seconds=float(seconds),
        weights=weights, moments=moments, film=film, card=card,
    )  # fmt: skip


def _header(data: bytes) -> dict:
    """What the file says of itself, from the JSON at its beginning."""
    not_ours = "The file is not a checkpoint of Attention Lab: "
    if data[:2] == b"PK" or data[:1] == b"\x80":
        raise BadCheckpoint(not_ours + "it is a pickle, which could run any code. Save it as safetensors.")
    if len(data) < 8:
        raise BadCheckpoint(not_ours + "it is too short.")
    (size,) = struct.unpack("<Q", data[:8])
    if not 2 <= size <= min(MOST_HEADER, len(data) - 8):
        raise BadCheckpoint(not_ours + "its header does not fit in it; it may have been cut off on the way.")
    try:
        header = json.loads(data[8 : 8 + size])
        said = json.loads(header["__metadata__"][_KEY])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadCheckpoint(not_ours + "it does not say which task it was trained on.") from error
    if not isinstance(said, dict):
        raise BadCheckpoint(not_ours + "it does not say which task it was trained on.")
    return said


def _task(said) -> Task:
    settings = _dict(said, "settings")
    if not isinstance(said.get("name"), str):
        raise ValueError("it does not name its task")
    return tasks.make(said["name"], **settings)


def _config(said, task: Task) -> TransformerConfig:
    known = {f.name for f in fields(TransformerConfig)}
    if not isinstance(said, dict) or set(said) != known:
        raise ValueError("its hyperparameters are not those of a Transformer of this project")
    for name, most in _LIMITS.items():
        value = said[name]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise ValueError(f"{name}={_short(value)} must be a whole number up to {most:,}")
    config = TransformerConfig(**said)
    if (config.vocab_size, config.tgt_vocab_size) != (len(task.source), len(task.target)):
        raise ValueError("its vocabulary is not that of its task")
    count = at_least(config, task.kind)
    if count > MOST_PARAMETERS:
        raise ValueError(f"it would have over {count:,} parameters; the most that is read is {MOST_PARAMETERS:,}")
    return config


def at_least(config: TransformerConfig, kind: str) -> int:
    """Fewer parameters than this a model with this config cannot have: its tables and its large matrices."""
    D, F = config.d_model, config.d_ff
    layer = 2 * D * D + 2 * D * config.n_kv_heads * config.d_k + 2 * D * F
    encoder = config.n_encoder_layers * layer if kind != "decoder" else 0
    decoder = config.n_decoder_layers * layer if kind != "encoder" else 0
    rows = config.vocab_size + (config.max_len if config.positions == "learned" else 0)
    return encoder + decoder + rows * D


def _weights(tensors: dict[str, Tensor], task: Task, config: TransformerConfig) -> dict[str, Tensor]:
    """The weights as float32, if they are exactly those that this model has, and all of them numbers."""
    wanted = {name: p.shape for name, p in build(task.kind, config, torch.Generator()).named_parameters()}
    found = {name.removeprefix("weights."): tensor for name, tensor in tensors.items() if name.startswith("weights.")}
    for name in sorted(wanted.keys() ^ found.keys()):
        raise ValueError(f"the weights {_short(name)} are {'missing' if name in wanted else 'too many'}")
    for name, tensor in found.items():
        if tensor.shape != wanted[name]:
            raise ValueError(f"{name} has shape {tuple(tensor.shape)} instead of {tuple(wanted[name])}")
        if tensor.dtype not in (torch.float16, torch.bfloat16, torch.float32):
            raise ValueError(f"{name} is not made of 16 or 32 bit numbers")
        if not torch.isfinite(tensor).all():
            raise ValueError(f"{name} holds values that are no numbers (NaN or infinity)")
    return {name: found[name].float() for name in wanted}


def _moments(tensors: dict[str, Tensor], weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """AdamW's memory, whole and fitting, or none at all."""
    found = {name.removeprefix("moments."): tensor for name, tensor in tensors.items() if name.startswith("moments.")}
    if not found:
        return {}
    wanted = {
        f"{moment}.{name}": weight.shape for name, weight in weights.items() for moment in ("exp_avg", "exp_avg_sq")
    }
    fits = {name: t.shape for name, t in found.items()} == wanted
    good = fits and all(t.dtype == torch.float32 and torch.isfinite(t).all() for t in found.values())
    if not good or any((t < 0).any() for name, t in found.items() if name.startswith("exp_avg_sq")):
        raise ValueError("what the optimiser remembers does not fit the weights")
    return found


def _film(said, tensors: dict[str, Tensor], task: Task, config: TransformerConfig) -> Film:
    steps = np.array(said["steps"], dtype=np.int64)
    n = len(steps)
    curves = {name: np.array(said["curves"][name], dtype=float) for name in CURVES}
    parts = tuple(map(str, said["parts"]))
    grad_norms = np.array(said["grad_norms"], dtype=float)
    labels = tuple(axes(task, probe) for probe in task.probes)
    frames = tuple({kind: tensors[f"film.{p}.{kind}"].numpy() for kind in probe} for p, probe in enumerate(labels))
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers, "cross": config.n_decoder_layers}
    shapes = [
        maps.shape == (n, layers[kind], config.n_heads, len(probe[kind].queries), len(probe[kind].keys))
        and maps.dtype == np.uint8
        for p, probe in enumerate(labels)
        for kind, maps in frames[p].items()
    ]
    rising = steps.ndim == 1 and n > 0 and (np.diff(steps) > 0).all()
    if (
        not rising
        or not all(shapes)
        or any(c.shape != (n,) for c in curves.values())
        or grad_norms.shape != (n, len(parts))
    ):
        raise ValueError("its film does not fit its task")
    return Film(steps=steps, curves=curves, parts=parts, grad_norms=grad_norms, frames=frames, axes=labels)


def _card(said) -> dict:
    """A card is shown to people: short names with numbers or short texts, not many."""
    if not isinstance(said, dict) or len(said) > 40:
        raise ValueError("its card is not a short list of measurements")
    plain = {k: v for k, v in said.items() if isinstance(v, str | int | float) and len(str(v)) <= 500 and len(k) <= 60}
    if len(plain) != len(said):
        raise ValueError("its card is not a short list of measurements")
    return plain


def _dict(said, name: str) -> dict:
    value = said.get(name) if isinstance(said, dict) else None
    if not isinstance(value, dict):
        raise ValueError(f"its {name} are missing")
    return value


def _number(said: dict, name: str, least: float, most: float) -> float:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise ValueError(f"its {name} must be a number from {least} to {most:,}")
    return value


def _plain(values: np.ndarray) -> list[float | None]:
    """Numbers for JSON: five digits, None for what is none."""
    return [float(f"{value:.5g}") if math.isfinite(value) else None for value in values]


def _short(said: object) -> str:
    text = " ".join(str(said).split()).rstrip(".")
    return text if len(text) <= 200 else text[:199] + "…"
