"""A server with just these published models: tiny ones in the operator's folder, and no hub."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from lab.kit.models import published
from lab.server import caching
from tests.pretrained import makers
from transformer.environment import MODELS
from transformer.pretrained import hub


@contextmanager
def only(folders: Mapping[str, Path], root: Path) -> Iterator[None]:
    """Within the block, these folders are the operator's, by name, and there is nothing else: no package, no hub."""
    for name, folder in folders.items():
        makers.copied(folder, root / "models" / name)
    forget()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MODELS.name, str(root / "models"))
        patch.setattr(published, "PACKAGES", {})
        patch.setattr(hub, "shared", cache(lambda: hub.Hub(root / "hub")))
        yield
    forget()


def forget() -> None:
    """Forget every model that was loaded, and all that came of it."""
    caching.clear()
    for kept in published.BUDGET.caches.values():
        kept.clear()
