"""The worker by which the page is played without a network, with the files it keeps."""

from __future__ import annotations

import json

from flask import Response, url_for

from tilework.web.assets.static_files import FOLDER, static_version
from tilework.web.pages.play.files import WORKER, kept_files


def worker() -> Response:
    """Send the worker: another one whenever a static file is another.

    Its scope is the page alone, which is not below the worker's own folder; that has to be allowed.
    """
    files = [url_for("static", filename=path) for path in kept_files()]
    version = json.dumps(static_version())
    head = f"const VERSION = {version};\nconst FILES = {json.dumps(files)};\n"
    code = (FOLDER / WORKER).read_text(encoding="utf-8")
    answer = Response(head + code, mimetype="text/javascript")
    answer.headers["Service-Worker-Allowed"] = url_for("pages.play")
    answer.headers["Cache-Control"] = "no-cache"
    return answer
