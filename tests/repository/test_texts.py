"""What every file of the repository may and may not say."""

import re

import pytest

from tests.repository.checkout import ROOT, files

PAGES = [file for file in files() if file.suffix == ".md"]


def lines_with(pattern: str) -> list[str]:
    found = re.compile(pattern)
    return [
        f"{file}:{number}: {line}"
        for file in files()
        for number, line in enumerate((ROOT / file).read_text(errors="replace").splitlines(), start=1)
        if found.search(line)
    ]


def test_no_file_knows_the_machine_it_was_written_on():
    assert lines_with(r"(?<![\w.$}])/(work|root)/|file:/{2}") == []


def test_no_file_knows_where_packages_are_fetched_from():
    assert lines_with(r"pypi\.org|pythonhosted\.org|registry\.npmjs\.") == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_link_between_pages_leads_to_a_file(page):
    text = (ROOT / page).read_text()
    # Addresses of the service are followed by the tests of its documentation.
    found = re.findall(r"\]\(([^)#\s]+)", text)
    targets = [target for target in found if "://" not in target and not target.startswith("/")]
    assert [target for target in targets if not (ROOT / page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_every_path_that_a_page_names_leads_to_a_file(page):
    named = re.findall(r"`((?:rules|events|replay|tournaments|service|tests|docs)/[^`\s]+)`", (ROOT / page).read_text())
    assert [path for path in named if not any(ROOT.glob(path))] == []


def test_the_index_lists_every_page():
    index = (ROOT / "docs/README.md").read_text()
    pages = [page.name for page in PAGES if page.parts[0] == "docs" and page.name != "README.md"]
    assert [page for page in pages if f"]({page})" not in index] == []
