"""Damage: how it is noticed, what exactly is wrong, and what becomes of it."""
