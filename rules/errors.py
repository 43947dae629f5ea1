"""The ways to be refused, told apart by who can mend it.

The message is a sentence for a player: lower case, no full stop, with the values in it.
"""


class Refused(Exception):
    """A command that changed nothing."""

    code = "refused"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Unreadable(Refused):
    """Not a command at all: the client program must be mended."""

    code = "unreadable"


class RuleBroken(Refused):
    """Understood, but the rules forbid it: the player must choose again. `rule` names the rule in `docs/rules.md`."""

    code = "rule_broken"

    def __init__(self, sentence: str, rule: str) -> None:
        super().__init__(sentence)
        self.rule = rule


class NotYourDecision(Refused):
    """Another player is asked, or the question was answered already: look at the game again."""

    code = "not_your_decision"
