"""The outside world: HTTP, pages, accounts, the command line. `service.app.create_app` is the web application.

What may not enter: rules of a game, pairing, anything a program without a network would need.
"""
