from pathlib import Path

from tests.support.cli.runner import Run
from tests.support.rendered_boards import TILES, draw_picture_file
from tilework.core.formats.board_text import read_board


def test_cells_are_printed_and_solve_suggests_read_picture(tilework: Run, tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    picture.write_bytes(draw_picture_file())
    cells = tilework("read-picture", "--json", str(picture)).json["cells"]
    assert [cell["tile"] for cell in cells] == TILES
    assert all(len(cell["corners"]) == 4 for cell in cells)
    result = tilework("solve", str(picture))
    assert result.code == 2
    assert "tilework read-picture" in result.err


def test_uncertain_cells_are_named_on_stderr(tilework: Run, tmp_path: Path) -> None:
    path = tmp_path / "twice.png"
    path.write_bytes(draw_picture_file([[1, 2, 3], [4, 5, 5], [7, 0, 8]]))
    result = tilework("read-picture", str(path))
    assert sorted(read_board(result.out).cells.tolist()) == list(range(9))
    assert "row 2, column 2:" in result.err
    assert "row 2, column 3:" in result.err
    assert "is uncertain" in result.err


def test_invalid_picture_exits_with_2(tilework: Run, tmp_path: Path) -> None:
    path = tmp_path / "text.png"
    path.write_text("not a picture")
    result = tilework("read-picture", str(path))
    assert (result.code, result.out) == (2, "")
    assert "use a PNG, a JPEG or a WebP" in result.err
    assert tilework("read-picture", str(tmp_path / "missing.png")).code == 2
