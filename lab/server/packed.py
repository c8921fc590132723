"""Streamlit's scripts and style sheets, compressed once: a first visit is then 2.2 MB, not 5.2.

A proxy does that as well, where there is one; a teacher's machine, to which thirty laptops of a class come through one
access point, has none. Streamlit leaves them as they are, since it would compress them anew for every visitor.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MIN_BYTES = 1000
KINDS = ("application/javascript", "text/javascript", "text/css")


class Packed:
    """Around an ASGI app: compresses those of its answers that are scripts or style sheets and never change.

    What was compressed is kept by the file's ETag: once each, some 7 MB for all of Streamlit's files.
    """

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app
        self._kept: dict[str, bytes] = {}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope) if scope["type"] == "http" and scope["method"] == "GET" else {}
        if "gzip" not in asked.get("accept-encoding", "") or "range" in asked:
            await self.app(scope, receive, send)
            return
        start: Message | None = None
        body = bytearray()

        async def send_packed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _is_packable(message):
                start = message
            elif start is None:
                await send(message)
            else:
                body.extend(message.get("body", b""))
                if not message.get("more_body"):
                    packed = await self._packed(start, bytes(body))
                    await send(start)
                    await send({"type": "http.response.body", "body": packed})

        await self.app(scope, receive, send_packed)

    async def _packed(self, start: Message, body: bytes) -> bytes:
        """The body, compressed; the headers are told."""
        headers = MutableHeaders(raw=start["headers"])
        etag = headers["etag"]
        if etag not in self._kept:
            self._kept[etag] = await asyncio.to_thread(gzip.compress, body, mtime=0)
        del headers["accept-ranges"]
        headers["content-encoding"] = "gzip"
        headers["content-length"] = str(len(self._kept[etag]))
        headers["etag"] = f"W/{etag}"  # of the same file, in other bytes
        headers.add_vary_header("Accept-Encoding")
        return self._kept[etag]


def _is_packable(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return (
        start["status"] == 200
        and headers.get("content-type", "").startswith(KINDS)
        and "immutable" in headers.get("cache-control", "")
        and headers.get("etag", "").startswith('"')
        and "content-encoding" not in headers
        and int(headers.get("content-length", 0)) >= MIN_BYTES
    )


MIDDLEWARE = (Middleware(Packed),)
