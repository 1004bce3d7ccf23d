"""The secrets with which webhook calls are signed, and what became of the calls."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime

from standardwebhooks import Webhook

from tilework.core.model.webhooks import DeliveryView, WebhookSecret
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

_SALT_BYTES = 32
_PREFIX = "whsec_"


class Webhooks:
    """The webhook secret and the calls of each client.

    A secret is derived from the operator's secret and a stored salt, so that neither the database
    nor the other clients can reveal it.
    """

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._rules = CallbackRules(settings)
        secret = settings.callback_secret
        self._key = b"" if secret is None else secret.get_secret_value().encode()

    def secret(self, client_id: str) -> WebhookSecret:
        with self._storage.reading() as session:
            return session.clients.webhook_secret(client_id)

    def rotate_secret(self, client_id: str) -> str:
        """Create or replace a client's secret and return it; it cannot be retrieved later.

        Raises OptionError if this service does not send callbacks.
        """
        self._rules.check_enabled()
        salt, now = secrets.token_hex(_SALT_BYTES), self._clock()
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
            session.clients.set_webhook_secret(client_id, salt, now)
        return _PREFIX + b64encode(self._derive(client_id, salt)).decode()

    def deliveries(self, client_id: str, limit: int) -> list[DeliveryView]:
        """Return the calls for a client's jobs, newest first."""
        with self._storage.reading() as session:
            return session.tasks.list_calls(client_id, limit)

    def sign(
        self, client_id: str, salt: str | None, message_id: str, sent_at: float, body: bytes
    ) -> Mapping[str, str]:
        """Return the headers that identify and sign a call; without a secret, it is not signed."""
        headers = {"webhook-id": message_id, "webhook-timestamp": str(int(sent_at))}
        if salt is not None:
            webhook = Webhook(self._derive(client_id, salt))
            time = datetime.fromtimestamp(int(sent_at), UTC)
            headers["webhook-signature"] = webhook.sign(message_id, time, body.decode())
        return headers

    def _derive(self, client_id: str, salt: str) -> bytes:
        return hmac.digest(self._key, f"webhook:{client_id}:{salt}".encode(), "sha256")
