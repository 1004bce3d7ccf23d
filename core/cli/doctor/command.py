"""``tilework doctor``: what is wrong with this installation, and what to do about it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final

import typer

from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.options import AsJson
from tilework.core.settings import Settings, get_settings


class Level(StrEnum):
    """``fault``: something does not work. ``warning``: it works, and should be looked at."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    subject: str  # what was looked at, as in `broker`
    seen: str
    advice: str = ""  # what to do; empty where all is well


def fine(subject: str, seen: str) -> Finding:
    return Finding(Level.OK, subject, seen)


def warning(subject: str, seen: str, advice: str) -> Finding:
    return Finding(Level.WARNING, subject, seen, advice)


def fault(subject: str, seen: str, advice: str) -> Finding:
    return Finding(Level.FAULT, subject, seen, advice)


Probe = Callable[[Settings], Iterable[Finding]]

PATIENCE_S: Final = 10.0
"""For one probe; those that read whole files may take longer."""

_FILES_PATIENCE_S: Final = 120.0


def doctor(
    as_json: AsJson = False,
    data_dir: Annotated[
        Path | None, typer.Option(help="Folder of the system, as of `up`.", file_okay=False)
    ] = None,
) -> None:
    """Look at the broker, the database, pattern databases, disk, rights and versions.

    The exit code is 1 if there is a fault. Works when parts are down.
    """
    settings = get_settings().model_copy(update={"data_dir": data_dir} if data_dir else {})
    findings: list[Finding] = []
    for subject, probe, patience_s in _probes():
        for finding in examined(subject, probe, settings, patience_s):
            findings.append(finding)
            if not as_json:
                _print(finding)
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    if any(finding.level is Level.FAULT for finding in findings):
        raise typer.Exit(ExitCode.NO_SOLUTION)


def examined(subject: str, probe: Probe, settings: Settings, patience_s: float) -> list[Finding]:
    """Return what a probe finds, or that it found nothing in time; it never raises."""
    findings: list[Finding] = []
    done = threading.Event()

    def look() -> None:
        try:
            findings.extend(probe(settings))
        except Exception as error:  # whatever is broken: that is what is asked
            words = str(error).strip().partition("\n")[0] or type(error).__name__
            findings.append(fault(subject, words, "see the log of the part that this concerns"))
        finally:
            done.set()

    # A thread that hangs, as on a network's disk, is left behind.
    threading.Thread(target=look, name=f"doctor-{subject}", daemon=True).start()
    if not done.wait(patience_s):
        advice = "see whether it hangs; everything that needs it waits as well"
        return [fault(subject, f"did not answer within {patience_s:.0f} s", advice)]
    return findings


def _probes() -> list[tuple[str, Probe, float]]:
    # Loaded one by one, so that a broken library is a finding about its part.
    return [
        *((name, _probe("machine", name), PATIENCE_S) for name in ("versions", "disk", "rights")),
        ("broker", _probe("machine", "broker"), PATIENCE_S),
        ("database", _probe("database", "database"), PATIENCE_S),
        ("pattern databases", _probe("patterns", "patterns"), _FILES_PATIENCE_S),
    ]


def _probe(module: str, name: str) -> Probe:
    def look(settings: Settings) -> Iterable[Finding]:
        probe: Probe = getattr(import_module(f"tilework.core.cli.doctor.{module}"), name)
        return probe(settings)

    return look


def _print(finding: Finding) -> None:
    print(f"{finding.level:<8}{finding.subject}: {finding.seen}")
    if finding.advice:
        print(f"{'':<8}{'':<2}{finding.advice}")
