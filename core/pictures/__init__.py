"""Reading a board from a picture: the grid, straightened; its digits; the blank.

Only `apart` and `reading` are for others: a picture may come from anybody, and is read in a process
of its own.
"""
