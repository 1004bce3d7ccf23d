"""The names of what proves a lower bound, as files and answers carry them."""

from __future__ import annotations

from enum import StrEnum


class BoundProof(StrEnum):
    """What proves a lower bound: of several that do, the simplest.

    ``manhattan``: the tiles' distances. ``linear-conflict``: with the tiles that must leave their
    line. ``tile-groups``: with small groups of tiles that get in each other's way. ``search``: a
    search for anything shorter, or the estimate that it begins with.
    """

    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    TILE_GROUPS = "tile-groups"
    SEARCH = "search"
