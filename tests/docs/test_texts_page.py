"""The steps of docs/texts.md, taken as they are written, make a service that speaks French."""

import re
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from service.app import create_app
from service.settings import Settings
from tests.repository.checkout import ROOT
from tests.service.api.asking import ApiClient, Described, begun

PAGE = (ROOT / "docs/texts.md").read_text()
PYBABEL = ".venv/bin/pybabel "
INIT, COMPILE = re.findall(rf"^{re.escape(PYBABEL)}(.+)$", PAGE, re.MULTILINE)
[TRANSLATED] = re.findall(r"^```po\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PAGE_SENTENCE, REFUSAL, NARRATION = re.findall(r'msgstr "(.+)"', TRANSLATED)
FRENCH = {"Accept_Language": "fr-CA, fr;q=0.9, en;q=0.5"}


@pytest.fixture(scope="module")
def locale(tmp_path_factory) -> Path:
    """The directory of translations after all steps."""
    checkout = tmp_path_factory.mktemp("checkout")
    (checkout / "locale").mkdir()
    shutil.copy(ROOT / "locale/hidalgo.pot", checkout / "locale")
    pybabel(INIT, checkout)
    translate(checkout / "locale/fr/LC_MESSAGES/hidalgo.po")
    pybabel(COMPILE, checkout)
    return checkout / "locale"


def pybabel(arguments: str, checkout: Path) -> None:
    program = Path(sysconfig.get_path("scripts"), "pybabel")
    subprocess.run([program, "--quiet", *shlex.split(arguments)], cwd=checkout, check=True)


def translate(file: Path) -> None:
    """Write the translations of the page where nothing stands yet."""
    text = file.read_text()
    for entry in TRANSLATED.strip().split("\n\n"):
        empty = re.sub(r'msgstr ".+"', 'msgstr ""', entry)
        assert text.count(empty) == 1, f"{empty} is not to be translated"
        text = text.replace(empty, entry)
    file.write_text(text)


@pytest.fixture
def service(locale, running_stores):
    with running_stores.opened("embedded") as store:
        app = create_app(Settings(store_url=store.url, locale=locale))
        yield app
        app.services.close()


def test_a_page_a_refusal_and_narration_are_french_for_a_french_reader(service):
    described, accounts = Described(service), service.services.accounts
    ana, ben = (
        ApiClient(described, accounts.tokens.create(account.id, "test", ("read", "play")).secret, account.id)
        for account in (accounts.make_guest(), accounts.make_guest())
    )
    game = begun(ana, ben)
    page = service.test_client().get("/", headers={"Accept-Language": FRENCH["Accept_Language"]})
    assert f">{PAGE_SENTENCE}</a>" in page.text
    assert '<html lang="fr">' in page.text
    assert ana.post(f"/games/{game}/start", **FRENCH).get_json()["detail"] == REFUSAL
    resigned = ana.post(f"/games/{game}/resign", **FRENCH)
    assert resigned.status_code == 200
    assert NARRATION.format(player="red") in story(ana.get(f"/games/{game}/events", **FRENCH))
    assert "red resigns" in story(ana.get(f"/games/{game}/events"))


def story(answer) -> list[str]:
    return [line for event in answer.get_json()["events"] for line in event["story"]]
