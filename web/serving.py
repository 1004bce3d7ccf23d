"""What the web server calls: the application with this process's logs set up."""

from __future__ import annotations

from typing import Final

from flask import Flask

from tilework.core.assembly import Services
from tilework.core.logs import configure_logs
from tilework.core.rounds import Rounds
from tilework.core.services.deadlines import Deadlines
from tilework.web.app import create_app
from tilework.web.metrics import count_as

# Jobs past their deadline are looked for this often, and first left to their workers (seconds).
_ROUND_S: Final = 1.0
_GRACE_S: Final = 2.0


def serve(name: str | None = None) -> Flask:
    """Make the application of a process that only serves it; one of several has a name."""
    configure_logs(name or "web")
    if name is not None:
        count_as(name)
    app = create_app()
    services: Services = app.extensions["tilework"]
    # Here, too, as no worker may be alive.
    deadlines = Deadlines(services.storage, services.settings, _GRACE_S)
    Rounds("deadlines", deadlines.run_once, _ROUND_S).start()
    return app
