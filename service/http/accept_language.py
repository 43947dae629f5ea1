"""The language of a request: the first of `Accept-Language` for which there is a catalogue, else English."""

from __future__ import annotations

from collections.abc import Mapping

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.language import IN_ENGLISH, Language


def preferred(header: str, languages: Mapping[str, Language]) -> Language:
    """By quality, each range with its shorter forms before the next one (lookup of RFC 4647).

    >>> languages = {tag: Language(tag, IN_ENGLISH.catalogue) for tag in ("en", "de", "fr")}
    >>> [preferred(header, languages).tag for header in ("de-AT, en;q=0.5", "de;q=0.5, en-GB", "nl, fr;q=0, *;q=0.1")]
    ['de', 'en', 'en']
    """
    if len(languages) == 1 or not header:
        return IN_ENGLISH
    for accepted, quality in parse_accept_header(header, LanguageAccept):
        if quality > 0 and (found := _longest(accepted.lower(), languages)):
            return found
    return IN_ENGLISH


def _longest(accepted: str, languages: Mapping[str, Language]) -> Language | None:
    """
    >>> german = Language("de", IN_ENGLISH.catalogue)
    >>> _longest("de-latn-at", {"de": german}) == german
    True
    """
    while accepted and accepted not in languages:
        accepted = accepted.rpartition("-")[0]
    return languages.get(accepted)
