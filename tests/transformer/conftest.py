import pytest
import torch


@pytest.fixture(autouse=True, scope="session")
def _plain_torch():
    """One thread, and torch's own layers on the path that reads like the formula, not on the fused one."""
    threads, fused = torch.get_num_threads(), torch.backends.mha.get_fastpath_enabled()
    torch.set_num_threads(1)
    torch.backends.mha.set_fastpath_enabled(False)
    yield
    torch.set_num_threads(threads)
    torch.backends.mha.set_fastpath_enabled(fused)
