"""The account of the visitor: password, bot mark, tokens, sessions, apps, and its end. Its mail: `account_mail`."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response, request, url_for

from events.submission import new_id
from rules.errors import Refused
from rules.texts import Text, say
from service.accounts import SCOPES, Identity
from service.accounts.notice_choices import NoticeChoices
from service.accounts.token_fields import NewToken
from service.games.representations import player_resource
from service.http import account_requests
from service.http.authentication import accounts, drop_session, given_session, limit_account
from service.http.context import services
from service.http.forms import field, form
from service.http.responses import no_store
from service.web.forms import form_of, go_to
from service.web.pages import page
from service.web.times import day
from service.web.visitors import member

account = Blueprint("account", __name__, template_folder="templates")
account.after_request(no_store)

DONE: dict[str, Text] = {
    "password": say("The password is changed, and all other sessions have ended."),
    "bot": say("Your name carries the mark of a bot now."),
    "person": say("Your name carries no mark of a bot any more."),
    "mail": say("Your choices are kept."),
    "notices": say("Your choices are kept."),
    "unmuted": say("You read this player again."),
    "letter": say("A letter is on its way to your address. Mail comes when you have answered it."),
    "confirmed": say("Your address is confirmed."),
    "retried": say("The letters are tried again."),
    "forgotten": say("Your address is forgotten, and no mail is sent."),
    "revoked": say("The token is revoked."),
    "sessions": say("The session has ended."),
    "others": say("All other sessions have ended."),
    "ended": say("The app may do nothing for you any more."),
    "registered": say("The app is registered. Its id is below."),
    "changed": say("The app is changed."),
    "deleted": say("The app is deleted, and everything that it was allowed has ended."),
}
"""What was done, by the name that the next page is given."""

SCOPE_LABELS: dict[str, Text] = {
    "read": say("read"),
    "play": say("play"),
    "account": say("manage the account"),
    "admin": say("administer the service"),
}

MAIL_CHOICES: dict[str, Text] = {
    "turn": say("it is my turn"),
    "reminder": say("my time runs out"),
    "pairing": say("a table of a tournament waits"),
    "finished": say("a game is over"),
    "tournament": say("something else happens in a tournament of mine"),
}


@account.get("/account")
def overview(refusal: Refused | None = None, of: str = "", fresh: NewToken | None = None) -> Response:
    """All of the account. `of` is the form that was refused; `fresh` is a token that is shown now and never again."""
    identity = member()
    return page(
        "account.html",
        account=accounts().living(identity.account),
        refusals={of: refusal},
        typed={name: field(name) for name in ("name", "redirect_uris")} if refusal else {},
        fresh=fresh,
        done=DONE.get(request.args.get("done", "")),
        key=new_id(),
        **kept(identity),
    )


def kept(identity: Identity) -> dict[str, Any]:
    return {
        "tokens": accounts().tokens.of(identity.account),
        "sessions": accounts().sessions.of(identity.account, given_session()),
        "authorizations": services().authorizations.grants(identity.account),
        "apps": services().apps.of(identity.account),
        "mail": services().mail.look(identity.account),
        "notices": services().notice_choices.read(identity.account),
        "muted": muted(identity.account),
        "mail_choices": MAIL_CHOICES,
        "scopes": {scope: SCOPE_LABELS[scope] for scope in SCOPE_LABELS if scope in SCOPES[identity.role]},
        "day": day,
    }


def muted(account: str) -> list[dict[str, Any]]:
    """The people whose messages the account does not read."""
    found = services().chat.mutes.of(account)
    profiles = accounts().profiles(found)
    return [player_resource(each, profiles.get(each)) for each in sorted(found)]


def done(what: str) -> Response:
    return go_to(url_for("account.overview", done=what))


@account.post("/account/password")
@form_of(partial(overview, of="password"))
def change_password() -> Response:
    account_requests.change_password(member(), field("old"), field("new"))
    return done("password")


@account.post("/account/bot")
@form_of(partial(overview, of="bot"))
def declare_bot() -> Response:
    account_id = member().account
    limit_account("changes", account_id)
    return done("bot" if accounts().declare_bot(account_id, bool(field("bot"))).bot else "person")


@account.post("/account/notices")
@form_of(partial(overview, of="notices"))
def choose_notices() -> Response:
    account_id = member().account
    limit_account("changes", account_id)
    chosen = NoticeChoices(browser=bool(field("browser")), sound=bool(field("sound")))
    services().notice_choices.change(account_id, chosen)
    return done("notices")


@account.post("/account/mutes/<player>/end")
@form_of(partial(overview, of="mutes"))
def unmute(player: str) -> Response:
    account_id = member().account
    limit_account("changes", account_id)
    services().chat.mutes.unmute(account_id, player)
    return done("unmuted")


@account.post("/account/tokens")
@form_of(partial(overview, of="tokens"))
def create_token() -> Response:
    """The secret is in the answer, and nowhere else: a reload makes the same token, not another."""
    wanted = form().get("scopes", [])
    return overview(fresh=account_requests.create_token(member(), field("name"), wanted, field("key")[:64]))


@account.post("/account/tokens/<token>/revoke")
@form_of(partial(overview, of="tokens"))
def revoke_token(token: str) -> Response:
    accounts().tokens.revoke(member().account, token)
    return done("revoked")


@account.post("/account/sessions/<session>/end")
@form_of(partial(overview, of="sessions"))
def end_session(session: str) -> Response:
    accounts().sessions.end(member().account, session)
    return done("sessions")


@account.post("/account/sessions/end-others")
@form_of(partial(overview, of="sessions"))
def end_other_sessions() -> Response:
    accounts().sessions.end_others(member().account, given_session())
    return done("others")


# Apps


@account.post("/account/authorizations/<app>/end")
@form_of(partial(overview, of="apps"))
def end_authorization(app: str) -> Response:
    services().authorizations.end(member().account, app)
    return done("ended")


@account.post("/account/apps")
@form_of(partial(overview, of="registered"))
def register_app() -> Response:
    identity = member()
    limit_account("apps", identity.account)
    services().apps.register(identity.account, field("name"), written_uris(), once=field("key")[:64])
    return done("registered")


@account.post("/account/apps/<app>")
@form_of(partial(overview, of="changed"))
def change_app(app: str) -> Response:
    identity = member()
    limit_account("apps", identity.account)
    services().apps.change(identity.account, app, field("name"), written_uris())
    return done("changed")


@account.post("/account/apps/<app>/delete")
@form_of(partial(overview, of="changed"))
def delete_app(app: str) -> Response:
    services().apps.delete(member().account, app)
    return done("deleted")


def written_uris() -> list[str]:
    """One a line."""
    return field("redirect_uris").split()


# The end


@account.post("/account/delete")
@form_of(partial(overview, of="delete"))
def delete() -> Response:
    account_requests.delete(member().account, field("password"))
    return drop_session(go_to(url_for("home.front_page")))
