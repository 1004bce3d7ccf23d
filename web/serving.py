"""What the web server calls: the application with this process's logs set up."""

from __future__ import annotations

from flask import Flask

from core.logs import configure_logs
from web.app import create_app


def serve() -> Flask:
    """Make the application of a process that only serves it."""
    configure_logs("web")
    return create_app()
