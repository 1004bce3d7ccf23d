"""Recognizing operators: by an API key with their role, or by a cookie.

The cookie is given for such a key, or for the token in the link that ``tilework up`` prints. An
address proves nothing: other users of a machine, and proxies, have the same.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from flask import Flask, Response, current_app, request
from itsdangerous import BadSignature, TimestampSigner

from tilework.core.errors import ForbiddenError
from tilework.core.settings import Settings
from tilework.web.clients import load_secret_key, read_bearer, services

OPERATOR_COOKIE: Final = "tilework_operator"
_COOKIE_AGE_S: Final = 12 * 3_600
_SIGNER: Final = "tilework-operator-signer"


def install_operators(app: Flask, settings: Settings) -> None:
    app.extensions[_SIGNER] = TimestampSigner(load_secret_key(settings), salt=OPERATOR_COOKIE)


def is_operator() -> bool:
    """Whether this request may see and change the state of the service."""
    clients = services().clients
    secret = read_bearer()
    if secret is not None:
        clients.authenticate(secret)
        return clients.find_operator_key(secret) is not None
    holder = _read_cookie()
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
    _set_cookie(response, key_id)


def sign_in_by_token(response: Response, token: str) -> None:
    """Set the operator's cookie; raise ForbiddenError if this is not the token of the settings."""
    token_id = _token_id()
    if token_id is None or not hmac.compare_digest(token_id, _hash(token)):
        raise ForbiddenError(
            "operator-link",
            "this link is not valid; {command} prints a new one at each start",
            command="tilework up",
        )
    _set_cookie(response, token_id)


def _token_id() -> str | None:
    token = services().settings.operator_token
    return None if token is None else _hash(token.get_secret_value())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _set_cookie(response: Response, holder: str) -> None:
    response.set_cookie(
        OPERATOR_COOKIE,
        current_app.extensions[_SIGNER].sign(holder).decode(),
        max_age=_COOKIE_AGE_S,
        secure=services().settings.secure_cookies,
        httponly=True,
        samesite="Strict",
    )


def _read_cookie() -> str | None:
    cookie = request.cookies.get(OPERATOR_COOKIE)
    if cookie is None:
        return None
    try:
        return str(current_app.extensions[_SIGNER].unsign(cookie, _COOKIE_AGE_S).decode())
    except BadSignature:
        return None
