"""Letters: what is mailed, as plain text and as a simple page, in the language of the account."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from html import escape

from msgspec import Struct

from rules.texts import Text, say, say_many
from service.language import current, rendered
from service.notifications.notices import Notice
from service.notifications.tournament_texts import Names

WAITING, PARKED = "waiting", "parked"


class Letter(Struct, frozen=True, omit_defaults=True):
    """One message to the address of an account. Its words are fixed when it is written: each try sends the same."""

    name: str
    """What it is about: `notices` or `confirmation`."""
    number: int
    """Counts the letters of the account."""
    subject: str
    lines: tuple[str, ...]
    created_at: int
    link: str = ""
    """Where the reader goes on."""
    link_text: str = ""
    unsubscribe: str = ""
    """The address at which one click ends all mail."""
    language: str = "en"
    notices: tuple[Notice, ...] = ()
    state: str = WAITING
    attempts: int = 0
    next_at: int = 0
    """The time of the next try; while one is under way, the time after which it counts as lost."""
    status: int | None = None
    why: Text | str = ""


def about_notices(
    notices: Sequence[Notice], names: Names, number: int, now: int, link: str, unsubscribe: str
) -> Letter:
    """Several notices in one letter, in the language of now."""
    subject = (
        rendered(say("Hidalgo: {notice}", notice=notices[0].text_with(names)))
        if len(notices) == 1
        else rendered(say_many("Hidalgo: {count} notice", "Hidalgo: {count} notices", len(notices)))
    )
    return Letter(
        name="notices",
        number=number,
        subject=one_line(subject),
        lines=tuple(one_line(notice.text_with(names)) for notice in notices),
        created_at=now,
        link=link,
        link_text=rendered(say("Go to your tables")),
        unsubscribe=unsubscribe,
        language=current().tag,
        notices=tuple(notices),
    )


def confirmation(handle: str, code: str, number: int, now: int, link: str) -> Letter:
    lines = (
        say("{handle} at Hidalgo would like to get mail at this address.", handle=handle),
        say("If that is you, follow the link below within a day, or give this code to your program: {code}", code=code),
        say("If it is not, do nothing: no further mail will come."),
    )
    return Letter(
        name="confirmation",
        number=number,
        subject=one_line(rendered(say("Hidalgo: confirm your mail address"))),
        lines=tuple(one_line(rendered(line)) for line in lines),
        created_at=now,
        link=link,
        link_text=rendered(say("Yes, this is my address")),
        language=current().tag,
    )


def message(letter: Letter, sender: str, to: str, message_id: str) -> EmailMessage:
    """As it is sent. The same letter has the same id at every try, so that a receiver knows it again."""
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, to, letter.subject
    mail["Date"] = format_datetime(datetime.fromtimestamp(letter.created_at / 1000, UTC))
    mail["Message-ID"] = message_id
    mail["Auto-Submitted"] = "auto-generated"
    mail["Content-Language"] = letter.language
    if letter.unsubscribe:
        mail["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(plain_text(letter))
    mail.add_alternative(page(letter), subtype="html")
    return mail


def plain_text(letter: Letter) -> str:
    end = [f"{letter.link_text}: {letter.link}"] if letter.link else []
    if letter.unsubscribe:
        end.append(f"{rendered(say('No more mail'))}: {letter.unsubscribe}")
    return "\n".join((*letter.lines, "", *end, ""))


def page(letter: Letter) -> str:
    lines = "".join(f"<p>{escape(line)}</p>\n" for line in letter.lines)
    link = f'<p><a href="{escape(letter.link)}">{escape(letter.link_text)}</a></p>\n' if letter.link else ""
    no_more = escape(rendered(say("No more mail")))
    unsubscribe = (
        f'<p><small><a href="{escape(letter.unsubscribe)}">{no_more}</a></small></p>\n' if letter.unsubscribe else ""
    )
    opening = f'<!doctype html>\n<html lang="{escape(letter.language)}">\n<body>\n'
    return f"{opening}{lines}{link}{unsubscribe}</body>\n</html>\n"


def one_line(text: str) -> str:
    r"""A text without anything that could begin another header.

    >>> one_line("a\r\nBcc: b")
    'a Bcc: b'
    """
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
