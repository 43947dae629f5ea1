"""What clients send and get, as marshmallow schemas, by the views that they belong to: `games.py` here is for
`service/api/games.py`. They check what is sent, and describe both.

Answers are made by `service.games.representations` and go out as they are; the tests hold them against these
descriptions.
"""
