"""The static files that the page needs."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tilework.web.static_files import FOLDER

WORKER: Final = "js/play/offline_worker.js"
_SHARED: Final = (
    "js/board/board_text.js",
    "js/board/canvas_board.js",
    "js/board/make_board.js",
    "js/board/moves.js",
    "js/board/tile_board.js",
)
_LOOKS: Final = (
    "css/site.css",
    "css/play.css",
    "fonts/fraunces.woff2",
    "favicon.svg",
    "icons.svg",
    "pattern.svg",
)


@lru_cache(maxsize=1)
def page_modules() -> tuple[str, ...]:
    """Return the modules that the page loads, as paths under ``static``."""
    own = (FOLDER / "js" / "play").rglob("*.js")
    names = sorted(path.relative_to(FOLDER).as_posix() for path in own)
    return (*_SHARED, *(name for name in names if name != WORKER))


def kept_files() -> tuple[str, ...]:
    """Return all that the page needs without a network, as paths under ``static``."""
    return (*_LOOKS, *page_modules())
