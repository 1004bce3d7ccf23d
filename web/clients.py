"""Which client sends a request: an API key, or a signed cookie set at the first write."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, after_this_request, current_app, g, request
from itsdangerous import BadSignature, Signer

from tilework.core.assembly import Services
from tilework.core.errors import AuthenticationError
from tilework.core.settings import Settings
from tilework.web.secret_key import secret_key

CLIENT_COOKIE: Final = "tilework_client"
_COOKIE_AGE_S: Final = 400 * 86_400  # the longest that browsers keep
_SIGNER: Final = "tilework-signer"


def services() -> Services:
    """Return the services of the running application."""
    found: Services = current_app.extensions["tilework"]
    return found


def known_client_id() -> str | None:
    """Return the client of this request; None where it brings neither key nor valid cookie.

    Raises
    ------
    AuthenticationError
        If there is a key and it does not exist or was revoked.
    """
    if "client_id" not in g:
        g.client_id = _client_of_key() or _client_of_cookie()
    found: str | None = g.client_id
    return found


def current_client_id() -> str:
    """Return the client of this request; a new one, which gets a cookie, if there is none yet.

    Raises
    ------
    AuthenticationError
        If there is a key and it does not exist or was revoked.
    """
    client_id = known_client_id()
    if client_id is None:
        client_id = g.client_id = services().clients.new()
        after_this_request(_give_cookie)
    return client_id


def install_clients(app: Flask, settings: Settings) -> None:
    """Make the signer of the cookies."""
    app.extensions[_SIGNER] = Signer(secret_key(settings), salt=CLIENT_COOKIE)


def _give_cookie(response: Response) -> Response:
    response.set_cookie(
        CLIENT_COOKIE,
        current_app.extensions[_SIGNER].sign(g.client_id).decode(),
        max_age=_COOKIE_AGE_S,
        secure=services().settings.secure_cookies,
        httponly=True,
        samesite="Lax",
    )
    return response


def _client_of_key() -> str | None:
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
    return services().clients.authenticate(secret.strip())


def _client_of_cookie() -> str | None:
    cookie = request.cookies.get(CLIENT_COOKIE)
    if cookie is None:
        return None
    try:
        return str(current_app.extensions[_SIGNER].unsign(cookie).decode())
    except BadSignature:
        return None
