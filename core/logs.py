"""One line per event on standard error, from every process in the same shape."""

from __future__ import annotations

import logging
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_QUIET = ("alembic", "celery", "kombu", "numba")


def configure_logs(role: str, level: int = logging.INFO) -> None:
    """Send structlog and the standard library's loggers to standard error.

    Parameters
    ----------
    role : str
        The process's role, at the head of every line: ``web``, ``interactive-1`` …
    level : int
        Least level that is shown; verbose libraries show warnings only.
    """

    def add_role(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event["event"] = f"[{role}] {event['event']}"
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_role,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
