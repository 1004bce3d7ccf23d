"""Clients, what they ask for, and what they saw."""
