"""Our pages of documentation as HTML: with anchors, links from page to page, and coloured code.

HTML inside of a page is not passed through, and no style is written into an element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

Address = Callable[[str], str | None]
"""Where a link of a page leads: another address, or nowhere outside of a checkout."""


class Section(NamedTuple):
    id: str
    title: str


class Rendered(NamedTuple):
    title: str
    html: Markup
    sections: tuple[Section, ...]


def rendered(text: str, address: Address = lambda link: link) -> Rendered:
    """
    >>> page = rendered("# Time?\\n\\n## The ledger\\n\\nSee [it](time.md).", address={"time.md": "/docs/time"}.get)
    >>> page.title, page.sections
    ('Time?', (Section(id='the-ledger', title='The ledger'),))
    >>> '<a href="/docs/time">it</a>' in page.html, '<h2 id="the-ledger">' in page.html
    (True, True)
    """
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=Page).enable("table")
    tokens = markdown.parse(text)
    titles = headings(tokens)
    for token in tokens:
        relink(token.children or (), address)
    html = markdown.renderer.render(tokens, markdown.options, {"title": "", "headings": titles})
    sections = tuple(section for token, section in titles if token.tag == "h2")
    return Rendered(titles[0][1].title if titles else "", Markup(html), sections)


def inline(text: str) -> Markup:
    """A sentence of a description, which may have code and links in it.

    >>> inline("send `If-Match` <now>")
    Markup('send <code>If-Match</code> &lt;now&gt;')
    """
    return Markup(MarkdownIt("commonmark", {"html": False}).renderInline(text))


def blocks(text: str) -> Markup:
    """Some paragraphs of a description."""
    return Markup(MarkdownIt("commonmark", {"html": False}).render(text))


# Headings


def headings(tokens: Sequence[Token]) -> list[tuple[Token, Section]]:
    """The headings; each gets its text as an id, and a number if another has it."""
    found: list[tuple[Token, Section]] = []
    for token, content in pairwise(tokens):
        if token.type == "heading_open":
            title = plain(content)
            taken = sum(section.title == title for _, section in found)
            token.attrSet("id", slug(title) + (f"-{taken}" if taken else ""))
            found.append((token, Section(str(token.attrs["id"]), title)))
    return found


def plain(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))


def slug(title: str) -> str:
    """
    >>> slug("Where is…? Twenty `questions`"), slug("not_found")
    ('where-is-twenty-questions', 'not_found')
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")


# Links


def relink(tokens: Sequence[Token], address: Address) -> None:
    """Let links lead to where they lead on this service; a link to nowhere becomes its text."""
    for start, end in links(tokens):
        target = address(str(start.attrs["href"]))
        if target:
            start.attrSet("href", target)
        else:
            start.tag, start.attrs, end.tag = "span", {}, "span"


def links(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    opened: list[Token] = []
    for token in tokens:
        if token.type == "link_open":
            opened.append(token)
        elif token.type == "link_close":
            yield opened.pop(), token


# Elements


class Page(RendererHTML):
    """What our pages write otherwise: headings with a link to themselves, wide things that scroll, coloured code."""

    def heading_close(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        opened = tokens[index - 2]
        env["title"] = escape(plain(tokens[index - 1]))
        if opened.tag == "h1":
            return "</h1>\n"
        return f' <a class="anchor" href="#{opened.attrs["id"]}" aria-label="{env["title"]}">#</a></{opened.tag}>\n'

    def table_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return f'<div class="wide" role="region" tabindex="0" aria-label="{env["title"]}"><table>\n'

    def table_close(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return '<th scope="col">'

    def td_open(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return "<td>"

    def fence(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return str(code(tokens[index].content, tokens[index].info.strip()))

    def code_block(self, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return str(code(tokens[index].content, ""))


def code(text: str, language: str) -> Markup:
    """
    >>> code("a < 1\\n", "")
    Markup('<div class="code"><pre tabindex="0"><code>a &lt; 1\\n</code></pre></div>\\n')
    """
    lexer = "pycon" if language == "python" and text.startswith(">>>") else language
    kind = f' class="language-{escape(language)}"' if language else ""
    return Markup(f'<div class="code"><pre tabindex="0"><code{kind}>{coloured(text, lexer)}</code></pre></div>\n')


def coloured(text: str, lexer: str) -> str:
    try:
        return highlight(text, get_lexer_by_name(lexer), HtmlFormatter(nowrap=True))
    except ClassNotFound:
        return escape(text)
