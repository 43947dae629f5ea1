"""Drills: servers, schedulers, services and connections are killed, frozen, cut and given the wrong time.

Tests that wait for real time belong here, however long they take. Where a drill gets better the longer it is, a short
one is part of every run and a `long` one is kept beside it.
"""
