"""The settings of a training as they are called on screen, and the plan that they make.

values = usual(TASKS["reverse"])._replace(heads=2)
plan_of(values).config.n_heads    # 2
values_of(plan_of(values))        # the same values
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from lab.kit.controls.hyperparameters import LAYER_NORMS, POSITIONS, SCALINGS
from pages.live.controls import (
    CONTROLS,
    FOR_ALL,
    FOR_TWO,
    KV_HEADS,
    LOOK_AHEAD,
    PARTS,
    READING,
    SCALED_EMBEDDINGS,
    TIED,
    Parts,
)
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.training.plan import Plan
from transformer.training.settings import Settings
from transformer.training.tasks import TASKS
from transformer.training.tasks.task import Declaration

BY_LABEL = {task.label: task for task in TASKS.values() if not task.takes_long}


class Values(NamedTuple):
    """What every control stands on, in the order in which they are asked; of one that a task has not, the usual."""

    task: str
    d_model: int
    heads: int
    layers: int
    positions: str
    dropout: float
    patch: int
    reads: str
    d_ff: int
    norm: str
    scores: str
    embedding: str
    output: str
    longest: int
    mask: str
    attention: str
    norm_kind: str
    activation: str
    kv_heads: str
    experts: str
    steps: int
    batch: int
    schedule: str
    lr: float
    warmup: int
    examples: int
    augment: float
    seed: int
    decay: float
    smoothing: float
    clip: float
    level: str
    window: int

    @property
    def declaration(self) -> Declaration:
        """The task that was chosen."""
        return BY_LABEL[self.task]

    @property
    def following(self) -> dict[str, Any]:
        """The settings that follow from others, as long as nobody sets them."""
        is_noam = self.schedule == "Noam"
        warmup = max(1, self.steps // (5 if is_noam else 10))
        return {"d_ff": 4 * self.d_model, "warmup": warmup, **({"lr": 1.0} if is_noam else {})}


@cache
def usual(task: Declaration) -> Values:
    """What all controls are set to as long as nobody changes one: the recipe of the task."""
    made = {name: CONTROLS[name].default for name in ("longest", "window", "level", "patch", "reads")}
    values = _values(task, task.recipe.config, task.recipe.settings, made)
    return values._replace(d_ff=values.following["d_ff"], warmup=values.following["warmup"])


def values_of(plan: Plan) -> Values:
    """What the controls would be set to for this plan."""
    task, made = TASKS[plan.task], plan.task_settings
    first = usual(task)
    found = {name: made.get(key, getattr(first, name)) for name, key in _made_of(task).items()}
    if "reads" in made:
        found["reads"] = _label(READING, made["reads"])
    return _values(task, plan.config, plan.settings, first._asdict() | found)


def _made_of(task: Declaration) -> dict[str, str]:
    """Which settings make the task itself, each with what it is called there."""
    if task.reads_pictures:
        return {"patch": "patch_size", "reads": "reads"}
    if task.needs_text:
        return {"level": "level", "window": "length"}
    return {"longest": "longest"} if task.max_length else {}


def _values(task: Declaration, config: TransformerConfig, training: Settings, made: Mapping[str, Any]) -> Values:
    """As the controls call them; made: what makes the task."""
    return Values(
        task=task.label,
        d_model=config.d_model,
        heads=config.n_heads,
        layers=max(config.n_encoder_layers, config.n_decoder_layers),
        positions=_label(POSITIONS, config.positions),
        dropout=config.dropout,
        patch=made["patch"],
        reads=made["reads"],
        d_ff=config.d_ff,
        norm=_label(LAYER_NORMS, config.norm),
        scores=_label(SCALINGS, config.scaled),
        embedding=_label(SCALED_EMBEDDINGS, config.scale_embeddings),
        output=_label(TIED, config.tie_output),
        longest=made["longest"],
        mask=_label(LOOK_AHEAD, training.look_ahead),
        **{name: _part(table, config) for name, table in PARTS.items()},
        kv_heads=next(label for label in KV_HEADS if n_kv_heads(label, config.n_heads) <= config.n_kv_heads),
        steps=training.steps,
        batch=training.batch_size,
        schedule=training.schedule,
        lr=float(training.lr),
        warmup=training.warmup,
        examples=training.n_examples,
        augment=training.augment,
        seed=training.seed,
        decay=training.weight_decay,
        smoothing=training.label_smoothing,
        clip=training.clip,
        level=made["level"],
        window=made["window"],
    )


def _label(table: Mapping[str, object], value: object) -> str:
    """How a control calls this value."""
    for label, meaning in table.items():
        if meaning == value:
            return label
    raise InputError(f"this page has no control for {value!r}, which that model was built with")


def _part(table: Parts, config: TransformerConfig) -> str:
    """How a control calls this part of a model; of one that no control makes, as an upload may have it, the first."""
    usual = TransformerConfig()
    names = {name for fields in table.values() for name in fields}
    actual = {name: getattr(config, name) for name in names}
    wanted = ({name: fields.get(name, getattr(usual, name)) for name in names} for fields in table.values())
    return next((label for label, part in zip(table, wanted, strict=True) if part == actual), next(iter(table)))


def kv_options(n_heads: int) -> tuple[str, ...]:
    """How so many heads can share keys and values, each way once."""
    by_number: dict[int, str] = {}
    for label in KV_HEADS:
        by_number.setdefault(n_kv_heads(label, n_heads), label)
    return tuple(by_number.values())


def n_kv_heads(label: str, n_heads: int) -> int:
    """How many heads of keys and values there are; where they cannot be shared by two, each has its own."""
    shared = {FOR_TWO: n_heads // 2 if n_heads % 2 == 0 else n_heads, FOR_ALL: 1}
    return shared.get(label, n_heads)


def plan_of(values: Values, text: str = "", label: str = "", probe: str = "") -> Plan:
    """The training that these settings describe. Raises InputError for what cannot be."""
    task = values.declaration
    config = TransformerConfig(
        d_model=values.d_model,
        n_heads=values.heads,
        d_ff=values.d_ff,
        n_encoder_layers=values.layers,
        n_decoder_layers=values.layers,
        positions=POSITIONS[values.positions],
        norm=LAYER_NORMS[values.norm],
        n_kv_heads=n_kv_heads(values.kv_heads, values.heads),
        scaled=SCALINGS[values.scores],
        dropout=values.dropout,
        tie_output=TIED[values.output],
        scale_embeddings=SCALED_EMBEDDINGS[values.embedding],
        **{field: value for name, table in PARTS.items() for field, value in table[getattr(values, name)].items()},
    )
    training = Settings(
        steps=values.steps,
        batch_size=values.batch,
        n_examples=values.examples,
        lr=values.lr,
        schedule=values.schedule,
        warmup=values.warmup,
        weight_decay=values.decay,
        clip=values.clip,
        label_smoothing=values.smoothing,
        augment=values.augment,
        look_ahead=LOOK_AHEAD[values.mask],
        seed=values.seed,
    )
    return Plan(task.name, made_of(values, text), config, training, label or values.task, probe)


def made_of(values: Values, text: str = "") -> dict[str, Any]:
    """What makes the task itself, as transformer.training.tasks.make takes it."""
    made = {key: getattr(values, name) for name, key in _made_of(values.declaration).items()}
    if "reads" in made:
        made["reads"] = READING[made["reads"]]
    return ({"text": text} if values.declaration.needs_text else {}) | made
