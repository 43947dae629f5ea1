"""Letters on a real mail server: confirmed addresses only, once each, nothing lost, nothing that was answered."""

import re
import time

import pytest
from msgspec.structs import replace

from events.audit.backup import Section
from events.buckets import USUAL
from events.submission import Submission
from events.table.commands import Move, Resign, Start
from events.table.time_control import TimeControl
from rules.kernel import options
from service.accounts import Accounts
from service.accounts.backup_section import AccountSection
from service.notifications.backup_section import MailboxSection
from service.notifications.mail.letters import Letter, message
from service.notifications.mail.smtp import SmtpSender
from service.notifications.notices import pairing
from service.notifications.postings import Postings
from service.notifications.retry_policy import RetryPolicy
from service.services import Services, services
from service.settings import MailServer, Settings
from tests.events.servers import eventually
from tests.service.notifications.harness import Harness
from tests.service.notifications.mail_server import DIES, DIES_BEFORE, SLOW, RunningMailServer, Security, mail_server
from tournaments.commands import Register, StartTournament
from tournaments.options import Options, Stage

QUICK = RetryPolicy(attempts=5, first_pause=50, longest_pause=200)
SITE = "https://hidalgo.example"
EVERYTHING = ["turn", "reminder", "pairing", "finished", "tournament"]


@pytest.fixture
def server():
    with mail_server() as running:
        yield running


@pytest.fixture
def post(running_stores, server):
    with running_stores.opened("embedded") as store:
        made = Post(store, server)
        yield made
        made.close()


class Post:
    """A service whose operator has named a mail server, and its jobs when a test asks for them."""

    def __init__(self, store, server: RunningMailServer, window: float = 0.05, **how) -> None:
        settings = Settings(
            mail_from="us@mail.example",
            public_url=SITE,
            mail_window=window,
            shortest_reminded=0.001,
            **{"mail_server": MailServer("smtp", "127.0.0.1", server.port), **how},
        )
        self.server, self.harness = server, Harness(store)
        self.wired: Services = services(store, settings, serving=True)
        self.wired.mail.queue._retry_policy = QUICK
        self.mail, self.accounts = self.wired.mail, Accounts(store, cached_for=0)
        self.harness.games = self.wired.games

    def close(self) -> None:
        self.worker.close()
        self.wired.close()

    def mended(self, server: MailServer, security: Security, password: str = "") -> None:
        """The mail server starts anew with this security, and the service is set up for it."""
        self.server.stop()
        self.server.secure(security)
        self.server.start()
        self.worker._sender = SmtpSender(server, password)

    @property
    def worker(self):
        assert self.mail.worker
        return self.mail.worker

    def person(self, *choices: str, digest: str = "soon") -> tuple[str, str]:
        """An account with a confirmed address, and that address."""
        account = self.accounts.make_guest().id
        address = f"{account[2:8].strip('-_')}x@people.example"
        self.ask(account, address, *choices, digest=digest)
        self.until(lambda: self.server.letters_to(address))
        self.mail.confirm(account, self.code(address))
        return account, address

    def ask(self, account: str, address: str, *choices: str, digest: str = "soon") -> None:
        request = {"address": address, "choices": choices, "digest": digest}
        self.mail.change(account, "someone", request, lambda whose: None)

    def code(self, address: str) -> str:
        [found] = re.findall(r"program: (\S+)", self.text(self.server.letters_to(address)[-1]))
        return found

    def text(self, letter) -> str:
        return letter.get_body(("plain",)).get_content()

    def work(self) -> None:
        """A turn of every job that notices and letters need."""
        while self.wired.notifier.attend(USUAL.all):
            pass
        self.wired.round_worker.note_results(USUAL.all)
        self.wired.round_worker.attend(USUAL.all)
        self.wired.tournament_feed.attend(USUAL.all)
        self.wired.tournament_notices.attend(USUAL.all)
        self.wired.reminders.attend(USUAL.all)
        self.worker.attend(USUAL.all)

    def until(self, is_so) -> None:
        def tried():
            self.work()
            return is_so()

        eventually(tried, seconds=60)

    def settled(self, seconds: float = 0.5) -> None:
        """Long enough for a letter that should not come to come."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.work()
            time.sleep(0.02)

    def wait(self, milliseconds: int) -> None:
        """So much time goes by for games and letters."""
        before = self.wired.games.now
        self.wired.games.now = self.worker._now = lambda: before() + milliseconds

    def letters(self, address: str) -> list[str]:
        """The texts of the letters about notices."""
        found = self.server.letters_to(address)
        return [self.text(letter) for letter in found if "confirm" not in str(letter["Subject"])]

    def all_letters(self, address: str) -> str:
        return "\n".join(self.letters(address))

    def begun(self, *people: str, **how) -> tuple[str, str]:
        """A game, and the account that is asked."""
        game = self.harness.begun(*people, **how)
        return game, self.asked(game)

    def asked(self, game: str) -> str:
        loaded = self.wired.games.load(game)
        [seat] = loaded.asked
        return loaded.seats[seat]

    def move(self, game: str) -> None:
        loaded = self.wired.games.load(game)
        [seat] = loaded.asked
        [decision] = options(loaded.state, seat)
        self.wired.games.submit(game, Move(loaded.seats[seat], decision.example()))


# Addresses


def test_an_address_counts_when_its_owner_has_answered_a_letter(post):
    account = post.accounts.make_guest().id
    post.ask(account, "ana@people.example", "turn")
    other = post.accounts.make_guest().id
    post.begun(account, other)
    post.until(lambda: post.server.taken)
    post.settled()
    [letter] = post.server.taken
    assert (letter["To"], letter["Subject"]) == ("ana@people.example", "Hidalgo: confirm your mail address")
    assert "List-Unsubscribe" not in letter
    assert post.mail.look(account)["address"] is None
    post.mail.confirm_by_link(re.findall(rf"{SITE}/mail/confirm/(\S+)", post.text(letter))[0])
    assert post.mail.look(account)["address"] == "ana@people.example"
    post.settled()
    assert post.letters("ana@people.example") == []  # Nothing of the time before.


def test_a_code_is_for_one_address_of_one_account(post):
    account, other = (post.accounts.make_guest().id for _ in range(2))
    for who, address in ((account, "ana@people.example"), (other, "ben@people.example")):
        post.ask(who, address)
    post.until(lambda: len(post.server.taken) == 2)
    with pytest.raises(Exception, match="this code is not valid"):
        post.mail.confirm(other, post.code("ana@people.example"))
    code = post.code("ana@people.example")
    post.ask(account, "dora@people.example")
    with pytest.raises(Exception, match="this code is not valid"):
        post.mail.confirm(account, code)


def test_an_address_is_shown_to_nobody_else(post, caplog):
    account, address = post.person("turn")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    with caplog.at_level("DEBUG"):
        post.until(lambda: post.asked(game) != account or post.letters(address))
    assert address not in caplog.text
    assert address not in repr(post.mail.preferences.read(account))


def test_a_deleted_account_gets_no_mail(post):
    account, address = post.person("turn")
    other, _ = post.person()
    game, asked = post.begun(account, other)
    if asked != account:
        post.move(game)
    post.accounts.delete(account)
    post.settled()
    assert post.letters(address) == []


# What is mailed


def test_turn_reminder_pairing_and_end_arrive_once_each(post):
    account, address = post.person(*EVERYTHING)
    other, silent = post.person()
    control = TimeControl(limit_ms=3_600_000, strikes=0)
    game = post.harness.table(account, other, time=control)
    notice = pairing(post.wired.games.load(game), "red", "Copa", 1, post.wired.games.now())
    postings = Postings(post.harness.store, told=post.worker.note)
    assert [postings.post(account, notice, "round 1") for _ in range(2)] == [True, False]
    post.until(lambda: len(post.letters(address)) == 1)
    assert "round 1 of Copa is paired: you play red" in post.letters(address)[0]
    post.wired.games.submit(game, Start(account))
    while post.asked(game) != account:
        post.move(game)
    post.until(lambda: len(post.letters(address)) == 2)
    assert "it is your turn as red" in post.letters(address)[1]
    post.wait(3_000_000)
    post.until(lambda: len(post.letters(address)) == 3)
    assert "left for your answer as red" in post.letters(address)[2]
    post.wired.games.submit(game, Resign(other))
    post.until(lambda: len(post.letters(address)) == 4)
    assert "the game is over" in post.letters(address)[3]
    post.settled()
    assert (len(post.letters(address)), post.letters(silent)) == (4, [])


def test_a_tournament_is_mailed_from_its_first_table_to_its_end(post):
    """Each thing once, however often the jobs run: the round, the turn, the reminder, the end."""
    account, address = post.person(*EVERYTHING)
    other, silent = post.person()
    options = Options(
        "Copa",
        "el_grande",
        size=2,
        stages=(Stage(rounds=1),),
        time=TimeControl(limit_ms=3_600_000, strikes=0),
    )
    service = post.wired.tournament_service
    id = service.create(account, options, Submission()).id
    for command in (Register(account), Register(other), StartTournament(account)):
        service.submit(id, command, Submission())
    post.until(lambda: "is paired" in post.all_letters(address))
    [game] = service.look(id, account).rounds[0].games.values()
    while post.asked(game) != account:
        post.move(game)
    post.until(lambda: "it is your turn" in post.all_letters(address))
    post.wait(3_000_000)
    post.until(lambda: "left for your answer" in post.all_letters(address))
    post.wired.games.submit(game, Resign(other))
    post.until(lambda: "you have place 1 of 2" in post.all_letters(address))
    post.settled()
    told = post.all_letters(address)
    assert told.count("round 1 of Copa is") == 1
    for words in ("it is your turn", "left for your answer", "the game is over", "Copa is over", "is paired: you play"):
        assert told.count(words) == 1, words
    assert post.letters(silent) == []


def test_what_was_answered_meanwhile_is_not_mailed(running_stores, server):
    with running_stores.opened("embedded") as store:
        post = Post(store, server, window=1.0)
        account, address = post.person("turn")
        other, _ = post.person()
        game, _ = post.begun(account, other)
        while post.asked(game) != account:
            post.move(game)
        post.work()
        while post.asked(game) == account:
            post.move(game)
        post.settled(2)
        assert post.letters(address) == []
        post.close()


def test_a_notifier_that_dies_after_writing_a_notice_loses_no_letter(post, monkeypatch):
    """Before the account was scheduled: the next one reads the commit again, and finds the notice written."""
    account, address = post.person("turn")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    while post.asked(game) != account:
        post.move(game)

    def dies(kinds):
        raise RuntimeError("killed")

    monkeypatch.setattr(post.wired.notifier, "_told", dies)
    with pytest.raises(RuntimeError):
        post.work()
    assert "your_turn" in post.harness.kinds(account)
    monkeypatch.undo()
    post.until(lambda: post.letters(address))
    post.settled()
    assert len(post.letters(address)) == 1


def test_notices_of_a_short_while_come_in_one_letter(running_stores, server):
    with running_stores.opened("embedded") as store:
        post = Post(store, server, window=1.0)
        account, address = post.person("turn")
        others = [post.accounts.make_guest().id for _ in range(3)]
        games = [post.begun(account, other)[0] for other in others]
        for game in games:
            while post.asked(game) != account:
                post.move(game)
        post.until(lambda: post.letters(address))
        post.settled()
        [letter] = [each for each in server.letters_to(address) if "3 notices" in each["Subject"]]
        assert post.text(letter).count("it is your turn") == 3
        post.close()


def test_restored_notices_are_not_mailed_again(post):
    account, address = post.person("finished")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    post.wired.games.submit(game, Resign(other))
    post.until(lambda: post.letters(address))
    sections: list[Section] = [AccountSection(post.harness.store), MailboxSection(post.harness.store)]
    rows = [(section, list(section.rows())) for section in sections]
    for primary in post.harness.store.primaries().values():
        primary.flushall()
    for section, kept in rows:
        assert all(section.put_back(*row) for row in kept)
    post.worker.wake(account)
    post.settled()
    assert len(post.letters(address)) == 1


def test_the_daily_letter_waits_for_the_morning(post):
    account, address = post.person("turn", digest="daily")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    while post.asked(game) != account:
        post.move(game)
    post.settled()
    assert post.letters(address) == []
    tomorrow = post.wired.games.now() + 24 * 3_600_000
    claim = post.mail.queue.claim(account, tomorrow)
    assert "it is your turn" in claim.letter.lines[0]


def test_one_click_ends_all_mail(post):
    account, address = post.person("turn")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    while post.asked(game) != account:
        post.move(game)
    post.until(lambda: post.letters(address))
    letter = post.server.letters_to(address)[-1]
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    [token] = re.findall(rf"^<{SITE}/mail/unsubscribe/(\S+)>$", letter["List-Unsubscribe"])
    with pytest.raises(Exception, match="this link is not valid"):
        post.mail.unsubscribe(token[:-1] + ("A" if token[-1] != "A" else "B"))
    post.mail.unsubscribe(token)
    post.mail.unsubscribe(token)
    assert post.mail.look(account)["choices"] == ()
    post.harness.play(game, 6)
    post.settled()
    assert len(post.letters(address)) == 1


def test_a_letter_is_text_and_a_page_and_has_one_recipient(post):
    account, address = post.person("turn")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    while post.asked(game) != account:
        post.move(game)
    post.until(lambda: post.letters(address))
    letter = post.server.letters_to(address)[-1]
    assert letter["From"] == "us@mail.example"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert [part.get_content_type() for part in letter.iter_parts()] == ["text/plain", "text/html"]
    assert "<p>it is your turn as" in letter.get_body(("html",)).get_content()


def test_nothing_that_a_player_writes_becomes_a_header():
    letter = Letter("notices", 1, "a subject", ("<b>bold</b>",), 0, "https://x.example/")
    sent = message(letter, "us@mail.example", "ana@people.example", "<1@mail.example>")
    assert "&lt;b&gt;bold" in sent.as_string()
    for bad in ("a\r\nBcc: eve@evil.example", "a\nBcc: eve@evil.example"):
        with pytest.raises(ValueError, match=r"newline|linefeed|header"):
            message(replace(letter, subject=bad), "us@mail.example", "ana@people.example", "<1@mail.example>")
        with pytest.raises(ValueError, match=r"newline|linefeed|header"):
            message(letter, "us@mail.example", f"ana@people.example{bad[1:]}", "<1@mail.example>")


# A server that refuses, is slow or dies


def waiting_for_a_turn(post) -> tuple[str, str, str]:
    account, address = post.person("turn")
    other, _ = post.person()
    game, _ = post.begun(account, other)
    while post.asked(game) != account:
        post.move(game)
    return game, account, address


@pytest.mark.parametrize("behaviour", ["450 later", "451 later"], ids=["the address", "the letter"])
def test_a_server_that_refuses_for_a_while_gets_the_letter_later(post, behaviour):
    *_, account, address = waiting_for_a_turn(post)
    post.server.behave(behaviour)
    post.until(lambda: any(letter["attempts"] >= 2 for letter in post.mail.look(account)["waiting"]))
    [letter] = post.mail.look(account)["waiting"]
    assert letter["status"] == int(behaviour[:3])
    post.server.behave("accept")
    post.until(lambda: len(post.letters(address)) == 1)
    post.settled()
    assert len(post.letters(address)) == 1
    assert post.mail.look(account)["waiting"] == []


@pytest.mark.parametrize("behaviour", ["550 no such user", "554 no"], ids=["the address", "the letter"])
def test_a_letter_that_is_refused_for_good_is_parked_and_can_be_written_anew(post, behaviour):
    *_, account, address = waiting_for_a_turn(post)
    post.server.behave(behaviour)
    post.until(lambda: post.mail.look(account)["parked"])
    [parked] = post.mail.look(account)["parked"]
    assert (parked["attempts"], parked["status"]) == (1, int(behaviour[:3]))
    assert address not in parked["error"]
    post.server.behave("accept")
    post.settled()
    assert post.letters(address) == []
    assert post.mail.retry(account) == 1
    post.until(lambda: len(post.letters(address)) == 1)
    assert post.mail.look(account)["parked"] == []


def test_a_server_that_is_away_loses_no_letter(post):
    *_, account, address = waiting_for_a_turn(post)
    post.server.stop()
    post.until(lambda: any(letter["attempts"] >= 2 for letter in post.mail.look(account)["waiting"]))
    assert post.mail.look(account)["waiting"][0]["error"] == "the mail server refused the connection"
    post.server.start()
    post.until(lambda: len(post.letters(address)) == 1)


def test_a_letter_that_fails_too_often_is_parked(post):
    *_, account, _ = waiting_for_a_turn(post)
    post.server.stop()
    post.until(lambda: post.mail.look(account)["parked"])
    assert post.mail.look(account)["parked"][0]["attempts"] == QUICK.attempts


def test_a_server_that_dies_gets_the_same_letter_again(post):
    """It has taken the letter, and could not say so: at least once, and with the same Message-ID."""
    *_, address = waiting_for_a_turn(post)
    post.server.behave(DIES)
    post.until(lambda: post.letters(address))
    post.server.wait_until_it_has_died()
    post.server.behave("accept")
    post.server.start()
    post.until(lambda: len(post.letters(address)) == 2)
    first, second = [letter for letter in post.server.letters_to(address) if "confirm" not in letter["Subject"]]
    assert first["Message-ID"] == second["Message-ID"]
    assert first.as_bytes().partition(b"boundary")[0] == second.as_bytes().partition(b"boundary")[0]
    post.settled()
    assert len(post.letters(address)) == 2


def test_a_server_that_dies_before_it_takes_a_letter_gets_it_once(post):
    *_, address = waiting_for_a_turn(post)
    post.server.behave(DIES_BEFORE)
    post.until(lambda: post.server.process.poll() is not None)
    post.server.wait_until_it_has_died()
    post.server.behave("accept")
    post.server.start()
    post.until(lambda: len(post.letters(address)) == 1)


def test_a_scheduler_that_is_killed_after_sending_sends_the_same_letter_again(post):
    """Between the server's answer and its record: the claim expires, and the next scheduler tries."""
    *_, account, address = waiting_for_a_turn(post)
    post.worker._queue = killed = Forgetful(post.mail.queue)
    post.until(lambda: killed.outcomes == 1)
    post.worker._queue = post.mail.queue
    assert len(post.letters(address)) == 1
    [letter] = post.mail.look(account)["waiting"]
    later = post.wired.games.now() + 200_000
    claim = post.mail.queue.claim(account, later)
    assert claim.letter.number == letter["number"]


class Forgetful:
    """The queue of a process that dies before it can record an outcome."""

    def __init__(self, queue) -> None:
        self._queue, self.outcomes = queue, 0

    def claim(self, account, now):
        return self._queue.claim(account, now)

    def settle(self, *_):
        self.outcomes += 1
        return "killed"


def test_a_slow_server_delays_neither_deadlines_nor_webhooks(post, bot):
    """All threads for letters wait for it."""
    people = [post.person("turn") for _ in range(6)]
    post.server.behave(SLOW)
    hooked = post.accounts.make_guest().id
    post.harness.hook(hooked, bot.url, "your_turn", "game_started")
    for account, _ in people:
        game, _ = post.begun(account, hooked)
        while post.asked(game) != account:
            post.move(game)
    post.until(lambda: len(post.worker._busy) == 4)
    before = len(bot.taken)
    timed = post.harness.begun(hooked, post.accounts.make_guest().id, time=TimeControl(limit_ms=300, strikes=0))
    with post.harness.delivering():
        post.until(lambda: len(bot.taken) > before)
    eventually(lambda: (post.wired.deadlines.attend(dict.fromkeys(USUAL.all, 0)), _has_run_out(post, timed))[1])
    assert len(post.worker._busy) == 4


def _has_run_out(post, game) -> bool:
    return post.wired.games.load(game).version > 4


def test_a_service_without_a_mail_server_says_so(running_stores):
    with running_stores.opened("embedded") as store:
        wired = services(store, Settings())
        account = wired.accounts.make_guest().id
        assert wired.mail.look(account)["available"] is False
        with pytest.raises(Exception, match="sends no mail"):
            wired.mail.change(account, "x", {"address": "a@b.example", "choices": [], "digest": "soon"}, print)
        wired.close()
