"""Which scripts a script imports, so that a browser can ask for all of them at once.

Left to itself it learns of a script's imports only when it has that script, step after step.
"""

from __future__ import annotations

import re
from functools import cache
from posixpath import dirname, join, normpath
from typing import Final

from tilework.web.assets.static_files import FOLDER

_IMPORT: Final = re.compile(
    r'^(?:import|export)\s+(?:[\w*{},\s]+\sfrom\s+)?"(\.[^"]+)"', re.MULTILINE
)


@cache
def imports_of(script: str) -> tuple[str, ...]:
    """Return what a script imports at once, directly or not, in the order in which it is met.

    Parameters
    ----------
    script : str
        As a path under ``static``; so are those returned.
    """
    met: dict[str, None] = {}
    ahead = [script]
    for one in ahead:
        text = (FOLDER / one).read_text(encoding="utf-8")
        for relative in _IMPORT.findall(text):
            name = normpath(join(dirname(one), relative))
            if name not in met and name != script:
                met[name] = None
                ahead.append(name)
    return tuple(met)
