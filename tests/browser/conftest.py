"""A service as a process of its own, and Chromium. Where there is no Chromium the tests are skipped."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.replaying import let_go
from tests.running import Service, running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
SECONDS = 60
"""After so long a browser that still waits for something is taken to hang."""


@pytest.fixture(scope="package")
def service(tmp_path_factory) -> Iterator[Service]:
    no_limits = {"HIDALGO_LIMIT_ACCOUNTS_FROM_AN_ADDRESS": "off", "HIDALGO_LIMIT_SIGN_INS_FROM_AN_ADDRESS": "off"}
    with running([HIDALGO, "serve"], tmp_path_factory.mktemp("service"), os.environ | no_limits) as service:
        yield service
        let_go(service)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    found = shutil.which("chromium")
    if not found:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of a browser without cookies, which may be looked into by axe."""
    context = chromium.new_context(bypass_csp=True)
    context.set_default_timeout(SECONDS * 1000)
    yield context.new_page()
    context.close()
