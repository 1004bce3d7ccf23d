"""The signature of a call, by which its receiver knows who sent it, and that it is not an old one.

``t=1760000000,v1=5257…``: the seconds since 1970 at which it was sent, and the HMAC-SHA256 of
those digits, a dot and the body, in hexadecimal digits.
"""

from __future__ import annotations

import hmac


def signature(secret: str, sent_at: int, body: bytes) -> str:
    """Return the value of the header ``Tilework-Signature``."""
    digest = hmac.new(secret.encode(), b"%d." % sent_at + body, "sha256").hexdigest()
    return f"t={sent_at},v1={digest}"
