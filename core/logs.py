"""Logging: one line per event on standard error, in the same format from every process.

Failures of what is tried again and again are logged once, then how often, then when it is over.
"""

from __future__ import annotations

import logging
import math
import secrets
import sys
import threading
import time
import traceback
from collections import defaultdict
from types import TracebackType
from typing import Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from tilework.core.errors import TileworkError
from tilework.core.redaction import redact

FIRST_PAUSE_S: Final = 60.0
_MAX_PAUSE_S: Final = 3_600.0
_MAX_REASON: Final = 200

_log = structlog.get_logger()


class Repetition:
    """Decides which occurrences to report: the first, and others after growing pauses."""

    def __init__(self) -> None:
        self._times = 0
        self._pause_s = FIRST_PAUSE_S
        self._quiet_until = -math.inf

    def count(self) -> int:
        """Count an occurrence; return how many there were since the last report, or 0 for none."""
        self._times += 1
        now = time.monotonic()
        if now < self._quiet_until:
            return 0
        is_over = now > self._quiet_until + self._pause_s
        self._pause_s = FIRST_PAUSE_S if is_over else min(2 * self._pause_s, _MAX_PAUSE_S)
        self._quiet_until = now + self._pause_s
        times, self._times = self._times, 0
        return times


class FailureLog:
    """Logs the failures of an action, such as "sending tickets". Thread-safe.

    Failures that alternate with successes are not logged more often than others.
    """

    def __init__(self, action: str) -> None:
        self._action = action
        self._repetition = Repetition()
        self._is_reported = False
        self._lock = threading.Lock()

    def fail(self, reason: Exception | str) -> None:
        """Log a failure, an unexpected error with its call stack."""
        with self._lock:
            times = self._repetition.count()
            if not times:
                return
            self._is_reported = True
        event = f"{self._action} failed; will try again"
        details: dict[str, object] = {"times": times} if times > 1 else {}
        if isinstance(reason, str | TileworkError):
            _log.warning(event, reason=shorten(str(reason)), **details)
        else:
            _log.error(event, exc_info=reason, **details)

    def succeed(self) -> None:
        """Log that the action works again, if a failure was logged since it last did."""
        if self._is_reported:
            with self._lock:
                is_reported, self._is_reported = self._is_reported, False
            if is_reported:
                _log.info(f"{self._action} works again")


def shorten(text: str) -> str:
    """Return a text as one line of limited length."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_REASON else f"{line[:_MAX_REASON]}…"


_REPETITIVE: Final = ("celery.worker.consumer", "kombu")
_NOT_ACKNOWLEDGED: Final = "Couldn't ack "
_QUIET = ("alembic", "celery", "kombu", "numba")

_MAX_ERROR_LENGTH: Final = 400
_MAX_FRAMES: Final = 12
_MAX_CAUSES: Final = 4
_ESCAPE: Final = 0x1B


def configure_logs(role: str, level: int = logging.INFO) -> None:
    """Send structlog and the standard library's loggers to standard error."""

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
    colors = sys.stderr.isatty()
    handler.setFormatter(
        _OneLine(
            colors,
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                _name_error,
                structlog.dev.ConsoleRenderer(colors=colors, pad_event_to=0),
            ],
        )
    )
    handler.addFilter(_LibraryFailures())
    logging.basicConfig(handlers=[handler], level=level, force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread
    sys.unraisablehook = _log_unraisable


def new_error_id() -> str:
    return secrets.token_hex(5)


def one_line(error: BaseException) -> tuple[str, str]:
    """Describe an error, its causes, and where it was raised, innermost call first."""
    chain = [error]
    while (cause := _find_cause(chain[-1])) is not None and len(chain) < _MAX_CAUSES:
        chain.append(cause)
    what = " from ".join(map(_describe, chain))
    # The last error of the chain was raised first, so its frames are the innermost ones.
    frames = list(traceback.extract_tb(chain[-1].__traceback__))
    if len(chain) > 1:
        frames = [*traceback.extract_tb(error.__traceback__), *frames]
    return what, " < ".join(_format_frame(frame) for frame in reversed(frames[-_MAX_FRAMES:]))


class _OneLine(structlog.stdlib.ProcessorFormatter):
    def __init__(
        self, colors: bool, *, foreign_pre_chain: list[Processor], processors: list[Processor]
    ) -> None:
        super().__init__(processors=processors, foreign_pre_chain=foreign_pre_chain)
        controls = (*range(32), 0x7F, 0x85, 0x2028, 0x2029)
        self._escapes = {
            code: repr(chr(code))[1:-1] for code in controls if code != _ESCAPE or not colors
        }

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record)).translate(self._escapes)


class _LibraryFailures(logging.Filter):
    """Shortens what libraries log at each attempt to reach the broker, and drops repetitions.

    To Celery, a message that it cannot acknowledge is critical; here, it is only a ticket.
    """

    def __init__(self) -> None:
        super().__init__()
        self._repetitions: defaultdict[int, Repetition] = defaultdict(Repetition)

    def filter(self, record: logging.LogRecord) -> bool:
        if str(record.msg).startswith(_NOT_ACKNOWLEDGED):
            vars(record).update(levelno=logging.WARNING, levelname="WARNING", exc_info=None)
        if record.name.startswith(_REPETITIVE) and record.levelno >= logging.WARNING:
            times = self._repetitions[record.lineno].count()
            suffix = f" ({times} times)" if times > 1 else ""
            record.msg, record.args = shorten(record.getMessage()) + suffix, ()
            return times > 0
        return True


def _name_error(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace an exception with its description, and add an error id if there is none."""
    info = event.pop("exc_info", None)
    event.pop("stack_info", None)
    if isinstance(info, tuple):
        error = info[1]
    else:
        error = info if isinstance(info, BaseException) else sys.exc_info()[1] if info else None
    if error is not None:
        event["error"], event["at"] = one_line(error)
        event.setdefault("error_id", new_error_id())
    return event


def _find_cause(error: BaseException) -> BaseException | None:
    if error.__cause__ is not None or error.__suppress_context__:
        return error.__cause__
    return error.__context__


def _describe(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # an error of a library may fail to describe itself
        text = ""
    if len(text) > _MAX_ERROR_LENGTH:
        text = f"{text[:_MAX_ERROR_LENGTH]}…"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _format_frame(frame: traceback.FrameSummary) -> str:
    file = "/".join(frame.filename.replace("\\", "/").rsplit("/", 3)[-3:])
    return f"{file}:{frame.lineno} {frame.name}"


def _log_uncaught(
    _kind: type[BaseException], error: BaseException, _frames: TracebackType | None
) -> None:
    if not isinstance(error, KeyboardInterrupt):
        _log.critical("ended by an error", exc_info=error)


def _log_uncaught_in_thread(arguments: threading.ExceptHookArgs) -> None:
    if arguments.exc_value is not None and arguments.exc_type is not SystemExit:
        name = arguments.thread.name if arguments.thread else "?"
        _log.critical("a thread ended with an error", thread=name, exc_info=arguments.exc_value)


def _log_unraisable(arguments: sys.UnraisableHookArgs) -> None:
    if arguments.exc_value is not None:
        _log.error("an exception could not be raised", exc_info=arguments.exc_value)
