"""The pages of administrators: complaints and the audit log."""

import pytest

from events.table.commands import Join
from service.accounts.audit_log import AuditEntry

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7 * 7 }}"


@pytest.fixture
def keeper(app, browser):
    """An administrator in a browser."""
    visitor = browser()
    visitor.sign_up("keeper")
    app.services.accounts.set_role("keeper", "admin")
    return visitor


@pytest.fixture
def case(app, cid, browser):
    """El Cid complains of a message of Ruy's, at a private table; the table, and both accounts."""
    browser().sign_up("Ruy")
    accounts = app.services.accounts
    ruy, reader = accounts.account_named("Ruy").id, accounts.account_named("El_Cid").id
    games, chat = app.services.games, app.services.chat
    game = games.create("el_grande", 3, owner=ruy, visibility="private").id
    for account in (ruy, reader):
        games.submit(game, Join(account, invited=True))
    for text in ("Hola", HOSTILE):
        chat.write(game, ruy, text)
    chat.complain(game, reader, "players", 2, f"rude: {HOSTILE}")
    return game, ruy, reader


def test_only_administrators_find_and_read_the_pages(cid, keeper, browser):
    assert "/staff/complaints" not in cid.get("/").text
    assert '/staff/complaints"' in keeper.get("/").text
    for path in ("/staff/complaints", "/staff/audit"):
        assert [who.get(path).status_code for who in (cid, keeper)] == [403, 200]
        assert browser().get(path).status_code == 303


def test_a_complaint_is_shown_with_the_words_around_it_and_all_of_it_is_inert(keeper, case):
    page = keeper.get("/staff/complaints").text
    game, _, _ = case
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "{{ 7 * 7 }}" in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 3
    for words in (">Hola<", ">El_Cid<", ">Ruy<", f"/games/{game}", "1 complaint about this message"):
        assert words in page


def test_a_decision_is_made_with_a_form_and_told_in_the_audit_log(app, keeper, case):
    game, ruy, _ = case
    [complaint] = app.services.moderation.complaints.all()
    sent = keeper.submit(
        "/staff/complaints",
        "/staff/complaints",
        act=f"decide:{complaint.id}",
        remove="yes",
        silence="7",
        reason="an <b>insult</b>",
    )
    assert (sent.status_code, sent.headers["Location"]) == (303, "/staff/complaints")
    assert "Nothing waits for you." in keeper.get("/staff/complaints").text
    assert app.services.chat.chat.read(f"{game}/players", 0)[1].removed
    assert app.services.moderation.silences.until(ruy, app.services.heartbeat.now())
    log = keeper.get("/staff/audit").text
    for words in ("removes a message", "silences an account", ">Ruy<", ">keeper<", "an &lt;b&gt;insult&lt;/b&gt;"):
        assert words in log
    assert "Lift the silence" in keeper.get("/staff/complaints?show=all").text


@pytest.mark.parametrize("fields", [{"silence": ""}, {"silence": "8000"}, {"reason": "x" * 501, "remove": "yes"}])
def test_a_form_that_makes_no_sense_is_shown_again_with_the_reason(app, keeper, case, fields):
    [complaint] = app.services.moderation.complaints.all()
    sent = keeper.submit("/staff/complaints", "/staff/complaints", **{"act": f"decide:{complaint.id}", **fields})
    assert (sent.status_code, sent.text.count('role="alert"')) == (400, 1)
    assert app.services.moderation.complaints.all() == [complaint]


def test_a_form_that_is_shown_again_is_filled_in_as_it_was(app, keeper, case):
    [complaint] = app.services.moderation.complaints.all()
    fields = {"remove": "yes", "silence": "8000", "reason": 'he "insults"'}
    sent = keeper.submit("/staff/complaints", "/staff/complaints", act=f"decide:{complaint.id}", **fields)
    assert 'name="remove" value="yes" checked' in sent.text
    assert 'name="reason" value="he &#34;insults&#34;"' in sent.text
    assert 'value="yes" checked' not in keeper.get("/staff/complaints").text


def test_a_complaint_that_is_gone_is_refused_above_the_others(app, keeper, case):
    sent = keeper.submit("/staff/complaints", "/staff/complaints", act="dismiss:gone")
    assert (sent.status_code, sent.text.count('role="alert"')) == (404, 1)
    assert 'value="yes" checked' not in sent.text


def test_nobody_else_decides(app, cid, keeper, case):
    [complaint] = app.services.moderation.complaints.all()
    sent = cid.submit("/account", "/account/bot")
    assert sent.status_code == 303
    csrf = cid.get("/account").text.partition('name="csrf" value="')[2].partition('"')[0]
    answer = cid.client.post(
        "/staff/complaints",
        data={"csrf": csrf, "act": f"dismiss:{complaint.id}"},
        headers={"Accept": "text/html", "Sec-Fetch-Site": "same-origin"},
    )
    assert answer.status_code == 403
    assert app.services.moderation.complaints.all() == [complaint]


def test_the_audit_log_leads_to_tables(app, keeper):
    for entry in (AuditEntry("pause", "a_1", "g1"), AuditEntry("remove_message", "a_1", "g2/players/6")):
        app.services.audit_log.append(entry)
    app.services.audit_log.append(AuditEntry("silence", "a_1", "a_2", about_handle="Ruy"))
    page = keeper.get("/staff/audit").text
    for link in ('href="/games/g1">g1</a>', 'href="/games/g2">g2/players/6</a>', ">Ruy</span>"):
        assert link in page


def test_the_audit_log_leads_to_older_entries(app, keeper):
    for number in range(101):
        app.services.audit_log.append(AuditEntry("pause", "a_1", f"game {number}"))
    page = keeper.get("/staff/audit").text
    assert "game 0<" not in page
    assert "game 0<" in keeper.get("/staff/audit?before=1").text
    assert "before=1" in page
