"""Heads of requests that two servers on the way may read differently: they are refused.

A request that a proxy takes for one and the server behind it for two is how requests are smuggled
past the proxy's rules (RFC 9112, sections 3.2, 6.1 and 11.2).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from tilework.web.problems import MALFORMED, MEDIA_TYPE


def head_fault(version: str, headers: Sequence[tuple[bytes, bytes]]) -> str | None:
    """Say what is wrong with a head; None where nothing is.

    Parameters
    ----------
    version : str
        As in ``1.1``.
    headers : sequence of (bytes, bytes)
        Names in lower case, and values.
    """
    names = [name for name, _ in headers]
    hosts = names.count(b"host")
    if hosts > 1 or (hosts == 0 and version == "1.1"):
        return f"a request of HTTP/{version} has one Host header; this one has {hosts}"
    if version == "1.0" and b"transfer-encoding" in names:
        return "HTTP/1.0 has no Transfer-Encoding; send a Content-Length, or HTTP/1.1"
    return None


def bad_request(detail: str) -> bytes:
    """Return the answer to a request that cannot be read, as problem details."""
    document = {
        "type": MALFORMED.type,
        "title": MALFORMED.title,
        "status": MALFORMED.status,
        "detail": detail,
        "code": MALFORMED.name,
    }
    body = json.dumps(document).encode()
    head = (
        "HTTP/1.1 400 Bad Request\r\n"
        f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
    )
    return head.encode() + body
