"""The folder of a published model, read as if a stranger had made it: config.json, weights as safetensors, tokenizer.

    checked = check(Folder("some/folder"))      settings, where each tensor lies, an estimate; no weight has been read
    Tensors(checked)["wte.weight"]              one tensor, read when it is asked for

Pickles, which can run any code, are never opened.
"""

import math
import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from transformer.core.checks import InputError, is_number, is_whole
from transformer.pretrained.reading import MAX_VOCABULARY, Data, json_in, megabytes, parameters, quoted, sentence
from transformer.pretrained.tokenizer import FILES as TOKENIZER_FILES

if TYPE_CHECKING:
    from torch import Tensor

CONFIG, WEIGHTS, INDEX = "config.json", "model.safetensors", "model.safetensors.index.json"
OLDER = {"vocab.txt", "vocab.json", "merges.txt"}  # what stands in for tokenizer.json
MAX_CONFIG = 2 * 2**20
MAX_INDEX = 8 * 2**20
MAX_HEADER = 16 * 2**20
MAX_TENSORS = 20_000
MAX_SHARDS = 200
READ = ("F64", "F32", "F16", "BF16")  # the types that weights may have
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_][\w.-]{0,150}\.safetensors", re.ASCII)
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
_OTHERS = (".gguf", ".onnx", ".h5", ".msgpack", ".npz")
_HALVES = (".part", ".incomplete", ".crdownload", ".tmp", ".download", ".aria2")
# Of each setting that makes a model large, whatever a family calls it, the most that is read. Beyond these no machine
# that this is for could hold it, and nothing is built or counted from such a number.
_LIMITS = {
    ("hidden_size", "d_model", "n_embd", "dim", "embedding_size", "d_kv", "head_dim"): 16_384,
    ("intermediate_size", "d_ff", "n_inner", "hidden_dim", "encoder_ffn_dim", "decoder_ffn_dim"): 65_536,
    (
        "num_hidden_layers",
        "n_layer",
        "n_layers",
        "num_layers",
        "num_decoder_layers",
        "encoder_layers",
        "decoder_layers",
    ): 200,
    (
        "num_attention_heads",
        "n_head",
        "n_heads",
        "num_heads",
        "num_key_value_heads",
        "encoder_attention_heads",
        "decoder_attention_heads",
    ): 256,
    ("vocab_size",): MAX_VOCABULARY,
    ("max_position_embeddings", "n_positions", "n_ctx"): 2_000_000,
    ("type_vocab_size",): 64,
    ("image_size",): 2048,
    ("patch_size", "num_channels", "relative_attention_num_buckets"): 1024,
}


class Estimate(NamedTuple):
    """What a model costs, before its weights are read: bytes to download, parameters, and bytes of memory for them as
    32-bit and as 16-bit numbers. While it is read, the largest tensor is there twice, which is counted.
    """

    download: int
    parameters: int
    full: int
    half: int

    def __str__(self) -> str:
        return f"{parameters(self.parameters)}, {megabytes(self.download)}"


class Store(Protocol):
    """Where a model's files are: a folder, a package, the hub. Only names that `sizes` lists are ever read."""

    name: str

    def sizes(self) -> Mapping[str, int]:
        """The files directly in it, with their bytes."""
        ...

    def read(self, file: str, start: int, stop: int) -> Data:
        """Exactly the bytes from start up to stop. Raises InputError if they cannot be had."""
        ...


class Folder:
    """A folder on this machine. Only its ordinary files are seen, none of its folders."""

    def __init__(self, path: Path | str, name: str = "") -> None:
        self.path = Path(path)
        self.name = name or self.path.name

    def sizes(self) -> Mapping[str, int]:
        try:
            with os.scandir(self.path) as entries:
                return {entry.name: entry.stat().st_size for entry in entries if entry.is_file()}
        except OSError as error:
            raise InputError("There is no such folder, or it cannot be read.") from error

    def read(self, file: str, start: int, stop: int) -> Data:
        # Never mapped into memory: a file that is cut short meanwhile would end the whole process.
        try:
            number = os.open(self.path / file, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
            with open(number, "rb", buffering=0) as opened:
                if not stat.S_ISREG(os.fstat(number).st_mode):
                    raise OSError
                opened.seek(start)
                data = bytearray(stop - start)
                filled = 0
                while filled < len(data) and (count := opened.readinto(memoryview(data)[filled:])):
                    filled += count
        except OSError as error:
            raise InputError(f"{quoted(file)} cannot be read.") from error
        if filled < len(data):
            raise InputError(f"{quoted(file)} is shorter than it was a moment ago.")
        return data


class Entry(NamedTuple):
    """Where a tensor lies: its file, its type as safetensors call it, its shape, and its first and last byte there."""

    file: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Checked:
    """What is known of a model before its weights are read.

    settings  its config.json
    entries   name -> where each tensor lies
    """

    store: Store
    family: str
    settings: dict[str, Any]
    entries: dict[str, Entry]
    estimate: Estimate


def check(store: Store) -> Checked:
    """Everything about a model that can be known from a few kilobytes of it. Raises InputError if it cannot be used.

    What is checked: the files that are needed are there; config.json describes a model of a known family, within
    limits; each header is in its file, and its tensors fill the rest without gap or overlap; the tensors are those of
    the model.
    """
    from transformer.pretrained import convert
    from transformer.pretrained.family import family_of

    sizes = store.sizes()
    _check_whole(sizes)
    settings = settings_of(_small(store, sizes, CONFIG, MAX_CONFIG))
    with _one_sentence():
        family_of(settings).config(settings)
    entries: dict[str, Entry] = {}
    for file in _shards(store, sizes):
        found = header(store, file, sizes[file])
        if twice := entries.keys() & found.keys():
            raise InputError(f"The tensor {quoted(min(twice))} is in two of the model's files.")
        entries |= found
    weights = {name: entry.shape for name, entry in entries.items() if entry.dtype in READ}
    with _one_sentence():
        unused = convert.check(settings, weights)
    used = [math.prod(shape) for name, shape in weights.items() if name not in unused]
    estimate = _estimate(sum(needed(store).values()), used)
    return Checked(store, settings["model_type"], settings, entries, estimate)


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Within the block, whatever a stranger's settings lead to is a sentence."""
    try:
        yield
    except InputError as error:
        raise InputError(sentence(error)) from error
    except Exception as error:  # a setting of a kind that no published model has
        raise InputError("config.json does not describe a model of its family.") from error


def tokenizer_files(store: Store) -> dict[str, Data]:
    """The files that the model's tokenizer is made of. Those that need another reader are named, with no bytes."""
    sizes = store.sizes()
    spare = OLDER if "tokenizer.json" in sizes else set()  # it says all
    found = {
        file: _small(store, sizes, file, limit)
        for file, limit in TOKENIZER_FILES.items()
        if file in sizes and file not in spare
    }
    return {file: b"" for file in sizes if file.endswith((".model", ".tiktoken"))} | found


def needed(store: Store) -> dict[str, int]:
    """Those of a model's files that are read, with their sizes. Raises InputError where some are missing."""
    sizes = store.sizes()
    _check_whole(sizes)
    names = {CONFIG, "tokenizer_config.json", "special_tokens_map.json", "preprocessor_config.json"}
    names |= {*_shards(store, sizes)}
    names |= {INDEX} if WEIGHTS not in sizes else set()
    names |= {"tokenizer.json"} if "tokenizer.json" in sizes else OLDER
    return {file: size for file, size in sizes.items() if file in names}


def _small(store: Store, sizes: Mapping[str, int], file: str, limit: int) -> Data:
    if sizes[file] > limit:
        raise InputError(f"{file} has {megabytes(sizes[file])}; the most that is read of it is {megabytes(limit)}.")
    return store.read(file, 0, sizes[file])


# ---- what is there, and what is not --------------------------------------------------------------------------------


def _check_whole(sizes: Mapping[str, int]) -> None:
    """Say what is missing, and what to do about it."""
    if CONFIG not in sizes:
        raise InputError(
            "This is no folder of a model: it holds no config.json. Choose the folder with config.json,"
            " tokenizer.json and model.safetensors in it."
        )
    halves = sorted(file for file in sizes if file.endswith(_HALVES))
    if WEIGHTS in sizes or INDEX in sizes:
        return
    if halves:
        raise InputError(f"The download is not complete: {quoted(halves[0])} is half a file. Finish it and try again.")
    pickles = sorted(file for file in sizes if file.endswith(_PICKLES) and file != "training_args.bin")
    if pickles:
        raise InputError(
            f"The weights are in {quoted(pickles[0])}, a pickle, which could run any code, so it is not opened. If you"
            " trust it, convert it with the library transformers: AutoModel.from_pretrained(old).save_pretrained(new)."
        )
    others = sorted(file for file in sizes if file.endswith(_OTHERS))
    found = f"{quoted(others[0])} is of another format" if others else "there is no model.safetensors"
    raise InputError(f"The weights are missing: {found}. Bring them as safetensors.")


def _shards(store: Store, sizes: Mapping[str, int]) -> list[str]:
    """The files with weights. An index names the shards; names that lead out of the folder are refused."""
    if WEIGHTS in sizes:
        return [WEIGHTS]
    places = json_in(_small(store, sizes, INDEX, MAX_INDEX), INDEX).get("weight_map")
    if not isinstance(places, dict) or not places or len(places) > MAX_TENSORS:
        raise InputError(f"{INDEX} does not say which file holds which tensor.")
    if strange := [file for file in places.values() if not isinstance(file, str) or not _PLAIN_NAME.fullmatch(file)]:
        raise InputError(f"{INDEX} names {quoted(strange[0])}, which is no plain name of a file beside it.")
    files = sorted(set(places.values()))
    if missing := [file for file in files if file not in sizes]:
        raise InputError(
            f"{len(missing)} of the model's {len(files)} files of weights are missing, the first is"
            f" {quoted(missing[0])}. The download may not be complete."
        )
    if len(files) > MAX_SHARDS:
        raise InputError(f"The weights are in {len(files):,} files; the most that is read is {MAX_SHARDS}.")
    return files


# ---- config.json ---------------------------------------------------------------------------------------------------


def settings_of(data: Data) -> dict[str, Any]:
    """config.json as a dict, of a known family, in which every size is a whole number within its limits.

    Raises InputError.
    """
    from transformer.pretrained.family import CAN_BE_OPENED, family_of

    settings = json_in(data, CONFIG)
    if "quantization_config" in settings:
        raise InputError(
            "This model is quantised, and 16- and 32-bit weights are read here. Bring it as it was before."
        )
    if "auto_map" in settings and "model_type" not in settings:
        raise InputError(
            "This model needs code of its own, and nothing that comes with a model is run here. These can be opened:"
            f" {CAN_BE_OPENED}."
        )
    with _one_sentence():
        family_of(settings)
    for names, most in _LIMITS.items():
        for name in names:
            value = settings.get(name)
            # A vision model gives pairs of equal numbers for width and height.
            for part in value if isinstance(value, list) and len(value) <= 2 else [value]:
                if part is not None and not (is_whole(part) and 1 <= part <= most):
                    raise InputError(
                        f"config.json: {name} is {quoted(value)}; it must be a whole number up to {most:,}."
                    )
    for name, value in settings.items():
        if isinstance(value, float) and not is_number(value):
            raise InputError(f"config.json: {quoted(name)} is no finite number.")
    return settings


# ---- headers of safetensors ----------------------------------------------------------------------------------------


def header(store: Store, file: str, size: int) -> dict[str, Entry]:
    """name -> where each tensor lies, from the header of a file of this size. Raises InputError unless the tensors fill
    what follows the header exactly.
    """
    from attention_view import safetensors
    from attention_view.stored import BadTensors

    beginning = store.read(file, 0, min(size, 40))
    if beginning.startswith(b"version https://git-lfs"):
        raise InputError(f"{quoted(file)} is only a pointer of Git LFS to the weights. Fetch them with: git lfs pull")
    if beginning[:2] in (b"\x80\x02", b"\x80\x04", b"\x80\x05", b"PK") and beginning[8:9] != b"{":
        raise InputError(f"{quoted(file)} is called safetensors and is a pickle, which could run any code.")
    try:
        places, _ = safetensors.header(lambda start, stop: store.read(file, start, stop), size, MAX_HEADER, MAX_TENSORS)
    except BadTensors as error:
        raise InputError(f"{quoted(file)} cannot be read: {error.fault}.") from error
    if not places:
        raise InputError(f"{quoted(file)} holds no tensors.")
    return {name: Entry(file, *place) for name, place in places.items()}


def _estimate(download: int, counts: Sequence[int]) -> Estimate:
    parameters, largest = sum(counts), max(counts, default=0)
    return Estimate(download, parameters, 4 * (parameters + 2 * largest), 2 * (parameters + 3 * largest))


# ---- the tensors ---------------------------------------------------------------------------------------------------


class Tensors(Mapping[str, "Tensor"]):
    """The weights of a checked model by their names there, each read from its file when it is asked for.

    half  as bfloat16 instead of float32; in bfloat16 nothing that float32 can hold becomes infinite
    """

    def __init__(self, checked: Checked, half: bool = False) -> None:
        self._store, self._half = checked.store, half
        # Counters and masks stand beside the weights of some older models. They are computed here.
        self._entries = {name: entry for name, entry in checked.entries.items() if entry.dtype in READ}

    def __getitem__(self, name: str) -> "Tensor":
        import torch

        entry = self._entries[name]
        dtypes = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
        data = self._store.read(entry.file, entry.start, entry.stop)
        data = data if isinstance(data, bytearray) else bytearray(data)
        numbers = torch.frombuffer(data, dtype=dtypes[entry.dtype]) if data else torch.empty(0)
        numbers = numbers.to(torch.bfloat16 if self._half else torch.float32)
        if not torch.isfinite(numbers).all():
            raise InputError(f"{quoted(name)} holds values that are no numbers (NaN or infinity).")
        return numbers.reshape(entry.shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
