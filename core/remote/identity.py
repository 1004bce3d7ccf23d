"""Who we are to a server: its cookies, kept so that a later command may cancel our jobs."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from tilework.core.machine import user_state


def load_cookies(server: str) -> dict[str, str]:
    """Return the cookies that a server gave us before; none where the file is lost or damaged."""
    known = _load().get(server)
    return known if isinstance(known, dict) else {}


def save_cookies(server: str, cookies: dict[str, str]) -> None:
    """Keep a server's cookies, readable by this user only.

    A home that cannot be written to costs nothing but the right to cancel without a key.
    """
    known = _load() | {server: cookies}
    path = _path()
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump(known, file)
        draft.replace(path)


def _path() -> Path:
    return user_state() / "cookies.json"


def _load() -> dict[str, dict[str, str]]:
    try:
        known = json.loads(_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
