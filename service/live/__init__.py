"""Streams of what happens, while it happens."""
