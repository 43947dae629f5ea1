"""Signing up, in and out with a real browser, with and without scripts."""

from tests.browser.signing_up import PASSWORD, sign_up


def test_a_visitor_signs_up_makes_a_token_signs_out_and_in_again_without_any_script(service, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    handle = sign_up(page, service.url)
    page.get_by_role("link", name=handle).click()
    page.get_by_text("Make a token").click()
    page.get_by_label("Name, to tell it from your other tokens").fill("my bot")
    page.get_by_role("button", name="Make the token").click()
    assert page.locator("#tokens pre").inner_text().startswith("hdg_")
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{service.url}/account")
    page.get_by_label("Name at the table").fill(handle)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    assert page.url == f"{service.url}/account"
    context.close()


def test_a_guest_plays_at_once_and_chooses_a_name_later(service, page):
    page.goto(f"{service.url}/sign-in")
    page.get_by_role("button", name="Play as a guest").click()
    page.wait_for_url(f"{service.url}/")
    assert page.locator(".account").inner_text().strip().lower().startswith("g")
    sign_up(page, service.url)
    page.goto(f"{service.url}/account")
    assert page.get_by_label("Old password").is_visible()
