"""The broker: whether it answers, and what lies in its queues."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import quote, urlsplit

from tilework.core.cli.doctor.finding import Finding, fault, fine, warning
from tilework.core.settings import Settings

_PATIENCE_S: Final = 8.0


def broker(settings: Settings) -> Iterator[Finding]:
    """Look at the broker of the settings, or at the one of ``tilework up`` in the data folder."""
    url = settings.broker_url
    if not url:
        # Only looked at: whoever makes it is `tilework up`.
        socket = settings.data_dir.resolve() / "broker" / "valkey.sock"
        if not socket.exists():
            seen = "none is set, and none of `tilework up` runs in the data folder"
            yield warning("broker", seen, "start `tilework up`, or set TILEWORK_BROKER_URL")
            return
        url = f"redis+socket://{quote(str(socket))}"
    # The command line knows no client of brokers; a process of its own does.
    found = _asked(url)
    if "error" in found:
        seen = f"{_without_password(url)} does not answer: {found['error']}"
        advice = "start it again; nothing is lost meanwhile, but work begins a second later"
        yield fault("broker", seen, advice)
        return
    waiting = sum(found["waiting"].values())
    yield fine("broker", f"{found['server']} answers, {waiting} tickets wait")
    if found["foreign"]:
        seen = f"{found['foreign']} messages in its queues are no tickets of Tilework"
        advice = "see who else uses this broker; workers drop these messages"
        yield warning("broker", seen, advice)


def _asked(url: str) -> dict[str, Any]:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tilework.worker.probing"],
            capture_output=True,
            text=True,
            timeout=_PATIENCE_S,
            check=False,
            # Not an argument: those are seen by everybody on the host.
            env=os.environ | {"TILEWORK_BROKER_URL": url},
        )
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {_PATIENCE_S:.0f} s"}
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"error": done.stderr.strip().rpartition("\n")[2] or "the probe failed"}
    return found


def _without_password(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}"
