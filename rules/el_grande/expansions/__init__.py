"""Expansions of El Grande. Each module opens with a table of its rules; each is a function from rules to rules."""
