"""What the server loads, and when: the frame waits for nothing heavy, and who comes later waits for nothing at all."""

import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
from streamlit import config

from lab.frame import serving
from lab.server.environment import START

ROOT = Path(__file__).parents[3]
SERVE = """
import asyncio, sys
import app
from lab.frame import serving

async def serve():
    async with serving.lifespan(app.app):
        print("lab.kit.figures.plot" in sys.modules, "lab.frame.entry" in sys.modules, "torch" in sys.modules)

serving.IDLE = 3600.0
asyncio.run(serve())
"""


def loaded_before_the_first_visit(**environment: str) -> list[str]:
    command, given = [sys.executable, "-c", SERVE], os.environ | environment
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=True).stdout.split()


class Waited(threading.Event):
    """An event that is waited for in no time: the server has ended meanwhile, or it has not."""

    def __init__(self, is_over):
        super().__init__()
        self.is_over = is_over

    def wait(self, timeout=None):
        assert timeout == serving.IDLE
        return self.is_over


@pytest.fixture
def imported(monkeypatch):
    names = []
    monkeypatch.setattr(serving, "import_module", names.append)
    serving._visited.clear()
    yield names
    serving._visited.clear()


@pytest.mark.wide
@pytest.mark.slow
def test_what_all_pages_share_is_imported_before_the_first_visit_and_torch_is_not():
    assert loaded_before_the_first_visit() == ["True", "False", "False"]


@pytest.mark.slow
def test_a_server_that_starts_warm_is_healthy_when_torch_is_loaded():
    """Behind a proxy: all visitors of the server that is restarted next come to this one, at once."""
    assert loaded_before_the_first_visit(**{START.name: "warm"}) == ["True", "False", "True"]


def test_torch_is_loaded_ahead_if_nobody_comes(imported):
    serving._load_ahead(Waited(is_over=False))
    assert imported == list(serving.HEAVY)


def test_nothing_is_loaded_ahead_of_a_visitor_who_has_come(imported):
    serving._visited.set()
    serving._load_ahead(Waited(is_over=False))
    assert imported == []


def test_nothing_is_loaded_by_a_server_that_has_ended(imported):
    serving._load_ahead(Waited(is_over=True))
    assert imported == []


@pytest.mark.parametrize("name", ["runner.postScriptGC", "logger.enableRich"])
def test_what_costs_every_visitor_is_off(name):
    """The options are such that Streamlit does not list: an update may drop them, and would be silent about it."""
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())
    section, _, option = name.partition(".")
    assert settings[section][option] is False
    assert name in config._config_options_template
