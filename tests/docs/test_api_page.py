"""docs/api.md names the limits that clients meet, with their figures."""

import re

from service.limits import LIMITS
from tests.repository.checkout import ROOT

PAGE = (ROOT / "docs/api.md").read_text()
ROW = re.compile(r"^\| `(\w+)_…` \| .* \| ([\d–]+) \| ([\d–]+) \| (\d+) \|$", re.MULTILINE)
ENDS = ("_of_an_account", "_from_an_address")
OF_SIGNING_IN = ("sign_ins", "passwords", "accounts", "letters")
"""On the page of settings only."""


def test_every_limit_is_told_as_it_is():
    told = {}
    for kind, *figures, seconds in ROW.findall(PAGE):
        for end, figure in zip(ENDS, figures, strict=True):
            if figure != "–":
                told[kind + end] = (int(figure), int(seconds))
    kept = {name: limit for name, (limit, _) in LIMITS.items() if not name.startswith(OF_SIGNING_IN)}
    assert told == {name: (limit.burst, limit.seconds) for name, limit in kept.items()}
