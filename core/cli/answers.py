"""Prints the result of a search: the solution to stdout, notes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from tilework.core.cli.console import (
    ExitCode,
    current_language,
    describe_shortest,
    format_nodes,
    moves_and_slides,
    print_json,
    print_note,
    solvable_for,
    translate,
)
from tilework.core.errors import UnsolvableError
from tilework.core.formats.solutions import (
    Effort,
    SolutionFormat,
    format_letters,
    format_solution,
    format_unsolvable,
    opposite_moves,
    unsolvable_text,
)
from tilework.core.messages import Message
from tilework.core.model.textbook_result import TextbookResult
from tilework.core.puzzle import phrases
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof, Metric, count_slides, proof_name
from tilework.core.puzzle.moves import MoveSequence, to_letters
from tilework.core.puzzle.phrases import moves
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.solver.result import SearchResult
from tilework.core.solver.target import Algorithm

if TYPE_CHECKING:
    from tilework.core.lab.result import RunResult


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    format: SolutionFormat = SolutionFormat.UDLR
    by_blank: bool = False

    @property
    def named_by(self) -> dict[str, str]:
        """The field that says whose directions the moves of a JSON record are, unless tiles'."""
        return {"named_by": "blank"} if self.by_blank else {}

    def letters(self, moves: MoveSequence) -> str:
        """Write moves as ``UDLR``, by the direction of the tile or, if requested, of the blank."""
        return to_letters(self.named_moves(moves))

    def named_moves(self, moves: MoveSequence) -> MoveSequence:
        return opposite_moves(moves) if self.by_blank else moves

    def write(self, start: Board, moves: MoveSequence, goal: Board, **facts: Any) -> None:
        """Write a solution to standard output; `facts` are those of `format_solution`."""
        language, by_blank = current_language(), self.by_blank
        chunks = format_solution(
            self.format, start, moves, goal, language=language, blank_moves=by_blank, **facts
        )
        sys.stdout.writelines(chunks)


_EMPTY_MOVES: Final = '"moves": ""'  # cannot occur in a JSON string, where quotes are escaped


def format_result(
    board: Board, goal: Board, result: SearchResult, style: AnswerStyle, **fields: object
) -> Iterator[str]:
    """Return one line of JSON in chunks; it begins with the additional fields."""
    text = json.dumps(fields | _describe_result(board, goal, result) | style.named_by)
    before, _, after = text.partition(_EMPTY_MOVES)
    if result.moves is None:
        return iter([text, "\n"])
    letters = format_letters(style.named_moves(result.moves))
    return chain([before, _EMPTY_MOVES[:-1]], letters, [_EMPTY_MOVES[-1:], after, "\n"])


def _describe_result(board: Board, goal: Board, result: SearchResult) -> dict[str, Any]:
    """Return the fields of a result, without its moves; the bound is in the unit of the metric."""
    distance = board.manhattan(goal)
    length = None if result.moves is None else len(result.moves)
    return {
        "width": board.width,
        "height": board.height,
        "length": length,
        "slides": None if result.moves is None else count_slides(result.moves),
        "metric": result.metric,
        "lower_bound": result.lower_bound,
        "lower_bound_proof": result.bound_proof,
        "optimal": result.optimal,
        "manhattan": distance,
        "ratio": None if length is None or distance == 0 else round(length / distance, 4),
        "moves": None if result.moves is None else "",
        "nodes": result.statistics.generated,
        "seconds": round(result.statistics.seconds, 6),
        "algorithm": result.algorithm,
    } | ({"run": result.figures} if isinstance(result, TextbookResult) else {})


def print_answer(
    board: Board, goal: Board, result: SearchResult, style: AnswerStyle, heuristic: str | None
) -> ExitCode:
    """Print the solution and its bounds; `heuristic` is the user's choice."""
    if result.moves is not None:
        style.write(
            board,
            result.moves,
            goal,
            lower_bound=result.lower_bound,
            metric=result.metric,
            effort=_make_effort(result, heuristic),
        )
    elif style.format is SolutionFormat.JSON:
        sys.stdout.writelines(format_result(board, goal, result, style))
    sys.stdout.flush()
    if isinstance(result, TextbookResult):
        # The statistics are the purpose of a textbook search, so they are always printed.
        print_note(describe_run(result.run))
        return exit_code(result.stopped_by, result.moves is not None)
    # In a pipe an optimal solution needs no note.
    if not result.optimal or result.upper_bound == 0 or sys.stderr.isatty():
        print_note(_describe_bounds(result))
    print_interruption(result.stopped_by, result.statistics)
    return exit_code(result.stopped_by, result.moves is not None)


def print_unsolvable(start: Board, error: UnsolvableError, style: AnswerStyle) -> ExitCode:
    explanation, language = error.explanation or error.message, current_language()
    goals = error.reachable_goals
    if style.format is SolutionFormat.JSON:
        document = {"solvable": False, "error": unsolvable_text(language)}
        text = translate(explanation)
        print_json({**document, "reachable_goals": goals, "explanation": text})
    else:
        sys.stdout.writelines(format_unsolvable(style.format, start, language))
        sys.stdout.flush()
        if goals:
            print_note(solvable_for(goals))
        print_note(explanation)
    return ExitCode.NO_SOLUTION


def print_interruption(stopped_by: StopReason | None, effort: Statistics) -> None:
    """Say after which effort Ctrl-C ended a search, if it did."""
    if stopped_by is StopReason.CANCELLED:
        note = Message(
            "interrupted",
            "interrupted after {nodes} and {seconds} s",
            nodes=format_nodes(effort.generated),
            seconds=f"{effort.seconds:.3g}",
        )
        print_note(note)


def exit_code(stopped_by: StopReason | None, is_answered: bool) -> ExitCode:
    if stopped_by is StopReason.CANCELLED:
        return ExitCode.INTERRUPTED
    return ExitCode.ANSWERED if is_answered else ExitCode.NO_SOLUTION


def _make_effort(result: SearchResult, heuristic: str | None) -> Effort:
    if isinstance(result, TextbookResult):
        counts = result.run.statistics
        return Effort(counts.visited, counts.max_frontier, heuristic)
    # Other searches have no comparable frontier, so their counts are omitted.
    if result.algorithm != Algorithm.A_STAR:
        return Effort(heuristic=heuristic)
    return Effort(result.statistics.expanded + 1, result.statistics.max_frontier, heuristic)


def already_solved() -> Message:
    return Message("already-solved", "the board is already solved: 0 moves")


def between(lower: int, upper: int, metric: Metric = Metric.MOVES) -> Message:
    return Message("between", "{lower} to {moves}", lower=lower, moves=metric.describe(upper))


def _describe_bounds(result: SearchResult) -> Message:
    if result.upper_bound == 0:
        return already_solved()
    if result.metric is Metric.SLIDES:
        return slides_found(result)
    if result.moves is None:
        return no_answer(result.lower_bound, result.bound_proof)
    length, slides = len(result.moves), count_slides(result.moves)
    if result.optimal:
        effort = result.statistics
        return describe_shortest(length, slides, effort.generated, effort.seconds, result.algorithm)
    return Message(
        "not-proved-shortest",
        "{moves}, not proven optimal; optimal length: at least {lower}",
        moves=moves_and_slides(length, slides),
        lower=_with_proof(result.lower_bound, result.bound_proof),
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


def _with_proof(bound: int | Message, proof: BoundProof) -> int | Message:
    """Return a bound with its proof, unless the proof is a search."""
    if proof is BoundProof.SEARCH:
        return bound
    return Message("bound-by-proof", "{bound} ({proof})", bound=bound, proof=proof_name(proof))


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
