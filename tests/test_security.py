"""SECURITY.md keeps its word: the tests it names exist, the settings are those it lists, and errors stay in the log."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import app
from lab.frame.shell import apologise
from lab.server import incoming
from lab.server.headers import HEADERS, Headers
from tests.conftest import is_promised
from tests.coverage import fault, references
from transformer.training.checkpoints import MAX_BYTES

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text()
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())
FOR_VISITORS = {
    "Away",
    "AwayError",
    "InputError",
    "TextError",
    "BadCheckpoint",
    "BadTensors",
    "Refused",
    "TooMuch",
    "PlanError",
    "NoRoomError",
    "RefusedError",
}  # their text was written for the screen
# The page on masks shows what torch itself answers to a mask of its own making, and the museum of bugs what it answers
# to the code of an exhibit; no visitor's text is in either.
QUOTES_TORCH = {ROOT / "transformer/inspection/masks.py", ROOT / "transformer/inspection/bugs/symptoms.py"}


# ---- the document --------------------------------------------------------------------------------------------------


def test_every_test_that_is_named_exists():
    named = list(references(TEXT))
    assert len(named) > 30
    assert not [problem.replace("COVERAGE", "SECURITY") for reference in named if (problem := fault(reference))]


def test_every_promise_names_a_test():
    promises = TEXT.split("## What is not promised")[0]
    rows = [line for line in promises.splitlines() if line.startswith("| ") and "| Tests |" not in line]
    assert len(rows) > 10
    assert not [row for row in rows if not list(references(row))]


def test_the_tests_of_promises_can_be_asked_for_alone():
    """`make promises HOST=cloud` tries them as Community Cloud runs the app."""
    assert is_promised("tests/browser/test_server.py::test_every_answer_has_the_headers")
    assert is_promised("tests/browser/test_broken.py::test_any")  # a whole file is named
    assert not is_promised("tests/browser/test_server.py::test_any")


def test_the_settings_are_those_that_are_listed():
    rows = re.findall(r"^\| `(\w+)\.(\w+)` \| (\S+) \|", TEXT, re.MULTILINE)
    assert len(rows) == 11
    for section, name, value in rows:
        assert str(CONFIG[section][name]).lower() == value, name


def test_the_server_takes_what_the_loader_takes():
    assert CONFIG["server"]["maxUploadSize"] * 2**20 == MAX_BYTES


def test_the_bounds_are_those_that_are_listed():
    """Together they are less than 32 MB where no page has asked for anything."""
    section = TEXT.split("## What browsers can make the server hold")[1].split("\n## ")[0]
    files, texts, pace = incoming.MAX_FILES_OF_ONE >> 20, incoming.MAX_TEXTS_OF_ONE // 10**6, incoming.MIN_PACE // 1000
    n_sockets, n_megabytes = incoming.MAX_SOCKETS_OF_ONE, CONFIG["server"]["maxMessageSize"]
    held = n_sockets * n_megabytes + 3 * texts
    assert f"| {files} MB | a fifth of the memory, or {files} MB |" in section
    assert f"with up to {n_megabytes} MB of a message that has not ended | {n_sockets} |" in section
    assert f"messages over {incoming.FRAME >> 10} kB, which Streamlit keeps three times | {texts} MB |" in section
    assert f"one visitor can take {held} MB" in section
    assert held <= 32
    assert f"has {incoming.PATIENCE:.0f} seconds, and one more for every {pace} kB" in section
    assert f"stays {CONFIG['server']['disconnectedSessionTTL']} seconds" in section


def test_every_file_comes_through_the_one_door():
    """st.file_uploader alone would let in nothing: no page would have asked for it."""
    users = [
        file
        for file in (*ROOT.glob("lab/**/*.py"), *ROOT.glob("pages/**/*.py"))
        if "file_uploader(" in file.read_text()
    ]
    assert users == [ROOT / "lab/server/incoming.py"]


# ---- the app -------------------------------------------------------------------------------------------------------


def test_the_app_is_framed():
    assert Headers in [part.cls for part in app._user_middleware]
    assert app._on_script_error is apologise


async def _answer(headers: list[tuple[bytes, bytes]], kind: str = "http") -> list[tuple[bytes, bytes]]:
    """The headers of an answer that began with these."""
    sent = []

    async def inner(scope, receive, send) -> None:
        await send({"type": f"{kind}.response.start", "status": 200, "headers": headers})

    async def send(message) -> None:
        sent.append(message)

    await Headers(inner)({"type": kind}, None, send)  # pyrefly: ignore[bad-argument-type]
    return sent[0]["headers"]


def run(coroutine):
    """Its result; it never waits for anything."""
    with pytest.raises(StopIteration) as end:
        coroutine.send(None)
    return end.value.value


def test_headers_are_added_where_there_are_none_of_the_name():
    added = dict(run(_answer([(b"X-Content-Type-Options", b"own"), (b"etag", b"1")])))
    assert added.pop(b"X-Content-Type-Options") == b"own"
    assert added.pop(b"etag") == b"1"
    assert added == {name.encode(): value.encode() for name, value in HEADERS.items() if "nosniff" not in value}
    assert run(_answer([], "websocket")) == []


# ---- errors --------------------------------------------------------------------------------------------------------


def shown_errors(tree: ast.AST) -> Iterator[int]:
    """The lines where the text of a caught error is read, if the error is of another kind than those for visitors."""
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name:
            caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            kinds = {ast.unparse(kind).split(".")[-1] for kind in caught if kind}
            if not kinds <= FOR_VISITORS:
                yield from (
                    node.lineno for part in handler.body for node in ast.walk(part) if reads(node, handler.name)
                )


def reads(node: ast.AST, name: str) -> bool:
    """Whether this expression makes text of the error with this name: str(error), {error}, error.args."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("str", "repr", "format"):
        return any(isinstance(part, ast.Name) and part.id == name for part in node.args)
    if isinstance(node, ast.FormattedValue | ast.Attribute):
        return isinstance(node.value, ast.Name) and node.value.id == name
    return False


def test_only_sentences_for_visitors_reach_the_screen():
    files = [ROOT / "app.py", *ROOT.glob("lab/**/*.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("transformer/**/*.py")]
    shown = {file: list(shown_errors(ast.parse(file.read_text()))) for file in files}
    assert {file for file, lines in shown.items() if lines} == QUOTES_TORCH


@pytest.mark.parametrize(
    ("handler", "lines"),
    [
        ("except ValueError as error:\n  say(str(error))", [4]),
        ("except (InputError, ValueError) as error:\n  say(f'{error}.')", [4]),
        ("except Exception as error:\n  say(error.args)", [4]),
        ("except InputError as error:\n  say(str(error))", []),
        ("except ValueError as error:\n  raise InputError('no') from error", []),
        ("except ValueError:\n  pass", []),
    ],
)
def test_the_rule_would_find_it(handler: str, lines: list[int]):
    assert list(shown_errors(ast.parse(f"try:\n  go()\n{handler}"))) == lines
