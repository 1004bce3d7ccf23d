"""Everything Tilework raises on purpose, as one tree."""

from __future__ import annotations

from typing import Final

from tilework.core.messages import Message, untranslated

_DAMAGED: Final = Message(
    "damaged-row",
    "the stored data of this board was damaged and is being replaced; try again in a moment",
)


class TileworkError(Exception):
    """Base of every error of this project; ``str()`` is English."""

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
    """The caller gave invalid input, which the message quotes."""


class BoardError(InputError):
    """Text or numbers that do not make a board (or a goal for it)."""


class BoardSyntaxError(BoardError):
    """Text that cannot be read as a board.

    Attributes
    ----------
    fault : Message; what is wrong, without the place
    line, column : int or None; None where the input has no lines
    """

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
        self.fault = fault = _message(code, template, values)
        if line is not None:
            fault = Message(
                fault.code,
                "line {line}, column {column}: {fault}",
                line=line,
                column=column,
                fault=fault,
            )
        super().__init__(fault)
        self.line = line
        self.column = column


class PictureError(InputError):
    """A picture that cannot be used, or in which no board is found."""


class MoveError(InputError):
    """Text that is not a sequence of moves, or a move that no tile can make."""


class UnsolvableError(InputError, ValueError):
    """A well-formed board from which the goal cannot be reached.

    Attributes
    ----------
    explanation : Message or None; the parity argument in words for people
    """

    def __init__(
        self,
        code: str | Message,
        template: str | None = None,
        /,
        *,
        explanation: Message | None = None,
        **values: object,
    ) -> None:
        super().__init__(code, template, **values)
        self.explanation = explanation


class OptionError(InputError):
    """An option (algorithm, heuristic, target, limit …) with a value that is not offered."""


class ReplayError(TileworkError):
    """A solution that does not lead from its board to its goal: never stored, never shown."""


class BoundsError(TileworkError):
    """A solution shorter than a proved bound: one of the two is wrong, and neither an answer."""

    def __init__(self, solve_id: str, length: int, message: Message) -> None:
        super().__init__(message)
        self.solve_id = solve_id
        self.length = length


class ProofError(TileworkError):
    """A certificate that does not prove what it says; the message says where."""


class NotFoundError(TileworkError):
    """No job, batch or solution at that address."""


class ForbiddenError(TileworkError):
    """The client may read but not change this: it belongs to another client."""


class AuthenticationError(TileworkError):
    """An API key that does not exist or was revoked."""


class ConflictError(TileworkError):
    """An idempotency key used again for a different request."""


class ReplacedError(TileworkError):
    """A solution that another one has replaced since it was last looked at."""


class RetryLaterError(TileworkError):
    """What may be tried again after some seconds."""

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
    """The client has too many unfinished jobs; it may try again after some seconds."""


class OverloadError(RetryLaterError):
    """The whole service has too many unfinished jobs."""

    _RETRY_AFTER_S = 10


class DamagedFileError(TileworkError):
    """A stored pattern database whose header or checksum is wrong; it will be rebuilt."""


class UnavailableError(TileworkError):
    """A server, a database or a broker that cannot be reached, or refuses for now."""


class DamagedRowError(UnavailableError):
    """A stored row that is not as it was written: it is set aside, and what it held made anew."""

    def __init__(self, *suspects: tuple[str, str]) -> None:
        super().__init__(_DAMAGED)
        self.suspects = suspects


class DatabaseUnavailableError(UnavailableError):
    """A database that does not answer; the message quotes its driver and is not for strangers."""


def _message(code: str | Message, template: str | None, values: dict[str, object]) -> Message:
    if isinstance(code, Message):
        return code
    return untranslated(code) if template is None else Message(code, template, **values)
