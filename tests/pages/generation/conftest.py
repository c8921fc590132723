import pytest

from pages.generation import data


@pytest.fixture
def few_drawn(monkeypatch: pytest.MonkeyPatch) -> int:
    """Instead of a hundred whole texts; a test that asks for it draws from a text that no other test draws from."""
    monkeypatch.setattr(data, "N_DRAWN", 40)
    return data.N_DRAWN
