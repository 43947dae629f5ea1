"""An organiser's hands: a tournament from the home page to its first round, each click counted."""

from __future__ import annotations

from playwright.sync_api import Locator, Page


class Host:
    """An account that is signed in, at its home page."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name).first)

    def open(self, title: str) -> str:
        """A casual evening; its address."""
        self.click(self.page.get_by_label("main", exact=True).get_by_role("link", name="Tournaments"))
        self.click(self.page.get_by_role("link", name="New tournament"))
        self.press("Casual evening")
        self.page.wait_for_selector("#preset-casual-evening[aria-pressed=true]")
        self.click(self.page.get_by_label("Name", exact=True))
        self.page.keyboard.type(title)
        self.press("Open registration")
        self.page.wait_for_url("**/tournaments/*/desk")
        return self.page.url.removesuffix("/desk")

    def start(self) -> None:
        """With eight bots."""
        self.press("Add bots")
        self.page.wait_for_selector(".badge:has-text('players')")
        self.press("Start the tournament")
        self.press("Start round 1 now")
        self.page.wait_for_selector(".calm .beads")
