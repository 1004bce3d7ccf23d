"""What decisions about solves depend on besides the solve."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that decisions depend on.

    Attributes
    ----------
    quarantine_s : float
        Seconds after which work that was quarantined may be tried again.
    slice_s : float
        What a slice should take.
    trial_memory_bytes : int
        What one try at a shorter solution may take.
    """

    quarantine_s: float
    slice_s: float
    trial_memory_bytes: int

    @classmethod
    def of(cls, settings: Settings) -> Rules:
        """Return the rules of some settings."""
        return cls(settings.poison_rest_s, settings.search_slice_s, settings.trial_memory_bytes)
