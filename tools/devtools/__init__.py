"""What only those need who work on Tilework; no part of the distribution."""
