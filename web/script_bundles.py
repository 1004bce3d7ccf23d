"""Bundles of scripts: each script is sent in one file with everything it imports.

The files in ``web/static/js`` are ES modules. Browsers could load them directly, but with one
request per file. Instead, the server sends a script after its direct and indirect imports, each
wrapped in a function that returns the module's exports.
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


def _link(folder: Path, script: str, find_number: Callable[[str], int]) -> str:
    """Replace a script's imports with the exports of the numbered modules."""

    def link(match: re.Match[str]) -> str:
        names, relative = match.groups()
        imported = normpath(join(dirname(script), relative))
        return f"const {{{names.replace(' as ', ': ')}}} = $module{find_number(imported)};"

    return _IMPORT.sub(link, (folder / script).read_text(encoding="utf-8"))
