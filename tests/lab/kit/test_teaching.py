"""The code that pages show: found in the syntax tree, parsed once per file and by one thread at a time."""

import ast
import gc
import re
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Barrier, Thread

import pytest
from streamlit.testing.v1 import AppTest

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


# ---- questions to check oneself ------------------------------------------------------------------------------------


def card(key: str = "why-far") -> None:
    """A page with one question about its only control."""
    import streamlit as st

    from lab.kit.teaching import Answer, check

    st.segmented_control("N", (4, 8), default=4, required=True, key="n", bind="query-params")
    check(
        "How many?",
        Answer("as *many*", "That counts twice."),
        Answer("twice", "Each is paired.", right=True),
        Answer("none", "Something is left."),
        key=key,
        try_it={"n": 8, "of_a_component": "k2"},
    )


def test_a_choice_is_answered_and_the_first_one_counts():
    at = AppTest.from_function(card)
    at.session_state["_kept_order_of_answers"] = 1
    at.run()

    def state() -> str:
        return re.findall(r'data-check="why-far" data-state="(\w+)"', at.get("html")[0].proto.body)[0]

    def words() -> str:
        return "\n".join(text.value for text in at.markdown)

    order = [button.label for button in at.button]
    assert sorted(order) == ["as *many*", "none", "twice"]
    assert state() == "open"
    assert not any(reply in words() for reply in ("counts twice", "is paired", "is left", "Right", "Not quite"))

    at.button(key="why-far-0").click().run()
    assert state() == "wrong"
    assert "**Not quite.** That counts twice." in words()
    assert "**It is “twice”.** Each is paired." in words()
    assert [button.label for button in at.button][:3] == order

    at.button(key="why-far-1").click().run()
    assert "**Right.** Each is paired." in words()
    assert "Not quite" not in words()
    assert state() == "wrong", "the first try counts"

    at.button(key="try-why-far").click().run()
    assert at.session_state["n"] == 8
    assert at.query_params["of_a_component"] == "k2"
    assert "**Right.**" in words(), "what was chosen stays"


def test_the_order_is_drawn_once_for_each_session_and_question():
    drawn = Counter(teaching._order(seed, "why-far", 4)[0] for seed in range(400))
    assert set(drawn) == set(range(4))
    assert max(drawn.values()) < 160, "no place is favoured"
    assert len({tuple(teaching._order(1, f"why-{n}", 4)) for n in range(20)}) > 8, "questions of one session differ"
    assert teaching._order(1, "why-far", 4) == teaching._order(1, "why-far", 4)


def test_a_question_without_exactly_one_right_answer_is_refused():
    with pytest.raises(ValueError, match="why-none needs exactly one right answer"):
        teaching.check("?", teaching.Answer("a", "b"), teaching.Answer("c", "d"), key="why-none")
