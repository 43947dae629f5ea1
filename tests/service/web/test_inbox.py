"""The notices of a person, as a page."""

import re

from service.notifications.notifier import Notifier
from tests.service.web.tables import people, table


def attend_all(wired) -> None:
    """Every notice that waits is in its inbox."""
    notifier = Notifier(wired.games.log, wired.store)
    while notifier.attend(wired.games.log.buckets.all):
        pass


def test_a_notice_says_which_table_it_is_about(app, cid):
    wired = app.services
    me = wired.accounts.account_named("El_Cid").id
    [ana] = people(wired, "Ana_Maria")
    against_ana = table(wired, [me, ana])
    mine = table(wired, [me], seats=3)
    attend_all(wired)
    page = cid.get("/inbox").text
    for game, title in {against_ana: "El_Cid against Ana_Maria", mine: "Table of El_Cid"}.items():
        told = re.findall(rf'<a href="/games/{game}">[^<]+</a></h3><small>([^<]+)</small>', page)
        assert set(told) == {title}


def test_the_bell_counts_tables_with_news_and_not_each_notice_of_them(app, cid):
    wired = app.services
    me = wired.accounts.account_named("El_Cid").id
    for seats in (3, 4):
        table(wired, [me], seats=seats, bots=("random",))
    attend_all(wired)
    assert len(wired.inboxes.read(me, 0)) == 4
    assert "Notices, news of 2 tables or events" in cid.get("/account").text
    cid.get("/inbox")
    assert "Notices, news" not in cid.get("/account").text
