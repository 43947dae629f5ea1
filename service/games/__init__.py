"""Games for those who ask over HTTP: the game service, access, representations, lists, invitations.

What may not enter: requests and responses.
"""
