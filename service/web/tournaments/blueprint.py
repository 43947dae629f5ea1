"""The blueprint of the pages of tournaments. Its views stand in the modules beside it."""

from flask import Blueprint

pages = Blueprint("tournaments_page", __name__)
