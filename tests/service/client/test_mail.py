"""Mail, chosen and confirmed by the client for Python; letters come from a real mail server."""

import re

import pytest

from service.client import NotNow
from tests.events.servers import eventually
from tests.service.client.tables import guests

pytestmark = pytest.mark.usefixtures("described")


def test_an_address_is_confirmed_by_the_code_of_its_letter(service, mails):
    address = "python@people.example"
    with guests(service.url, 1) as (ana,):
        assert (ana.mail().available, ana.mail().address, ana.mail().choices) == (True, None, [])
        asked = ana.change_mail(["turn", "finished"], address=address, digest="daily")
        assert (asked.pending, asked.choices, asked.digest) == (address, ["turn", "finished"], "daily")
        assert [letter.about for letter in asked.waiting] == ["confirmation"]
        with pytest.raises(NotNow, match="this code is not valid"):
            ana.confirm_mail("no")
        eventually(lambda: mails.letters_to(address), seconds=60)
        [code] = re.findall(r"program: (\S+)", mails.letters_to(address)[0].get_body(("plain",)).get_content())
        assert ana.confirm_mail(code).address == address
        assert ana.change_mail(["turn"]).address == address
        assert ana.retry_mail().parked == []
        ana.forget_mail()
        assert ana.mail().address is None
