import pytest
import torch
from hypothesis import settings

# A machine that is busy with something else is no reason to fail.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(autouse=True, scope="session")
def _one_thread():
    """As the app sets it: another number of threads adds up in another order, and the last bit differs."""
    torch.set_num_threads(1)
