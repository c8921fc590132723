"""A model's files without a folder: in memory, or in a zip."""

from collections.abc import Mapping
from io import BytesIO

from transformer.pretrained.archive import Archive
from transformer.pretrained.files import Store
from transformer.pretrained.reading import Data


class Memory:
    """Files that are in memory."""

    def __init__(self, files: Mapping[str, Data], name: str) -> None:
        self._files, self.name = files, name

    def sizes(self) -> Mapping[str, int]:
        return {name: len(data) for name, data in self._files.items()}

    def read(self, file: str, start: int, stop: int) -> Data:
        return self._files[file][start:stop]


def unpack(data: bytes, name: str = "your model") -> Store:
    """The files of the model in a zip, unpacked. Raises InputError."""
    return Archive(BytesIO(data), name).unpack(BytesIO())
