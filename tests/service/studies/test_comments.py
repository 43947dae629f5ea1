"""Markdown that anybody may have written, in other people's pages."""

import re
import time

import pytest

from service.studies.comments import comment_html

LONGEST = 8000
SECONDS = 5.0
"""Far more than it takes, on any machine."""

HOSTILE = {
    "a script": "<script>alert(1)</script>",
    "a handler": '<img src=x onerror="alert(1)">',
    "svg": "<svg/onload=alert(1)>",
    "an address of a script": "[x](javascript:alert(1))",
    "the same in disguise": "[x](&#106;avascript:alert(1))",
    "with a line break": "[x](java\nscript:alert(1))",
    "data": "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "a reference": "[x][y]\n\n[y]: javascript:alert(1)",
    "an automatic link": "<javascript:alert(1)>",
    "a title": '[x](https://x.example "" onmouseover="alert(1)")',
    "a code block": '```html" onmouseover=alert(1)\n<script>\n```',
    "an image": "![x](https://spy.example/pixel.png)",
    "a style": '<p style="position:fixed">x</p>',
    "an iframe": "<iframe src=https://x.example></iframe>",
    "a form": "<form action=/sign-out><button>x</button></form>",
    "an end tag": "</p></div><script>alert(1)</script>",
}

HARMLESS = re.compile(
    r"</?(?:p|br|hr|em|strong|s|code|pre|blockquote|ul|ol|li|a|h[3-6])(?: (?:href|rel|start)=\"[^\"]*\")* ?/?>"
)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_markdown_is_inert(text):
    html = comment_html(text)
    assert "<" not in HARMLESS.sub("", html), html
    assert "javascript:" not in "".join(re.findall(r'href="([^"]*)"', html)).lower()
    assert not re.search(r"<[^>]*\son\w+=", html)


@pytest.mark.parametrize(
    "sign", ["[", "*a ", "> ", "- ", "![](", "`", "**", "<a ", "_a_", "[a](", "&#", "~~", "1. ", "\\\\[", "*_"]
)
def test_the_longest_comment_is_shown_in_no_time(sign):
    began = time.thread_time()  # of the processor: others may have kept it for a while
    comment_html((sign * LONGEST)[:LONGEST])
    assert time.thread_time() - began < SECONDS


def test_ordinary_markdown_is_shown():
    assert comment_html("# Title\n\n* one\n* **two**") == (
        "<h3>Title</h3>\n<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>"
    )
