"""The cookies of Tilework servers, stored in the user's folder: they identify the user."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tilework.core.errors import OptionError
from tilework.core.machine import user_state


def load_cookies(server: str) -> dict[str, str]:
    """Return the cookies that a server has set; none if the file is missing or damaged."""
    cookies = _load().get(server)
    return cookies if isinstance(cookies, dict) else {}


def save_cookies(server: str, cookies: dict[str, str]) -> None:
    """Store a server's cookies, which cancelling a job requires, readable by this user only.

    Raises OptionError if they cannot be stored.
    """
    cookies_by_server = _load() | {server: cookies}
    path = _path()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(cookies_by_server, file)
        partial.replace(path)
    except OSError as error:
        raise OptionError(
            "identity",
            "your identity cannot be stored in {path!r} ({reason}), so you cannot cancel this job "
            "later; set XDG_STATE_HOME to a writable folder before you submit, or use an API key",
            path=path,
            reason=error.strerror or type(error).__name__,
        ) from None


@contextmanager
def lock_cookies() -> Iterator[None]:
    """Wait until no other process of this user holds the lock; without one if it cannot be made."""
    path = _path().with_suffix(".lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = path.open("w")
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _path() -> Path:
    return user_state() / "cookies.json"


def _load() -> dict[str, dict[str, str]]:
    try:
        cookies_by_server = json.loads(_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cookies_by_server if isinstance(cookies_by_server, dict) else {}
