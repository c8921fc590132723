"""The block of 2017 with one part replaced at a time, and what that changes in a training: the same task, steps and
learning rate for all, with several seeds.

    python -m pages.blocks.store      # trains all of it again, some minutes, and writes what the page shows
"""

from collections.abc import Iterator
from statistics import mean
from typing import TYPE_CHECKING, Any, NamedTuple

from transformer.core.config import TransformerConfig
from transformer.training import tasks
from transformer.training.settings import Settings

if TYPE_CHECKING:
    from transformer.training.trainer import Trainer

TASK = "tales"
WIDTH, N_HEADS, N_LAYERS = 48, 4, 2
DEEP = 8  # layers of the tallest tower, in which the changes of today are trained as well
OPENING = "mia found a red ball in the park ."  # which each tower goes on with, so many words:
CONTINUED = 24
SEEDS = (0, 1, 2)
# One learning rate for all, found for the block of 2017: others might do better with one of their own.
SETTINGS = Settings(steps=240, batch_size=16, lr=6e-3, n_examples=6000, n_tests=200, every=240)


class Switch(NamedTuple):
    """One part of a block: its name, the ways to build it (2017's first), and that of most models of today.

    options  what a way is called -> the fields of TransformerConfig that make it
    """

    name: str
    options: dict[str, dict[str, Any]]
    today: str

    @property
    def first(self) -> str:
        return next(iter(self.options))


SWITCHES = {
    "norm": Switch(
        "Norm", {"LayerNorm": {}, "RMSNorm": {"norm_kind": "rms"}, "none": {"norm_kind": "none"}}, "RMSNorm"
    ),
    "place": Switch("Place of the norm", {"after": {"norm": "post"}, "before": {"norm": "pre"}}, "before"),
    "feed_forward": Switch(
        "Feed-forward",
        {
            "ReLU": {},
            "GELU": {"activation": "gelu"},
            "SwiGLU": {"activation": "silu", "gated": True},
            "none": {"has_feed_forward": False},
        },
        "SwiGLU",
    ),
    "positions": Switch("Positions", {"sinusoidal": {}, "rotary": {"positions": "rotary"}}, "rotary"),
    "kv_heads": Switch("Keys and values", {"one each": {}, "one for two": {}, "one for all": {}}, "one for two"),
    "experts": Switch(
        "Experts", {"one": {}, "1 of 4": {"n_experts": 4, "top_k": 1}, "2 of 4": {"n_experts": 4, "top_k": 2}}, "2 of 4"
    ),
    # Around the blocks, once in a model; most models of today are as that of 2017 here.
    "embeddings": Switch("Embeddings", {"as they are": {}, "normalised": {"embedding_norm": True}}, "as they are"),
    "output": Switch("Before the logits", {"nothing": {}, "a transform": {"output_transform": True}}, "nothing"),
}
_SHARED_BY = {"one each": 1, "one for two": 2, "one for all": N_HEADS}  # heads that share keys and values
Block = tuple[str, ...]  # the way each part is built, in the order of SWITCHES
OF_2017: Block = tuple(switch.first for switch in SWITCHES.values())
OF_TODAY: Block = tuple(switch.today for switch in SWITCHES.values())


def config_of(block: Block, d_model: int = WIDTH, n_layers: int = N_LAYERS) -> TransformerConfig:
    """A model of such blocks. With a gate the hidden layer is two thirds as wide, so that it has as many parameters
    (Shazeer 2020). Raises InputError for parts that do not go together."""
    chosen = dict(zip(SWITCHES, block, strict=True))
    fields: dict[str, Any] = {}
    for name, way in chosen.items():
        fields |= SWITCHES[name].options[way]
    return TransformerConfig(
        d_model=d_model,
        n_heads=N_HEADS,
        n_kv_heads=N_HEADS // _SHARED_BY[chosen["kv_heads"]],
        d_ff=8 * d_model // 3 if fields.get("gated") else 4 * d_model,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        scale_embeddings=False,
        **fields,
    )


def one_switch(name: str, way: str) -> Block:
    """The block of 2017 with one part built in another way."""
    return tuple(way if name == other else switch.first for other, switch in SWITCHES.items())


def blocks() -> list[Block]:
    """All that are trained: 2017's, each switch alone, and today's."""
    alone = [one_switch(name, way) for name, switch in SWITCHES.items() for way in [*switch.options][1:]]
    return [OF_2017, *alone, OF_TODAY]


def towers() -> Iterator[tuple[Block, int, tuple[int, ...]]]:
    """What is trained in towers, how many layers, and with which seeds: 2017's block, each part of today alone, and all
    of them; of the tallest, all seeds of 2017's block and of the two that save it."""
    alone = [one_switch(name, switch.today) for name, switch in SWITCHES.items() if switch.today != switch.first]
    again = OF_2017, one_switch("place", "before"), one_switch("positions", "rotary")
    for n_layers in range(1, DEEP + 1):
        for block in [OF_2017] if n_layers % 2 else [OF_2017, *alone, OF_TODAY]:
            is_again = n_layers == N_LAYERS or (n_layers == DEEP and block in again)
            yield block, n_layers, SEEDS if is_again else SEEDS[:1]


class Trained(NamedTuple):
    """What trainings of so many layers of one block came to, by seed: the loss and the share of right tokens on
    held-out tales, empty where a training diverged. written: how the model of the first seed goes on with OPENING.
    """

    block: Block
    n_layers: int
    losses: tuple[float, ...]
    accuracies: tuple[float, ...]
    written: str

    @property
    def loss(self) -> float:
        return mean(self.losses)

    @property
    def spread(self) -> float:
        """How far the run that strays most lies from their mean."""
        return max(abs(loss - self.loss) for loss in self.losses)


def margin(one: Trained, other: Trained) -> float:
    """How far apart the means of two trainings have to lie to be told apart: the larger of both spreads."""
    return max(one.spread, other.spread)


def is_clear(one: Trained, other: Trained) -> bool:
    """Whether their losses differ by more than seeds do."""
    return abs(one.loss - other.loss) > margin(one, other)


def sweep(
    chosen: list[Block] | None = None,
    seeds: tuple[int, ...] = SEEDS,
    settings: Settings = SETTINGS,
    n_layers: int = N_LAYERS,
) -> Iterator[Trained]:
    """Train every block with every seed."""
    from dataclasses import replace

    from transformer.training.trainer import Diverged, Trainer

    task = tasks.make(TASK)
    for block in blocks() if chosen is None else chosen:
        last, written = [], ""
        try:
            for seed in seeds:
                trainer = Trainer(task, config_of(block, n_layers=n_layers), replace(settings, seed=seed))
                *_, snapshot = trainer.run()
                last.append(snapshot)
                written = written or _continued(trainer)
        except Diverged:
            last, written = [], ""
        losses = tuple(round(s.val_loss, 4) for s in last)
        yield Trained(block, n_layers, losses, tuple(round(s.accuracy, 4) for s in last), written)


def _continued(trainer: "Trainer") -> str:
    """What a model says next, word by word; an end of the tale is no end to it."""
    from transformer.training.writing import Question, write

    words = trainer.task.target
    asked = Question(tuple(words.encode(OPENING)), (), CONTINUED)
    (written,) = write(trainer.model, trainer.task.kind, [asked], ends=False)
    return words.decode(written.ids.tolist())
