"""Where this user's files lie that belong to no service: what the platform says, as ``XDG_…`` does.

platformdirs is imported when it is asked, as most commands never ask.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_NAME: Final = "tilework"


def user_cache() -> Path:
    """Return the folder of what can be made again: ``~/.cache/tilework`` on Linux."""
    from platformdirs import user_cache_path

    return user_cache_path(_NAME, appauthor=False)


def user_state() -> Path:
    """Return the folder of what commands remember: ``~/.local/state/tilework`` on Linux."""
    from platformdirs import user_state_path

    return user_state_path(_NAME, appauthor=False)
