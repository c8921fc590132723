"""What every answer of the server tells the browser: how little the page may do, and whom it may tell about itself."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

# Scripts and styles stand in the page itself, as Streamlit and its components have them; nothing comes from elsewhere,
# and nothing goes elsewhere. Who may embed the app is not limited: teachers do, and so does Community Cloud.
POLICY = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'wasm-unsafe-eval' blob: data:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' blob: data:",
    "font-src": "'self' data:",
    "connect-src": "'self' ws: wss: blob: data:",
    "worker-src": "'self' blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
HEADERS = {
    "content-security-policy": "; ".join(f"{name} {sources}" for name, sources in POLICY.items()),
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",  # a link holds what its visitor typed
    "x-content-type-options": "nosniff",
}


class Headers:
    """Around an ASGI app: adds these headers to every answer that does not have its own."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = list(message.get("headers", ()))
                names = {name.lower() for name, _ in sent}
                added = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = sent + [header for header in added if header[0] not in names]
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
