"""Power laws: what was put in is found again, and the error bars are those of a bootstrap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.further import examples
from transformer.inspection.power_law import fitted, power_law

X = (1e3, 4e3, 3e4, 1e5)


@examples(25)
@given(st.floats(0.5, 100), st.floats(0.05, 1.5), st.floats(0, 2))
def test_a_law_is_found_again(a: float, b: float, floor: float) -> None:
    losses = a * np.array(X) ** -b + floor
    law = power_law(X, losses, floor)
    assert law.a == pytest.approx(a, rel=1e-3)
    assert law.b == pytest.approx(b, abs=1e-4)
    np.testing.assert_allclose(law.at(np.array(X)), losses)


def test_a_loss_at_the_floor_has_no_law() -> None:
    with pytest.raises(ValueError, match="floor"):
        power_law(X, (3, 2, 1, 0.5), 0.5)


def test_without_noise_there_is_no_doubt_and_with_it_there_is() -> None:
    exact = [(x, (5 * x**-0.4 + 0.3,) * 3) for x in X]
    fit = fitted(exact, 0.3, np.array(X))
    assert fit.b_range == pytest.approx((0.4, 0.4))
    assert fit.worst == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(fit.band[0], fit.band[1])
    rng = np.random.default_rng(1)
    noisy = [(x, tuple(0.3 + 5 * x**-0.4 * rng.normal(1, 0.1, 3))) for x in X]
    fit = fitted(noisy, 0.3, np.array(X))
    low, high = fit.b_range
    assert low < fit.law.b < high
    assert low < 0.4 < high
    assert high - low < 0.2
    assert (fit.band[0] < fit.band[1]).all()


def test_the_worst_point_is_measured_above_the_floor() -> None:
    runs = [(1.0, (11.0,)), (10.0, (2.0,)), (100.0, (1.1,))]
    assert fitted(runs, 1.0, np.array([1.0])).worst == pytest.approx(0, abs=1e-9)
    bent = fitted([(1.0, (11.0,)), (10.0, (3.0,)), (100.0, (1.1,))], 1.0, np.array([1.0]))
    means = np.array([10.0, 2.0, 0.1])
    law = bent.law.at(np.array([1.0, 10.0, 100.0])) - 1
    assert bent.worst == pytest.approx(np.max(np.abs(law - means) / means))
