"""Engines and transactions."""
