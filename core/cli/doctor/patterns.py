"""Checks of pattern databases: checksums, and processes that use replaced files."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from tilework.core.cli.doctor.command import Finding, fault, ok, warning
from tilework.core.errors import DamagedFileError
from tilework.core.services.pattern_databases import find_table_of_file
from tilework.core.settings import Settings
from tilework.core.solver.pdb.files import load

_REPLACED = re.compile(r"(/\S.*\.pdb) \(deleted\)$", re.MULTILINE)


def patterns(settings: Settings) -> Iterator[Finding]:
    """Verify the checksum of each file, and find processes that map outdated files."""
    folder = settings.pdb_folder
    option = f"--databases {shlex.quote(str(folder.resolve()))}"
    files = sorted(folder.glob("*.pdb"))
    if not files:
        seen = f"none in {str(folder)!r}"
        advice = f"workers build them, or `tilework pdb build {option}` does"
        yield warning("pattern databases", seen, advice)
        return
    verified = damaged = 0
    for path in files:
        table = find_table_of_file(path)
        if table is None:
            seen = f"{path.name} is not a pattern database of this version"
            yield warning("pattern databases", seen, "delete it unless another version needs it")
            continue
        try:
            load(table, path, verify=True)
            verified += 1
        except (DamagedFileError, OSError) as error:
            damaged += 1
            command = f"tilework pdb build {path.stem} {option}"
            advice = f"{command}; then restart the workers on this host"
            yield fault("pattern databases", f"{path.name} is damaged: {error}", advice)
    if not damaged:
        yield ok("pattern databases", f"the checksums of {verified} files are correct")
    yield from _find_outdated(folder)


def _find_outdated(folder: Path) -> Iterator[Finding]:
    """Find processes that still map a replaced file; works only on Linux."""
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            text = maps.read_text(errors="replace")
        except OSError:
            continue  # the process exited or belongs to another user
        used = {Path(name).name for name in _REPLACED.findall(text) if Path(name).parent == folder}
        if used:
            seen = f"process {maps.parent.name} uses an old version of {', '.join(sorted(used))}"
            advice = f"restart it if the old file was damaged (kill {maps.parent.name})"
            yield warning("pattern databases", seen, advice)
