"""Everything around a request and its response: reading, problems, authentication, limits, headers.

What may not enter: games, accounts and pages; they use this.
"""
