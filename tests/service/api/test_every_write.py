"""Every write that the description has, sent twice under one key: the second answer is the first, byte by byte.

Between the two the world goes on, and the second request reaches a process that has just started. A new write fails
the first test until it has its row here.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import pytest
from werkzeug.test import TestResponse

from events.table.commands import AnswerOverdue, Join, Start
from events.table.time_control import TimeControl
from service.accounts import SCOPES, Session
from service.app import create_app
from service.http.application import Application
from service.http.idempotency import KEY
from service.notifications.retry_policy import RetryPolicy
from service.settings import MailServer, Settings
from tests.events.played import play_on
from tests.events.servers import eventually
from tests.service.api.asking import PREFIX, TWO, ApiClient, Described, asked, begun
from tests.service.api.studies.desk import Desk
from tests.service.api.test_repeated_requests import HOOK, PASSWORD, TIMED, said
from tests.service.api.test_table import ALLOW
from tests.service.api.tournaments.event import OPTIONS, Event
from tests.service.notifications.harness import Harness

BACK = "https://club.example/back"
CLUB = {"name": "Club site", "redirect_uris": [BACK]}
DAYS = {"limit_ms": 3 * 86_400_000, "calendar": {"zone": "UTC", "vacation_days": 10}}
RULING = {"kind": "adjudicate", "round": 1, "table": 0, "result": {"places": [1, 2, 3, 4]}, "reason": "A power failure"}
TWO_BOTS = "012 Duels\n001    1      bot:greedy:1\n001    2      bot:greedy:2\n"


@dataclass
class Write:
    """A request, and what happens before it comes again."""

    client: ApiClient
    path: str
    body: Any = None
    meanwhile: Callable[[], object] = lambda: None
    session: Session | None = None


class Stage:
    """A service, and people."""

    def __init__(self, app: Application) -> None:
        self.app, self.services, self.described = app, app.services, Described(app)
        self.nobody = ApiClient(self.described)
        self.ana, self.ben = self.guest(), self.guest()

    def guest(self) -> ApiClient:
        accounts = self.services.accounts
        account = accounts.make_guest()
        return ApiClient(self.described, accounts.tokens.create(account.id, "test", SCOPES["guest"]).secret, account.id)

    def member(self) -> ApiClient:
        """A player with a password."""
        client = self.guest()
        self.services.accounts.upgrade(client.account, f"m{random.randrange(10**9)}", PASSWORD)
        return client

    def change(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.ana.ask(method, path, **({"json": body} if body is not None else {}))
        assert answer.status_code < 300, answer.text
        return answer.get_json(silent=True)

    # Tables

    def open_table(self) -> str:
        return self.ana.makes(players=3)

    def full_table(self) -> str:
        game = self.ana.makes()
        assert self.ben.post(f"/games/{game}/seats", {}).status_code == 200
        return game

    def game(self, **fields: Any) -> str:
        return begun(self.ana, self.ben, **fields)

    def move(self, game: str) -> ApiClient:
        """A player who has just moved."""
        person, decision = asked(game, self.ana, self.ben)
        assert person.post(f"/games/{game}/moves", decision["example"]).status_code == 201
        return person

    def over(self) -> str:
        game = self.game()
        play_on(self.services.games, game, random.Random(1).randrange)
        return game

    # The rest

    def hook(self) -> str:
        return f"/me/webhooks/{self.change('POST', '/me/webhooks', {'url': HOOK, 'events': ['commit']})['id']}"

    def parked_delivery(self) -> str:
        hook = self.hook()
        self.game()
        harness = Harness(self.services.store)
        harness.notify()
        with harness.delivering(RetryPolicy(attempts=1)):
            harness.until_all_are_delivered(self.ana.account)
        number = self.ana.get(f"{hook}/deliveries?state=parked").get_json()["deliveries"][0]["id"].rpartition(".")[2]
        return f"{hook}/deliveries/{number}"

    def letter_code(self) -> str:
        self.change("PUT", "/me/mail", {"address": "ana@people.example", "choices": ["turn"], "digest": "soon"})
        preferences = self.services.mail.preferences
        return str(preferences.code(self.ana.account, preferences.read(self.ana.account)))

    def desk(self) -> Desk:
        return Desk.of(self.described, self.over(), self.ana)

    def event(self) -> Event:
        return Event(self.described).started()


def at_a_table(path: str, *, full: bool = False, by_the_other: bool = False) -> Callable[[Stage], Write]:
    """A table of Ana's that has not begun; then it is gone."""

    def write(stage: Stage) -> Write:
        game = stage.full_table() if full else stage.open_table()
        client = stage.ben if by_the_other else stage.ana
        filled = f"/games/{game}{path}".replace("{player}", stage.ben.account)
        return Write(client, filled, meanwhile=lambda: stage.ana.post(f"/games/{game}/abort"))

    return write


def in_a_game(path: str, body: Any = None, **fields: Any) -> Callable[[Stage], Write]:
    """A game of two; then it goes on."""

    def write(stage: Stage) -> Write:
        game = stage.game(**fields)
        return Write(stage.ana, f"/games/{game}{path}", body, lambda: stage.ben.post(f"/games/{game}/resign"))

    return write


def resuming(stage: Stage) -> Write:
    game = stage.game(time=TIMED)
    for person in (stage.ana, stage.ben):
        assert person.post(f"/games/{game}/pause").status_code == 200
    return Write(stage.ana, f"/games/{game}/resume", meanwhile=lambda: stage.move(game))


def returning(stage: Stage) -> Write:
    """Of a player who was late once."""
    games = stage.services.games
    game = games.create("el_grande", 2, owner=stage.ana.account, time=TimeControl(limit_ms=1, strikes=1)).id
    for person in (stage.ana, stage.ben):
        games.submit(game, Join(person.account))
    games.submit(game, Start(stage.ana.account))
    [seat] = games.load(game).asked
    eventually(lambda: games.now() >= games.load(game).attention_at)
    games.submit(game, AnswerOverdue())
    late = stage.ana if games.load(game).seats[seat] == stage.ana.account else stage.ben
    other = stage.ben if late is stage.ana else stage.ana
    return Write(late, f"/games/{game}/return", meanwhile=lambda: other.post(f"/games/{game}/resign"))


def moving(stage: Stage) -> Write:
    game = stage.game(time=TIMED)
    person, decision = asked(game, stage.ana, stage.ben)
    return Write(person, f"/games/{game}/moves", decision["example"], lambda: stage.move(game))


def taking_back(stage: Stage) -> Write:
    game = stage.game()
    return Write(stage.move(game), f"/games/{game}/take-back", meanwhile=lambda: stage.move(game))


def to_a_message(path: str = "", body: Any = None) -> Callable[[Stage], Write]:
    """A message of Ana's to Ben."""

    def write(stage: Stage) -> Write:
        chat = f"/games/{stage.game()}/chat"
        message = stage.change("POST", chat, {"text": "Have fun"})["id"]
        more = {"text": "Thanks"}
        return Write(stage.ana, f"{chat}/players/{message}{path}", body, lambda: stage.ben.post(chat, more))

    return write


def answering_ahead(stage: Stage) -> Write:
    path = f"/games/{stage.game()}/ahead/veto"
    return Write(stage.ana, path, ALLOW, lambda: stage.change("DELETE", path))


def asked_again(stage: Stage) -> Write:
    path = f"/games/{stage.game()}/ahead/veto"
    stage.change("PUT", path, ALLOW)
    return Write(stage.ana, path, meanwhile=lambda: stage.change("PUT", path, ALLOW))


def muting(stage: Stage) -> Write:
    path = f"/me/mutes/{stage.ben.account}"
    return Write(stage.ana, path, meanwhile=lambda: stage.change("DELETE", path))


def unmuting(stage: Stage) -> Write:
    path = f"/me/mutes/{stage.ben.account}"
    stage.change("PUT", path)
    return Write(stage.ana, path, meanwhile=lambda: stage.change("PUT", path))


def playing_again(stage: Stage) -> Write:
    game = stage.over()
    return Write(stage.ana, f"/games/{game}/rematch", meanwhile=lambda: stage.ben.post(f"/games/{game}/rematch"))


def signing_in(stage: Stage) -> Write:
    stage.change("POST", "/me", {"handle": "el_cid", "password": PASSWORD})
    return Write(stage.nobody, "/sessions", {"handle": "el_cid", "password": PASSWORD})


def ending_an_account(stage: Stage) -> Write:
    return Write(stage.member(), "/me", {"password": PASSWORD})


def an_app(stage: Stage) -> tuple[ApiClient, str]:
    author = stage.member()
    return author, author.post("/me/apps", CLUB).get_json()["id"]


def deleting_an_app(stage: Stage) -> Write:
    author, app = an_app(stage)
    return Write(author, f"/me/apps/{app}")


def changing_an_app(stage: Stage) -> Write:
    author, app = an_app(stage)
    other = {"name": "Another name"}
    return Write(
        author, f"/me/apps/{app}", {"name": "Club"}, lambda: author.ask("PATCH", f"/me/apps/{app}", json=other)
    )


def ending_an_authorization(stage: Stage) -> Write:
    author, app = an_app(stage)
    stage.services.authorizations.allow(author.account, app, "Club site", ["read"], 0, BACK, "c" * 43)
    return Write(author, f"/me/authorizations/{app}")


def choosing_mail(stage: Stage) -> Write:
    chosen = {"address": "ana@people.example", "choices": ["turn"], "digest": "soon"}
    return Write(stage.ana, "/me/mail", chosen, lambda: stage.ana.delete("/me/mail"))


def confirming_an_address(stage: Stage) -> Write:
    code = stage.letter_code()
    return Write(stage.ana, "/me/mail/confirmation", {"code": code}, lambda: stage.ana.delete("/me/mail"))


def a_password(stage: Stage) -> Write:
    return Write(stage.member(), "/me/password", {"old": PASSWORD, "new": "babieca al trote"})


def to_a_hook(path: str = "", body: Any = None, then: Any = None) -> Callable[[Stage], Write]:
    def write(stage: Stage) -> Write:
        hook = stage.hook()
        return Write(stage.ana, hook + path, body, lambda: then and stage.change("PATCH", hook, then))

    return write


def repeating_a_delivery(stage: Stage) -> Write:
    return Write(stage.ana, f"{stage.parked_delivery()}/retry", meanwhile=lambda: stage.game())


def signing_out(stage: Stage) -> Write:
    """With the cookie of a session, which is gone afterwards."""
    stage.change("POST", "/me", {"handle": "el_cid", "password": PASSWORD})
    session = stage.services.accounts.sessions.sign_in("el_cid", PASSWORD)
    return Write(ApiClient(stage.described), "/sessions", session=session)


def making_a_study(stage: Stage) -> Write:
    return Write(stage.ana, "/studies", {"title": "Vetoes", "game": stage.over()}, lambda: stage.desk())


def importing_a_study(stage: Stage) -> Write:
    desk = stage.desk()
    desk.write()
    document = stage.ana.get(f"{desk.path}/export?format=text").text
    body = {"format": "text", "document": document}
    return Write(stage.ana, "/studies/import", body, lambda: stage.ana.delete(desk.path))


def at_a_node(path: str) -> Callable[[Stage], Write]:
    def write(stage: Stage) -> Write:
        desk = stage.desk()
        return Write(stage.ana, desk.node_path("20") + path, desk.example("20"), lambda: desk.try_move())

    return write


def to_a_study(path: str, **body: Any) -> Callable[[Stage], Write]:
    def write(stage: Stage) -> Write:
        desk = stage.desk()
        return Write(stage.ana, desk.path + path, body or None, lambda: path and desk.write())

    return write


def trying_a_move(stage: Stage) -> Write:
    desk = stage.desk()
    body = {"kind": "try_move", "chapter": desk.chapter, "parent": "20", **desk.example("20")}
    return Write(stage.ana, f"{desk.path}/edits", body, lambda: desk.write("A second thought"))


def revoking_a_token(stage: Stage) -> Write:
    return Write(stage.ana, f"/tokens/{stage.change('POST', '/tokens', {'name': 'old'})['id']}")


def in_an_event(path: str, **body: Any) -> Callable[[Stage], Write]:
    """A tournament in its first round; then another ruling is made, and the round goes on."""

    def write(stage: Stage) -> Write:
        event = stage.event()
        event.draw()
        client = event.olga
        return Write(client, event.path + path, body, lambda: event.acted("announce", text="The round goes on"))

    return write


def looking_at_a_ruling(stage: Stage) -> Write:
    event = stage.event()
    event.draw()
    return Write(event.olga, f"{event.path}/actions/preview", RULING)


def to_me(path: str, body: Any = None, *, then: tuple[str, str, Any] | None = None) -> Callable[[Stage], Write]:
    return lambda stage: Write(stage.ana, path, body, lambda: then and stage.change(*then))


def deciding(stage: Stage) -> Write:
    """An administrator silences the author of a message."""
    game, accounts = stage.full_table(), stage.services.accounts
    keeper = accounts.register("keeper", PASSWORD).id
    accounts.set_role("keeper", "admin")
    admin = ApiClient(stage.described, accounts.tokens.create(keeper, "test", SCOPES["admin"]).secret, keeper)
    stage.services.chat.write(game, stage.ben.account, "rude")
    stage.services.chat.complain(game, stage.ana.account, "players", 1, "an insult")
    [complaint] = stage.services.chat.complaints.all()
    lifting = {"acts": ["lift_silence"]}
    path = f"/complaints/{complaint.id}/acts"
    return Write(admin, path, {"acts": ["silence"], "days": 7}, lambda: admin.post(path, lifting))


WRITES: dict[str, Callable[[Stage], Write]] = {
    "POST /accounts": lambda stage: Write(stage.nobody, "/accounts", {"handle": "el_cid", "password": PASSWORD}),
    "POST /complaints/{complaint}/acts": deciding,
    "POST /games": to_me("/games", TWO | {"time": TIMED}, then=("POST", "/games", TWO)),
    "POST /games/{game}/abort": at_a_table("/abort"),
    "PUT /games/{game}/ahead/{decision}": answering_ahead,
    "DELETE /games/{game}/ahead/{decision}": asked_again,
    "POST /games/{game}/chat": in_a_game("/chat", {"text": "Have fun"}),
    "DELETE /games/{game}/chat/{room}/{message}": to_a_message(),
    "POST /games/{game}/chat/{room}/{message}/complaint": to_a_message("/complaint", {"reason": "an insult"}),
    "POST /games/{game}/invitations": at_a_table("/invitations"),
    "POST /games/{game}/moves": moving,
    "POST /games/{game}/pause": in_a_game("/pause", time=TIMED),
    "DELETE /games/{game}/players/{player}": at_a_table("/players/{player}", full=True),
    "POST /games/{game}/rematch": playing_again,
    "POST /games/{game}/resign": in_a_game("/resign"),
    "POST /games/{game}/resume": resuming,
    "POST /games/{game}/return": returning,
    "POST /games/{game}/seats": at_a_table("/seats", by_the_other=True),
    "DELETE /games/{game}/seats/mine": at_a_table("/seats/mine", full=True, by_the_other=True),
    "POST /games/{game}/start": at_a_table("/start", full=True),
    "POST /games/{game}/take-back": taking_back,
    "POST /games/{game}/vacation": in_a_game("/vacation", {"days": 2}, time=DAYS),
    "POST /guests": lambda stage: Write(stage.nobody, "/guests", {}),
    "DELETE /me": ending_an_account,
    "POST /me": to_me("/me", {"handle": "el_cid", "password": PASSWORD}, then=("PUT", "/me/bot", {"bot": True})),
    "POST /me/apps": lambda stage: Write(stage.member(), "/me/apps", CLUB),
    "DELETE /me/apps/{app}": deleting_an_app,
    "PATCH /me/apps/{app}": changing_an_app,
    "DELETE /me/authorizations/{app}": ending_an_authorization,
    "PUT /me/bot": to_me("/me/bot", {"bot": True}, then=("PUT", "/me/bot", {"bot": False})),
    "DELETE /me/mail": to_me("/me/mail"),
    "PUT /me/mail": choosing_mail,
    "POST /me/mail/confirmation": confirming_an_address,
    "POST /me/mail/retry": to_me("/me/mail/retry", then=("PUT", "/me/mail", {"choices": ["turn"], "digest": "daily"})),
    "PUT /me/mutes/{player}": muting,
    "DELETE /me/mutes/{player}": unmuting,
    "PUT /me/notices": to_me(
        "/me/notices",
        {"browser": True, "sound": False},
        then=("PUT", "/me/notices", {"browser": False, "sound": False}),
    ),
    "PUT /me/password": a_password,
    "POST /me/webhooks": to_me("/me/webhooks", {"url": HOOK}, then=("PUT", "/me/bot", {"bot": True})),
    "DELETE /me/webhooks/{webhook}": to_a_hook(),
    "PATCH /me/webhooks/{webhook}": to_a_hook(body={"enabled": False}, then={"enabled": True}),
    "POST /me/webhooks/{webhook}/deliveries/{number}/retry": repeating_a_delivery,
    "POST /me/webhooks/{webhook}/secret": to_a_hook("/secret", then={"enabled": False}),
    "POST /me/webhooks/{webhook}/test": to_a_hook("/test", then={"enabled": False}),
    "DELETE /sessions": signing_out,
    "POST /sessions": signing_in,
    "POST /studies": making_a_study,
    "POST /studies/import": importing_a_study,
    "POST /studies/markdown": to_me("/studies/markdown", {"text": "Takes the *sting* out of it"}),
    "DELETE /studies/{study}": to_a_study(""),
    "POST /studies/{study}/chapters/{chapter}/nodes/{node}/guess": at_a_node("/guess"),
    "POST /studies/{study}/chapters/{chapter}/nodes/{node}/preview": at_a_node("/preview"),
    "POST /studies/{study}/edits": trying_a_move,
    "POST /studies/{study}/presence": to_a_study("/presence", chapter="k1", node="20"),
    "POST /tokens": to_me("/tokens", {"name": "bot"}, then=("POST", "/tokens", {"name": "another"})),
    "DELETE /tokens/{token}": revoking_a_token,
    "POST /tournaments": to_me("/tournaments", OPTIONS, then=("POST", "/tournaments", OPTIONS)),
    "POST /tournaments/import": to_me("/tournaments/import", {"game": "el_grande", "document": TWO_BOTS}),
    "POST /tournaments/plan": to_me("/tournaments/plan", {"players": 22, "size": 4}),
    "POST /tournaments/{tournament}/actions": in_an_event("/actions", **RULING),
    "POST /tournaments/{tournament}/actions/preview": looking_at_a_ruling,
}


@pytest.fixture
def settings() -> Settings:
    return Settings(
        mail_server=MailServer("smtp", "127.0.0.1", 1),
        mail_from="us@mail.example",
        public_url="https://x.example",
        webhooks_to=[ip_network("127.0.0.0/8")],
    )


@pytest.fixture
def stage(service) -> Stage:
    return Stage(service)


def test_every_write_of_the_description_is_here(described):
    described_writes = {
        f"{method.upper()} {path.removeprefix(PREFIX)}"
        for path, item in described.document["paths"].items()
        for method in item
        if method in ("post", "put", "patch", "delete")
    }
    assert set(WRITES) == described_writes


@pytest.mark.parametrize("operation", WRITES)
def test_a_repeated_write_is_answered_in_the_same_bytes(stage, operation):
    method, write, key = operation.partition(" ")[0], WRITES[operation](stage), str(uuid4())
    first = sent(write.client, method, write, key)
    assert first.status_code < 300, first.text
    write.meanwhile()
    started = create_app(stage.app.settings)
    other = ApiClient(Described(started), write.client.token, write.client.account)
    assert said(sent(other, method, write, key)) == said(first)
    started.services.close()


def sent(client: ApiClient, method: str, write: Write, key: str) -> TestResponse:
    more: dict[str, Any] = {"json": write.body} if write.body is not None else {}
    headers = {KEY: key}
    if write.session:
        client.http.set_cookie("hidalgo_session", write.session.secret)
        headers["X-CSRF-Token"] = write.session.csrf
    return client.ask(method, write.path, headers=headers, **more)
