"""Catalogues of languages that exist in tests only, compiled as a translator compiles them."""

from collections.abc import Callable
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tests.repository.checkout import ROOT
from tests.rules.foreign import Foreign


def install(locale: Path, language: str, translate: Callable[[str], str | None]) -> Path:
    """Compile a catalogue of the sentences that `translate` knows. Gives the directory of translations."""
    with (ROOT / "locale/hidalgo.pot").open("rb") as file:
        template = read_po(file)
    catalogue = Catalog(locale=language)
    for message in template:
        *_, last = [message.id] if isinstance(message.id, str) else message.id
        if last and (translation := translate(last)):
            is_plural = not isinstance(message.id, str)
            catalogue.add(message.id, (translation,) * catalogue.num_plurals if is_plural else translation)
    folder = locale / language / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "hidalgo.mo").open("wb") as file:
        write_mo(file, catalogue)
    return locale


def install_foreign(locale: Path) -> Path:
    """A language without Latin letters, under the tag of Russian."""
    return install(locale, "ru", Foreign().gettext)
