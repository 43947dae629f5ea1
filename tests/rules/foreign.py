"""A language without Latin letters: what stays in Latin letters has not been translated."""

import re
from string import Formatter


class Foreign:
    """The catalogue of that language. It remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return "".join(
            re.sub(r"[A-Za-z]", "ж", words) + (f"{{{name}}}" if name is not None else "")
            for words, name, _, _ in Formatter().parse(message)
        )

    def ngettext(self, one: str, many: str, count: int) -> str:
        self.gettext(one)
        return self.gettext(many)


def latin(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))
