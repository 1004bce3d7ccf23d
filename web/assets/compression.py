"""Answers are sent compressed to whoever takes that, where it pays.

What has an ETag keeps its plain form: a job's is the version that its clients send back, and each
encoding would need one of its own.
"""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, request
from flask_compress import Compress

LEAST_BYTES: Final = 1000
"""A smaller answer fits into one packet either way."""

_ALGORITHMS: Final = ["br", "zstd", "gzip"]
_KINDS: Final = [
    "text/html",
    "text/css",
    "text/javascript",
    "text/plain",
    "application/json",
    "application/problem+json",
    "image/svg+xml",
]


def install_compression(app: Flask) -> None:
    """Compress what is sent in one piece."""
    app.config |= {
        "COMPRESS_MIMETYPES": _KINDS,
        "COMPRESS_ALGORITHM": _ALGORITHMS,
        "COMPRESS_MIN_SIZE": LEAST_BYTES,
        "COMPRESS_REGISTER": False,
    }
    compress = Compress(app)

    def compressed(answer: Response) -> Response:
        if answer.is_streamed or "ETag" in answer.headers:
            return answer
        if not any(request.accept_encodings[name] > 0 for name in _ALGORITHMS):
            # The library takes "gzip;q=0" for a wish.
            answer.vary.add("Accept-Encoding")
            return answer
        return compress.after_request(answer)

    app.after_request(compressed)
