"""A few bytes, or all of a file, from a web server: with a bound on everything, and every failure as one sentence.

All of it is a GET with a Range. With urllib it can be stopped at any byte and continued from there, and never brings
more than was promised; huggingface_hub bounds neither. No account and no cookie of the operator's is ever sent along.
"""

import http.client
import re
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
    build_opener,
)

from transformer.core.checks import InputError
from transformer.core.interruption import check_interruption

PATIENCE = 10.0  # seconds without a byte, after which a server counts as gone
CHUNK = 2**16
_RANGE = re.compile(r"bytes (\d{1,15})-(\d{1,15})/(\d{1,15})", re.ASCII)
_SENTENCES = {
    401: "There is no such model on the hub, or it is not open to everybody.",
    403: "This model is not open to everybody: the hub asks for an account.",
    404: "There is no such model on the hub.",
    410: "This model is no longer on the hub.",
    416: "The hub's file is shorter than the hub says.",
    429: "The hub has had too many questions from here. Try again in a few minutes.",
}


def read(url: str, start: int, stop: int, patience: float = PATIENCE) -> bytes:
    """These bytes of a file; fewer if it ends before. Raises InputError."""
    data = bytearray()
    with _opened(url, start, stop, patience) as (answer, at):
        for chunk in _chunks(answer):
            data += chunk
            if at + len(data) >= stop:  # a server may send all of it, whatever it was asked for
                break
    return bytes(data[max(0, start - at) : stop - at])


def chunks(url: str, start: int, size: int, patience: float = PATIENCE) -> Iterator[tuple[int, bytes]]:
    """(where, bytes) of a file of this size from `start` on, or from 0 where the server sends no part of a file.

    It ends early where the connection breaks off. Raises InputError if the server promises or sends another size.
    """
    with _opened(url, start, size, patience, size) as (answer, at):
        length = answer.headers.get("Content-Length")
        if length is not None and length != str(size - at):
            raise InputError("The hub sends another size than it promised; nothing of it is kept.")
        for chunk in _chunks(answer):
            if at + len(chunk) > size:
                raise InputError("The hub sends more than it promised; nothing of it is kept.")
            yield at, chunk
            at += len(chunk)


@contextmanager
def _opened(
    url: str, start: int, stop: int, patience: float, size: int | None = None
) -> Iterator[tuple[http.client.HTTPResponse, int]]:
    """The server's answer, and at which byte of the file it begins."""
    check_interruption()
    request = Request(url, headers={"User-Agent": "attention-lab", "Range": f"bytes={start}-{stop - 1}"})
    try:
        with _opener().open(request, timeout=patience) as answer:
            yield answer, _beginning(answer, start, size)
    except HTTPError as error:  # of the redirects alone: what the server answers is dealt with below
        raise InputError("The hub sends us to an address that is not followed.") from error
    except (OSError, http.client.HTTPException) as error:
        raise InputError(
            "The hub cannot be reached: there may be no network here. Models that are on this machine already can be"
            " used without it."
        ) from error


def _beginning(answer: http.client.HTTPResponse, start: int, size: int | None) -> int:
    if answer.status != 206:
        return 0
    place = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    if not place or int(place[1]) != start or (size is not None and int(place[3]) != size):
        raise InputError("The hub sends another part of the file than it was asked for, or of another file.")
    return start


def _chunks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """What arrives, as it arrives; a connection that breaks off is an end like any other."""
    while True:
        check_interruption()
        try:
            chunk = answer.read1(CHUNK)
        except (OSError, http.client.HTTPException):
            return
        if not chunk:
            return
        yield chunk


class _Redirects(HTTPRedirectHandler):
    """Files lie on other servers than the hub's own; but what began encrypted stays so, and stays on the web."""

    max_redirections = 5

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        schemes = ("https",) if req.full_url.startswith("https:") else ("https", "http")
        if urlsplit(newurl).scheme not in schemes:
            raise InputError("The hub sends us to an address that is not followed.")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class _Refusals(HTTPDefaultErrorHandler):
    """Every answer but the file is a sentence."""

    def http_error_default(self, req, fp, code, msg, hdrs):
        raise InputError(_SENTENCES.get(code, f"The hub cannot answer now (error {code}). Try again later."))


@cache
def _opener() -> OpenerDirector:
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:  # Python from python.org on a Mac has none of its own
        import certifi

        context.load_verify_locations(certifi.where())
    return build_opener(HTTPSHandler(context=context), _Redirects, _Refusals)
