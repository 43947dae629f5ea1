"""Pages for people, the health checks and the figures for machines.

Rules of a game may not enter. A page draws the position that it is given.
"""

from flask import Flask

from service.web import api_lists, errors, metrics, pages
from service.web.account import account
from service.web.account_mail import account_mail
from service.web.chat import chat
from service.web.docs import docs
from service.web.downloads import downloads
from service.web.embed import embed
from service.web.es_client import es_client
from service.web.file_replay import file_replay
from service.web.home import home
from service.web.inbox import inbox
from service.web.invited import invited
from service.web.mail import mail
from service.web.oauth import oauth
from service.web.players import players
from service.web.replay import replay
from service.web.sign_in import blueprint as sign_in
from service.web.staff import staff
from service.web.start import start
from service.web.static_files import files
from service.web.studies import studies
from service.web.studio import studio
from service.web.table import table
from service.web.tournaments import pages as tournament_pages
from service.web.waiting import waiting
from service.web.watch import watch


def register(app: Flask) -> None:
    pages.register(app)
    errors.register(app)
    api_lists.register(app)
    for blueprint in (
        home,
        start,
        invited,
        waiting,
        table,
        chat,
        sign_in,
        account,
        account_mail,
        mail,
        oauth,
        inbox,
        staff,
        replay,
        embed,
        downloads,
        file_replay,
        watch,
        players,
        studies,
        studio,
        tournament_pages,
        docs,
        es_client,
        files,
        metrics.blueprint,
    ):
        app.register_blueprint(blueprint)
