"""Identifying clients: by an API key, or by a signed cookie that is set at the first write."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import Flask, Response, after_this_request, current_app, g, request
from itsdangerous import BadSignature, Signer

from tilework.core.assembly import Services
from tilework.core.errors import AuthenticationError
from tilework.core.redaction import hide
from tilework.core.settings import Settings

CLIENT_COOKIE: Final = "tilework_client"
_COOKIE_AGE_S: Final = 400 * 86_400  # the longest that browsers allow
_SIGNER: Final = "tilework-signer"
_UNSIGN: Final = "tilework-unsign-cookie"
_CACHED_COOKIES: Final = 10_000


def services() -> Services:
    app_services: Services = current_app.extensions["tilework"]
    return app_services


def known_client_id() -> str | None:
    """Return the client of this request, or None without an API key and a valid cookie."""
    if "client_id" not in g:
        g.client_id = _authenticate() or _read_cookie()
    client_id: str | None = g.client_id
    return client_id


def current_client_id() -> str:
    """Return the client of this request; create one and set its cookie if there is none."""
    client_id = known_client_id()
    if client_id is None:
        client_id = g.client_id = services().clients.new()
        after_this_request(_set_cookie)
    else:
        services().clients.check_allowed(client_id)
    return client_id


def install_clients(app: Flask, settings: Settings) -> None:
    signer = Signer(load_secret_key(settings), salt=CLIENT_COOKIE)
    app.extensions[_SIGNER] = signer
    # Verifying a signature takes longer than a lookup, so results are cached.
    app.extensions[_UNSIGN] = lru_cache(maxsize=_CACHED_COOKIES)(signer.unsign)


def _set_cookie(response: Response) -> Response:
    response.set_cookie(
        CLIENT_COOKIE,
        current_app.extensions[_SIGNER].sign(g.client_id).decode(),
        max_age=_COOKIE_AGE_S,
        secure=services().settings.secure_cookies,
        httponly=True,
        samesite="Lax",
    )
    return response


def _authenticate() -> str | None:
    secret = read_bearer()
    return None if secret is None else services().clients.authenticate(secret)


def read_bearer() -> str | None:
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


def _read_cookie() -> str | None:
    cookie = request.cookies.get(CLIENT_COOKIE)
    if cookie is None:
        return None
    try:
        return str(current_app.extensions[_UNSIGN](cookie).decode())
    except BadSignature:
        return None


def load_secret_key(settings: Settings) -> str:
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
