"""The variables of the environment: one place reads them, each does what its row says, and the table is of today."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.server import environment
from lab.server.environment import ALL, OWN, faults, with_table
from transformer.environment import Setting, count, megabytes, one_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "deploy/README.md"
ROOMS = ("lab", "pages", "transformer", "attention_view", "benchmarks")
# The one that reads, and what hands all of it on to the servers that it starts.
READERS = {"transformer/environment.py", "benchmarks/server.py"}


def files() -> Iterator[Path]:
    yield ROOT / "app.py"
    for room in ROOMS:
        yield from (ROOT / room).rglob("*.py")


def test_nobody_else_reads_the_environment():
    readers = {
        file.relative_to(ROOT).as_posix() for file in files() if re.search(r"\benviron\b|getenv", file.read_text())
    }
    assert readers == READERS


def test_every_name_in_the_code_is_declared():
    named = {name for file in files() for name in re.findall(r"\b(?:ATTENTION_LAB|HF)_[A-Z_]*[A-Z]", file.read_text())}
    assert named - {"ATTENTION_LAB"} <= {setting.name for setting in ALL}
    assert len({setting.name for setting in ALL}) == len(ALL)


def test_the_table_is_of_today():
    """Otherwise: python -m lab.server.environment."""
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text
    assert [row for row in text.splitlines() if row.startswith("| `ATTENTION_LAB_CACHE_MB` | `150` |")]
    with pytest.raises(ValueError, match="both marks"):
        with_table("none")


def test_what_is_usual_is_the_default():
    """A variable that is set to what its row calls usual changes nothing, where that is a value and not words."""
    for setting in OWN:
        if setting.usually and setting.default is not None:
            assert setting.read({setting.name: setting.usually}) == setting.default, setting.name
        assert setting.read({}) == setting.read({setting.name: ""}) == setting.default


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (megabytes, "1.5", 1_500_000),
        (megabytes, "0", "above 0"),
        (megabytes, "nan", "above 0"),
        (megabytes, "inf", "above 0"),
        (megabytes, "a lot", "must be a number"),
        (count, " 8 ", 8),
        (count, "0", "above 0"),
        (count, "2.5", "must be a number"),
        (one_of("a", "b"), "B", "b"),
        (one_of("a", "b"), "c", "one of a, b"),
    ],
)
def test_what_cannot_be_read_is_passed_over_with_a_sentence(kind, text: str, value):
    setting = Setting("NAME", kind, None, "", "")
    if isinstance(value, str) and value != "b":
        assert setting.read({"NAME": text}) is None
        assert value in setting.fault({"NAME": text})
    else:
        assert setting.read({"NAME": text}) == value
        assert setting.fault({"NAME": text}) == ""


def test_an_operator_is_told_of_slips_but_never_of_what_was_set():
    given = {"ATTENTION_LAB_TRAINING": "secret", "ATTENTION_LAB_CACHE_MB": "secret", "ATTENTION_LAB_X": "", "HOME": "/"}
    assert list(faults(given)) == [
        "ATTENTION_LAB_CACHE_MB is passed over: it must be a number",
        "ATTENTION_LAB_TRAINING is not a setting of this version; did you mean ATTENTION_LAB_TRAININGS?",
        "ATTENTION_LAB_X is not a setting of this version",
    ]


def test_what_is_settled_reaches_libraries_and_overrules_nobody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(environment.THREADS.name, "3")
    environment.THREADS.settle()
    assert environment.THREADS.read() == "3"
    monkeypatch.delenv(environment.THREADS.name)
    environment.THREADS.settle()
    assert environment.THREADS.read() == "1"
