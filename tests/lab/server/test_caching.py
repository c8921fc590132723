"""Caches: one computation per key, bounded, counted in bytes, errors not kept, nobody left waiting."""

import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pytest
import torch

from lab.kit.models.references import Shipped
from lab.server import caching
from lab.server.caching import Budget, cached, size_of
from tests.waiting import SOON


def test_a_result_is_computed_once_per_arguments_however_they_are_given():
    calls = []

    @cached()
    def add(a: int, b: int = 2, *, c: int = 3) -> tuple[int]:
        calls.append((a, b, c))
        return (a + b + c,)

    assert add(1) is add(1, 2) is add(a=1, b=2, c=3)
    assert add(1, c=4) == (7,)
    assert calls == [(1, 2, 3), (1, 2, 4)]


def test_underscored_parameters_are_no_part_of_the_key():
    @cached()
    def name_of(key: str, _thing: object) -> str:
        return f"{key} {_thing}"

    assert name_of("a", [1]) == name_of("a", [2]) == "a [1]"


def test_the_least_recently_used_goes_first():
    calls = []

    @cached(entries=2)
    def square(n: int) -> int:
        calls.append(n)
        return n * n

    for n in (1, 2, 1, 3, 1, 2):  # 3 pushes 2 out, for 1 was used since
        square(n)
    assert calls == [1, 2, 3, 2]


def test_an_error_is_raised_and_not_kept():
    calls = []

    @cached(entries=2)
    def fail_once() -> int:
        calls.append(1)
        if len(calls) == 1:
            raise ValueError("not yet")
        return 1

    with pytest.raises(ValueError, match="not yet"):
        fail_once()
    assert fail_once() == 1


def waits_for(function, n_callers: int, begun: threading.Event, go_on: threading.Event, n_waiting):
    results: list = []

    def call():
        try:
            results.append(function())
        except BaseException as error:
            results.append(type(error))

    first = threading.Thread(target=call)
    first.start()
    assert begun.wait(SOON)
    others = [threading.Thread(target=call) for _ in range(n_callers - 1)]
    for thread in others:
        thread.start()
    go_on.set()
    for thread in (first, *others):
        thread.join(SOON)
    return results


def test_many_who_ask_at_once_wait_for_one_computation():
    begun, go_on, calls = threading.Event(), threading.Event(), []

    @cached(entries=2)
    def slow() -> object:
        calls.append(1)
        begun.set()
        assert go_on.wait(SOON)
        return object()

    results = waits_for(slow, 8, begun, go_on, None)
    assert len(results) == 8
    assert len(set(map(id, results))) == 1
    assert len(calls) == 1


class Stopped(BaseException):
    """What ends a run of a script whose visitor has left."""


def test_a_caller_who_is_stopped_does_not_stop_those_who_wait():
    begun, go_on, calls = threading.Event(), threading.Event(), []

    @cached(entries=2)
    def slow() -> str:
        calls.append(1)
        begun.set()
        assert go_on.wait(SOON)
        if len(calls) == 1:
            raise Stopped
        return "done"

    results = waits_for(slow, 4, begun, go_on, None)
    assert sorted(map(str, results)) == sorted(["done"] * 3 + [str(Stopped)])


@dataclass
class Holder:
    array: np.ndarray
    more: dict


def test_sizes_count_arrays_tensors_and_modules_once():
    array = np.zeros((100, 100), "f4")
    assert 40_000 <= size_of(array) < 40_100
    assert 40_000 <= size_of(Holder(array, {"again": [array, array]})) < 42_000
    assert size_of(array[:1]) >= 40_000, "a view keeps the whole array alive"
    assert 40_000 <= size_of(torch.zeros(100, 100)) < 40_100
    layer = torch.nn.Linear(100, 100)
    assert 40_400 <= size_of(layer) < 60_000
    assert size_of(b"x" * 1000) >= 1000
    assert size_of(OrderedDict(a="é" * 500)) >= 500
    assert size_of([None, int, len, np]) < 200, "code counts nothing"


def test_usage_adds_up_and_clear_forgets():
    @cached(entries=3)
    def zeros(n: int) -> np.ndarray:
        return np.zeros(n, "u1")

    for n in (10_000, 20_000, 30_000, 40_000):
        zeros(n)
    name = next(name for name in caching.usage() if name.endswith("zeros"))
    entries, n_bytes = caching.usage()[name]
    assert entries == 3
    assert 90_000 <= n_bytes < 93_000
    caching.clear()
    assert caching.usage()[name] == (0, 0)


# ---- one budget for all --------------------------------------------------------------------------------------------


def zeros_of(budget: Budget, calls: list[int]):
    """Two caches of arrays of n bytes that share a budget."""

    @cached(budget=budget)
    def one(n: int) -> np.ndarray:
        calls.append(n)
        return np.zeros(n, "u1")

    @cached(budget=budget)
    def other(n: int) -> np.ndarray:
        calls.append(-n)
        return np.zeros(n, "u1")

    return one, other


def test_the_least_recently_used_of_all_caches_goes_first():
    budget, calls = Budget(100_000), []
    one, other = zeros_of(budget, calls)
    for ask in (lambda: one(40_000), lambda: other(40_001), lambda: one(40_000), lambda: one(30_000)):
        ask()
    assert calls == [40_000, -40_001, 30_000]
    assert budget.n_bytes <= 100_000
    one(40_000)
    assert calls == [40_000, -40_001, 30_000], "it was used since"
    other(40_001)
    assert calls == [40_000, -40_001, 30_000, -40_001], "this was the oldest, whichever cache it was in"


def test_a_result_larger_than_the_budget_is_handed_out_and_pushes_nothing_out():
    budget, calls = Budget(100_000), []
    one, other = zeros_of(budget, calls)
    other(50_000)
    assert len(one(200_000)) == len(one(200_000)) == 200_000
    other(50_000)
    assert calls == [-50_000, 200_000, 200_000]
    assert 50_000 < budget.n_bytes < 60_000


def test_keys_count_as_well():
    budget = Budget(100_000)

    @cached(budget=budget)
    def length(text: str) -> int:
        return len(text)

    for n in range(100):
        length(str(n) * 5_000)
    assert 80_000 < budget.n_bytes <= 100_000


def test_the_count_is_true_after_errors_and_clearing():
    budget = Budget(1_000_000)

    @cached(budget=budget)
    def zeros(n: int) -> np.ndarray:
        if n < 0:
            raise ValueError("less than nothing")
        return np.zeros(n, "u1")

    for n in (1000, 2000, -1):
        with suppress(ValueError):
            zeros(n)
    assert budget.n_bytes == sum(entry.n_bytes or 0 for entry in budget.caches[name_of(zeros)].entries.values()) > 3000
    budget.caches[name_of(zeros)].clear()
    assert budget.n_bytes == 0


def name_of(function) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def test_models_count_with_all_their_weights():
    caching.clear()
    source = Shipped("stories").resolve()
    model = source.model
    n_bytes = sum(p.numel() * p.element_size() for p in model.parameters())
    assert caching.usage()["lab.kit.models.references._trained_model"][1] >= n_bytes
    assert source.model is model, "and is made once"


def test_what_is_first_asked_for_within_inference_mode_can_be_trained_by_others():
    layer = cached(budget=Budget(10_000))(lambda: torch.nn.LayerNorm(2))
    with torch.inference_mode():
        assert not layer().weight.is_inference()
        assert torch.is_inference_mode_enabled(), "it goes on where it was"
    layer()(torch.ones(2)).sum().backward()
    with torch.no_grad():
        assert not cached(budget=Budget(10_000))(lambda: torch.is_grad_enabled())()


def test_a_function_that_is_defined_anew_leaves_nothing_behind():
    budget = Budget(1_000_000)
    for _ in range(3):

        @cached(budget=budget)
        def zeros(n: int) -> np.ndarray:
            return np.zeros(n, "u1")

        zeros(10_000)
    assert budget.n_bytes < 20_000


def test_a_long_computation_is_not_the_first_to_go_when_it_ends():
    begun, go_on, calls = threading.Event(), threading.Event(), []

    @cached(entries=2)
    def square(n: int) -> int:
        calls.append(n)
        if n == 1 and len(calls) == 1:
            begun.set()
            assert go_on.wait(SOON)
        return n * n

    first = threading.Thread(target=square, args=(1,))
    first.start()
    assert begun.wait(SOON)
    for n in (2, 3):
        square(n)
    go_on.set()
    first.join(SOON)
    assert square(1) == 1
    assert calls == [1, 2, 3], "1 was used last, so it is kept"
    square(2)
    assert calls == [1, 2, 3, 2], "and 2 has gone"
