"""How a certificate is to be checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """How many slices to search again, which, and with what.

    Attributes
    ----------
    sample : int or None
        How many; None for all of them.
    seed : int
        The same one draws the same slices again.
    pdb_folder : Path or None
        Folder of the pattern databases; None for the user's cache folder.
    """

    sample: int | None
    seed: int
    pdb_folder: Path | None = None
