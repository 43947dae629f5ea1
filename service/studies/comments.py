"""Comments as HTML: Markdown that anybody may have written, shown in other people's pages.

HTML inside of a comment is text. What Markdown makes of the rest passes a library that lets only the elements below
through: no images, which would tell another site who reads; no styles, no ids, no scripts, no links but to pages.
"""

from __future__ import annotations

from functools import lru_cache

import nh3
from markdown_it import MarkdownIt

ELEMENTS = {"p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"} | {
    f"h{level}" for level in range(3, 7)
}
LINKS = {"http", "https"}
DEEPEST = 20
"""So deep quotations and lists may lie in each other."""

COMMENTS_KEPT = 4096

_markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST}).enable("strikethrough").disable("image")
_cleaner = nh3.Cleaner(
    tags=ELEMENTS,
    attributes={"a": {"href"}},
    url_schemes=LINKS,
    link_rel="nofollow ugc noopener noreferrer",
    strip_comments=True,
)


@lru_cache(COMMENTS_KEPT)
def comment_html(text: str) -> str:
    """
    >>> comment_html("Takes the *sting* out of <b>it</b>")
    '<p>Takes the <em>sting</em> out of &lt;b&gt;it&lt;/b&gt;</p>'
    >>> comment_html("[look](https://example.org) [not](javascript:alert(1))")
    '<p><a href="https://example.org" rel="nofollow ugc noopener noreferrer">look</a> [not](javascript:alert(1))</p>'
    """
    return _cleaner.clean(_lowered(_markdown.render(text))).strip()


def _lowered(html: str) -> str:
    """Headings of a comment are below those of the page around it."""
    for level in (2, 1):
        html = html.replace(f"<h{level}>", f"<h{level + 2}>").replace(f"</h{level}>", f"</h{level + 2}>")
    return html
