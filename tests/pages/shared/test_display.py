import gc
import sys

import pytest

from pages.shared import display


@pytest.fixture
def without_torch(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch", raising=False)


@pytest.mark.parametrize("fails", [False, True])
def test_garbage_is_left_alone_while_torch_is_loaded_and_no_longer(without_torch, fails):
    try:
        with display.loading(100):
            assert not gc.isenabled()
            if fails:
                raise LookupError
    except LookupError:
        assert fails
    assert gc.isenabled()


def test_later_visits_change_nothing_for_the_others():
    pytest.importorskip("torch")
    with display.loading(100):
        assert gc.isenabled()
