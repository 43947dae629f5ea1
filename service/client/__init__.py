"""A client of the service, and all that one needs. `pip install service/client` installs it alone, as `hidalgo_client`.

    from hidalgo_client import Hidalgo

    hidalgo = Hidalgo("http://127.0.0.1:8000").guest()

What may not enter: anything but the standard library. It knows no rules, and imports nothing else of this project.
"""

from .hidalgo import Hidalgo
from .problems import (
    Changed,
    Forbidden,
    NotFound,
    NotNow,
    NotYourDecision,
    Problem,
    RateLimited,
    RuleBroken,
    Unauthorized,
    Unavailable,
    Unreadable,
)
from .resources import (
    Accepted,
    Account,
    Commit,
    Decision,
    Decisions,
    Fact,
    Game,
    GameWithPosition,
    Letter,
    Mail,
    Notice,
    Position,
    Preview,
    Seat,
)
from .sampling import sample
from .signatures import verify_signature

__all__ = [
    "Accepted",
    "Account",
    "Changed",
    "Commit",
    "Decision",
    "Decisions",
    "Fact",
    "Forbidden",
    "Game",
    "GameWithPosition",
    "Hidalgo",
    "Letter",
    "Mail",
    "NotFound",
    "NotNow",
    "NotYourDecision",
    "Notice",
    "Position",
    "Preview",
    "Problem",
    "RateLimited",
    "RuleBroken",
    "Seat",
    "Unauthorized",
    "Unavailable",
    "Unreadable",
    "sample",
    "verify_signature",
]
