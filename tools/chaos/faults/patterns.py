"""A pattern database that is written to while workers search with it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

_HEADER_BYTES: Final = 4_096
_PIECE: Final = 4_096


def damage_database(folder: Path, choose: random.Random) -> None:
    """Overwrite some pieces of a file in place, its size as it was."""
    files = sorted(folder.glob("*.pdb"))
    if not files:
        return
    file = choose.choice(files)
    # Nobody may write to it, not even its owner; root may all the same.
    file.chmod(0o644)
    size = file.stat().st_size
    with file.open("r+b") as entries:
        for _ in range(choose.randint(1, 200)):
            entries.seek(choose.randrange(_HEADER_BYTES, size - _PIECE))
            entries.write(choose.randbytes(_PIECE))
