"""What a probe has found out, and how much it matters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """``fault``: something does not work. ``warning``: it works, and should be looked at."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes
    ----------
    subject : str
        What was looked at, as in ``broker``.
    seen : str
    advice : str
        What to do; empty where all is well.
    """

    level: Level
    subject: str
    seen: str
    advice: str = ""


def fine(subject: str, seen: str) -> Finding:
    """All is well."""
    return Finding(Level.OK, subject, seen)


def warning(subject: str, seen: str, advice: str) -> Finding:
    """It works, and should be looked at."""
    return Finding(Level.WARNING, subject, seen, advice)


def fault(subject: str, seen: str, advice: str) -> Finding:
    """It does not work."""
    return Finding(Level.FAULT, subject, seen, advice)
