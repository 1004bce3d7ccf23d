"""The static files that the page needs."""

from __future__ import annotations

from typing import Final

from tilework.web.assets.module_graph import imports_of

WORKER: Final = "js/play/offline_worker.js"
_SCRIPTS: Final = ("js/play/play.js", "js/keys.js")
_LOOKS: Final = (
    "css/site.css",
    "css/play.css",
    "fonts/fraunces.woff2",
    "favicon.svg",
    "icons.svg",
    "pattern.svg",
)


def kept_files() -> tuple[str, ...]:
    """Return all that the page needs without a network, as paths under ``static``."""
    imported = dict.fromkeys(one for script in _SCRIPTS for one in imports_of(script))
    return (*_LOOKS, *_SCRIPTS, *imported)
