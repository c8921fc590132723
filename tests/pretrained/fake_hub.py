"""A hub of our own: a server of this machine that speaks as huggingface.co does, and misbehaves on request."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from huggingface_hub import constants, file_download

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class FakeHub:
    """What is on the hub, and how it behaves; tests change both at any time.

    files       id -> name -> bytes
    asked       (path, Range) of every GET, in order
    headers     the names of all headers that were ever sent
    said        changes what the hub says of a model: its answer -> another one
    break_after the connection ends after so many bytes of a file, as often as `breaks` says
    before_chunk  is called before each 1,000 bytes of a large file
    """

    def __init__(self) -> None:
        self.files: dict[str, dict[str, bytes]] = {}
        self.asked: list[tuple[str, str]] = []
        self.headers: set[str] = set()
        self.said: Callable[[dict[str, Any]], Any] = lambda said: said
        self.sent: Callable[[bytes], bytes] = lambda data: data
        self.break_after, self.breaks = 0, 0
        self.knows_ranges = True
        self.redirect = ""
        self.status = 0
        self.before_chunk: Callable[[], object] = lambda: None
        self.address = ""

    def facts(self, id: str) -> dict[str, Any]:
        """What api/models says."""
        siblings = []
        for name, data in self.files[id].items():
            entry: dict[str, Any] = {"rfilename": name, "size": len(data)}
            entry["blobId"] = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
            if name.endswith((".safetensors", ".bin")):
                entry["lfs"] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "pointerSize": 134}
            siblings.append(entry)
        return {"id": id, "sha": COMMIT, "private": False, "gated": False, "siblings": siblings}

    def hashes(self, id: str) -> dict[str, str]:
        """The hash of each file, as the hub has it."""
        listed = self.facts(id)["siblings"]
        return {one["rfilename"]: one["lfs"]["sha256"] if "lfs" in one else one["blobId"] for one in listed}

    def asked_for(self, file: str) -> list[str]:
        """The ranges that were asked for of a file."""
        return [range for path, range in self.asked if path.endswith(f"/{file}")]


@contextmanager
def serve() -> Iterator[FakeHub]:
    """A fake hub at an address of its own. Nobody else is asked anything, and nobody waits before a second try."""
    hub = FakeHub()

    class Handler(_Handler):
        pass

    Handler.hub = hub
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    at_once = SimpleNamespace(sleep=lambda seconds: None, time=time.time)
    try:
        with patch.object(file_download, "time", at_once), patch.object(constants, "HF_HUB_DISABLE_TELEMETRY", True):
            yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: FakeHub
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None: ...

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        hub, path = self.hub, self.path.split("?")[0]
        if self.command == "GET":
            hub.asked.append((path, self.headers.get("Range", "")))
        hub.headers |= {name.lower() for name in self.headers}
        if hub.status:
            self._answer(hub.status, b"<html>" + b"x" * 100)
        elif path.startswith("/api/models/"):
            id = path.removeprefix("/api/models/")
            said = hub.said(hub.facts(id)) if id in hub.files else None
            data = said if isinstance(said, bytes) else json.dumps(said).encode()
            self._answer(200 if said is not None else 404, data)
        elif hub.redirect and not path.startswith("/elsewhere/"):
            self._answer(302, b"", Location=hub.redirect + path, ETag='"0"', **{"X-Repo-Commit": COMMIT})
        else:
            path = path.replace("/resolve/main/", f"/resolve/{COMMIT}/")
            id, _, rest = path.removeprefix("/elsewhere").removeprefix("/").partition(f"/resolve/{COMMIT}/")
            data = hub.files.get(id, {}).get(rest)
            if data is None:
                self._answer(404, b"not here")
            else:
                self._send_file(data, hub.hashes(id)[rest])

    def _send_file(self, data: bytes, hash: str) -> None:
        hub, asked = self.hub, self.headers.get("Range", "").removeprefix("bytes=")
        if self.command == "HEAD":
            return self._begin(200, len(data), {"ETag": f'"{hash}"', "X-Repo-Commit": COMMIT})
        data = hub.sent(data)
        if asked and hub.knows_ranges:
            first, last = asked.split("-")
            start, end = int(first), min(int(last or len(data)), len(data) - 1)
            part = data[start : end + 1]
            self._begin(206, len(part), {"Content-Range": f"bytes {start}-{end}/{len(data)}"})
        else:
            part = data
            self._begin(200, len(part), {})
        if hub.breaks and len(part) > hub.break_after:
            hub.breaks -= 1
            self._write(part[: hub.break_after])
            self.wfile.flush()
            self.connection.close()
            self.close_connection = True
            return
        self._write(part)

    def _write(self, part: bytes) -> None:
        try:
            for at in range(0, len(part), 1000):
                self.hub.before_chunk()
                self.wfile.write(part[at : at + 1000])
        except OSError:  # whoever asked has gone
            self.close_connection = True

    def _begin(self, status: int, length: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(length)}.items():
            self.send_header(name, value)
        self.end_headers()

    def _answer(self, status: int, data: bytes, **headers: str) -> None:
        self._begin(status, len(data), headers)
        if self.command == "GET":
            self._write(data)
