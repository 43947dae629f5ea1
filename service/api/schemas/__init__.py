"""Requests and responses as marshmallow schemas, beside the views: `games.py` here is for `service/api/games.py`.

Requests are checked by their schemas, and both are described by them. Responses are made by
`service.games.representations` and sent as they are; the tests hold them against their schemas.
"""
