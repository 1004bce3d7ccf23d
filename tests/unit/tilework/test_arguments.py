"""Every public function rejects bad arguments in its own words."""

import copy
import doctest
import inspect
import json
import math
import pickle
import pydoc
import re
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cached_property
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from hypothesis import given

import tilework
from tests.support.http_server import respond, serve
from tests.support.strategies import boards
from tilework import Board, BoardError, Client, Goal, MoveError, TileworkError, analyse, scramble
from tilework.core.arguments import quote
from tilework.core.puzzle.board import Size

SOLVED = "1 2 3 / 4 5 6 / 7 8 0"
ID = "01890000-0000-7000-8000-000000000000"

BAD = (
    *(None, True, False, -1, 0, 7, 10**400, -(10**400), 3.5, -0.5, 1e308, math.nan, math.inf),
    *("", "a", "3x3", "1", "\0", "\ud800", "1 2 3", "x" * 1000, b"a", [], [[]], ["a"], [None]),
    *([1, [2]], [True, False], [0.5, 1], [10**30, 0], [[[0]]], {}, {"a": 1}, {1, 0}, (1, 0)),
    *(object(), bool, Board, np.array([1.5]), np.int64(-1), np.float32("nan")),
)
# Whatever their annotation says, no argument means a number below zero or a truth value.
BAD_NUMBERS = (True, False, -1, -(10**400), -0.5, math.nan, -math.inf, np.int64(-1))

EXAMPLES: dict[str, Any] = {
    "board": SOLVED,
    "boards": [SOLVED],
    "text": SOLVED,
    "tiles": [1, 2, 3, 0],
    "moves": "DU",
    "width": 3,
    "row": 0,
    "column": 0,
    "direction": "up",
    "other": None,
    "url": "http://127.0.0.1:9",
    "job_id": ID,
    "batch_id": ID,
    "document": {},
    "value": "spiral",
    "name": "spiral",
}
"""A valid value of every required parameter, by its name."""

UNCHECKED = {"Board.trusted"}
"""By its contract, it checks nothing."""

SECRETS = {"key"}
"""The parameters whose values no message may show."""

VIEW = {
    "id": ID,
    "state": "optimal",
    "finished_at": 1.0,
    "created_at": 0.0,
    "version": 1,
    "lower_bound": 4,
    "upper_bound": 4,
    "progress": 1.0,
    "nodes": 1,
    "algorithm": "a-star",
    "total": 1,
    "states": {},
    "finished": True,
    "message": None,
    "options": {"metric": "moves", "algorithm": "a-star"},
    "search_s": 0.0,
    "metric": "moves",
    "start": [[1, 2, 3], [4, 5, 6], [7, 8, 0]],
    "moves": "",
    "tile": None,
    "direction": None,
    "board": [0, 1, 3, 4, 2, 5, 7, 8, 6],
    "goal": [1, 2, 3, 4, 5, 6, 7, 8, 0],
    "width": 3,
    "height": 3,
    "result": {
        "lower_bound": 4,
        "stopped_by": None,
        "seconds": 0.0,
        "count": None,
        "is_solution": True,
        "exact": True,
        "lower": [],
        "upper": [],
        "losses": [],
        "loops": [],
        "slides": 0,
        "lost_at_least": 0,
        "lost_at_most": 0,
    },
}


@dataclass
class Function:
    name: str
    call: Callable[..., Any]

    @cached_property
    def parameters(self) -> list[inspect.Parameter]:
        hints = get_type_hints(self.annotated)
        found = []
        for name, parameter in inspect.signature(self.call).parameters.items():
            if parameter.kind is parameter.VAR_KEYWORD:
                (options,) = get_args(hints[name])
                found += [
                    inspect.Parameter(option, parameter.KEYWORD_ONLY, default=None, annotation=hint)
                    for option, hint in get_type_hints(options).items()
                ]
            else:
                found.append(parameter.replace(annotation=hints.get(name, Any)))
        return found

    @property
    def annotated(self) -> Any:
        function = getattr(self.call, "__func__", self.call)
        return function.__init__ if inspect.isclass(function) else function


@pytest.fixture(scope="module")
def functions() -> Iterator[list[Function]]:
    """Yield all public functions, constructors and methods, found by their names."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        moves = {"moves": None} if "/hints" in request.path else {}
        respond(request, 200, json.dumps(VIEW | moves).encode())

    with serve(answer) as url, Client(url) as client:
        board = Board.of(SOLVED)
        # The classes that have methods with parameters, each with an object or itself
        objects: dict[str, Any] = {
            "Board": board,
            "Client": client,
            "Job": client.job(ID),
            "Batch": client.batch(ID),
            "Solution": tilework.solve(board),
        }
        yield list(find_functions(objects))


def reader(enumeration: type[Enum]) -> Callable[[object], Enum]:
    def read(value: object) -> Enum:
        return enumeration(value)

    return read


def public_names() -> list[str]:
    return [name for name in dir(tilework) if not name.startswith("_")]


def find_functions(objects: dict[str, Any]) -> Iterator[Function]:
    for name in public_names():
        member = getattr(tilework, name)
        if inspect.isfunction(member):
            yield Function(name, member)
        elif not inspect.isclass(member) or issubclass(member, Exception):
            continue
        elif issubclass(member, Enum):
            yield Function(name, reader(member))
        # Only the package creates results and jobs.
        elif not is_dataclass(member) and name not in ("Job", "Batch"):
            yield Function(name, member)
        if inspect.isclass(member) and not issubclass(member, Enum | Exception):
            for attribute in sorted(set(dir(member)) - set(dir(object))):
                if attribute.startswith("_") or f"{name}.{attribute}" in UNCHECKED:
                    continue
                if not callable(getattr(member, attribute, None)) or attribute == "size":
                    continue
                is_plain = inspect.isfunction(inspect.getattr_static(member, attribute))
                if is_plain and len(inspect.signature(getattr(member, attribute)).parameters) == 1:
                    continue
                owner = objects[name] if is_plain else member
                yield Function(f"{name}.{attribute}", getattr(owner, attribute))


def admits(hint: Any, value: object) -> bool:
    """Whether a value has the type of an annotation, or no annotation says so."""
    if hint is Any or hint is object or hint is inspect.Parameter.empty:
        return True
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(admits(part, value) for part in parts)
    if origin is Literal:
        return isinstance(value, str) and value in parts
    if hint in (float, int):
        is_number = isinstance(value, int | np.integer) or (
            hint is float and isinstance(value, float | np.floating) and not math.isnan(value)
        )
        return is_number and not isinstance(value, bool)
    if origin is not None and issubclass(origin, Sequence | Iterable):
        return isinstance(value, Iterable) and not isinstance(value, str | bytes)
    if origin is not None:
        return isinstance(value, origin)
    return isinstance(value, hint)


def required(function: Function) -> dict[str, Any]:
    return {
        parameter.name: EXAMPLES[parameter.name]
        for parameter in function.parameters
        if parameter.default is parameter.empty
    }


def call(function: Function, arguments: dict[str, Any]) -> str | None:
    """Return the sentence with which a function rejects its arguments, or None."""
    try:
        result = function.call(**arguments)
        if isinstance(result, Iterator):
            next(result, None)
    except TileworkError as error:
        return str(error)
    return None


def find_problem(function: Function, parameter: inspect.Parameter, value: object) -> str | None:
    hint = parameter.annotation
    is_number = hint not in (Any, object) and admits(hint, 1)
    is_bad = not admits(hint, value) or (is_number and any(value is bad for bad in BAD_NUMBERS))
    try:
        sentence = call(function, required(function) | {parameter.name: value})
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    shown = "" if parameter.name in SECRETS else quote(value)[:20].strip("'")
    if not is_bad or (sentence and ALLOWED.search(sentence) and shown in sentence):
        return None
    return sentence or "accepted"


ALLOWED = re.compile("; (use|choose from) |there is no|from 0 to")


def test_bad_arguments_are_quoted_with_what_is_allowed(functions: list[Function]) -> None:
    assert len(functions) > 30
    problems = {
        f"{function.name}({parameter.name}={quote(value)})": problem
        for function in functions
        for parameter in function.parameters
        for value in BAD
        if (problem := find_problem(function, parameter, value))
    }
    assert not problems, "\n".join(f"{place}: {problem}" for place, problem in problems.items())


def test_help_fits_on_two_screens_and_names_everything() -> None:
    text = pydoc.render_doc(tilework, renderer=pydoc.plaintext)
    assert len(text.splitlines()) < 100
    assert not [name for name in public_names() if not re.search(rf"\b{name}\b", text)]
    assert len(public_names()) > 25
    example = doctest.DocTestParser().get_doctest(tilework.__doc__, {}, "help", None, 0)
    assert doctest.DocTestRunner().run(example) == (0, 3)


EASY = "0 1 3 / 4 2 5 / 7 8 6"


def test_princeton_example() -> None:
    board = Board("8 1 3 / 4 0 2 / 7 6 5")
    assert (board.hamming(), board.manhattan()) == (5, 10)
    assert board.tile_at(0, 0) == 8
    assert board.size == Size(3, 3)
    assert board.size() == 3
    with pytest.raises(BoardError, match="3×2"):
        Board.goal(3, 2).size()
    assert str(board).split() == ["3", "8", "1", "3", "4", "0", "2", "7", "6", "5"]
    assert not board.is_goal()
    assert Board.goal(3).is_goal()
    neighbors = list(board.neighbors())
    assert {type(board) for board in neighbors} == {Board}
    assert {str(board).split()[5] for board in neighbors} == {"1", "2", "4", "6"}


def test_invalid_board_is_reported_with_its_position() -> None:
    with pytest.raises(TypeError, match="expected a board, got None"):
        Board(None)
    with pytest.raises(BoardError, match="line 1, column 3"):
        Board("1 q 2 0")
    with pytest.raises(BoardError, match="2×1"):
        Board([1, 0], 2, 1).twin()


@given(boards(smallest=2))
def test_boards_are_equal_by_tiles_and_either_a_board_or_its_twin_is_solvable(board) -> None:
    first, second = Board.of(board), Board(str(board))
    assert first.equals(second)
    assert hash(first) == hash(second)
    assert {first, second, copy.deepcopy(first), pickle.loads(pickle.dumps(first))} == {first}
    assert not first.equals(None)
    assert not first.equals(str(first))
    twin = first.twin()
    assert sorted(twin.cells) == sorted(first.cells)
    assert sum(a != b for a, b in zip(twin.cells, first.cells, strict=True)) == 2
    assert twin.blank == first.blank
    assert first.is_solvable() != twin.is_solvable()
    assert twin.twin() == first


def test_blank_moves_by_the_names_of_other_programs() -> None:
    board = Board([[None, 1, 3], [4, 2, 5], [7, 8, 6]])
    assert sorted(board.possible_moves()) == ["down", "right"]
    assert board.move("right").move("down") == board.moved("LU")
    for direction in board.possible_moves():
        assert board.move(direction) in set(board.neighbors())
    with pytest.raises(MoveError, match="invalid direction 'up'; use one of down, right"):
        board.move("up")


def test_moves_goals_and_scrambles_make_boards() -> None:
    board = Board(EASY)
    assert board.moved("LULU").is_goal()
    with pytest.raises(MoveError, match="move 1, R"):
        board.moved("R")
    with pytest.raises(MoveError, match="move 1, R"):
        analyse(board, "R")
    assert Board.goal(3, name=Goal.SPIRAL) == Board([[1, 2, 3], [8, 0, 4], [7, 6, 5]])
    assert Board.goal(2, 3).size == Size(2, 3)
    board = scramble(5, 4, seed=7)
    assert board == scramble(5, 4, seed=7)
    assert (board.size, board.is_solvable()) == (Size(5, 4), True)
    assert scramble(3, moves=0, goal="spiral") == Board.goal(3, name="spiral")
