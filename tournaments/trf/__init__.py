"""Tournament report files of FIDE: TRF-2026, and older ones (TRF16, TRF(x)) to read.

`records` is the file, line by line and lossless; `files` makes one of a history with two players a table, and a history
of one. Larger tables have no such file: pairs of them would be no games.
"""
