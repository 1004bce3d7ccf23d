"""Count the files, functions and dataclasses of the project that a request uses.

``python -m tools.devtools.trace`` submits a new 5×5 board and polls it once, in this process.
"""

from __future__ import annotations

import dataclasses
import sys
import tempfile
from collections.abc import Callable
from types import FrameType
from typing import Any

from tilework.core.assembly import make_services
from tilework.core.services.tickets import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app

BOARD = "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 24 19 / 21 22 23 0 20"


@dataclasses.dataclass
class Profile:
    files: set[str] = dataclasses.field(default_factory=set)
    functions: set[tuple[str, str, int]] = dataclasses.field(default_factory=set)
    classes: set[str] = dataclasses.field(default_factory=set)
    calls: int = 0

    def count(self, frame: FrameType, event: str, _argument: Any) -> None:
        """Count a call of the project's code; a function for `sys.setprofile`."""
        code = frame.f_code
        if event != "call":
            return
        instance = frame.f_locals.get("self") if code.co_name == "__init__" else None
        if dataclasses.is_dataclass(instance) and type(instance).__module__.startswith("tilework"):
            self.classes.add(type(instance).__qualname__)
        if "/tilework/" in code.co_filename and code.co_name != "<module>":
            self.files.add(code.co_filename)
            self.functions.add((code.co_filename, code.co_qualname, code.co_firstlineno))
            self.calls += 1


def trace(name: str, request: Callable[[], Any]) -> Any:
    """Make a request, and print the profile."""
    profile = Profile()
    sys.setprofile(profile.count)
    try:
        response = request()
    finally:
        sys.setprofile(None)
    print(
        f"{name}: {response.status_code}, {len(profile.files)} files, {len(profile.functions)} "
        f"functions, {profile.calls} calls, {len(profile.classes)} dataclasses"
    )
    return response


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.model_validate({"data_dir": folder})
        upgrade(settings.database)
        services = make_services(settings, NoTickets())
        client = create_app(settings, services).test_client()
        for _ in range(2):  # fill the caches first
            client.post("/api/v1/jobs", json={"board": BOARD, "fresh": True})
        job = trace(
            "a new 5×5 board",
            lambda: client.post("/api/v1/jobs", json={"board": BOARD, "fresh": True}),
        )
        client.get(job.headers["Location"])
        trace("a poll", lambda: client.get(job.headers["Location"]))
        services.storage.dispose()


if __name__ == "__main__":
    main()
