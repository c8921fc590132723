"""What huggingface_hub does for us, with a bound on every answer, and every failure as one sentence."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any

from transformer.core.checks import InputError
from transformer.core.interruption import check_interruption
from transformer.environment import NO_TELEMETRY, NO_XET

PATIENCE = 10.0  # seconds without a byte, after which the hub counts as gone
_SENTENCES = {
    401: "There is no such model on the hub, or it is not open to everybody.",
    403: "This model is not open to everybody: the hub asks for an account.",
    404: "There is no such model on the hub.",
    410: "This model is no longer on the hub.",
    416: "The hub's file is shorter than the hub says.",
    429: "The hub has had too many questions from here. Try again in a few minutes.",
}
OFFLINE = "This app is not to use the network (HF_HUB_OFFLINE), and this model is not here yet."


@cache
def library() -> ModuleType:
    """huggingface_hub, imported when it is needed: all of it takes half a second."""
    NO_XET.settle()
    NO_TELEMETRY.settle()
    import huggingface_hub
    import huggingface_hub.constants

    return huggingface_hub


def read(url: str, start: int, stop: int) -> bytes:
    """These bytes of what the hub has at an address; fewer if it ends before. Raises InputError.

    The request is ours, since the library bounds no answer, and would read all of a header or a list.
    """
    session = library().get_session()
    headers = {"User-Agent": "attention-lab", "Accept-Encoding": "identity", "Range": f"bytes={start}-{stop - 1}"}
    data = bytearray()
    with explained(), session.stream("GET", url, headers=headers, timeout=PATIENCE) as answer:
        if answer.status_code not in (200, 206):
            raise InputError(_of_status(answer.status_code))
        at = start if answer.status_code == 206 else 0
        for chunk in answer.iter_bytes(2**16):
            check_interruption()
            data += chunk
            if at + len(data) >= stop:  # a server may send all of it, whatever it was asked for
                break
    return bytes(data[start - at : stop - at])


def bar(size: int, told: Callable[[int], None]) -> type:
    """What the library calls its progress bar: it tells how many bytes of a file are here, and draws nothing."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):
        here = 0

        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more | {"disable": True})

        def update(self, n: float | None = 1) -> None:
            self.here += int(n or 0)
            if self.here > size:  # of which the library sees nothing before the end
                raise InputError("The hub sends more than it promised; nothing of it is kept.")
            told(self.here)

    return Bar


def has_hash(path: str, size: int, hash: str) -> bool:
    """Whether its SHA-256, or Git's hash of a small file, which finds accidents, not malice, is this one."""
    is_large = len(hash) == 64
    started = hashlib.sha256() if is_large else hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with open(path, "rb") as opened:
        return hashlib.file_digest(opened, lambda: started).hexdigest() == hash


@contextmanager
def explained(otherwise: str = "") -> Iterator[None]:
    """Within the block, every error of the network, the library or the disk is a sentence."""
    try:
        yield
    except Exception as error:
        sentence = otherwise or _sentence(error)
        if isinstance(error, InputError) or not sentence:
            raise
        raise InputError(sentence) from error


def _of_status(code: int) -> str:
    return _SENTENCES.get(code, f"The hub cannot answer now (error {code}). Try again later.")


def _sentence(error: Exception) -> str:
    """What went wrong, for people; "" for what is no error of the network, the library or the disk."""
    from huggingface_hub import errors

    response = getattr(error, "response", None) or getattr(error.__cause__, "response", None)
    if response is not None:
        return _of_status(response.status_code)
    if isinstance(error, errors.OfflineModeIsEnabled):
        return OFFLINE
    if isinstance(error, errors.HTTPError | errors.LocalEntryNotFoundError):
        return (
            "The hub cannot be reached: there may be no network here. Models that are on this machine already can be"
            " used without it."
        )
    if isinstance(error, OSError):
        if error.errno is None:
            return "The hub sends another size than it promised; nothing of it is kept."
        return "The model cannot be kept: the disk is full, or its folder cannot be written to."
    return ""
