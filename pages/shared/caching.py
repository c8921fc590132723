"""Results that all visitors share: computed once per arguments, limited in number, and counted in bytes.

    @cached(entries=24)
    def waves(length: int, d_model: int) -> Waves: ...

A result is shared between threads and visitors, so nobody may change it. Arguments are hashable; a parameter whose name
begins with an underscore is no part of the key. Two callers who ask for the same result at once wait for one
computation; an error is handed to both and not kept.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from threading import Lock
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
_caches: dict[str, "_Cache"] = {}  # by the name of the function


class _Cache(Generic[R]):
    """The results of one function, in the order of their last use."""

    def __init__(self, entries: int):
        self.entries = entries
        self.results: OrderedDict[Hashable, Future[R]] = OrderedDict()
        self.sizes: dict[Hashable, int] = {}
        self.lock = Lock()

    def get(self, key: Hashable, compute: Callable[[], R]) -> R:
        while True:
            with self.lock:
                theirs = self.results.get(key)
                mine: Future[R] = Future()
                if theirs is None:
                    self.results[key] = mine
                else:
                    self.results.move_to_end(key)
            if theirs is None:
                return self._computed(key, mine, compute)
            try:
                return theirs.result()
            except CancelledError:  # whoever computed it was stopped: our turn
                continue

    def _computed(self, key: Hashable, mine: "Future[R]", compute: Callable[[], R]) -> R:
        try:
            value = compute()
        except BaseException as error:
            with self.lock:
                if self.results.get(key) is mine:
                    del self.results[key]
            if isinstance(error, Exception):
                mine.set_exception(error)
            else:  # the visitor left: that is no answer for others who wait
                mine.cancel()
            raise
        size = size_of(value)
        with self.lock:
            if self.results.get(key) is mine:
                self.sizes[key] = size
                self.results.move_to_end(key)  # it is used now, however long ago its computation began
                excess = max(0, len(self.results) - self.entries)
                for oldest in [old for old in self.results if old in self.sizes][:excess]:
                    del self.results[oldest], self.sizes[oldest]
        mine.set_result(value)
        return value

    def clear(self) -> None:
        with self.lock:
            self.results.clear()
            self.sizes.clear()


def cached(*, entries: int = 32) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last `entries` results of a function; see the module."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = signature(function).parameters
        order = list(parameters)
        defaults = {name: p.default for name, p in parameters.items() if p.default is not Parameter.empty}
        unkeyed = frozenset(name for name in order if name.startswith("_"))
        # A module that is loaded again (a developer saved it) begins with an empty cache of the same name.
        cache = _caches[f"{function.__module__}.{function.__qualname__}"] = _Cache[R](entries)

        @wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            given = {**defaults, **dict(zip(order, args, strict=False)), **kwargs}
            key = tuple(given.get(name) for name in order if name not in unkeyed)
            return cache.get(key, lambda: function(*args, **kwargs))

        return wrapper

    return decorate


def usage() -> dict[str, tuple[int, int]]:
    """(results, bytes) of every cache, by the name of its function."""
    return {name: (len(cache.results), sum(cache.sizes.values())) for name, cache in list(_caches.items())}


def clear() -> None:
    """Forget every result."""
    for cache in list(_caches.values()):
        cache.clear()


def size_of(value: Any) -> int:
    """About how many bytes a result keeps alive: arrays, tensors, modules and texts, wherever they are nested.

    What is reachable twice counts once. Code (classes, functions, modules) counts nothing.
    """
    seen: set[int] = set()
    total = 0
    pending = [value]
    while pending:
        item = pending.pop()
        if id(item) in seen or item is None or isinstance(item, _CODE):
            continue
        seen.add(id(item))
        n_bytes = getattr(item, "nbytes", None)
        if isinstance(n_bytes, int):  # an array or a tensor; a view keeps what it looks at alive
            base = getattr(item, "base", None)
            if getattr(base, "nbytes", None) is not None:
                pending.append(base)
            else:
                total += n_bytes
            continue
        total += sys.getsizeof(item, 64)
        if isinstance(item, str | bytes | bytearray | int | float | complex | bool):
            continue
        pending.extend(_parts(item))
    return total


def _parts(item: Any) -> Iterator[Any] | list[Any]:
    """What an object holds."""
    if isinstance(item, Mapping):
        return [*item.keys(), *item.values()]
    if isinstance(item, tuple | list | set | frozenset):
        return list(item)
    if is_dataclass(item) and not isinstance(item, type):
        return [getattr(item, field.name, None) for field in fields(item)]
    return list(getattr(item, "__dict__", {}).values())
