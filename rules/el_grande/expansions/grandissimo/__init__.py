"""Grandissimo: Portugal, ships and a prison, three characters, and eleven of nineteen cards in a sixth stack."""

from rules.el_grande.expansions.grandissimo.expansion import grandissimo

__all__ = ["grandissimo"]
