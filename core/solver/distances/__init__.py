"""How far each board of a small size is from its goal, all of them in one file.

Loads no kernels at import but in `building` and `descent`.
"""
