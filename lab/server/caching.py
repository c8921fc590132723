"""Results that all visitors share: computed once per arguments, counted in bytes, and kept within one budget.

    @cached()
    def waves(length: int, d_model: int) -> Waves: ...

    @cached(work=lambda ref, tokens: workload.one_pass(ref.resolve().config, len(tokens), ...))
    def maps(ref: ModelRef, tokens: tuple[str, ...]) -> Maps: ...

All caches together hold at most ATTENTION_LAB_CACHE_MB megabytes (150 by default); what was used least recently goes
first. A result larger than that is handed out and not kept.

A result is shared between threads and visitors, so nobody may change it. Arguments are hashable; a parameter whose name
begins with an underscore is no part of the key. Two callers who ask for the same result at once wait for one
computation; an error is handed to both and not kept.

`work` says what a computation takes that can be large: it then takes its turn in lab.server.gate. Say it where the
work begins, not further in: what is called inside of a computation waits for nothing, since others may wait for it.
"""

import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from itertools import count
from threading import Lock
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar

from lab.server import gate, memory
from lab.server.environment import CACHE_MB
from transformer.core.workload import Workload

P = ParamSpec("P")
R = TypeVar("R")

MAX_BYTES = CACHE_MB.read()  # of all results together
_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
_OVERHEAD = 500  # bytes of an entry beside its key and its result


@dataclass(eq=False)
class _Entry(Generic[R]):
    """One result, or the promise of one.

    n_bytes  of the result and its key; None while it is computed
    used     when it was last asked for, as a number that grows
    """

    used: int
    result: "Future[R]" = field(default_factory=Future)
    n_bytes: int | None = None


class Budget:
    """The caches that share so many bytes. What a cache holds is changed under `lock` only."""

    def __init__(self, max_bytes: int):
        self.max_bytes = max_bytes
        self.n_bytes = 0
        self.caches: dict[str, _Cache] = {}  # by the name of the function
        self.lock = Lock()
        self.clock = count()

    def make_room(self) -> None:
        """Drop what was used least recently until the rest fits."""
        while self.n_bytes > self.max_bytes:
            oldest = [(entry.used, cache, key) for cache in self.caches.values() for key, entry in cache.first_done()]
            _, cache, key = min(oldest, key=lambda candidate: candidate[0])
            cache.drop(key)


class _Cache(Generic[R]):
    """The results of one function, in the order of their last use."""

    def __init__(self, budget: Budget, max_entries: int | None):
        self.budget, self.max_entries = budget, max_entries
        self.entries: OrderedDict[Hashable, _Entry[R]] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], R], work: Callable[[], Workload] | None) -> R:
        """The result of `compute`, which is called if nobody has done or does that for this key."""
        while True:
            entry = self._found(key)
            if entry is None:
                # The turn comes first: an entry is a promise to others, and is never made by somebody in line.
                with gate.turn(work() if work else None, until=lambda: key in self.entries) as is_ours:
                    mine = self._promised(key) if is_ours else None
                    if mine is not None:
                        return self._computed(key, mine, compute)
                continue
            try:
                return _waited_for(entry.result)
            except CancelledError:  # whoever computed it was stopped: our turn
                continue

    def _found(self, key: Hashable) -> _Entry[R] | None:
        with self.budget.lock:
            entry = self.entries.get(key)
            if entry is not None:
                self._touch(key, entry)
            return entry

    def _promised(self, key: Hashable) -> _Entry[R] | None:
        """A new entry, or None if there is one."""
        with self.budget.lock:
            if key in self.entries:
                return None
            return self.entries.setdefault(key, _Entry(next(self.budget.clock)))

    def _touch(self, key: Hashable, entry: _Entry[R]) -> None:
        entry.used = next(self.budget.clock)
        self.entries.move_to_end(key)

    def _computed(self, key: Hashable, mine: _Entry[R], compute: Callable[[], R]) -> R:
        try:
            with gate.inside(), _for_all():
                value = compute()
        except BaseException as error:
            with self.budget.lock:
                if self.entries.get(key) is mine:
                    del self.entries[key]
            if isinstance(error, Exception):
                mine.result.set_exception(error)
            else:  # the visitor left: that is no answer for others who wait
                mine.result.cancel()
            raise
        memory.give_back_if_grown()
        n_bytes = size_of((key, value)) + _OVERHEAD
        with self.budget.lock:
            if self.entries.get(key) is mine:
                mine.n_bytes = n_bytes
                self.budget.n_bytes += n_bytes
                self._touch(key, mine)  # it is used now, however long ago its computation began
                if n_bytes > self.budget.max_bytes:
                    self.drop(key)
                elif self.max_entries is not None and self.n_done > self.max_entries:
                    self.drop(*(key for key, _ in self.first_done()))
                self.budget.make_room()
        mine.result.set_result(value)
        return value

    @property
    def n_done(self) -> int:
        return sum(entry.n_bytes is not None for entry in self.entries.values())

    def first_done(self) -> list[tuple[Hashable, _Entry[R]]]:
        """The key and the entry of the result that was used least recently, if there is any."""
        return next(([(key, entry)] for key, entry in self.entries.items() if entry.n_bytes is not None), [])

    def drop(self, *keys: Hashable) -> None:
        for key in keys:
            self.budget.n_bytes -= self.entries.pop(key).n_bytes or 0

    def clear(self) -> None:
        with self.budget.lock:
            self.drop(*list(self.entries))


def _waited_for(result: "Future[R]") -> R:
    """The result of somebody else's computation. The visitor may leave meanwhile."""
    while True:
        try:
            return result.result(gate.WAKE)
        except TimeoutError:
            if result.done():  # the computation itself raised it
                raise
            gate.stay()


def _for_all() -> AbstractContextManager[Any]:
    """What is kept is for everybody: a model that is first asked for within torch.inference_mode has gradients, too."""
    torch = sys.modules.get("torch")
    is_inferring = getattr(torch, "is_inference_mode_enabled", bool)()
    return torch.inference_mode(False) if torch and is_inferring else nullcontext()


_BUDGET = Budget(MAX_BYTES)


def cached(
    *, entries: int | None = None, work: Callable[..., Workload] | None = None, budget: Budget = _BUDGET
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the results of a function; see the module.

    entries  keep no more than the last so many, if that says something that their bytes do not
    work     what the computation takes, by the same arguments; for those that can be large
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = signature(function).parameters
        order = list(parameters)
        defaults = {name: p.default for name, p in parameters.items() if p.default is not Parameter.empty}
        unkeyed = frozenset(name for name in order if name.startswith("_"))
        # A module that is loaded again (a developer saved it) begins with an empty cache of the same name.
        name = f"{function.__module__}.{function.__qualname__}"
        if name in budget.caches:
            budget.caches[name].clear()
        cache = budget.caches[name] = _Cache[R](budget, entries)

        @wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            given = {**defaults, **dict(zip(order, args, strict=False)), **kwargs}
            key = tuple(given.get(name) for name in order if name not in unkeyed)
            needed = None if work is None else lambda: work(*args, **kwargs)
            return cache.get(key, lambda: function(*args, **kwargs), needed)

        return wrapper

    return decorate


def usage() -> dict[str, tuple[int, int]]:
    """(results, bytes) of every cache, by the name of its function."""
    with _BUDGET.lock:
        return {
            name: (len(cache.entries), sum(entry.n_bytes or 0 for entry in cache.entries.values()))
            for name, cache in _BUDGET.caches.items()
        }


def clear() -> None:
    """Forget every result."""
    for cache in list(_BUDGET.caches.values()):
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
