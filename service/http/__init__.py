"""What surrounds every request and every response: reading, problems, authentication, limits, headers.

What may not enter: games, accounts and pages; they use this.
"""
