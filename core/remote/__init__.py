"""A server of Tilework, seen from another program."""
