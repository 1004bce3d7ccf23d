"""Compiles the translations before Tilework is built or installed: git keeps only their sources.

hatchling calls this for a wheel and for an editable installation, and the tests before they start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledTranslations(BuildHookInterface[Any]):
    """The build hook: hatchling looks for one in this file."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        compile_translations(Path(self.root))


def compile_translations(project: Path) -> None:
    """Compile each ``messages.po`` that is newer than its ``messages.mo``."""
    for source in project.glob("tilework/*/translations/*/LC_MESSAGES/messages.po"):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        with source.open("rb") as file:
            catalogue = read_po(file, locale=source.parts[-3])
        draft = compiled.with_suffix(".mo.draft")
        with draft.open("wb") as file:
            write_mo(file, catalogue)
        draft.replace(compiled)  # a running server never reads half a file
