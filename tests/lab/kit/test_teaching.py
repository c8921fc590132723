"""The code that pages show: found in the syntax tree, parsed once per file and by one thread at a time."""

import ast
import gc
import re
import sys
import time
from pathlib import Path
from threading import Barrier, Thread

import pytest

from lab.kit import teaching

ROOT = Path(__file__).parents[3]
FILES = sorted(str(file.relative_to(ROOT)) for file in ROOT.glob("transformer/inspection/*.py"))


@pytest.fixture
def interrupted():
    """Other threads get their turn in the middle of whatever makes many objects, as they do under load."""

    def give_way(*_: object) -> None:
        time.sleep(0.0005)

    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    gc.callbacks.append(give_way)
    gc.set_threshold(200)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    gc.callbacks.remove(give_way)


@pytest.fixture
def nothing_parsed():
    teaching.definition.cache_clear()
    teaching._parsed_once.cache_clear()


def together(*jobs) -> list[Exception]:
    """What these raise when each has a thread of its own and all begin at once."""
    errors: list[Exception] = []
    start = Barrier(len(jobs))

    def run(job) -> None:
        start.wait()
        try:
            job()
        except Exception as error:
            errors.append(error)

    threads = [Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def show_all(files: list[str]) -> None:
    for file in files:
        name = next(node.name for node in teaching._parsed(file)[1].body if isinstance(node, ast.FunctionDef))
        text, _ = teaching.source_of(file, name)
        assert text.startswith(f"def {name}(")


@pytest.mark.usefixtures("interrupted", "nothing_parsed")
def test_many_visitors_can_open_pages_with_code_at_once():
    """CPython 3.11 raised SystemError on ordinary page loads: AST constructor recursion depth mismatch."""
    files = [file for file in FILES if not file.endswith("__init__.py")]
    jobs = [lambda n=n: show_all(files[n:] + files[:n]) for n in range(8)]
    assert together(*jobs) == []


@pytest.mark.usefixtures("nothing_parsed")
def test_a_file_is_parsed_once(monkeypatch: pytest.MonkeyPatch):
    parsed: list[str] = []
    parse = ast.parse
    monkeypatch.setattr(teaching.ast, "parse", lambda text, *more: parsed.append(text) or parse(text, *more))
    names = ("split_heads", "MultiHeadAttention")
    jobs = [lambda name=name: teaching.source_of("transformer/core/attention.py", name) for name in names]
    assert together(*jobs * 4) == []
    assert len(parsed) == 1


def test_only_that_module_parses_code():
    """Another parser beside it, Streamlit's own among them, would bring the fault back."""
    sources = {
        file: file.read_text() for folder in ("lab", "pages", "transformer") for file in ROOT.glob(f"{folder}/**/*.py")
    }
    sources[ROOT / "app.py"] = (ROOT / "app.py").read_text()
    parsers = re.compile(r"\bast\.parse\(|\binspect\.getsource|(?<!\.)\bcompile\(|\bexec\(|(?<![.\w])eval\(")
    assert [file for file, text in sources.items() if parsers.search(text)] == [Path(teaching.__file__)]
    assert "magicEnabled = false" in (ROOT / ".streamlit/config.toml").read_text()
