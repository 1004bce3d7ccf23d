"""Reading a board from a picture: the grid, straightened; its digits; the blank."""
