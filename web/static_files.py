"""The files of ``web/static``, and a script out of an installed package, for browsers to keep.

Their address has the hash of them all in it, and so has that of whatever a script imports by a
relative path: a browser keeps a file for good, and no page meets a script of another version.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Final

from flask import Flask, Response, abort
from werkzeug.security import safe_join

FOLDER: Final = Path(__file__).parent / "static"

_ONE_YEAR_S: Final = 31_536_000
_HTMX: Final = "js/htmx.js"
# Not left to the machine's own table of types, which may know none or others.
_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


def install_static_files(app: Flask) -> None:
    """Serve them as the endpoint ``static``."""

    def send(filename: str) -> Response:
        content = _content(filename)
        if content is None:
            abort(404)
        answer = Response(content, mimetype=_TYPES[Path(filename).suffix])
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
    for name in sorted([_HTMX, *(path.relative_to(FOLDER).as_posix() for path in own)]):
        hashed.update(f"{name}\0".encode() + (_content(name) or b"") + b"\0")
    return hashed.hexdigest()


def _content(name: str) -> bytes | None:
    if name == _HTMX:
        return (files("js_lib_htmx") / "static" / "htmx" / "htmx.min.js").read_bytes()
    path = safe_join(str(FOLDER), name)
    if path is None or Path(path).suffix not in _TYPES or not Path(path).is_file():
        return None
    return Path(path).read_bytes()
