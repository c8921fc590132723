"""How far back can a network remember? Four kinds with as many parameters, and a text of which any word may be needed.

The task: somewhere in a text of other words stand a few names, each with a colour; at the end their colours are asked
for, in any order.

    the of anna=red to in ben=blue and it ... ben? blue, anna? red

A name with its colour is one token, so that what a question needs is one token too, at a known distance.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from transformer.core.checks import InputError, check_whole
from transformer.core.config import TransformerConfig
from transformer.inspection.sizes import decoder_size

Network = Literal["attention", "tanh", "LSTM", "GRU"]
NETWORKS: tuple[Network, ...] = ("attention", "tanh", "LSTM", "GRU")
KEPT = (1, 4)  # names in a text, of the stored trainings
SEEDS = (0, 1, 2)
TOLERANCE = 0.02  # share by which the numbers of parameters differ at most
COMMAND = "python -m transformer.training.studies recall"
FILE = Path(__file__).with_name("recall.json")
WEIGHTS = Path(__file__).with_name("recall.safetensors")  # those of the first seed, with 16 bits
_GATES: dict[str, int] = {"tanh": 1, "LSTM": 4, "GRU": 3}


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What is learned and how; the other widths follow from d_model: see `width_of`.

    n_tokens                of a text, before the questions
    n_kept                  names in a text, and questions: what a network has to keep in mind
    n_names, n_colours, n_fillers  that there are; chance is 1 / n_colours
    d_model, n_heads, d_ff  of the one layer of attention
    steps, batch_size       of the training
    lr                      the highest learning rate of each of NETWORKS: chosen after short trials, not searched for
    """

    n_tokens: int = 24
    n_kept: int = 1
    n_names: int = 4
    n_colours: int = 4
    n_fillers: int = 16
    d_model: int = 32
    n_heads: int = 4
    d_ff: int = 140
    steps: int = 600
    batch_size: int = 32
    lr: tuple[float, ...] = (3e-3, 1e-3, 1e-2, 1e-2)

    def __post_init__(self) -> None:
        for name in (
            "n_tokens",
            "n_kept",
            "n_names",
            "n_colours",
            "n_fillers",
            "d_model",
            "n_heads",
            "d_ff",
            "steps",
            "batch_size",
        ):
            check_whole(name, getattr(self, name))
        if self.n_kept > min(self.n_names, self.n_tokens):
            raise InputError(f"n_kept={self.n_kept} names need as many different ones, and a text that holds them")

    @property
    def vocab_size(self) -> int:
        """Every name with every colour, the questions, the colours, and the other words: in this order."""
        return self.n_names * self.n_colours + self.n_names + self.n_colours + self.n_fillers

    @property
    def config(self) -> TransformerConfig:
        """Of the network with attention."""
        return TransformerConfig(
            vocab_size=self.vocab_size, d_model=self.d_model, n_heads=self.n_heads, d_ff=self.d_ff, n_decoder_layers=1
        )


class Run(NamedTuple):
    """One training.

    n_kept     of its setting
    accuracy   share of right answers by the distance of the needed token, from 1 to n_tokens, on unseen texts
    losses     mean loss in nats of each tenth of the training
    seconds    of processor time
    """

    network: Network
    n_kept: int
    seed: int
    accuracy: tuple[float, ...]
    losses: tuple[float, ...]
    seconds: float


class Stored(NamedTuple):
    """The trainings that come with the project: of this setting, with the n_kept of each.

    speeds  tokens per second in training by network, at each of `lengths`, on the machine that ran them
    made    the date, and the version of torch
    """

    setting: Setting
    runs: tuple[Run, ...]
    lengths: tuple[int, ...]
    speeds: dict[str, tuple[float, ...]]
    made: str


def width_of(network: Network, setting: Setting) -> int:
    """The width with which the network's number of parameters is nearest to that of attention."""
    if network == "attention":
        return setting.d_model
    wanted = n_parameters("attention", setting)
    return min(range(1, 1024), key=lambda width: abs(_recurrent(network, setting.vocab_size, width) - wanted))


def n_parameters(network: Network, setting: Setting) -> int:
    """How many parameters the network has, counted without building it."""
    if network == "attention":
        return decoder_size(setting.config).total
    return _recurrent(network, setting.vocab_size, width_of(network, setting))


def _recurrent(network: Network, V: int, width: int) -> int:
    """A table, and per gate two matrices and two biases."""
    return V * width + _GATES[network] * (2 * width * width + 2 * width)


def written(stored: Stored) -> str:
    """Trainings as JSON, a line per training."""
    runs = ",\n".join(f"    {json.dumps(run._asdict())}" for run in stored.runs)
    head = {
        "command": COMMAND,
        "made": stored.made,
        "setting": asdict(stored.setting),
        "lengths": stored.lengths,
        "speeds": stored.speeds,
    }
    return f'{json.dumps(head, indent=2)[:-2]},\n  "runs": [\n{runs}\n  ]\n}}\n'


def read(text: str) -> Stored:
    """What `written` wrote."""
    data = json.loads(text)
    setting = Setting(**data["setting"] | {"lr": tuple(data["setting"]["lr"])})
    runs = [Run(**run | {name: tuple(run[name]) for name in ("accuracy", "losses")}) for run in data["runs"]]
    speeds = {network: tuple(values) for network, values in data["speeds"].items()}
    return Stored(setting, tuple(runs), tuple(data["lengths"]), speeds, data["made"])


def stored() -> Stored:
    """The trainings that come with the project."""
    return read(FILE.read_text(encoding="utf-8"))
