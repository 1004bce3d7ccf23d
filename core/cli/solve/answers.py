"""Writing the outcome of one search: solution to standard output, notes to standard error."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.cli import phrases
from core.cli.exits import ExitCode
from core.cli.language import say
from core.cli.solve.searching import was_interrupted
from core.formats.solution_formats import SolutionFormat, unsolvable_text, write_solution
from core.languages import Language
from core.puzzle.board import Board
from core.puzzle.moves import Moves, to_letters
from core.puzzle.solvability import Explanation
from core.solver.result import SearchResult


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """How to write answers."""

    format: SolutionFormat = SolutionFormat.UDLR
    language: Language = Language.ENGLISH
    by_blank: bool = False

    def letters(self, moves: Moves) -> str:
        """Write moves as ``UDLR`` by the tile's way, or the blank's where asked."""
        return to_letters(moves ^ np.uint8(1) if self.by_blank else moves)


def record_of(
    board: Board, goal: Board, result: SearchResult, style: AnswerStyle
) -> dict[str, Any]:
    """Return an outcome as what JSON can hold; ``seconds`` is the time of the search."""
    distance = board.manhattan(goal)
    return {
        "width": board.width,
        "height": board.height,
        "length": result.upper_bound,
        "lower_bound": result.lower_bound,
        "lower_bound_proof": result.bound_proof,
        "optimal": result.optimal,
        "manhattan": distance,
        "ratio": None
        if result.upper_bound is None or distance == 0
        else round(result.upper_bound / distance, 4),
        "moves": None if result.moves is None else style.letters(result.moves),
        "nodes": result.statistics.generated,
        "seconds": round(result.statistics.seconds, 6),
        "algorithm": result.algorithm,
    }


def print_answer(board: Board, goal: Board, result: SearchResult, style: AnswerStyle) -> ExitCode:
    """Print the solution and what is proved about it; return the exit code."""
    if result.moves is not None:
        for chunk in write_solution(
            style.format,
            board,
            result.moves,
            goal,
            language=style.language,
            blank_moves=style.by_blank,
            lower_bound=result.lower_bound,
        ):
            sys.stdout.write(chunk)
    elif style.format is SolutionFormat.JSON:
        print(json.dumps(record_of(board, goal, result, style)))
    sys.stdout.flush()
    return _print_note(result)


def print_unsolvable(explanation: Explanation, style: AnswerStyle) -> ExitCode:
    """Print that a board has no solution, and why."""
    verdict = unsolvable_text(style.language)
    words = say(explanation.message)
    if style.format is SolutionFormat.JSON:
        print(json.dumps({"solvable": False, "error": verdict, "explanation": words}))
    else:
        print(verdict, flush=True)
        print(words, file=sys.stderr)
    return ExitCode.NO_SOLUTION


def _print_note(result: SearchResult) -> ExitCode:
    """Say on standard error what is proved; a plain optimal answer is no news in a pipe.

    That of a solved board does: its line of moves is empty.
    """
    nodes = result.statistics.generated
    seconds = f"{result.statistics.seconds:.3g}"
    if result.upper_bound is None:
        note = phrases.no_answer(result.lower_bound, result.bound_proof)
    elif result.upper_bound == 0:
        note = phrases.already_solved()
    elif result.optimal:
        note = phrases.proved(result.upper_bound, nodes, seconds, result.algorithm)
    else:
        note = phrases.not_proved(result.upper_bound, result.lower_bound, result.bound_proof)
    if not result.optimal or result.upper_bound == 0 or sys.stderr.isatty():
        print(say(note), file=sys.stderr)
    if was_interrupted(result):
        print(say(phrases.interrupted(nodes, seconds)), file=sys.stderr)
        return ExitCode.INTERRUPTED
    return ExitCode.NO_SOLUTION if result.moves is None else ExitCode.ANSWERED
