"""What is said of what files carry."""

from __future__ import annotations

from tilework.core.formats.bound_proof import BoundProof
from tilework.core.messages import Message


def proof_name(proof: BoundProof) -> Message:
    """Say what proves a lower bound without a search."""
    return {
        BoundProof.MANHATTAN: Message("proof-manhattan", "Manhattan distance"),
        BoundProof.LINEAR_CONFLICT: Message("proof-linear-conflict", "linear conflict"),
        BoundProof.TILE_GROUPS: Message("proof-tile-groups", "tile groups"),
    }[proof]
