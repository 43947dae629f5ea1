"""Catalogues: which ones are found, and what a wrong translation does."""

import pytest

from rules.texts import say, say_many
from service.http.accept_language import preferred
from service.language import catalogue, current, in_this_language, installed, rendered, speaking
from tests.catalogues import install

RESIGNS = "{player} resigns"


def test_without_catalogues_there_is_english(tmp_path):
    assert list(installed(tmp_path)) == ["en"]
    assert list(installed(tmp_path / "nowhere")) == ["en"]


@pytest.mark.parametrize(
    ("header", "tag"),
    [
        ("", "en"),
        ("*", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("pt", "en"),
        ("pt-BR", "pt-BR"),
        ("de, fr;q=0.5, en;q=0.8", "en"),
        ("en-GB, fr;q=0.9", "en"),
        ("fr;q=0, en;q=0.1", "en"),
        ("fr;q=x", "en"),
        (", ;;=,\x00" + "-" * 5000, "en"),
    ],
)
def test_the_first_language_that_we_speak_is_chosen(tmp_path, header, tag):
    for language in ("fr", "pt_BR"):
        install(tmp_path, language, lambda _: None)
    assert preferred(header, installed(tmp_path)).tag == tag


def test_sentences_without_a_translation_are_english(tmp_path):
    install(tmp_path, "fr", {"the court": "la cour"}.get)
    with speaking(installed(tmp_path)["fr"]):
        assert rendered(say("{most} and {last}", most="red", last=say("the court"))) == "red and la cour"


def test_a_language_counts_in_its_own_way(tmp_path):
    install(tmp_path, "fr", {"give up {count} caballeros": "rends {count} cavaliers"}.get)
    with speaking(installed(tmp_path)["fr"]):
        assert rendered(say_many("give up {count} caballero", "give up {count} caballeros", 3)) == "rends 3 cavaliers"


@pytest.mark.parametrize(
    "wrong", ["{wer} gibt auf", "{player!r} gibt auf", "{player.__class__}", "{0}", "{player", "}{"]
)
def test_a_translation_that_asks_for_other_values_is_not_used(tmp_path, wrong):
    install(tmp_path, "de", {RESIGNS: wrong}.get)
    assert catalogue_of(tmp_path).gettext(RESIGNS) == RESIGNS
    assert wrong.encode() in (tmp_path / "de/LC_MESSAGES/hidalgo.mo").read_bytes()


def catalogue_of(locale):
    return installed(locale)["de"].catalogue


def test_a_translation_may_leave_a_value_out(tmp_path):
    install(tmp_path, "de", {RESIGNS: "es gibt jemand auf"}.get)
    assert catalogue_of(tmp_path).gettext(RESIGNS) == "es gibt jemand auf"


def test_pieces_are_made_in_the_language_in_which_they_were_promised(tmp_path):
    install(tmp_path, "fr", {"the court": "la cour"}.get)
    with speaking(installed(tmp_path)["fr"]):
        pieces = in_this_language(rendered(say("the court")) for _ in range(2))
    assert [(piece, current().tag) for piece in pieces] == [("la cour", "en")] * 2
    assert catalogue().gettext("the court") == "the court"
