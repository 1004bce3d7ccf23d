"""Writing the outcome of one search: solution to standard output, notes to standard error."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.cli.exits import ExitCode
from core.cli.phrases import Language, Phrase
from core.cli.progress_line import count
from core.cli.solve.searching import was_interrupted
from core.formats.solution_formats import SolutionFormat

if TYPE_CHECKING:
    from core.puzzle.board import Board
    from core.puzzle.moves import Moves
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
        import numpy as np

        from core.puzzle.moves import to_letters

        return to_letters(moves ^ np.uint8(1) if self.by_blank else moves)


def record_of(board: Board, result: SearchResult, style: AnswerStyle) -> dict[str, Any]:
    """Return an outcome as what JSON can hold; ``seconds`` is the time of the search."""
    return {
        "width": board.width,
        "height": board.height,
        "length": result.upper_bound,
        "lower_bound": result.lower_bound,
        "optimal": result.optimal,
        "moves": None if result.moves is None else style.letters(result.moves),
        "nodes": result.statistics.generated,
        "seconds": round(result.statistics.seconds, 6),
        "algorithm": result.algorithm,
    }


def print_answer(board: Board, goal: Board, result: SearchResult, style: AnswerStyle) -> ExitCode:
    """Print the solution and what is proved about it; return the exit code."""
    if result.moves is not None:
        from core.formats.solution_formats import write_solution

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
        print(json.dumps(record_of(board, result, style)))
    sys.stdout.flush()
    return _print_note(result, style.language)


def print_unsolvable(explanation: Explanation, style: AnswerStyle) -> ExitCode:
    """Print that a board has no solution, and why."""
    from core.formats.solution_formats import unsolvable_text

    verdict = unsolvable_text(style.language)
    if style.format is SolutionFormat.JSON:
        print(json.dumps({"solvable": False, "error": verdict, "explanation": explanation.words}))
    else:
        print(verdict, flush=True)
        print(explanation.words, file=sys.stderr)
    return ExitCode.NO_SOLUTION


def _print_note(result: SearchResult, language: Language) -> ExitCode:
    """Say on standard error what is proved; in a pipe, a plain optimal answer needs no note.

    That of a solved board does: its line of moves is empty.
    """
    values = {
        "lower": result.lower_bound,
        "upper": result.upper_bound,
        "seconds": f"{result.statistics.seconds:.3g}",
        "nodes": count(result.statistics.generated),
        "algorithm": result.algorithm,
    }
    if result.upper_bound == 0:
        phrase = Phrase.ALREADY_SOLVED
    elif result.optimal:
        phrase = Phrase.PROVED
    elif result.moves is not None:
        phrase = Phrase.NOT_PROVED
    else:
        phrase = Phrase.NO_ANSWER
    if phrase is not Phrase.PROVED or sys.stderr.isatty():
        print(phrase.say(language, **values), file=sys.stderr)
    if was_interrupted(result):
        print(Phrase.INTERRUPTED.say(language, **values), file=sys.stderr)
        return ExitCode.INTERRUPTED
    return ExitCode.NO_SOLUTION if result.moves is None else ExitCode.ANSWERED
