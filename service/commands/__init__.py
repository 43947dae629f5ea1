"""Sub-commands of `hidalgo`, one module each; `service/cli.py` lists them.

What may not enter: anything another package would want to import.
"""
