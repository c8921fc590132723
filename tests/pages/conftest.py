from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import local_script_runner

from lab.server import snapshots, trainings
from lab.server.environment import SNAPSHOTS
from tests.training.here import Here


@pytest.fixture(autouse=True, scope="session")
def _packages_are_scanned_once() -> Iterator[None]:
    """AppTest looks through every installed package for components at each first run, which took two thirds of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True, scope="session")
def _scripts_are_compiled_once() -> Iterator[None]:
    """As a server does; AppTest compiles them at every run."""
    compiled = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "ScriptCache", lambda: compiled)
        yield


@pytest.fixture(autouse=True, scope="session")
def _trainings_stay_in_this_process() -> Iterator[None]:
    """Threads are there at once; the processes have tests of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trainings, "new_place", Here)
        yield


@pytest.fixture(autouse=True, scope="session")
def _snapshots_are_this_runs_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(SNAPSHOTS.name, str(tmp_path_factory.mktemp("snapshots")))
        snapshots.snapshots.cache_clear()
        yield
    snapshots.snapshots.cache_clear()
