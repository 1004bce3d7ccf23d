"""What the web server calls: the application with this process's logs set up."""

from __future__ import annotations

from flask import Flask

from tilework.core.logs import configure_logs
from tilework.web.app import create_app
from tilework.web.metrics import count_as


def serve(name: str | None = None) -> Flask:
    """Make the application of a process that only serves it; one of several has a name."""
    configure_logs(name or "web")
    if name is not None:
        count_as(name)
    return create_app()
