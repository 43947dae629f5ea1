"""Lists of studies and the search: what each account finds, and how."""

import pytest

from events.submission import Submission
from replay.study.commands import AddChapter, RemoveChapter, RemoveComment, Rename, SetMember, SetVisibility
from rules.errors import Unreadable
from service.bench.notices import round_trips
from service.studies import study_list
from service.studies.study_list import StudyFilter
from tests.service.studies.club import Club


def test_everybody_finds_public_studies_and_members_also_theirs(any_club):
    club = any_club
    titles = {"Open": "public", "By link": "link", "Mine": "private", "Ours": "private"}
    studies = {title: club.study(title=title, visibility=visibility) for title, visibility in titles.items()}
    club.join(studies["Ours"], "dan")
    assert set(club.found(None)) == {"Open"}
    assert set(club.found("cid")) == set(titles)
    assert set(club.found("dan")) == {"Open", "Ours"}
    assert set(club.found("cid", owner="cid")) == set(titles)
    assert set(club.found("eve", owner="cid")) == {"Open"}
    assert set(club.found("dan", owner="cid")) == {"Open", "Ours"}
    assert club.found("dan", member="dan") == ["Ours"]
    assert club.found("cid", member="cid") == []
    assert club.found("eve", member="dan") == []


def test_studies_are_found_by_their_games(any_club):
    club, games = any_club, [any_club.finished(), any_club.finished()]
    club.study(games[0], title="First")
    both = club.study(*games, title="Both")
    club.study(games[0], title="Private", visibility="private")
    assert set(club.found(None, game=games[0])) == {"First", "Both"}
    assert set(club.found("cid", game=games[0])) == {"First", "Both", "Private"}
    assert club.found(None, game=games[1]) == ["Both"]
    club.do(both, RemoveChapter("cid", "k2", 9))
    assert club.found(None, game=games[1]) == []


def test_a_page_leads_to_the_next_and_every_study_comes_once(any_club):
    club = any_club
    for number in range(7):
        club.study(title=f"Study {number}", visibility="public" if number % 2 else "private")
    pages, cursor = [], ""
    while True:
        page = club.service.find(StudyFilter(limit=3, cursor=cursor), "cid")
        pages.append([study.title for study in page.studies])
        if not page.next:
            break
        cursor = page.next
    assert [len(page) for page in pages] == [3, 3, 1]
    assert sorted(title for page in pages for title in page) == [f"Study {number}" for number in range(7)]
    with pytest.raises(Unreadable, match="cursor"):
        club.service.find(StudyFilter(cursor="????"), "cid")


def test_a_list_tells_what_there_is_of_a_study(club):
    study = club.study(club.finished(), club.finished(), title="Two games")
    for text in ("one", "two"):
        club.write(study, text)
    [found] = club.service.find(StudyFilter(), "cid").studies
    assert (found.title, found.owner, found.role, found.visibility) == ("Two games", "cid", "owner", "public")
    assert ([chapter.title for chapter in found.chapters], found.comments) == (["Chapter 1", "Chapter 2"], 2)
    assert found.updated_at == club.look(study).at
    club.service.enter(club.look(study), "k1", "2", is_writing=True)
    [found] = club.service.find(StudyFilter(), None).studies
    assert found.writing_now == ("cid",)


# Search


def test_words_of_titles_chapters_and_comments_are_found_without_capitals_and_accents(any_club):
    club = any_club
    study = club.study(club.finished(), title="Los vetos de Inés")
    club.write(study, "Valencia, *before* the scoring: ¡Castilla-La Mancha!")
    club.study(club.finished(), title="Other")
    for query in ("ines", "VETOS", "valencia", "Mancha", "chapter los", "castilla  scoring before", "vetos Valencia!"):
        assert club.found(None, query=query)[-1:] == ["Los vetos de Inés"], query
    for query in ("val", "granada", "vetos granada", "?!", "*"):
        assert club.found(None, query=query) == [], query
    assert len(club.found(None, query=" ")) == 2


def test_all_words_are_in_one_chapter(club):
    study = club.study(club.finished(), club.finished())
    club.write(study, "aragon", "k1")
    club.write(study, "granada", "k2")
    assert club.found(None, query="aragon granada") == []
    club.write(study, "granada", "k1")
    assert club.found(None, query="aragon granada") == ["Club games"]


def test_words_that_are_gone_are_not_found(club):
    study = club.study(club.finished())
    club.write(study, "aragon granada")
    club.write(study, "granada")
    club.do(study, RemoveComment("cid", "k1", "2", "c1", 99))
    assert (club.found(None, query="aragon"), club.found(None, query="granada")) == ([], ["Club games"])
    club.do(study, Rename("cid", "Vetoes", 99))
    assert (club.found(None, query="club"), club.found(None, query="vetoes")) == ([], ["Vetoes"])
    club.do(study, RemoveChapter("cid", "k1", 99))
    assert (club.found(None, query="granada"), club.found(None, query="vetoes")) == ([], ["Vetoes"])
    club.do(study, AddChapter("cid", "Sevilla", club.finished(), "spectator"))
    assert club.found(None, query="sevilla vetoes") == ["Vetoes"]


def test_nobody_finds_the_words_of_studies_that_are_closed_to_them(club):
    study = club.study(club.finished(), visibility="private")
    club.write(study, "aragon")
    assert (club.found("cid", query="aragon"), club.found("dan", query="aragon")) == (["Club games"], [])
    club.do(study, SetMember("cid", "dan", "reader"))
    assert club.found("dan", query="aragon") == ["Club games"]
    club.do(study, SetMember("cid", "dan", ""))
    club.do(study, SetVisibility("cid", "public"))
    assert club.found("dan", query="aragon") == ["Club games"]
    club.do(study, SetVisibility("cid", "private"))
    assert club.found("dan", query="aragon") == []


def test_a_search_has_pages(club, monkeypatch):
    monkeypatch.setattr(study_list, "LOOKED_AT_ONCE", 2)
    for number in range(5):
        club.write(club.study(club.finished(), title=f"Study {number}"), "aragon")
    first = club.service.find(StudyFilter(query="aragon", limit=3), None)
    second = club.service.find(StudyFilter(query="aragon", limit=3, cursor=first.next or ""), None)
    titles = [study.title for study in (*first.studies, *second.studies)]
    assert (sorted(titles), second.next) == ([f"Study {number}" for number in range(5)], None)


def test_a_study_that_has_become_private_is_not_shown_although_the_index_is_behind(club):
    study = club.study(club.finished(), title="Secret plans")
    club.write(study, "aragon")
    club.studies.submit(study, SetVisibility("cid", "private"))
    assert (club.found(None), club.found(None, query="aragon")) == ([], [])
    assert club.found("cid", query="aragon") == ["Secret plans"]
    club.studies.submit(study, RemoveComment("cid", "k1", "2", "c1", 99))
    assert club.found("cid", query="aragon") == []


def test_hostile_words_do_no_harm(club):
    study = club.study(club.finished(), title="{studies}:public * \u00ad ﬁ")
    club.write(study, "x" * 8000)
    club.write(study, "a" * 30 + " " + " ".join(f"w{number}" for number in range(990)))
    assert club.found(None, query="x" * 200) == ["{studies}:public * \u00ad ﬁ"]
    assert club.found(None, query="fi studies") == ["{studies}:public * \u00ad ﬁ"]
    assert club.found(None, query="(+ - [ ] \\ \" ' \0 {studies}") == ["{studies}:public * \u00ad ﬁ"]


def test_a_page_costs_few_round_trips(club):
    for number in range(30):
        club.study(title=f"Study {number}")
    assert club.store.buckets, "a process asks for them once"
    with round_trips() as sent:
        assert len(club.found(None, limit=30)) == 30
    assert sent.total() <= 6


def test_creation_decides_the_order(club, running_stores):
    ticks = iter(range(1_700_000_000_000, 1_800_000_000_000, 1000))
    other = Club(club.store, now=lambda: next(ticks))
    first, _ = other.study(title="First"), other.study(title="Second")
    other.do(first, Rename("cid", "First, renamed", 99))
    assert other.found(None) == ["Second", "First, renamed"]
    assert other.service.create("cid", "First", "public", Submission()).created_at > 0
