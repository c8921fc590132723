import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import transformer
from transformer.core.config import PRESETS


def test_every_public_name_is_there():
    assert transformer.__all__ == sorted(transformer.__all__)
    for name in transformer.__all__:
        assert name == "PRESETS" or getattr(transformer, name).__name__ == name
    assert transformer.PRESETS is PRESETS
    assert set(PRESETS) == {"tiny", "classroom", "paper_base"}
    with pytest.raises(AttributeError, match="module 'transformer' has no attribute 'Perceptron'"):
        _ = transformer.Perceptron


def test_editors_see_every_public_name_where_it_is():
    """The names that type checkers import are those that are imported when first used, from the same modules."""
    tree = ast.parse(Path(transformer.__file__).read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {name.name: line.module for line in block.body if isinstance(line, ast.ImportFrom) for name in line.names}
    assert sorted(seen) == transformer.__all__
    for name, module in seen.items():
        assert getattr(transformer, name) is getattr(import_module(str(module)), name)


def test_a_config_costs_no_torch():
    code = "import sys, transformer.core.config; from transformer import PRESETS; sys.exit('torch' in sys.modules)"
    root = Path(transformer.__file__).parents[1]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
