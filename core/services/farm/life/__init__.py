"""The life of a solve: what becomes of it, its jobs and its slices, decided in one place.

`live` is a pure function of where a solve stands and what has happened. It reads no clock and
changes nothing: it returns the solve as it is from now on and a list of effects, which the
storage applies in the transaction that holds the solve's lock. docs/life.md draws it.
"""
