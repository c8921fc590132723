"""A model's files without a folder: in memory."""

from collections.abc import Mapping

from transformer.pretrained.reading import Data


class Memory:
    """Files that are in memory."""

    def __init__(self, files: Mapping[str, Data], name: str) -> None:
        self._files, self.name = files, name

    def sizes(self) -> Mapping[str, int]:
        return {name: len(data) for name, data in self._files.items()}

    def read(self, file: str, start: int, stop: int) -> Data:
        return self._files[file][start:stop]
