"""Pages for people, the health checks and the figures for machines.

Rules of a game may not enter. A page draws the position that it is given.
"""

from flask import Flask

from service.web import metrics, pages
from service.web.docs import docs
from service.web.home import home


def register(app: Flask) -> None:
    pages.register(app)
    for blueprint in (home, docs, metrics.blueprint):
        app.register_blueprint(blueprint)
