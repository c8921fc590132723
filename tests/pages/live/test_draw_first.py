"""The loss that is drawn before it is shown is that of the film."""

import numpy as np

from pages.live.draw_first import N_PLACES, VIEW, curve
from pages.shared.models import Shipped
from tests.pages.driver import notices, visit, words


def test_the_curve_is_the_validation_loss_of_the_film():
    checkpoint = Shipped("translator").resolve().checkpoint
    film = checkpoint.film
    assert film is not None
    drawn = curve(film, len(checkpoint.task.target))
    assert drawn is not None
    known = ~np.isnan(film.curves["val_loss"])
    x, y = np.transpose(drawn.path)
    np.testing.assert_allclose(y, film.curves["val_loss"][known])
    places = np.array([int(name.replace(",", "")) for name in drawn.names])
    assert (places[0], places[-1], len(places)) == (0, film.steps[-1], N_PLACES)
    np.testing.assert_allclose(np.interp(x, range(N_PLACES), places), film.steps[known], atol=1e-6)
    np.testing.assert_allclose(drawn.truth, np.interp(places, film.steps, film.curves["val_loss"]))
    assert drawn.ends[0] == 0 < max(y) <= drawn.ends[1]
    half = film.steps[known][film.curves["val_loss"][known] <= 0.5 * film.curves["val_loss"][0]][0]
    assert f"gone by step {half:,}," in drawn.after
    assert curve(film.thinned(N_PLACES - 1), 9) is None, "too few frames for a curve"


def test_the_view_tells_the_first_loss_and_no_other():
    at = visit("live", live_below=VIEW.name, live_film="Reverse, recorded")
    assert "too short" not in notices(at)
    assert "Draw it first" in words(at)
