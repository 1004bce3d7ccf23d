"""Messages that the command line prints along with a solution."""

from __future__ import annotations

from collections.abc import Sequence

from tilework.core.cli.terminal import format_count
from tilework.core.lab.result import RunResult
from tilework.core.messages import Message, plural
from tilework.core.puzzle import phrases
from tilework.core.puzzle.metric import BoundProof, Metric, proof_name
from tilework.core.puzzle.phrases import moves
from tilework.core.solver.result import SearchResult


def already_solved() -> Message:
    return Message("already-solved", "the board is already solved: 0 moves")


def solvable_for(goals: Sequence[str]) -> Message:
    return Message(
        "solvable-for",
        "it can be solved for {goals}",
        goals=", ".join(f"--goal {goal}" for goal in goals),
    )


def between(lower: int, upper: int, metric: Metric = Metric.MOVES) -> Message:
    return Message("between", "{lower} to {moves}", lower=lower, moves=metric.describe(upper))


def moves_and_slides(length: int, slides: int) -> Message:
    return Message(
        "moves-and-slides", "{moves} ({slides})", moves=moves(length), slides=phrases.slides(slides)
    )


def proven_optimal(length: Message, nodes: int, seconds: str, algorithm: str) -> Message:
    return Message(
        "proved-shortest",
        "{moves}, proven optimal: {nodes} in {seconds} s by {algorithm}",
        moves=length,
        nodes=format_nodes(nodes),
        seconds=seconds,
        algorithm=algorithm,
    )


def not_proven_optimal(length: Message, lower: int, proof: BoundProof) -> Message:
    return Message(
        "not-proved-shortest",
        "{moves}, not proven optimal; optimal length: at least {lower}",
        moves=length,
        lower=_with_proof(lower, proof),
    )


def no_answer(lower: int, proof: BoundProof) -> Message:
    return Message(
        "no-answer",
        "no solution found within the limit; every solution has at least {moves}",
        moves=_with_proof(moves(lower), proof),
    )


def slides_found(result: SearchResult) -> Message:
    if result.moves is None or result.upper_bound is None:
        return Message(
            "no-slides",
            "no solution found within the limit; every solution has at least {slides}",
            slides=phrases.slides(result.lower_bound),
        )
    slides, length = phrases.slides(result.upper_bound), moves(len(result.moves))
    if result.optimal:
        return Message(
            "slides-proved", "{slides}, proven optimal ({moves})", slides=slides, moves=length
        )
    return Message(
        "slides-not-proved",
        "{slides} ({moves}), not proven optimal; every solution has at least {lower}",
        slides=slides,
        moves=length,
        lower=result.lower_bound,
    )


def solutions_not_counted(length: int) -> Message:
    return Message(
        "ways-not-counted",
        "the shortest solutions have {moves}, but a limit was reached before all of them were "
        "found",
        moves=moves(length),
    )


def _with_proof(bound: int | Message, proof: BoundProof) -> int | Message:
    """Return a bound with its proof, unless the proof is a search."""
    if proof is BoundProof.SEARCH:
        return bound
    return Message("bound-by-proof", "{bound} ({proof})", bound=bound, proof=proof_name(proof))


def interrupted(nodes: int, seconds: str) -> Message:
    return Message(
        "interrupted",
        "interrupted after {nodes} and {seconds} s",
        nodes=format_nodes(nodes),
        seconds=seconds,
    )


def databases_built(title: str, seconds: str, folder: object, size: str) -> Message:
    return Message(
        "databases-built",
        "built the pattern databases {title} in {seconds} s and stored them in {folder} ({size})",
        title=title,
        seconds=seconds,
        folder=folder,
        size=size,
    )


def not_built(title: str) -> Message:
    return Message(
        "databases-not-built",
        "the pattern databases {title} could not be built; the search continues without them",
        title=title,
    )


def welcome() -> Message:
    return Message(
        "welcome",
        "Type the numbers of a board all on one line, row by row, with 0 for the blank, and "
        "press Enter. An empty line quits.",
    )


def format_nodes(number: int) -> Message:
    return plural(
        "nodes-shown", "{shown} node", "{shown} nodes", count=number, shown=format_count(number)
    )


def describe_run(result: RunResult) -> Message:
    counts = result.statistics
    return Message(
        "run-note",
        "{ending} {visited} visited, {generated} generated, largest frontier {frontier}, "
        "{seconds} s",
        ending=_describe_outcome(result),
        visited=counts.visited,
        generated=counts.generated,
        frontier=counts.max_frontier,
        seconds=f"{counts.seconds:.3f}",
    )


def _describe_outcome(result: RunResult) -> Message:
    solution = result.moves
    if solution is None:
        return Message("run-no-solution", "{reason} No solution:", reason=result.message)
    if not len(solution):
        return Message("run-already-solved", "already solved:")
    if result.optimal:
        return Message("run-shortest", "{moves}, optimal:", moves=moves(len(solution)))
    return Message("run-solution", "{moves}, not necessarily optimal:", moves=moves(len(solution)))
