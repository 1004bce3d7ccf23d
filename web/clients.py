"""Identifying clients and operators: by an API key, or by a signed cookie.

A client's cookie is set at the first write. An operator's is given for a key with that role, or for
the token in the link that ``tilework up`` prints. An address proves nothing: other users of a
machine, and proxies, have the same.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from flask import Flask, Response, after_this_request, current_app, g, request
from itsdangerous import BadSignature, Signer, TimestampSigner

from tilework.core.assembly import Services
from tilework.core.errors import AuthenticationError, ForbiddenError
from tilework.core.redaction import hide
from tilework.core.settings import Settings

CLIENT_COOKIE: Final = "tilework_client"
_OPERATOR_COOKIE: Final = "tilework_operator"
_CLIENT_AGE_S: Final = 400 * 86_400  # the longest that browsers allow
_OPERATOR_AGE_S: Final = 12 * 3_600
_CACHED_COOKIES: Final = 10_000
_UNSIGN: Final = "tilework-unsign-cookie"


def install_clients(app: Flask, settings: Settings) -> None:
    key = _load_secret_key(settings)
    client, operator = Signer(key, CLIENT_COOKIE), TimestampSigner(key, _OPERATOR_COOKIE)
    app.extensions |= {CLIENT_COOKIE: client, _OPERATOR_COOKIE: operator}
    app.extensions[_UNSIGN] = {
        # Verifying a signature takes longer than a lookup, so results are cached.
        CLIENT_COOKIE: lru_cache(maxsize=_CACHED_COOKIES)(client.unsign),
        _OPERATOR_COOKIE: partial(operator.unsign, max_age=_OPERATOR_AGE_S),
    }


def services() -> Services:
    app_services: Services = current_app.extensions["tilework"]
    return app_services


def known_client_id() -> str | None:
    """Return the client of this request, or None without an API key and a valid cookie."""
    if "client_id" not in g:
        secret = _read_bearer()
        g.client_id = (
            _read_cookie(CLIENT_COOKIE)
            if secret is None
            else services().clients.authenticate(secret)
        )
    client_id: str | None = g.client_id
    return client_id


def current_client_id() -> str:
    """Return the client of this request; create one and set its cookie if there is none."""
    client_id = known_client_id()
    if client_id is None:
        client_id = g.client_id = services().clients.new()
        after_this_request(partial(_set_cookie, CLIENT_COOKIE, client_id, _CLIENT_AGE_S, "Lax"))
    else:
        services().clients.check_allowed(client_id)
    return client_id


def is_operator() -> bool:
    """Whether this request may see and change the state of the service."""
    clients = services().clients
    secret = _read_bearer()
    if secret is not None:
        clients.authenticate(secret)
        return clients.find_operator_key(secret) is not None
    holder = _read_cookie(_OPERATOR_COOKIE)
    return holder is not None and (holder == _token_id() or clients.is_operator(holder))


def require_operator() -> None:
    """Raise ForbiddenError unless `is_operator`."""
    if not is_operator():
        raise ForbiddenError(
            "operator-only",
            "only operators may do this; give the key that {command} prints",
            command="tilework keys create NAME --operator",
        )


def sign_in_by_key(response: Response, secret: str) -> None:
    """Set the operator's cookie; raise ForbiddenError if the key does not have the role.

    Raises AuthenticationError if there is no such key.
    """
    clients = services().clients
    clients.authenticate(secret)
    key_id = clients.find_operator_key(secret)
    if key_id is None:
        raise ForbiddenError("key-without-role", "this API key is not an operator's")
    _set_cookie(_OPERATOR_COOKIE, key_id, _OPERATOR_AGE_S, "Strict", response)


def sign_in_by_token(response: Response, token: str) -> None:
    """Set the operator's cookie; raise ForbiddenError if this is not the token of the settings."""
    token_id = _token_id()
    if token_id is None or not hmac.compare_digest(token_id, _hash(token)):
        raise ForbiddenError(
            "operator-link",
            "this link is not valid; {command} prints a new one at each start",
            command="tilework up",
        )
    _set_cookie(_OPERATOR_COOKIE, token_id, _OPERATOR_AGE_S, "Strict", response)


def _token_id() -> str | None:
    token = services().settings.operator_token
    return None if token is None else _hash(token.get_secret_value())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _read_bearer() -> str | None:
    """Return the API key of this request; raise AuthenticationError if its header is invalid."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise AuthenticationError(
            "authorization-header",
            "give an API key as Authorization: Bearer {placeholder}",
            placeholder="<key>",
        )
    return secret.strip()


def _set_cookie(name: str, holder: str, age_s: int, same_site: str, response: Response) -> Response:
    response.set_cookie(
        name,
        current_app.extensions[name].sign(holder).decode(),
        max_age=age_s,
        secure=services().settings.secure_cookies,
        httponly=True,
        samesite=same_site,
    )
    return response


def _read_cookie(name: str) -> str | None:
    cookie = request.cookies.get(name)
    with suppress(BadSignature):
        if cookie is not None:
            return str(current_app.extensions[_UNSIGN][name](cookie).decode())
    return None


def _load_secret_key(settings: Settings) -> str:
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = settings.data_dir / "secret_key"
    if not path.exists():
        _create_key(path)
    key = path.read_text(encoding="ascii")
    hide(key)
    return key


def _create_key(path: Path) -> None:
    """Write a new key. If several processes do so at the same time, the first one wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp creates files that only their owner can read.
    descriptor, temporary_path = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32))
        with suppress(FileExistsError):
            os.link(temporary_path, path)
    finally:
        os.unlink(temporary_path)
