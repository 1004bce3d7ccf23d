"""The files that a build may copy: those that ``.dockerignore`` leaves."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path


def copy_context(source: Path, folder: Path) -> None:
    """Copy a folder but for what its ``.dockerignore`` keeps away."""
    rules = _rules((source / ".dockerignore").read_text("utf-8"))
    for where, folders, files in os.walk(source):
        here = Path(where).relative_to(source)
        # None of our patterns brings back what is deeper in a folder that is left out.
        folders[:] = [name for name in folders if not _ignored((here / name).as_posix(), rules)]
        links = [name for name in folders if (source / here / name).is_symlink()]
        for name in [*files, *links]:
            if not _ignored((here / name).as_posix(), rules):
                (folder / here).mkdir(parents=True, exist_ok=True)
                shutil.copy(source / here / name, folder / here / name, follow_symlinks=False)


def _rules(text: str) -> list[tuple[bool, re.Pattern[str]]]:
    """Return whether each line leaves out, and what it is about."""
    lines = [line.strip() for line in text.splitlines()]
    kept = [line for line in lines if line and not line.startswith("#")]
    return [(not line.startswith("!"), _pattern(line.removeprefix("!"))) for line in kept]


def _pattern(glob: str) -> re.Pattern[str]:
    pieces = re.split(r"(\*\*/|\*)", glob.strip("/"))
    words = {"**/": "(?:.*/)?", "*": "[^/]*"}
    # What is in a folder follows the folder.
    return re.compile("".join(words.get(one, re.escape(one)) for one in pieces) + "(?:/.*)?")


def _ignored(path: str, rules: Sequence[tuple[bool, re.Pattern[str]]]) -> bool:
    verdict = False
    for leaves_out, pattern in rules:
        if pattern.fullmatch(path):
            verdict = leaves_out
    return verdict
