"""What the command line says beside a solution."""

from __future__ import annotations

from tilework.core.cli.progress_line import count
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.formats.phrases import proof_name
from tilework.core.messages import Message, plural
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.phrases import moves
from tilework.core.puzzle.phrases import slides as slides_of
from tilework.core.solver.result import SearchResult


def already_solved() -> Message:
    """Say that there is nothing to do."""
    return Message("already-solved", "the board is already solved: 0 moves")


def between(lower: int, upper: int, metric: Metric = Metric.MOVES) -> Message:
    """A length that is not quite known."""
    return Message("between", "{lower} to {moves}", lower=lower, moves=metric.told(upper))


def moves_and_slides(length: int, slides: int) -> Message:
    """A length in moves, and in slides of one tile or several."""
    return Message(
        "moves-and-slides", "{moves} ({slides})", moves=moves(length), slides=slides_of(slides)
    )


def proved(length: Message, nodes: int, seconds: str, algorithm: str) -> Message:
    """Say that a solution is a shortest one."""
    return Message(
        "proved-shortest",
        "{moves}, proved shortest: {nodes} in {seconds} s by {algorithm}",
        moves=length,
        nodes=nodes_shown(nodes),
        seconds=seconds,
        algorithm=algorithm,
    )


def not_proved(length: Message, lower: int, proof: BoundProof) -> Message:
    """Say that a solution may not be a shortest one."""
    return Message(
        "not-proved-shortest",
        "{moves}, not proved shortest: the optimum has at least {lower}",
        moves=length,
        lower=_by(lower, proof),
    )


def no_answer(lower: int, proof: BoundProof) -> Message:
    """Say that no solution was found in time."""
    return Message(
        "no-answer",
        "no solution within the limit: the optimum has at least {moves}",
        moves=_by(moves(lower), proof),
    )


def slides_proved(count: int, length: int) -> Message:
    """Say that no solution has fewer slides."""
    return Message(
        "slides-proved",
        "{slides}, proved fewest, of {moves}",
        slides=slides_of(count),
        moves=moves(length),
    )


def slides_not_proved(count: int, length: int, lower: int) -> Message:
    """Say that some solution may have fewer slides."""
    return Message(
        "slides-not-proved",
        "{slides} of {moves}, not proved fewest: any solution has at least {lower}",
        slides=slides_of(count),
        moves=moves(length),
        lower=lower,
    )


def no_slides(lower: int) -> Message:
    """Say that no solution was found in time."""
    return Message(
        "no-slides",
        "no solution within the limit: any has at least {slides}",
        slides=slides_of(lower),
    )


def slides_found(result: SearchResult) -> Message:
    """Say what is known of a board in slides."""
    if result.moves is None or result.upper_bound is None:
        return no_slides(result.lower_bound)
    if result.optimal:
        return slides_proved(result.upper_bound, len(result.moves))
    return slides_not_proved(result.upper_bound, len(result.moves), result.lower_bound)


def ways_not_counted(length: int) -> Message:
    """Say that shortest solutions were not all found."""
    return Message(
        "ways-not-counted",
        "a shortest solution has {moves}, but a limit was reached before all of them were found",
        moves=moves(length),
    )


def _by(bound: int | Message, proof: BoundProof) -> int | Message:
    """A bound, and what proves it; a search needs no word."""
    if proof is BoundProof.SEARCH:
        return bound
    return Message("bound-by-proof", "{bound} ({proof})", bound=bound, proof=proof_name(proof))


def interrupted(nodes: int, seconds: str) -> Message:
    """Say that Ctrl-C ended a search."""
    return Message(
        "interrupted",
        "interrupted after {nodes} in {seconds} s",
        nodes=nodes_shown(nodes),
        seconds=seconds,
    )


def built(title: str, seconds: str, folder: object, size: str) -> Message:
    """Say that pattern databases were built."""
    return Message(
        "databases-built",
        "built the pattern databases {title} in {seconds} s; they stay in {folder} ({size})",
        title=title,
        seconds=seconds,
        folder=folder,
        size=size,
    )


def not_built(title: str) -> Message:
    """Say that pattern databases were not built."""
    return Message(
        "databases-not-built",
        "the pattern databases {title} could not be built; the search goes on without them",
        title=title,
    )


def welcome() -> Message:
    """Say how boards are typed."""
    return Message(
        "welcome",
        "Type the numbers of a board, row after row in one line, 0 for the blank, and press "
        "Enter. An empty line ends.",
    )


def example(board: str) -> Message:
    """Show a board to type."""
    return Message("example", "Example: {board}", board=board)


def prompt() -> Message:
    """Ask for a board."""
    return Message("prompt", "Board> ")


def nodes_shown(number: int) -> Message:
    """A number of nodes in a few characters."""
    return plural("nodes-shown", "{shown} node", "{shown} nodes", count=number, shown=count(number))
