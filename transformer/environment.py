"""The variables of the environment that this library reads, each declared once; nothing else reads os.environ.

    HUB.read()                      what the operator set, or the usual
    HUB_MB.read({"…": "7"})         the same of another environment than this process's

A variable that is set to nothing counts as not set, and so does one whose text cannot be read: a server starts all the
same, and `Setting.fault` says what is wrong.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from transformer.core.checks import InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One variable of the environment.

    name     as the operator writes it
    kind     makes the value of its text; raises InputError
    default  the value where nothing is set
    usually  that value as the operator would write it, or in words
    effect   what it sets, in a phrase
    """

    name: str
    kind: Callable[[str], T]
    default: T
    usually: str
    effect: str

    def read(self, environment: Mapping[str, str] | None = None) -> T:
        """Its value in this process's environment, or in another."""
        text = self._text(environment)
        try:
            return self.kind(text) if text else self.default
        except InputError:
            return self.default

    def fault(self, environment: Mapping[str, str] | None = None) -> str:
        """A sentence, if it is set to a text that cannot be read; else ""."""
        text = self._text(environment)
        try:
            _ = text and self.kind(text)
        except InputError as error:
            return f"{self.name} is passed over: {error}"
        return ""

    def is_set(self, environment: Mapping[str, str] | None = None) -> bool:
        """Whether the operator gave it a text."""
        return bool(self._text(environment))

    def settle(self) -> None:
        """Set it to its usual text for all that is loaded later, where the operator did not set it."""
        os.environ.setdefault(self.name, self.usually)

    def _text(self, environment: Mapping[str, str] | None) -> str:
        return (os.environ if environment is None else environment).get(self.name, "").strip()


def names(prefix: str, environment: Mapping[str, str] | None = None) -> list[str]:
    """The names of all variables that are set and begin so, in order."""
    return sorted(name for name in (os.environ if environment is None else environment) if name.startswith(prefix))


# ---- kinds of values -------------------------------------------------------------------------------------------------


def megabytes(text: str) -> int:
    """Bytes. Raises InputError for what is no number above zero."""
    number = _number(text, float)
    if not 0 < number < 1e9:
        raise InputError("it must be a number of megabytes above 0")
    return int(1e6 * number)


def count(text: str) -> int:
    """Raises InputError for what is no whole number above zero."""
    number = _number(text, int)
    if number < 1:
        raise InputError("it must be a whole number above 0")
    return number


def one_of(*choices: str) -> Callable[[str], str]:
    """One of these words."""

    def kind(text: str) -> str:
        if text.lower() not in choices:
            raise InputError(f"it must be one of {', '.join(choices)}")
        return text.lower()

    return kind


def _number(text: str, kind: Callable[[str], T]) -> T:
    try:
        return kind(text)
    except ValueError:
        raise InputError("it must be a number") from None


# ---- what this library reads -----------------------------------------------------------------------------------------

HUB = Setting(
    "ATTENTION_LAB_HUB",
    one_of("listed", "any", "off"),
    "listed",
    "listed",
    "visitors choose from a list of small models; `any`: any model of a known family; `off`: none",
)
HUB_MB = Setting(
    "ATTENTION_LAB_HUB_MB",
    megabytes,
    3_000_000_000,
    "3000",
    "megabytes of models that the app brings into the cache; what was used least recently goes first, what other "
    "programs brought stays",
)
MODELS = Setting(
    "ATTENTION_LAB_MODELS", Path, None, "", "a folder of your own; every model's folder in it is offered by its name"
)
OWN: tuple[Setting, ...] = (HUB, HUB_MB, MODELS)

# Read by huggingface_hub, which is imported when it is first needed.
NO_XET = Setting(
    "HF_HUB_DISABLE_XET", str, "1", "1", "`0` downloads by Xet, which is faster and cannot be stopped"
)  # hf_xet tells of its progress from a thread that nobody can stop
NO_TELEMETRY = Setting(
    "HF_HUB_DISABLE_TELEMETRY", str, "1", "1", "`0` tells the hub which torch is installed"
)  # before the first download it asks for a list of agents
OF_THE_HUB: tuple[Setting, ...] = (
    Setting("HF_HOME", Path, None, "~/.cache/huggingface", "the folder of `huggingface_hub`"),
    Setting("HF_HUB_CACHE", Path, None, "`hub` in that folder", "where models of the hub are kept"),
    Setting("HF_ENDPOINT", str, "", "https://huggingface.co", "another hub"),
    Setting("HF_HUB_OFFLINE", str, "", "", "`1` keeps everything off the network; what is on disk still works"),
    NO_XET,
    NO_TELEMETRY,
)


# ---- processes that begin ----------------------------------------------------------------------------------------


@contextmanager
def findable() -> Iterator[None]:
    """Processes that begin in the block find this library, whatever the path of this process is."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), *filter(None, [before])])
    try:
        yield
    finally:
        del os.environ["PYTHONPATH"]
        os.environ.update({"PYTHONPATH": before} if before else {})
