"""NumPy's .npz and .npy: zipfile and numpy.lib.format read them, once sizes, types and packing have been judged.

An .npz is a zip archive of .npy files; the directory at its end says how long each is, packed and unpacked. The bounds
are ours, because neither library has any: an array is made only if its shape and type need exactly the bytes that the
directory names, and nothing is unpickled.
"""

import io
import json
import math
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import IO

import numpy as np
from numpy.lib import format as npy

from attention_view.stored import (
    MAX_AXES,
    MAX_NAMES,
    MAX_TEXT,
    BadTensors,
    Contents,
    Stored,
    kept,
    kept_as,
    quoted,
    sized,
    wrong_type,
)

MAX_HEADER = 4096  # bytes of a .npy file
MAX_PACKED = 1032  # times shorter is the most that deflate can make anything
_NUMBERS = ("f2", "f4", "f8", "b1", "u1")
# What zipfile and read_array raise; NotImplementedError is a RuntimeError.
_DAMAGED = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError)
_ENTRY = b"PK\x01\x02"  # what every entry of the directory begins with

Opened = Callable[[], IO[bytes]]


def contents(data: bytes, is_wanted: Callable[[str], bool]) -> Contents:
    """The arrays and texts under the names that are wanted, of an .npz file. Raises BadTensors."""
    if data.count(_ENTRY) > MAX_NAMES:  # before zipfile makes an object of each
        raise BadTensors(f"there are more than {MAX_NAMES:,} files in it; save fewer arrays")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGED:
        raise BadTensors(
            "the end of the archive is missing, so it was probably cut off on the way; bring it again"
        ) from None
    members = {}
    for member in archive.infolist():
        if member.filename.rsplit("/")[-1] == "data.pkl":
            raise BadTensors("it is a pickle of torch.save, which could run any code; save it with numpy.savez")
        if member.filename.endswith(".npy"):
            name = member.filename.removesuffix(".npy")
            if name in members:
                raise BadTensors("two arrays in it have the same name; give each a name of its own")
            members[name] = member
    wanted = {name: _packed(name, archive, member) for name, member in members.items() if is_wanted(name)}
    return _sorted(wanted, tuple(members))


def _packed(name: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Stored:
    """The array in a member of an archive, of which no more than the header is unpacked now."""
    packed, size = member.compress_size, member.file_size
    if member.flag_bits & 1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadTensors(f"{quoted(name)} is encrypted or packed in a rare way; write it again with numpy.savez")
    if (member.compress_type == zipfile.ZIP_STORED and packed != size) or size > MAX_PACKED * packed + 64:
        raise BadTensors(f"{quoted(name)} claims to be longer than its bytes can hold; write it again")
    return _array(name, lambda: archive.open(member), size)


def single(data: bytes, name: str) -> Contents:
    """The one array of a .npy file, under this name. Raises BadTensors."""
    return _sorted({name: _array(name, lambda: io.BytesIO(data), len(data))}, (name,))


def _array(name: str, opened: Opened, size: int) -> Stored:
    """The array in a .npy file of this size, once its header says just that. Raises BadTensors."""
    damaged = BadTensors(f"{quoted(name)} is damaged; bring the file again, or write it again with numpy.savez")
    try:
        with opened() as file:
            start = file.read(MAX_HEADER + 12)
    except _DAMAGED:
        raise damaged from None
    shape, dtype, begin = _header(name, start)
    needed, there = math.prod(shape) * dtype.itemsize, size - begin
    if needed != there:
        raise BadTensors(
            f"{quoted(name)} is said to be {sized(shape)}, which cannot be in {there:,} bytes; write it again"
        )

    def read() -> np.ndarray:
        try:
            with opened() as file:
                array = npy.read_array(file, allow_pickle=False, max_header_size=MAX_HEADER)
                file.read()  # to the end, where the checksum is compared
        except _DAMAGED:
            raise damaged from None
        if dtype.kind == "b":  # any bit of a stranger's booleans may be set
            array = array.view("|u1")
        return array if dtype.kind in "US" else kept(array)

    return Stored(shape, np.dtype("|u1") if dtype.kind == "b" else kept_as(dtype), read)


def _header(name: str, start: bytes) -> tuple[tuple[int, ...], np.dtype, int]:
    """(shape, type, where the numbers begin) of a .npy file that begins with these bytes."""
    fault = BadTensors(f"{quoted(name)} has no header of NumPy; write it again with numpy.savez")
    file = io.BytesIO(start)
    try:
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read(file, max_header_size=MAX_HEADER)
    except Exception:  # a header is parsed as Python's literals, and whatever that leads to is the file's fault
        raise fault from None
    if dtype.names is not None:
        raise BadTensors(f"{quoted(name)} has columns with names; save a plain array of numbers")
    if dtype.hasobject:
        raise BadTensors(
            f"{quoted(name)} holds Python objects, a pickle that could run any code; save plain numbers, and layers "
            "one by one if their shapes differ"
        )
    if not (dtype.kind in "US" and dtype.itemsize) and dtype.str[1:] not in _NUMBERS:
        raise wrong_type(name, dtype.str)
    if len(shape) > MAX_AXES or any(n < 0 or n > 10**15 for n in shape):
        raise fault
    return shape, dtype, file.tell()


# ---- texts ---------------------------------------------------------------------------------------------------------


def _sorted(stored: Mapping[str, Stored], names: tuple[str, ...]) -> Contents:
    """Arrays of texts apart from arrays of numbers; a list of texts becomes JSON, as it is in safetensors."""
    are_texts = {name: array.dtype.kind in "US" for name, array in stored.items()}
    return Contents(
        {name: array for name, array in stored.items() if not are_texts[name]},
        {name: _text(name, array) for name, array in stored.items() if are_texts[name]},
        names,
    )


def _text(name: str, stored: Stored) -> str:
    if stored.n_bytes > MAX_TEXT or len(stored.shape) > 1:
        raise BadTensors(f"{quoted(name)} is too large for a list of tokens; save it with json.dumps")
    try:
        parts = [part if isinstance(part, str) else part.decode() for part in stored.read().ravel().tolist()]
    except ValueError:  # of code points that do not exist, and of bytes that are no UTF-8
        raise BadTensors(f"{quoted(name)} holds letters that do not exist; save it with json.dumps") from None
    return json.dumps(parts) if stored.shape else parts[0]
