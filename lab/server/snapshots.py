"""What is to be found again after the server has ended: bytes on disk, under a visitor's key and a name.

A file's own name is a hash of both, so nobody names a path, and no key can be read off the folder. The folder is this
user's alone, bounded in bytes and in age; what is oldest goes first. Where it cannot be had or written to, nothing is
kept, and that is no error. Whoever reads a snapshot takes it for a stranger's, whatever it says of itself.
"""

import hashlib
import os
import re
import secrets
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from lab.server.environment import SNAPSHOTS

MAX_BYTES = 200 * 2**20
MAX_AGE = 24 * 3600.0  # seconds
_NAME = re.compile(r"[0-9a-f]{64}(\.[0-9a-f]{16})?")  # the second part while it is being written
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Snapshots:
    """A folder of snapshots. Any number of processes may share it: keys are unguessable, and files change at once.

    max_bytes  of all files together
    max_age    seconds after which a snapshot is as good as gone
    clock      seconds since 1970, as files are dated
    """

    def __init__(
        self, folder: Path, max_bytes: int = MAX_BYTES, max_age: float = MAX_AGE, clock: Callable[[], float] = time.time
    ):
        self.folder, self.max_bytes, self.max_age, self.clock = folder, max_bytes, max_age, clock
        self._lock = threading.Lock()

    def keep(self, key: str, name: str, data: bytes) -> bool:
        """Keep these bytes in place of those that were kept under the same key and name. Returns whether it worked."""
        if len(data) > self.max_bytes:
            self.drop(key, name)
            return False
        path = self._path(key, name)
        part = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
        with self._lock:
            try:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._check()
                self._make_room(len(data), path)
                descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o600)
                with open(descriptor, "wb") as file:
                    file.write(data)
                os.utime(part, (self.clock(), self.clock()))
                part.replace(path)
                return True
            except OSError:  # a full disk, one that is read-only, or a folder that is not ours
                with suppress(OSError):
                    part.unlink(missing_ok=True)
                return False

    def find(self, key: str, name: str) -> bytes | None:
        """The bytes that were kept last under this key and name; None if there are none, or none any more."""
        try:
            self._check()
            descriptor = os.open(self._path(key, name), os.O_RDONLY | _NO_LINK)
            with open(descriptor, "rb") as file:
                facts = os.fstat(descriptor)
                if not stat.S_ISREG(facts.st_mode) or facts.st_size > self.max_bytes or self._is_old(facts.st_mtime):
                    return None
                return file.read(facts.st_size)
        except OSError:
            return None

    def drop(self, key: str, name: str) -> None:
        """Keep nothing under this key and name any more."""
        with suppress(OSError):
            self._check()
            self._path(key, name).unlink(missing_ok=True)

    def _path(self, key: str, name: str) -> Path:
        return self.folder / hashlib.sha256(f"{key}\n{name}".encode("utf-8", "surrogatepass")).hexdigest()

    def _check(self) -> None:
        """Raise OSError for a folder that is not this user's alone."""
        facts = self.folder.lstat()
        if not stat.S_ISDIR(facts.st_mode):
            raise NotADirectoryError(self.folder)
        if hasattr(os, "geteuid"):
            if facts.st_uid != os.geteuid():
                raise PermissionError(self.folder)
            if facts.st_mode & 0o077:
                self.folder.chmod(0o700)

    def _make_room(self, n_bytes: int, path: Path) -> None:
        """Delete what is too old, and then the oldest, until there is room for so many bytes at this path."""
        files = sorted(self._others(path), key=lambda file: file[1].st_mtime)
        total = n_bytes + sum(facts.st_size for _, facts in files)
        for file, facts in files:
            if self._is_old(facts.st_mtime) or total > self.max_bytes:
                file.unlink(missing_ok=True)
                total -= facts.st_size

    def _others(self, path: Path) -> Iterator[tuple[Path, os.stat_result]]:
        """The snapshots in the folder but the one at this path, and nothing else."""
        with os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # another process was quicker
                    is_other = _NAME.fullmatch(entry.name) and entry.name != path.name
                    if is_other and entry.is_file(follow_symlinks=False):
                        yield Path(entry.path), entry.stat(follow_symlinks=False)

    def _is_old(self, time: float) -> bool:
        """Whether a file of this time is to be forgotten, or is dated by a clock that was badly wrong."""
        return abs(self.clock() - time) > self.max_age


@cache
def snapshots() -> Snapshots:
    """The snapshots of this process, in the folder that its environment names."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = SNAPSHOTS.read() or Path(tempfile.gettempdir()) / f"attention-lab-{user}"
    return Snapshots(folder.absolute())
