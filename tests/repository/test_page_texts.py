"""No page, script or style sheet has a sentence that a translator would not meet."""

import re

import pytest

from tests.markup import script_sentences, sentences, untranslated
from tests.repository.checkout import ROOT
from tests.sentences import known, placeholders

WEB = ROOT / "service/web"
TEMPLATES = sorted(WEB.rglob("*.html"))
# The client speaks to programs: its problems have codes, and a page has its own words for them.
CLIENT = WEB / "client"
SCRIPTS = sorted(file for kind in ("*.js", "*.mjs") for file in WEB.rglob(kind) if file.parent != CLIENT)
STYLES = sorted(WEB.rglob("*.css"))
HOME = (WEB / "templates/home.html").read_text()


def test_there_are_templates():
    assert {file.name for file in TEMPLATES} >= {"base.html", "home.html", "docs.html"}
    assert {file.parent for file in TEMPLATES} == {WEB / "templates", WEB / "templates/tournaments"}, (
        "where Babel looks"
    )


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_every_sentence_of_a_template_can_be_translated(file):
    assert untranslated(file.read_text()) == []


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_every_placeholder_of_a_template_has_its_value(file):
    for literals, values in sentences(file.read_text()):
        for literal in literals:
            assert literal in known(), "./hidalgo texts writes it"
            assert placeholders(literal) - {"count"} == values - {"count"}


@pytest.mark.parametrize(
    "planted",
    [
        "<p>There is a sentence here.</p>",
        "<p>{{ say('One.') }} Two.</p>",
        '<img src="spain.svg" alt="Spain">',
        '<nav aria-label="more pages"></nav>',
        '<input placeholder="your name">',
        '<input type="submit" value="Send">',
        '<p title="a hint"></p>',
        '<meta name="description" content="A game.">',
        "<p>{{ 'yes' if is_over else 'no' }}</p>",
        "<p>{{ say('it is {when}', when='today') }}</p>",
        "<p>{{ 'A game.'|upper }}</p>",
        "{% set title = 'A game.' %}",
    ],
)
def test_a_planted_sentence_is_found(planted):
    assert untranslated(HOME.replace("<main", f"{planted}<main", 1)) != []


def test_a_template_that_is_not_written_out_is_found():
    with pytest.raises(AssertionError, match="not written out"):
        untranslated("<p>{{ say(sentence) }}</p>")


# Scripts and styles


def test_no_script_holds_a_sentence():
    assert [sentence for file in SCRIPTS for sentence in script_sentences(file.read_text())] == []


@pytest.mark.parametrize("planted", ['"It is your turn"', "'Connection lost, trying again'", "`${name} has won`"])
def test_a_planted_sentence_in_a_script_is_found(planted):
    assert script_sentences(f"{SCRIPTS[0].read_text()}\nshow({planted});") != []


def test_no_style_sheet_holds_words():
    assert STYLES
    for file in STYLES:
        assert re.findall(r"content:[^;\"']*[\"'][^\"']*[^\W\d_][^\"']*[\"']", file.read_text()) == []
