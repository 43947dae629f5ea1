"""Pages for people, the health checks and the figures for machines.

What may not enter: rules of a game. A page draws what it is given.
"""

from flask import Flask

from service.web import metrics
from service.web.docs import docs
from service.web.home import home


def register(app: Flask) -> None:
    for blueprint in (home, docs, metrics.blueprint):
        app.register_blueprint(blueprint)
