"""Clients and their API keys."""
from __future__ import annotations

from core.services.ports import Clock, Storage, system_clock
from core.services.views import ApiKeyView


class Clients:
    def __init__(self, storage: Storage, clock: Clock = system_clock) -> None: ...

    def new(self) -> str:
        """Store a new client; returns its id."""
        raise NotImplementedError

    def create_key(self, name: str, client_id: str | None = None) -> tuple[ApiKeyView, str]:
        """The key and its secret; without a client, for a new one."""
        raise NotImplementedError

    def list_keys(self, client_id: str | None = None) -> list[ApiKeyView]:
        raise NotImplementedError

    def revoke_key(self, key_id: str) -> ApiKeyView:
        """Raises NotFoundError."""
        raise NotImplementedError

    def authenticate(self, secret: str) -> str:
        """Client id of a key. Raises AuthenticationError."""
        raise NotImplementedError
