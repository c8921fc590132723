"""What AppTest does again at every run is done once here, too."""

from tests.pages.conftest import _packages_are_scanned_once, _scripts_are_compiled_once

__all__ = ["_packages_are_scanned_once", "_scripts_are_compiled_once"]
