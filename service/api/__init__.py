"""The REST interface below `/api/v1`: one blueprint per module, listed here.

What may not enter: decisions. A view loads, calls and answers.
"""

from flask import Blueprint, Flask

BLUEPRINTS: tuple[Blueprint, ...] = ()


def register(app: Flask) -> None:
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint, url_prefix="/api/v1")
