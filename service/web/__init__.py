"""Pages for people, and the health check for machines.

What may not enter: rules of a game. A page draws what it is given.
"""

from flask import Flask

from service.web.docs import docs
from service.web.home import home


def register(app: Flask) -> None:
    app.register_blueprint(home)
    app.register_blueprint(docs)
