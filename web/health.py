"""``/healthz``: this process answers. ``/readyz``: the system can do its work."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, jsonify

from tilework.web.clients import services

health = Blueprint("health", __name__)


@health.get("/healthz")
def healthz() -> Response:
    """Answer without checking anything else."""
    return jsonify(status="ok")


@health.get("/readyz")
def readyz() -> tuple[Response, HTTPStatus]:
    """Report whether the database answers and waiting work is being claimed."""
    view = services().health.check()
    status = HTTPStatus.OK if view.ready else HTTPStatus.SERVICE_UNAVAILABLE
    return jsonify(ready=view.ready, reasons=view.reasons, preparing_s=view.preparing_s), status
