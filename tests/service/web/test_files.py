"""The files that pages are made of, and the policy that lets in nothing else."""

import re

import pytest

from service.app import create_app
from service.settings import Settings
from service.web.bundles import bundle, module, ordered, without_comments
from service.web.es_client import joined
from service.web.files import CLIENT, FILES, packed


@pytest.fixture(scope="module")
def client():
    return create_app(Settings()).test_client()


def test_no_page_lets_scripts_or_styles_in_but_from_our_files(client):
    for path in ("/", "/sign-in", "/sign-up"):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert not re.search(r"<style|style=|<script(?![^>]+src=)| on\w+=", answer.text)


def test_files_of_a_version_are_kept_for_a_year_and_others_for_a_day(client):
    page = client.get("/").text
    [sheet] = re.findall(r'href="(/assets/\w+/palette\.css)"', page)
    with client.get(sheet) as answer:
        assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"
    with client.get("/assets/0/palette.css") as answer:
        assert answer.headers["Cache-Control"] == "max-age=86400"
        etag = answer.headers["ETag"]
    assert client.get("/static/palette.css", headers={"If-None-Match": etag}).status_code == 304


def test_parts_of_pages_are_taken_for_what_they_are_and_documents_are_guarded(client):
    """The policy of a page holds for what it asks for; of a script's or a font's own, nothing but its kind matters."""
    kinds = {"palette.css", "replay/page.js", "fonts/source-sans-3-latin-wght-normal.woff2"}
    for name in kinds | {"icons.svg", "fonts/source-sans-3-OFL.txt", "nothing.js"}:
        with client.get(f"/assets/0/{name}") as answer:
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            is_guarded = "frame-ancestors 'none'" in answer.headers.get("Content-Security-Policy", "")
            assert is_guarded == ("Permissions-Policy" in answer.headers) == (name not in kinds), name


def test_every_file_that_a_sheet_or_a_page_names_is_there(client):
    named = set(re.findall(r'"(/assets/[^"#]+)', "".join(client.get(path).text for path in ("/", "/sign-in"))))
    assert len(named) >= 6
    base = next(path for path in named if path.endswith("palette.css"))
    with client.get(base) as sheet:
        named |= {base.replace("palette.css", file) for file in re.findall(r'url\("([^"]+)"\)', sheet.text)}
    for path in named:
        with client.get(path) as answer:
            assert answer.status_code == 200, path


@pytest.mark.parametrize("name", ["../pages.py", "..%2fpages.py", "fonts", "fonts/", "", "/etc/passwd", "nothing.css"])
def test_no_other_file_is_served(client, name):
    for place in ("/static/", "/assets/0/"):
        assert client.get(place + name).status_code == 404


def test_fonts_come_with_their_licences():
    fonts = {name.partition("-latin")[0].partition("-OFL")[0] for name in FILES if name.startswith("fonts/")}
    assert {f"{font}-OFL.txt" for font in fonts} <= set(FILES)
    assert len(fonts) == 3


SCRIPTS = [name for name in FILES if name.endswith(".js")]


def test_a_page_asks_for_one_script_that_holds_all_it_needs():
    """`viewer.js` imports `board.js`, which no page names; a deal is imported only when it is checked."""
    needed = ordered("replay/page.js")
    assert needed[-1] == "replay/page.js"
    assert {"replay/viewer.js", "replay/board.js", "replay/dom.js"} <= set(needed) <= set(FILES)
    assert not any("shuffles" in name for name in needed)
    assert bundle("replay/page.js").count(b"export function said") == 0
    assert bundle("replay/page.js").count(b"function said") == 1


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_module_comes_after_those_that_it_imports(name):
    order = ordered(name)
    assert len(order) == len(set(order))
    for number, each in enumerate(order):
        assert set(module(each).imports) <= set(order[:number])
    assert not re.search(rb"^(import |export \{)", bundle(name), re.M)


def test_comments_are_left_out_and_texts_that_look_like_one_stay():
    assert without_comments("  known = []; // of every seat\n") == "  known = [];\n"
    assert (text := 'const at = "see // there";\n') == without_comments(text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_indents_are_left_out_and_no_text_has_any(name):
    assert not re.search(rb"^[ \t]", bundle(name), re.M)
    for each in ordered(name):
        for line in module(each).source.splitlines():
            assert re.sub(r'"[^"]*"', "", line).count("`") % 2 == 0, f"a text of several lines in {each}: {line}"


def test_what_is_imported_later_is_found_beside_the_bundle():
    assert b'import("./badge.js")' in bundle("replay/page.js")
    assert b'import("../replay/badge.js")' in bundle("studio/page.js")
    assert b'import("../prompt/prompt.js")' in bundle("studio/page.js")
    assert b"import(`./shuffles/${game}.js`)" in bundle("replay/badge.js")
    assert bundle("replay/badge.js").endswith(b"export const { badge, dealer } = $2;\n")


def test_modules_are_served_as_they_were_written_too(client):
    for place, file in (("/static/", "replay/viewer.js"), ("/assets/0/", "board.css")):
        with client.get(place + file) as answer:
            assert answer.data == FILES[file].read_bytes()
    for name in {name for script in SCRIPTS for name in module(script).imports if name.startswith("/client/")}:
        with client.get(name) as answer:
            expected = joined() if name == "/client/hidalgo.js" else (CLIENT / name.rpartition("/")[2]).read_bytes()
            assert answer.data == expected


@pytest.mark.parametrize("accepted", ["", "gzip", "gzip;q=0", "identity", "br, gzip"])
def test_scripts_of_any_length_go_out_compressed_to_clients_that_can_read_that(client, accepted):
    body = bundle("studio/page.js")
    assert len(body) > 64 * 1024
    with client.get("/assets/0/studio/page.js", headers={"Accept-Encoding": accepted}) as answer:
        is_packed = accepted in ("gzip", "br, gzip")
        assert answer.headers.get("Content-Encoding") == ("gzip" if is_packed else None)
        assert answer.data == (packed(body) if is_packed else body)
        assert "Accept-Encoding" in answer.headers["Vary"]
