"""The exceptions of Tilework."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tilework.core.messages import Message, untranslated

_UNREADABLE: Final = Message(
    "unreadable-row", "the stored data of this cannot be read any more; send the request again"
)
_DAMAGED: Final = Message(
    "damaged-row",
    "the stored data of this board was damaged and is being replaced; try again in a moment",
)


class TileworkError(Exception):
    """The base class of all errors; ``str()`` is English."""

    def __init__(
        self, code: str | Message, template: str | None = None, /, **values: object
    ) -> None:
        super().__init__(_message(code, template, values))

    @property
    def message(self) -> Message:
        message: Message = self.args[0]
        return message

    @property
    def code(self) -> str:
        return self.message.code


class InputError(TileworkError):
    """Invalid input, which the message quotes."""


class BoardError(InputError):
    """Text or numbers that are not a board, or not a goal for it."""


class MissingBoardError(BoardError, TypeError):
    """None instead of a board."""


class CellError(InputError, IndexError):
    """A row or column outside a board."""


class BoardSyntaxError(BoardError):
    """Text that cannot be read as a board.

    Attributes
    ----------
    reason : Message; the error without the position
    line, column : int or None; None if the input has no lines
    fixes : what to write instead; all readings of ambiguous input
    rows : the cells as far as they were read, and `mark`, the row and column of the one at fault
    boards : the boards where several were given
    """

    fixes: tuple[str, ...] = ()
    rows: Sequence[Sequence[str]] = ()
    mark: tuple[int, int] | None = None
    boards: tuple[Any, ...] = ()

    def __init__(
        self,
        code: str | Message,
        template: str | None = None,
        /,
        *,
        line: int | None = None,
        column: int | None = None,
        **values: object,
    ) -> None:
        self.reason = message = _message(code, template, values)
        if line is not None:
            message = Message(
                message.code,
                "line {line}, column {column}: {error}",
                line=line,
                column=column,
                error=message,
            )
        super().__init__(message)
        self.line = line
        self.column = column


class PictureError(InputError):
    """A picture that cannot be read, or that contains no board."""


class MoveError(InputError):
    """Text that is not a sequence of moves, or an illegal move."""


class UnsolvableError(InputError, ValueError):
    """A valid board from which the goal cannot be reached.

    Attributes
    ----------
    explanation : Message or None; the parity argument
    reachable_goals : names of goals that the board can reach
    """

    def __init__(
        self,
        code: str | Message,
        template: str | None = None,
        /,
        *,
        explanation: Message | None = None,
        reachable_goals: Sequence[str] = (),
        **values: object,
    ) -> None:
        super().__init__(code, template, **values)
        self.explanation = explanation
        self.reachable_goals = list(reachable_goals)


class OptionError(InputError):
    """An invalid value of an option, such as an algorithm, target or limit."""


class ReplayError(TileworkError):
    """A solution that does not solve its board; never stored or shown."""


class BoundsError(TileworkError):
    """A solution shorter than a proven bound; one of the two must be wrong."""

    def __init__(self, solve_id: str, length: int, message: Message) -> None:
        super().__init__(message)
        self.solve_id = solve_id
        self.length = length


class ProofError(TileworkError):
    """A certificate that does not prove its claim; the message says where."""


class NotFoundError(TileworkError):
    """A job, batch or solution that does not exist."""


class ForbiddenError(TileworkError):
    """Something that this client may not do, such as changing another client's work."""


class AuthenticationError(TileworkError):
    """An API key that does not exist or was revoked."""


class ConflictError(TileworkError):
    """An idempotency key that was used for a different request."""


class ReplacedError(TileworkError):
    """A solution that has been replaced by another one."""


class RetryLaterError(TileworkError):
    """A request that can be retried after a few seconds."""

    _RETRY_AFTER_S = 5

    def __init__(
        self,
        code: str | Message,
        template: str | None = None,
        /,
        *,
        retry_after_s: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(code, template, **values)
        self.retry_after_s = self._RETRY_AFTER_S if retry_after_s is None else retry_after_s


class QuotaError(RetryLaterError):
    """The client has too much unfinished work."""


class OverloadError(RetryLaterError):
    """The whole service has too much to do."""

    _RETRY_AFTER_S = 10


class DamagedFileError(TileworkError):
    """A pattern database with a wrong header or checksum; it will be rebuilt."""


class MissingExtraError(TileworkError):
    """An operation that needs an extra, such as ``tilework[pictures]``, that is not installed."""


class UnavailableError(TileworkError):
    """A server, database or broker that cannot be reached or rejects requests.

    Attributes
    ----------
    retry_after_s : float or None; after which a repeated request may succeed; None if it would not
    """

    retry_after_s: float | None = None


class UnfinishedError(TileworkError, TimeoutError):
    """Work of a server that has not ended within the time to wait for it."""


class DamagedRowError(UnavailableError):
    """A row of the database that cannot be read."""

    def __init__(self) -> None:
        super().__init__(_UNREADABLE)


class DamagedSolveError(UnavailableError):
    """A solve whose stored data is damaged; it starts again."""

    def __init__(self, solve_id: str) -> None:
        super().__init__(_DAMAGED)
        self.solve_id = solve_id


class SchemaError(UnavailableError):
    """A database with another schema than this version uses."""


class DatabaseUnavailableError(UnavailableError):
    """A database that does not respond; the message quotes the driver and must stay internal."""


def _message(code: str | Message, template: str | None, values: dict[str, object]) -> Message:
    if isinstance(code, Message):
        return code
    return untranslated(code) if template is None else Message(code, template, **values)
