"""NumPy's .npz and .npy, read by hand: nothing is unpickled, evaluated, or unpacked further than it says.

An .npz is a zip archive of .npy files; the directory at its end says where each begins, and how long it is packed and
unpacked. A .npy file is a magic number, a version, the length of a header, the header (a Python dict with the keys
descr, fortran_order and shape), then raw numbers. An array is made only if its shape and type need exactly the bytes
that the directory names, and no more are ever unpacked.
"""

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from attention_view.stored import (
    MAX_AXES,
    MAX_NAMES,
    MAX_TEXT,
    BadTensors,
    Contents,
    Stored,
    kept,
    kept_as,
    product,
    quoted,
    sized,
    wrong_type,
)

MAX_HEADER = 4096  # bytes of a .npy file
MAX_PACKED = 1032  # times shorter is the most that deflate can make anything
_SLICE = 2**16  # bytes that are unpacked at a time
_START = MAX_HEADER + 12  # bytes of a .npy file that its header is in
_NUMBERS = ("f2", "f4", "f8", "b1", "u1")
_DESCR = re.compile(r"([<>|=]?)([a-zA-Z])([0-9]{0,7})")
_ITEM = re.compile(  # of the header of a .npy file, without its spaces
    r"'descr':'(?P<descr>[^'\\]{1,16})'|'fortran_order':(?P<fortran>True|False)|'shape':\((?P<shape>[0-9,]{0,200})\)"
)


# ---- .npz ----------------------------------------------------------------------------------------------------------


class _Member(NamedTuple):
    """A file in a zip archive: its bytes from begin to end, stored (method 0) or deflated (8); size is unpacked."""

    name: str
    method: int
    begin: int
    end: int
    size: int
    checksum: int


def contents(data: bytes, is_wanted: Callable[[str], bool]) -> Contents:
    """The arrays and texts under the names that are wanted, of an .npz file. Raises BadTensors."""
    members = list(_members(data))
    names = tuple(member.name for member in members)
    if len(set(names)) < len(names):
        raise BadTensors("two arrays in it have the same name; give each a name of its own")
    end = 0
    for member in sorted(members, key=lambda member: member.begin):
        if member.begin < end:
            raise BadTensors("two arrays in it share the same bytes; write it again with numpy.savez")
        end = member.end
    return _sorted({member.name: _array(member, data) for member in members if is_wanted(member.name)}, names)


def _members(data: bytes) -> Iterator[_Member]:
    """The .npy files that the directory of the archive lists."""
    at = data.rfind(b"PK\x05\x06", max(0, len(data) - 22 - 65_535))
    if at < 0 or at + 22 > len(data):
        raise BadTensors("the end of the archive is missing, so it was probably cut off on the way; bring it again")
    n, length, offset = struct.unpack("<HII", data[at + 10 : at + 20])
    if n > MAX_NAMES:
        raise BadTensors(f"there are {n:,} files in it, and {MAX_NAMES:,} is the most; save fewer arrays")
    if offset + length > at:
        raise _damaged("the directory of the archive")
    for _ in range(n):
        if data[offset : offset + 4] != b"PK\x01\x02" or offset + 46 > at:
            raise _damaged("the directory of the archive")
        flags, method = struct.unpack("<HH", data[offset + 8 : offset + 12])
        checksum, packed, size, n_name, n_extra, n_comment = struct.unpack("<IIIHHH", data[offset + 16 : offset + 34])
        (local,) = struct.unpack("<I", data[offset + 42 : offset + 46])
        path = data[offset + 46 : offset + 46 + n_name].decode("utf-8", "replace")
        offset += 46 + n_name + n_extra + n_comment
        if path.rsplit("/")[-1] == "data.pkl":
            raise BadTensors("it is a pickle of torch.save, which could run any code; save it with numpy.savez")
        if not path.endswith(".npy"):
            continue
        name = path.removesuffix(".npy")
        if data[local : local + 4] != b"PK\x03\x04" or local + 30 > len(data):
            raise _damaged(quoted(name))
        begin = local + 30 + sum(struct.unpack("<HH", data[local + 26 : local + 30]))
        if begin + packed > len(data):
            raise _damaged(quoted(name))
        if flags & 1 or method not in (0, 8):
            raise BadTensors(f"{quoted(name)} is encrypted or packed in a rare way; write it again with numpy.savez")
        if (method == 0 and packed != size) or size > MAX_PACKED * packed + 64:
            raise BadTensors(f"{quoted(name)} claims to be longer than its bytes can hold; write it again")
        yield _Member(name, method, begin, begin + packed, size, checksum)


def _unpacked(member: _Member, data: bytes) -> Iterator[bytes | memoryview]:
    """The bytes of a member, slice by slice; never more than its size in all."""
    packed = memoryview(data)[member.begin : member.end]
    if member.method == 0:
        yield packed
        return
    left = member.size
    try:
        for piece in _inflated(packed):
            left -= len(piece)
            if left < 0:
                raise BadTensors(f"{quoted(member.name)} is longer than the archive says; write it again")
            yield piece
    except zlib.error:
        raise _damaged(quoted(member.name)) from None


def _inflated(packed: memoryview) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-15)
    for start in range(0, len(packed), _SLICE):
        piece = bytes(packed[start : start + _SLICE])
        while piece and not unpacker.eof:
            yield unpacker.decompress(piece, _SLICE)
            piece = unpacker.unconsumed_tail
    yield unpacker.flush()  # the end of the last match, if any


def _array(member: _Member, data: bytes) -> Stored:
    """The array in a member, of which no more than the header is unpacked now."""
    start = b""
    for piece in _unpacked(member, data):
        start += bytes(piece[: _START - len(start)])
        if len(start) == _START:
            break
    header = _Header.of(start, member.name)
    header.check(member.size, member.name)

    def raw() -> np.ndarray:
        whole, at, checksum = np.empty(member.size, np.uint8), 0, 0
        for piece in _unpacked(member, data):
            checksum = zlib.crc32(piece, checksum)
            whole[at : at + len(piece)] = np.frombuffer(piece, np.uint8)
            at += len(piece)
        if at != member.size or checksum != member.checksum:
            raise _damaged(quoted(member.name))
        return whole[header.begin :]

    return header.stored(raw)


def _damaged(what: str) -> BadTensors:
    return BadTensors(f"{what} is damaged; bring the file again, or write it again with numpy.savez")


# ---- .npy ----------------------------------------------------------------------------------------------------------


def single(data: bytes, name: str) -> Contents:
    """The one array of a .npy file, under this name. Raises BadTensors."""
    header = _Header.of(data[:_START], name)
    header.check(len(data), name)
    return _sorted({name: header.stored(lambda: np.frombuffer(data, np.uint8)[header.begin :])}, (name,))


class _Header(NamedTuple):
    """The header of a .npy file; its numbers begin at byte `begin`."""

    dtype: np.dtype
    is_fortran: bool
    shape: tuple[int, ...]
    begin: int

    @classmethod
    def of(cls, data: bytes, name: str) -> "_Header":
        """The header at the beginning of these bytes."""
        fault = BadTensors(f"{quoted(name)} has no header of NumPy; write it again with numpy.savez")
        if data[:6] != b"\x93NUMPY" or len(data) < 12 or data[6] not in (1, 2, 3):
            raise fault
        form = "<H" if data[6] == 1 else "<I"
        begin = 8 + struct.calcsize(form)
        (length,) = struct.unpack(form, data[8:begin])
        if length > MAX_HEADER or begin + length > len(data):
            raise fault
        text = re.sub(r"\s+", "", data[begin : begin + length].decode("latin-1"))
        if "'descr':[" in text:
            raise BadTensors(f"{quoted(name)} has columns with names; save a plain array of numbers")
        items = list(_ITEM.finditer(text))
        values = {key: value for item in items for key, value in item.groupdict().items() if value is not None}
        if len(items) != 3 or len(values) != 3 or _ITEM.sub("", text).replace(",", "") != "{}":
            raise fault
        sizes = [size for size in values["shape"].split(",") if size]
        if len(sizes) > MAX_AXES or any(len(size) > 15 for size in sizes):
            raise fault
        return cls(_dtype(values["descr"], name), values["fortran"] == "True", tuple(map(int, sizes)), begin + length)

    def check(self, n_bytes: int, name: str) -> None:
        """Raise BadTensors unless the file has exactly the bytes that this header asks for."""
        needed, there = product(self.shape) * self.dtype.itemsize, n_bytes - self.begin
        if needed != there:
            raise BadTensors(
                f"{quoted(name)} is said to be {sized(self.shape)}, which cannot be in {there:,} bytes; write it again"
            )

    def stored(self, raw: Callable[[], np.ndarray]) -> Stored:
        """The array whose bytes `raw` gives."""

        def read() -> np.ndarray:
            array = raw().view(self.dtype)
            if self.dtype.kind not in "US":
                array = kept(array)
            return array.reshape(self.shape[::-1]).T if self.is_fortran else array.reshape(self.shape)

        return Stored(self.shape, kept_as(self.dtype), read)


def _dtype(descr: str, name: str) -> np.dtype:
    """The type of the numbers, or of the texts, of a .npy file."""
    match = _DESCR.fullmatch(descr)
    if match and match[2] == "O":
        raise BadTensors(
            f"{quoted(name)} holds Python objects, a pickle that could run any code; save plain numbers, and layers "
            "one by one if their shapes differ"
        )
    is_text = match and match[2] in "US" and match[3].strip("0")
    if match is None or not (is_text or match[2] + match[3] in _NUMBERS):
        raise wrong_type(name, descr)
    return np.dtype("|u1" if match[2] == "b" else descr)  # of a stranger's booleans any bit may be set


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
