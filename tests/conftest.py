import pytest
import torch
from hypothesis import settings

# A machine that is busy with something else is no reason to fail, so no example has a deadline.
settings.register_profile("full", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None, max_examples=200)  # `make thorough`
settings.register_profile("quick", deadline=None, max_examples=20)  # as `make check` asks for on the command line
settings.load_profile("full")


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> None:
    """As the app sets it: another number of threads adds up in another order, and the last bit differs."""
    torch.set_num_threads(1)
