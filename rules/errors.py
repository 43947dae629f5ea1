"""The ways to be refused, told apart by who can mend it.

The text is a sentence for a player: lower case, no full stop, with the values in it.
"""

from rules.texts import Text


class Refused(Exception):
    """A command that changed nothing."""

    code = "refused"

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.text = text

    @property
    def sentence(self) -> str:
        """The text in English."""
        return str(self.text)


class Unreadable(Refused):
    """Not a command at all: the client program must be mended."""

    code = "unreadable"


class RuleBroken(Refused):
    """Understood, but the rules forbid it: the player must choose again. `rule` names the rule in `docs/rules.md`."""

    code = "rule_broken"

    def __init__(self, text: Text, rule: str) -> None:
        super().__init__(text)
        self.rule = rule


class NotYourDecision(Refused):
    """Another player is asked, or the question was answered already: look at the game again."""

    code = "not_your_decision"
