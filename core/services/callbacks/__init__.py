"""Telling other systems that a job has ended."""
