"""Everything Tilework raises on purpose, as one tree.

Messages are whole sentences that quote the offending input and say what would be right; the
web turns them into problem details and the command line into exit code 2 without rewording.
"""

from __future__ import annotations


class TileworkError(Exception):
    """Base of every error of this project."""


class InputError(TileworkError):
    """The caller gave invalid input, which the message quotes."""


class BoardError(InputError):
    """Text or numbers that do not make a board (or a goal for it)."""


class BoardSyntaxError(BoardError):
    """Text that cannot be read as a board.

    Attributes
    ----------
    line, column : int or None
        Where the offending piece begins, from 1; None where the input has no lines.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class MoveError(InputError):
    """Text that is not a sequence of moves, or a move that no tile can make."""


class UnsolvableError(InputError):
    """A well-formed board from which the goal cannot be reached.

    Attributes
    ----------
    explanation : str
        The parity argument in words for people.
    """

    def __init__(self, message: str, explanation: str = "") -> None:
        super().__init__(message)
        self.explanation = explanation


class OptionError(InputError):
    """An option (algorithm, heuristic, target, limit …) with a value that is not offered."""


class ReplayError(TileworkError):
    """A solution that does not lead from its board to its goal: never stored, never shown."""


class BoundsError(TileworkError):
    """A solution shorter than a proved bound: a bug of this program, never an answer."""


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


class QuotaError(TileworkError):
    """The client has too many unfinished jobs.

    Attributes
    ----------
    retry_after_s : int
        Seconds after which to try again.
    """

    def __init__(self, message: str, retry_after_s: int = 5) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class OverloadError(TileworkError):
    """The whole service has too many unfinished jobs."""

    def __init__(self, message: str, retry_after_s: int = 10) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class DamagedFileError(TileworkError):
    """A stored pattern database whose header or checksum is wrong; it will be rebuilt."""


class UnavailableError(TileworkError):
    """A server, a database or a broker that cannot be reached, or refuses for now."""


class DatabaseUnavailableError(UnavailableError):
    """A database that does not answer; the message quotes its driver and is not for strangers."""
