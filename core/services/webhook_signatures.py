"""Signatures of calls, as the Standard Webhooks specification defines them.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import hmac
from base64 import b64encode
from collections.abc import Iterable, Mapping

from tilework.core.model.webhooks import WebhookSettings
from tilework.core.settings import Settings

_PREFIX = "whsec_"


class WebhookSecrets:
    """Derives the secrets of clients from the operator's secret and stored salts.

    Neither the database nor the other clients can therefore reveal a client's secret.
    """

    def __init__(self, settings: Settings) -> None:
        secret = settings.callback_secret
        self._key = b"" if secret is None else secret.get_secret_value().encode()

    def format(self, client_id: str, salt: str) -> str:
        """Return a secret in the form in which clients receive it."""
        return _PREFIX + b64encode(self._derive(client_id, salt)).decode()

    def sign(
        self, client_id: str, webhook: WebhookSettings, message_id: str, sent_at: float, body: bytes
    ) -> Mapping[str, str]:
        """Return the headers that identify and sign a call; without a secret, it is not signed."""
        timestamp = int(sent_at)
        headers = {"webhook-id": message_id, "webhook-timestamp": str(timestamp)}
        keys = [self._derive(client_id, salt) for salt in webhook.salts_at(sent_at)]
        if keys:
            headers["webhook-signature"] = signature(keys, message_id, timestamp, body)
        return headers

    def _derive(self, client_id: str, salt: str) -> bytes:
        return hmac.digest(self._key, f"webhook:{client_id}:{salt}".encode(), "sha256")


def signature(keys: Iterable[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of ``webhook-signature``: one signature for each key."""
    content = f"{message_id}.{timestamp}.".encode() + body
    digests = (hmac.digest(key, content, "sha256") for key in keys)
    return " ".join(f"v1,{b64encode(digest).decode()}" for digest in digests)
