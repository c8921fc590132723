"""How strangers' files are read: JSON without surprises, and sentences that quote nothing as it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from transformer.core.checks import InputError
from transformer.training.text import clean

Data = bytes | bytearray
MAX_VOCABULARY = 300_000  # tokens; Gemma has 256,000


def json_in(data: Data, name: str) -> dict[str, Any]:
    """The JSON object in a file: UTF-8, no name twice in one object, no NaN. Raises InputError with the file's name."""

    from attention_view.stored import parsed

    try:
        found = parsed(data.decode(), name)
    except ValueError as error:
        raise InputError(f"{name} is not whole: what is in it is not JSON. It may have been cut off.") from error
    if not isinstance(found, dict):
        raise InputError(f"{name} should hold a JSON object, and holds something else.")
    return found


def quoted(value: object) -> str:
    """A stranger's value in a sentence of ours: short, in one line, without what no font can draw."""
    text = " ".join(clean(str(value)).split())
    return text if len(text) <= 60 else text[:59] + "…"


def sentence(error: InputError) -> str:
    """What an error says, from a capital letter to a full stop."""
    text = clean(str(error)).strip()
    return f"{text[:1].upper()}{text[1:]}".removesuffix(".") + "."


def parameters(count: int) -> str:
    """A number of parameters, as people say it: "22.6 million parameters", "3,216 parameters"."""
    return f"{count / 1e6:,.1f} million parameters" if count >= 1_000_000 else f"{count:,} parameters"


def megabytes(count: float) -> str:
    """A number of bytes, as people say it: "90.9 MB"."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= size:
            return f"{count / size:,.{0 if count >= 100 * size else 1}f} {unit}"
    return f"{count:.0f} bytes"


@contextmanager
def explained(sentence: str) -> Iterator[None]:
    """Within the block, whatever the library tokenizers raises becomes this sentence, panics of Rust included."""
    try:
        yield
    except BaseException as error:
        # A panic is deliberately no Exception, and has no public name to catch it by.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise InputError(sentence) from error
        raise
