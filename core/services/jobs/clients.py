"""Clients and their API keys.

Only the SHA-256 hash of a key is stored. 256 random bits do not need a slow hash.
"""

from __future__ import annotations

import hashlib
import secrets
import time

from tilework.core.errors import AuthenticationError, ForbiddenError, NotFoundError, OptionError
from tilework.core.model.ids import MAX_QUOTED, new_id
from tilework.core.model.states import SuspensionKind
from tilework.core.storage.clients import OPERATOR, ApiKeyView
from tilework.core.storage.database import Database

KEY_PREFIX = "tw_"
MAX_NAME_LENGTH = 200

# How long the blocked clients are cached (seconds).
BLOCKED_CACHE_S = 1.0

_KEY_BYTES = 32


class Clients:
    """Creates and authenticates clients."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._blocked_ids: frozenset[str] = frozenset()
        self._blocked_until = 0.0

    def check_allowed(self, client_id: str) -> None:
        """Raise ForbiddenError if an operator has blocked a client, at most a second ago."""
        if time.monotonic() >= self._blocked_until:
            with self._storage.reading() as session:
                suspensions = session.operation.suspensions()
            self._blocked_ids = frozenset(
                suspension.name
                for suspension in suspensions
                if suspension.kind is SuspensionKind.CLIENT
            )
            self._blocked_until = time.monotonic() + BLOCKED_CACHE_S
        if client_id in self._blocked_ids:
            raise ForbiddenError(
                "client-blocked", "the operator of this service has blocked this client"
            )

    def is_operator(self, key_id: str) -> bool:
        """Whether this is the id of an active operator's key."""
        with self._storage.reading() as session:
            return session.clients.is_operator(key_id)

    def find_operator_key(self, secret: str) -> str | None:
        """Return the id of the operator's key with this secret; None if it has no such role."""
        with self._storage.reading() as session:
            return session.clients.find_operator(_hash(secret))

    def new(self) -> str:
        """Store a new client and return its id."""
        client_id = new_id()
        now = self._clock()
        with self._storage.writing() as session:
            session.clients.add(client_id, now)
        return client_id

    def create_key(
        self, name: str, client_id: str | None = None, *, operator: bool = False
    ) -> tuple[ApiKeyView, str]:
        """Create an API key, by default for a new client; return it with its secret.

        The secret cannot be retrieved later.

        Raises OptionError if the name is empty, too long or unprintable, and NotFoundError if the
        client is unknown.
        """
        if not name.strip() or len(name) > MAX_NAME_LENGTH or not name.isprintable():
            raise OptionError(
                "key-name",
                "a key cannot be named {name!r}; give 1 to {max} printable characters",
                name=name[:MAX_QUOTED],
                max=MAX_NAME_LENGTH,
            )
        now = self._clock()
        secret = KEY_PREFIX + secrets.token_urlsafe(_KEY_BYTES)
        with self._storage.writing() as session:
            if client_id is None:
                client_id = new_id()
                session.clients.add(client_id, now)
            elif not session.clients.exists(client_id):
                raise NotFoundError("no-client", "there is no client {id!r}", id=client_id)
            key = ApiKeyView(new_id(), client_id, name, now, None, OPERATOR if operator else None)
            session.clients.add_key(key, _hash(secret))
        return key, secret

    def list_keys(self, client_id: str | None = None) -> list[ApiKeyView]:
        """Return all keys, or those of a client, oldest first, including revoked keys."""
        with self._storage.reading() as session:
            return session.clients.keys(client_id)

    def revoke_key(self, key_id: str) -> ApiKeyView:
        """Revoke a key; raise NotFoundError if there is no such key."""
        now = self._clock()
        with self._storage.writing() as session:
            session.clients.revoke(key_id, now)
            key = session.clients.key(key_id)
        if key is None:
            raise NotFoundError("no-key", "there is no API key {id!r}", id=key_id)
        return key

    def authenticate(self, secret: str) -> str:
        """Return the id of the client with this key; raise AuthenticationError if it is invalid."""
        with self._storage.reading() as session:
            client_id = session.clients.find_by_hash(_hash(secret))
        if client_id is None:
            raise AuthenticationError("invalid-key", "this API key does not exist or was revoked")
        return client_id


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
