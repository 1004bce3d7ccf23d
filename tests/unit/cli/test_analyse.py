from pathlib import Path

from tests.support import naive
from tests.support.cli.runner import Run

BOARD = "[[1,2,3],[4,5,6],[0,7,8]]"


def test_game_with_a_detour(tilework: Run) -> None:
    result = tilework("analyse", BOARD, "LRLL")
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0].split(maxsplit=1) == ["game", "a solution of 4 moves"]
    assert lines[1].split(maxsplit=1) == ["shortest", "2 moves"]
    assert lines[2].split(maxsplit=1) == ["wasted", "2 moves, by 1 move"]
    assert lines[4].startswith("remaining moves  2 ")
    assert lines[-5:] == ["move\tremaining\tbetter_way", "2\t1\tL", "", "first\tlast", "0\t2"]
    document = tilework("analyse", BOARD, "LRLL", "--json").json
    assert document["lower"] == document["upper"] == [2, 1, 2, 1, 0]
    assert document["losses"] == [{"move": 2, "remaining": 1, "way": "L"}]
    assert document["loops"] == [{"first": 0, "last": 2}]


def test_moves_from_a_file_or_standard_input(tilework: Run, tmp_path: Path) -> None:
    moves = tmp_path / "moves.txt"
    moves.write_text("7 7 7 8\n")
    assert tilework("analyse", BOARD, str(moves), "--json").json["lower"] == [2, 1, 2, 1, 0]
    assert tilework("analyse", BOARD, "-", "--json", stdin="L R L2").json["length"] == 4
    assert tilework("analyse", "-", "LL", "--json", stdin=BOARD).json["is_solution"]
    solution = tilework("solve --jsonl - --by blank", stdin="1 2 3 4 5 6 0 7 8").out.replace(
        " ", ""
    )
    for blank_moves in ("RR", solution):
        arguments = ("analyse", BOARD, blank_moves, "--by", "blank", "--json")
        assert tilework(*arguments).json["is_solution"]
    assert tilework("analyse", BOARD, solution).code == 0
    assert "not a solution" in tilework("analyse", BOARD, "L").out
    moves.write_bytes(b"\xff\x00")
    for arguments in (("analyse", BOARD), ("moves", BOARD), ("solve", BOARD, "--shorten")):
        result = tilework(*arguments, str(moves))
        assert (result.code, result.out) == (2, "")
        assert "is not a text file; give the moves as UTF-8 text" in result.err


def test_invalid_arguments(tilework: Run) -> None:
    for arguments, code, message in (
        ([BOARD, "R"], 2, "move 1, R, is illegal"),
        (["-", "-"], 2, "cannot both come from standard input"),
        (["[[1,2,3],[4,5,6],[0,8,7]]", ""], 1, "cannot reach"),
    ):
        result = tilework("analyse", *arguments)
        assert (result.code, result.out) == (code, "")
        assert message in result.err


def test_moves_are_joined_simplified_and_inverted(tilework: Run) -> None:
    """Replay the moves with the oracle."""
    tiles = tuple(map(int, "123456708"))
    loop = "RDLU" * 3 + "L"  # twelve moves around a square have no effect
    joined = tilework("moves 1,2,3,4,5,6,7,0,8 R LR DULRL,L --json")
    assert joined.code == 0, joined.err
    document = joined.json
    assert document["moves"] == "RLRDULRLL"
    assert document["length"] == 9
    assert tuple(document["to"]) == naive.apply_moves(tiles, 3, document["moves"])
    simplified = tilework("moves 1,2,3,4,5,6,7,0,8 R LR DULRL,L --simplify").out.strip()
    assert naive.apply_moves(tiles, 3, simplified) == tuple(document["to"])
    assert len(simplified) == 1
    inverse = tilework("moves 1,2,3,4,5,6,7,0,8 R LR DULRL,L --invert").out.strip()
    assert naive.apply_moves(tuple(document["to"]), 3, inverse) == tiles
    assert tilework("moves 1,2,3,4,5,6,7,0,8", loop, "--simplify").out.strip() == "L"
    rejected = tilework("moves 1,2,3,4,5,6,7,8,0 U")
    assert (rejected.code, rejected.out) == (2, "")
    assert "move 1, U, is illegal" in rejected.err
