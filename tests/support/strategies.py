from hypothesis import strategies as st

from tests.support import naive
from tilework.core.puzzle.board import Board


@st.composite
def sizes(draw, smallest=1, largest=6):
    return draw(st.integers(smallest, largest)), draw(st.integers(smallest, largest))


@st.composite
def boards(draw, size=None, smallest=1, largest=6):
    width, height = size or draw(sizes(smallest, largest))
    return Board(draw(st.permutations(range(width * height))), width, height)


@st.composite
def walks(draw, board):
    """Return legal moves from a board as letters over UDLR."""
    tiles, letters = tuple(board.cells.tolist()), ""
    for _ in range(draw(st.integers(0, 40))):
        neighbors = {letter: naive.apply_move(tiles, board.width, letter) for letter in "UDLR"}
        legal = [letter for letter in neighbors if neighbors[letter] is not None]
        if not legal:
            break
        letters += draw(st.sampled_from(legal))
        tiles = neighbors[letters[-1]]
    return letters
