"""Batches: many boards in one request, and their results line by line."""
