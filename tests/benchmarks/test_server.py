"""What is measured, and what browser tests look at, is the server as it is shipped."""

import re
import shlex
from pathlib import Path

from benchmarks.parts import APP, AS_USUAL
from benchmarks.server import command, variables
from tests.browser.hosts import AS_CLOUD

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
ADDRESS = {"server.port", "server.address", "server.baseUrlPath"}


def option(word: str) -> str:
    return word.removeprefix("--").partition("=")[0]


def test_a_server_is_started_as_make_run_starts_it_but_for_its_address():
    (recipe,) = re.findall(r"^run:.*\n\t(.*)$", MAKEFILE, re.MULTILINE)
    shipped = shlex.split(re.sub(r"\$\(addprefix .*\)$", "", recipe).replace("$(BIN)/", "").replace("$(PORT)", "8501"))
    ours = command(8501, APP)[2:]  # after the interpreter and -m
    assert [word for word in ours if not word.startswith("--")] == ["streamlit", "run", "app.py"] == shipped[:3]
    assert {option(word) for word in shipped[3:] if word.startswith("--")} == {"server.port"}
    assert {option(word) for word in ours[3:]} == {"server.port", "server.address", "server.headless"}
    assert option(command(8501, APP, base="lab")[-1]) == "server.baseUrlPath"


def test_no_setting_of_whoever_runs_it_reaches_the_server(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_FILE_WATCHER_TYPE", "auto")
    monkeypatch.setenv("ATTENTION_LAB_CACHE_MB", "30")
    found = variables(PYTHONPATH="here")
    assert not [name for name in found if name.startswith("STREAMLIT_")]
    assert (found["ATTENTION_LAB_CACHE_MB"], found["PYTHONPATH"]) == ("30", "here")


def test_nothing_else_is_overruled_anywhere():
    """Only the bare script, which is no part of the app, collects garbage as Streamlit usually does."""
    files = [*(ROOT / "benchmarks").glob("*.py"), *(ROOT / "tests/browser").glob("*.py")]
    assert len(files) > 40
    texts = {file.name: file.read_text() for file in files}
    section = r"(?:server|runner|global|client|browser|logger|theme)"
    written = {name for text in texts.values() for name in re.findall(rf"--({section}\.\w+)", text)}
    named = {name for text in texts.values() for name in re.findall(rf'"({section}\.\w+)"', text)}
    assert written | named == ADDRESS | {"server.headless"}
    overruling = {name: set(re.findall(r"STREAMLIT_[A-Z]\w+", text)) for name, text in texts.items()}
    assert {name: found for name, found in overruling.items() if found} == {
        "parts.py": set(AS_USUAL),
        "hosts.py": set(AS_CLOUD),  # which Community Cloud sets
        "proxied.py": {"STREAMLIT_SERVER_COOKIE_SECRET"},  # which all servers behind a proxy share
    }
    for name in ("__main__.py", "parts.py"):
        assert all("BARE" in use for use in re.findall(r".*AS_USUAL\).*", texts[name]))
    assert [name for name, text in texts.items() if '"streamlit", "run"' in text] == ["server.py"]
