"""Files that come out of installed packages rather than out of ``web/static``."""

from __future__ import annotations

from importlib.resources import as_file, files

from flask import Response, request, send_file

_ONE_DAY_S = 86_400


def htmx() -> Response:
    """Send htmx as its package ships it, compressed where the browser takes that."""
    folder = files("js_lib_htmx") / "static" / "htmx"
    zipped = request.accept_encodings["gzip"] > 0
    with as_file(folder / ("htmx.min.js.gz" if zipped else "htmx.min.js")) as path:
        answer = send_file(path, mimetype="text/javascript", max_age=_ONE_DAY_S, etag=True)
    if zipped:
        answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    return answer
