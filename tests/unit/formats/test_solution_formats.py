import json
import re
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, walks
from tilework.core.errors import MoveError, ReplayError
from tilework.core.formats import solutions
from tilework.core.formats.board_text import read_board
from tilework.core.formats.moves_text import read_moves
from tilework.core.formats.solutions import (
    Effort,
    SolutionFormat,
    format_solution,
    format_unsolvable,
    unsolvable_text,
)
from tilework.core.puzzle import replay
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import apply

START = Board([0, 1, 3, 4, 2, 5, 7, 8, 6])
GOAL = blank_last(START.size)
MOVES = from_letters("LULU")


def format_as(solution_format, start=START, moves=MOVES, goal=GOAL, **options):
    return "".join(format_solution(solution_format, start, moves, goal, **options))


BOARDS = [
    "3\n 0  1  3\n 4  2  5\n 7  8  6\n",
    "3\n 1  0  3\n 4  2  5\n 7  8  6\n",
    "3\n 1  2  3\n 4  0  5\n 7  8  6\n",
    "3\n 1  2  3\n 4  5  0\n 7  8  6\n",
    "3\n 1  2  3\n 4  5  6\n 7  8  0\n",
]


def test_princeton_text_and_program_output():
    assert format_as("text", lower_bound=4) == "\n".join(["Minimum number of moves = 4\n", *BOARDS])
    spaced = ["3\n" + board[2:].replace("\n", " \n") for board in BOARDS]
    program = "\n".join(["Minimum number of moves = 4", *spaced])
    # The text of the course has no trailing space in the last row.
    assert format_as("princeton", lower_bound=4) == program.removesuffix(" \n") + "\n"
    assert format_as("princeton", lower_bound=2).startswith("Number of moves = 4\n3\n")
    assert format_as("text", language="pt").startswith("Número de movimentos = 4\n")
    for name in ("text", "princeton"):
        minimum = format_as(name, language="pt", lower_bound=4)
        assert minimum.startswith("Mínimo número de movimentos = 4\n")
    start = Board([1, 2, 3, 4, 5, 6, 8, 7, 0])
    board = "3\n 1  2  3 \n 4  5  6 \n 8  7  0 \n"
    text = "".join(format_unsolvable(SolutionFormat.PRINCETON, start))
    assert text == f"No solution possible\n{board}"
    text = "".join(format_unsolvable(SolutionFormat.PRINCETON, start, "pt"))
    assert text == f"Puzzle irresolvível!\n{board}"
    assert list(format_unsolvable(SolutionFormat.TEXT, start)) == ["No solution possible", "\n"]
    assert unsolvable_text("pt") == "Puzzle irresolvível"


def test_arrows_and_short_formats():
    diagram = (
        "|1 2 3|\n|4 0 5|\n|7 8 6|",
        "|1 2 3|\n|4 5 0|\n|7 8 6|",
        "|1 2 3|\n|4 5 6|\n|7 8 0|",
    )
    start = Board([1, 2, 3, 4, 0, 5, 7, 8, 6])
    assert format_as("arrows", start, from_letters("LU")) == "\n   v\n".join(diagram) + "\n"
    assert format_as("udlr") == "LULU\n"
    assert format_as("udlr", blank_moves=True) == format_as("runs", blank_moves=True) == "RDRD\n"
    assert format_as("tiles") == "1 2 5 6\n"
    for blank_moves in (False, True):
        assert format_as("words", blank_moves=blank_moves) == "['right', 'down', 'right', 'down']\n"
    assert format_as("words", GOAL, from_letters("")) == "[]\n"
    assert format_as("runs", START, from_letters("LLUUR"), GOAL) == "L2U2R\n"


def test_json():
    document = json.loads(format_as("json", lower_bound=4))
    assert document == {
        "width": 3,
        "height": 3,
        "start": [[0, 1, 3], [4, 2, 5], [7, 8, 6]],
        "goal": [[1, 2, 3], [4, 5, 6], [7, 8, 0]],
        "length": 4,
        "lower_bound": 4,
        "optimal": True,
        "named_by": "tile",
        "moves": "LULU",
        "metric": "moves",
        "slides": 4,
    }
    line = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])
    document = json.loads(format_as("json", line, from_letters("LL"), blank_moves=True))
    assert (document["moves"], document["named_by"]) == ("RR", "blank")
    assert (document["slides"], document["optimal"]) == (1, False)


@pytest.mark.parametrize("language", ["en", "pt"])
def test_output_of_other_programs(language):
    start, moves = Board([1, 2, 3, 4, 5, 6, 7, 0, 8]), from_letters("L")
    text = format_as("eightpuzzle", start, moves, language=language, effort=Effort(2, 3, "h2"))
    assert text == (
        "|1 2 3|\n|4 5 6|\n|7 X 8|\n   |\n   v\n|1 2 3|\n|4 5 6|\n|7 8 X|\n"
        "\n"
        "## Número de nodos visitados: 2\n"
        "## Maior quantidade de nodos na fronteira: 3\n"
        "## Número de passos: 1\n"
        "## Heurística utilizada: h2\n"
    )
    assert format_as("eightpuzzle", start, moves).endswith("|\n\n## Número de passos: 1\n")
    assert format_as("lisp", language=language) == (
        "#(1 0 3 4 2 5 7 8 6)\n#(1 2 3 4 0 5 7 8 6)\n"
        "#(1 2 3 4 5 0 7 8 6)\n#(1 2 3 4 5 6 7 8 0)\n"
        "Número de movimentos: 4\n"
        "Ordem de peças a serem movidas: (1 2 5 6)\n"
    )


@given(boards(largest=5).flatmap(lambda board: st.tuples(st.just(board), walks(board))))
def test_every_format_has_the_same_solution(case):
    start, path = case
    moves = from_letters(path)
    width = start.width
    frames = [tuple(start.cells.tolist())]
    for letter in path:
        frames.append(naive.apply_move(frames[-1], width, letter))
    goal = Board(frames[-1], *start.size)
    heading, *texts = format_as("text", start, moves, goal).split("\n\n")
    assert heading == f"Number of moves = {len(path)}"
    assert [tuple(read_board(text).cells.tolist()) for text in texts] == frames
    vectors = format_as("lisp", start, moves, goal).split("\n")[: len(path)]
    assert [tuple(map(int, vector[2:-1].split())) for vector in vectors] == frames[1:]
    diagram = re.split(r"(?m)^ *v\n", format_as("arrows", start, moves, goal))
    assert [
        tuple(read_board(text, width).cells.tolist()) for text in diagram if width > 1
    ] == frames * (width > 1)
    tiles = [frame[next_frame.index(0)] for frame, next_frame in pairwise(frames)]
    assert format_as("tiles", start, moves, goal).split() == [str(tile) for tile in tiles]
    expanded = re.sub(
        r"([UDLR])(\d+)", lambda run: run[1] * int(run[2]), format_as("runs", start, moves, goal)
    )
    assert expanded == format_as("udlr", start, moves, goal) == path + "\n"


@given(st.text("UDLR", max_size=40))
def test_chunks_are_joined_correctly(path):
    moves = from_letters(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solutions, "CHUNK_MOVES", 3)
        patch.setattr(replay, "CHUNK_MOVES", 3)
        runs = "".join(solutions.format_runs(moves))
        assert "".join(solutions.format_letters(moves)) == path
    assert runs == "".join(solutions.format_runs(moves))


def test_long_solution_is_streamed():
    """The boards of 100,000 moves on a 20×20 board would be 150 MB of text."""
    size = Size(20, 20)
    moves = np.tile(from_letters("DRUL"), 25_000)
    goal = blank_last(size)
    for name in SolutionFormat:
        stream = format_solution(name, goal, moves, goal)
        tracemalloc.start()
        for _ in range(5):
            next(stream, None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20e6, name


def test_illegal_move_is_rejected():
    for name in ("text", "arrows", "tiles", "princeton", "eightpuzzle", "lisp"):
        with pytest.raises(ReplayError, match=r"move 1, R"):
            format_as(name, START, from_letters("R"))


GAME_START = Board([8, 1, 3, 4, 0, 2, 7, 6, 5])


@given(
    boards(smallest=2, largest=4).flatmap(lambda board: st.tuples(st.just(board), walks(board))),
    st.sampled_from(sorted({*SolutionFormat} - {SolutionFormat.EIGHTPUZZLE_SHORT})),
)
def test_every_written_format_is_read(game, output_format):
    board, letters = game
    moves = from_letters(letters)
    text = "".join(format_solution(output_format, board, moves, apply(board, moves)))
    assert to_letters(read_moves(text, board)) == letters


def test_accepted_formats():
    for text, letters in (
        ("", ""),
        ("L U, R\nD", "LURD"),
        ("L2 U10", "LL" + "U" * 10),
        ("←↑→↓", "LURD"),
        ("⬅️ ⬆️", "LU"),
        ("2\n3", "LD"),
        ("['right', 'up']", "LD"),
        ('["Right","UP"]', "LD"),
        ('{"moves": "RU", "named_by": "blank"}', "LD"),
        ('{"moves": "LD", "start": [[8,1,3],[4,0,2],[7,6,5]]}', "LD"),
        ("3\n 8 1 3\n 4 2 0\n 7 6 5\n", "L"),
    ):
        assert to_letters(read_moves(text, GAME_START)) == letters
    assert to_letters(read_moves("RU", GAME_START, blank_moves=True)) == "LD"
    for text in ("2 3", "['right', 'up']", '{"moves": "RU"}'):
        assert to_letters(read_moves(text, GAME_START, blank_moves=True)) == "LD"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LUX", "move 3 is 'X'; moves are U, D, L and R"),
        ("1" * 400_000 + "x", "after 0 moves is not a move"),
        ("2 8", "move 2 slides tile 8, which is not next to the blank"),
        ("U99999999999", "makes more than"),
        ('{"moves": 5}', "this JSON object has no moves"),
        ("{" * 5000, "this JSON object has no moves"),
        ('{"moves": "L", "start": [1,2,3]}', "belong to another board"),
        ("3\n 8 1 3\n 4 2 0\n 7 6 5\n\n3\n 8 1 3\n 4 2 5\n 0 6 7", "board 3 is not one move away"),
        ("|8 1|\n|0 4|", "these boards do not have 3 columns"),
        ("L" * 4_000_001, "at most 4000000 are read"),
    ],
)
def test_invalid_moves_are_quoted(text, message):
    with pytest.raises(MoveError) as error:
        read_moves(text, GAME_START)
    assert message in str(error.value)
