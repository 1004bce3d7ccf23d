"""Recognizing operators: by an API key with their role, or by a cookie that such a key was given.

On a machine of one user there are no keys. There, the user may operate the service as well.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from flask import Flask, Response, current_app, request
from itsdangerous import BadSignature, TimestampSigner

from tilework.core.errors import ForbiddenError
from tilework.core.settings import Settings
from tilework.web.clients import load_secret_key, read_bearer, services

OPERATOR_COOKIE: Final = "tilework_operator"
_COOKIE_AGE_S: Final = 12 * 3_600
_SIGNER: Final = "tilework-operator-signer"
_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_PROXY_HEADERS: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


def install_operators(app: Flask, settings: Settings) -> None:
    app.extensions[_SIGNER] = TimestampSigner(load_secret_key(settings), salt=OPERATOR_COOKIE)


def is_operator() -> bool:
    """Whether this request may see and change the state of the service."""
    clients = services().clients
    secret = read_bearer()
    if secret is not None:
        clients.authenticate(secret)
        return clients.find_operator_key(secret) is not None
    key_id = _read_cookie()
    if key_id is not None and clients.is_operator(key_id):
        return True
    return _is_local() and not clients.has_keys()


def require_operator() -> None:
    """Raise ForbiddenError unless `is_operator`."""
    if not is_operator():
        raise ForbiddenError(
            "operator-only",
            "only operators may do this; give the key that {command} prints",
            command="tilework keys create NAME --operator",
        )


def sign_in(response: Response, secret: str) -> None:
    """Set the operator's cookie; raise ForbiddenError if the key does not have the role.

    Raises AuthenticationError if there is no such key.
    """
    clients = services().clients
    clients.authenticate(secret)
    key_id = clients.find_operator_key(secret)
    if key_id is None:
        raise ForbiddenError("key-without-role", "this API key is not an operator's")
    response.set_cookie(
        OPERATOR_COOKIE,
        current_app.extensions[_SIGNER].sign(key_id).decode(),
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


def _is_local() -> bool:
    """Whether a program of this machine sent the request itself, not for another one.

    The name in the request must be a local one, because a page of another site can resolve its own
    name to this machine.
    """
    settings = services().settings
    if settings.trusted_proxies or settings.host_names:
        return False
    if any(name in request.headers for name in _PROXY_HEADERS):
        return False
    name = request.host if request.host.endswith("]") else request.host.rpartition(":")[0]
    try:
        is_loopback = ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
    return is_loopback and (name or request.host) in _LOCAL_NAMES
