"""Packages whose names are imported when first used (PEP 562): a page can be drawn before torch is loaded.

The public names of such a package stand once, in the stub beside its `__init__.py`, in the form that type checkers and
editors read:

    from . import masks as masks                    # a module of the package
    from .model import Transformer as Transformer   # a name that one of its modules holds

and `__init__.py` says `__getattr__, __dir__, __all__ = attach(__name__, __file__)`.
"""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

_LINE = re.compile(r"^from \.([\w.]*) import (\w+) as \2$", re.MULTILINE)


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What makes this package lazy: its `__getattr__`, `__dir__` and `__all__`, read off the stub beside this file."""
    with open(f"{file}i", encoding="utf-8") as stub:
        homes = {name: holder or name for holder, name in _LINE.findall(stub.read())}  # a name -> the module to import

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f"{package}.{homes[name]}")
        return module if homes[name] == name else getattr(module, name)

    names = sorted(homes)
    return get, lambda: ["__doc__", "__file__", "__name__", "__path__", *names], names
