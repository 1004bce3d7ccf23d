"""Prints the result of a search: the solution to stdout, notes to stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from tilework.core.cli import messages
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.language import translate
from tilework.core.cli.messages import describe_run
from tilework.core.cli.solve.searches import TextbookResult, was_interrupted
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
from tilework.core.messages import Language, Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric, count_slides
from tilework.core.puzzle.moves import NO_MOVES, MoveSequence, to_letters
from tilework.core.solver.result import SearchResult
from tilework.core.solver.target import Algorithm


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    format: SolutionFormat = SolutionFormat.UDLR
    language: Language = Language.ENGLISH
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
    board: Board,
    goal: Board,
    result: SearchResult,
    style: AnswerStyle,
    heuristic: str | None = None,
) -> ExitCode:
    """Print the solution and its bounds; `heuristic` is the user's choice."""
    if result.moves is not None:
        for chunk in format_solution(
            style.format,
            board,
            result.moves,
            goal,
            language=style.language,
            blank_moves=style.by_blank,
            lower_bound=result.lower_bound,
            metric=result.metric,
            effort=_make_effort(result, heuristic),
        ):
            sys.stdout.write(chunk)
    elif style.format is SolutionFormat.JSON:
        sys.stdout.writelines(format_result(board, goal, result, style))
    sys.stdout.flush()
    return _print_note(result)


def print_unsolvable(start: Board, error: UnsolvableError, style: AnswerStyle) -> ExitCode:
    text = translate(error.explanation or error.message)
    goals = error.reachable_goals
    if style.format is SolutionFormat.JSON:
        document = {"solvable": False, "error": unsolvable_text(style.language)}
        print(json.dumps({**document, "reachable_goals": goals, "explanation": text}))
    else:
        sys.stdout.writelines(format_unsolvable(style.format, start, style.language))
        sys.stdout.flush()
        if goals:
            print(translate(messages.solvable_for(goals)), file=sys.stderr)
        print(text, file=sys.stderr)
    return ExitCode.NO_SOLUTION


def _make_effort(result: SearchResult, heuristic: str | None) -> Effort:
    counts = result.statistics
    if isinstance(result, TextbookResult) and result.run is not None:
        visited = result.run.statistics.visited
        return Effort(visited, counts.max_frontier, heuristic)
    # Other searches have no comparable frontier, so their counts are omitted.
    if result.algorithm != Algorithm.A_STAR:
        return Effort(heuristic=heuristic)
    return Effort(counts.expanded + 1, counts.max_frontier, heuristic)


def _print_note(result: SearchResult) -> ExitCode:
    """Print the bounds; in a pipe an optimal solution needs no note."""
    nodes = result.statistics.generated
    seconds = f"{result.statistics.seconds:.3g}"
    if isinstance(result, TextbookResult) and result.run is not None:
        # The statistics are the purpose of a textbook search, so they are always printed.
        print(translate(describe_run(result.run)), file=sys.stderr)
        return _exit_code(result)
    if result.metric is Metric.SLIDES and result.upper_bound != 0:
        note = messages.slides_found(result)
    elif result.upper_bound is None:
        note = messages.no_answer(result.lower_bound, result.bound_proof)
    elif result.upper_bound == 0:
        note = messages.already_solved()
    elif result.optimal:
        length = _describe_length(result)
        note = messages.proven_optimal(length, nodes, seconds, result.algorithm)
    else:
        length = _describe_length(result)
        note = messages.not_proven_optimal(length, result.lower_bound, result.bound_proof)
    if not result.optimal or result.upper_bound == 0 or sys.stderr.isatty():
        print(translate(note), file=sys.stderr)
    if was_interrupted(result):
        print(translate(messages.interrupted(nodes, seconds)), file=sys.stderr)
    return _exit_code(result)


def _describe_length(result: SearchResult) -> Message:
    moves = NO_MOVES if result.moves is None else result.moves
    return messages.moves_and_slides(len(moves), count_slides(moves))


def _exit_code(result: SearchResult) -> ExitCode:
    if was_interrupted(result):
        return ExitCode.INTERRUPTED
    return ExitCode.NO_SOLUTION if result.moves is None else ExitCode.ANSWERED
