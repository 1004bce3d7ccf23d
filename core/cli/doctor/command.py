"""``tilework doctor``: find problems of this installation."""

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
    """``fault``: something does not work. ``warning``: it works but needs attention."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    level: Level
    subject: str  # what was checked, such as `broker`
    seen: str
    advice: str = ""  # what to do; empty if all is well


def ok(subject: str, seen: str) -> Finding:
    return Finding(Level.OK, subject, seen)


def warning(subject: str, seen: str, advice: str) -> Finding:
    return Finding(Level.WARNING, subject, seen, advice)


def fault(subject: str, seen: str, advice: str) -> Finding:
    return Finding(Level.FAULT, subject, seen, advice)


Probe = Callable[[Settings], Iterable[Finding]]

TIMEOUT_S: Final = 10.0
_FILES_TIMEOUT_S: Final = 120.0  # of probes that read whole files


def doctor(
    as_json: AsJson = False,
    data_dir: Annotated[
        Path | None, typer.Option(help="Data folder of `tilework up`.", file_okay=False)
    ] = None,
) -> None:
    """Check the broker, database, pattern databases, disk, permissions and versions.

    The exit code is 1 if there is a fault. It works even if parts of the system are down.
    """
    settings = get_settings().model_copy(update={"data_dir": data_dir} if data_dir else {})
    findings: list[Finding] = []
    for subject, probe, timeout_s in _probes():
        for finding in run_probe(subject, probe, settings, timeout_s):
            findings.append(finding)
            if not as_json:
                _print(finding)
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    if any(finding.level is Level.FAULT for finding in findings):
        raise typer.Exit(ExitCode.NO_SOLUTION)


def run_probe(subject: str, probe: Probe, settings: Settings, timeout_s: float) -> list[Finding]:
    """Return the findings of a probe, or a fault if it times out; never raise."""
    findings: list[Finding] = []
    done = threading.Event()

    def run() -> None:
        try:
            findings.extend(probe(settings))
        except Exception as error:  # a broken component is a finding
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            findings.append(fault(subject, reason, "check the logs of this component"))
        finally:
            done.set()

    # A thread that hangs, for example on a network file system, is abandoned.
    threading.Thread(target=run, name=f"doctor-{subject}", daemon=True).start()
    if not done.wait(timeout_s):
        advice = "check whether it hangs; everything that depends on it waits as well"
        return [fault(subject, f"did not answer within {timeout_s:.0f} s", advice)]
    return findings


def _probes() -> list[tuple[str, Probe, float]]:
    # Imported one by one, so that a broken library affects only its own probes.
    return [
        *(
            (name, _load_probe("machine", name), TIMEOUT_S)
            for name in ("versions", "disk", "rights")
        ),
        ("broker", _load_probe("machine", "broker"), TIMEOUT_S),
        ("database", _load_probe("database", "database"), TIMEOUT_S),
        ("pattern databases", _load_probe("patterns", "patterns"), _FILES_TIMEOUT_S),
    ]


def _load_probe(module: str, name: str) -> Probe:
    def run(settings: Settings) -> Iterable[Finding]:
        probe: Probe = getattr(import_module(f"tilework.core.cli.doctor.{module}"), name)
        return probe(settings)

    return run


def _print(finding: Finding) -> None:
    print(f"{finding.level:<8}{finding.subject}: {finding.seen}")
    if finding.advice:
        print(f"{'':<8}{'':<2}{finding.advice}")
