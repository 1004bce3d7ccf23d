"""Scripts as a page loads them: each with everything it imports, as one file.

The files in ``web/static/js`` are ES modules, which browsers could load as they are, with a request
for each. Instead, the server sends a script after its direct and indirect imports. Each of these is
in a function that returns the module's exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

_IMPORT: Final = re.compile(r'^import \{([^}]+)\} from "(\.[^"]+)";$', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE
)


def bundle(folder: Path, script: str) -> str:
    """Return a script and its imports as one script with the same exports.

    Parameters
    ----------
    folder
        Contains all scripts.
    script
        Path of the script within the folder.
    """
    numbers: dict[str, int] = {}
    modules: list[str] = []

    def add(name: str, ancestors: tuple[str, ...]) -> int:
        if name in ancestors:
            raise ValueError(f"{name} imports itself through {' and '.join(ancestors)}")
        if name not in numbers:
            code = _link(folder, name, lambda imported: add(imported, (*ancestors, name)))
            exports = ", ".join(_EXPORT.findall(code))
            numbers[name] = len(modules)
            body = f"{_EXPORT.sub('', code)}return {{ {exports} }};"
            modules.append(f"const $module{numbers[name]} = (() => {{\n{body}\n}})();\n")
        return numbers[name]

    code = _link(folder, script, lambda imported: add(imported, (script,)))
    return "".join(modules) + code


def _link(folder: Path, script: str, number: Callable[[str], int]) -> str:
    """Replace a script's imports by the exports of the numbered modules."""

    def link(found: re.Match[str]) -> str:
        names, relative = found.groups()
        imported = normpath(join(dirname(script), relative))
        return f"const {{{names.replace(' as ', ': ')}}} = $module{number(imported)};"

    return _IMPORT.sub(link, (folder / script).read_text(encoding="utf-8"))
