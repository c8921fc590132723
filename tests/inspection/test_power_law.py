"""Power laws: what was put in is found again."""

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


def test_the_worst_point_is_measured_above_the_floor() -> None:
    runs = [(1.0, (11.0,)), (10.0, (2.0,)), (100.0, (1.1,))]
    assert fitted(runs, 1.0).worst == pytest.approx(0, abs=1e-9)
    bent = fitted([(1.0, (11.0,)), (10.0, (3.0,)), (100.0, (1.1,))], 1.0)
    means = np.array([10.0, 2.0, 0.1])
    law = bent.law.at(np.array([1.0, 10.0, 100.0])) - 1
    assert bent.worst == pytest.approx(np.max(np.abs(law - means) / means))
