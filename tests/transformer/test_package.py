import subprocess
import sys
from pathlib import Path

import pytest

import transformer
from transformer.config import PRESETS


def test_every_public_name_is_there():
    assert transformer.__all__ == sorted(transformer.__all__)
    for name in transformer.__all__:
        assert name == "PRESETS" or getattr(transformer, name).__name__ == name
    assert transformer.PRESETS is PRESETS
    assert set(PRESETS) == {"tiny", "classroom", "paper_base"}
    with pytest.raises(AttributeError, match="module 'transformer' has no attribute 'Perceptron'"):
        _ = transformer.Perceptron


def test_a_config_costs_no_torch():
    code = "import sys, transformer.config; from transformer import PRESETS; sys.exit('torch' in sys.modules)"
    root = Path(transformer.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
