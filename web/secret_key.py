"""The key that signs cookies, where the settings give none: made once, kept in the data folder."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from tilework.core.redaction import hide
from tilework.core.settings import Settings


def secret_key(settings: Settings) -> str:
    """Return the settings' key, or the one in ``secret_key`` of the data folder."""
    if settings.secret_key is not None:
        return settings.secret_key.get_secret_value()
    path = settings.data_dir / "secret_key"
    if not path.exists():
        _make(path)
    key = path.read_text(encoding="ascii")
    hide(key)
    return key


def _make(path: Path) -> None:
    """Write a new key; two processes that do so at once end up with the same one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp makes files that only their owner reads.
    descriptor, written = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32))
        with suppress(FileExistsError):
            os.link(written, path)
    finally:
        os.unlink(written)
