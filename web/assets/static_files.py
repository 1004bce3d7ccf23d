"""The files of ``web/static``, and a script out of an installed package, for browsers to keep.

Their address has the hash of them all in it, and so has that of whatever a script imports by a
relative path: a browser keeps a file for good, and no page meets a script of another version.
The style sheets that every page needs are sent as one: nothing is painted before the last of
them, and each costs a request with half a kilobyte of headers.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Final

import brotli
from flask import Flask, Response, abort, request
from werkzeug.security import safe_join

FOLDER: Final = Path(__file__).parents[1] / "static"

_ONE_YEAR_S: Final = 31_536_000
_HTMX: Final = "js/htmx.js"
_SITE: Final = "css/site.css"
SITE_SHEETS: Final = ("tokens", "base", "parts", "board", "board_form", "home", "pages")
"""In this order, what ``css/site.css`` is made of."""

_COMPRESSED: Final = (".css", ".js", ".svg")
# Not left to the machine's own table of types, which may know none or others.
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


def install_static_files(app: Flask) -> None:
    """Serve them as the endpoint ``static``."""

    def send(filename: str) -> Response:
        content = _content(filename)
        if content is None:
            abort(404)
        answer = Response(content, mimetype=_TYPES[Path(filename).suffix])
        _compress(answer, filename)
        if app.debug:
            answer.cache_control.no_store = True
        else:
            answer.cache_control.public = True
            answer.cache_control.immutable = True
            answer.cache_control.max_age = _ONE_YEAR_S
        return answer

    app.add_url_rule(f"/static/{static_version()}/<path:filename>", "static", send)


@cache
def static_version() -> str:
    """Return the hash of all of them, names included."""
    own = (path for path in FOLDER.rglob("*") if path.suffix in _TYPES)
    hashed = blake2b(digest_size=6)
    for name in sorted([_HTMX, _SITE, *(path.relative_to(FOLDER).as_posix() for path in own)]):
        hashed.update(f"{name}\0".encode() + (_content(name) or b"") + b"\0")
    return hashed.hexdigest()


def _compress(answer: Response, name: str) -> None:
    """Compress a text as far as it goes, which takes too long to do for each request."""
    if Path(name).suffix not in _COMPRESSED:
        return
    answer.vary.add("Accept-Encoding")
    if request.accept_encodings["br"] > 0:
        answer.set_data(_brotli(answer.get_data()))
        answer.content_encoding = "br"


@lru_cache(maxsize=256)
def _brotli(content: bytes) -> bytes:
    return bytes(brotli.compress(content, brotli.MODE_TEXT))


def _content(name: str) -> bytes | None:
    if name == _HTMX:
        return (files("js_lib_htmx") / "static" / "htmx" / "htmx.min.js").read_bytes()
    if name == _SITE:
        return b"".join((FOLDER / "css" / f"{sheet}.css").read_bytes() for sheet in SITE_SHEETS)
    path = safe_join(str(FOLDER), name)
    if path is None or Path(path).suffix not in _TYPES or not Path(path).is_file():
        return None
    return Path(path).read_bytes()
