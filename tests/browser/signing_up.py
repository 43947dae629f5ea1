"""Visitors of the service, made through its pages."""

from itertools import count

from playwright.sync_api import Page

PASSWORD = "tizona y colada"
_numbers = count(1)


def sign_up(page: Page, url: str) -> str:
    """A new account, signed in; its handle."""
    handle = f"player_{next(_numbers)}"
    page.goto(f"{url}/sign-up")
    page.get_by_label("Name at the table").fill(handle)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url(f"{url}/")
    return handle
