"""A browser that has signed in to an account stays able to sign in while strangers fail elsewhere."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.core import mail
from django.test import Client

from project.access import known_browsers
from project.core import clock
from project.identity import passwords
from project.identity.models import User
from tests.builders import Caller, Shop, person

AUTHENTICATION = "/identity/authentication"
PASSWORD, NEW = "Taller.2026", "Nueva.2026"
NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)


@pytest.fixture(autouse=True)
def at_noon(db: None, quick_passwords: None) -> Iterator[None]:
    with clock.at(NOON):
        yield


def account(name: str = "dora") -> User:
    user = person(name, "ChangePassword")
    user.set_password(PASSWORD)
    user.save()
    return user


class Browser:
    """A browser with a cookie jar, behind an address that other browsers may share."""

    def __init__(self, address: str = "10.0.0.1") -> None:
        self.client = Client(REMOTE_ADDR=address)

    def signs_in(self, name: str = "dora", password: str = PASSWORD) -> int:
        body = {"username": f"{name}@obrador.test", "password": password, "rememberLogin": True}
        answer = self.client.post(f"{AUTHENTICATION}/sign-in", body, content_type="application/json")
        return int(answer.status_code)

    def recovers(self, name: str = "dora") -> None:
        body = {"email": f"{name}@obrador.test"}
        answer = self.client.post(f"{AUTHENTICATION}/recover-password", body, content_type="application/json")
        assert answer.status_code == 200


def flood(name: str = "dora", times: int = 6) -> None:
    for number in range(times):
        Browser(f"10.1.0.{number}").signs_in(name, "x")


def test_failures_in_other_browsers_do_not_block_a_known_browser() -> None:
    account()
    known, stranger = Browser(), Browser("10.0.0.2")
    assert known.signs_in() == 200
    flood()
    assert stranger.signs_in() == 429
    assert known.signs_in() == 200
    assert stranger.signs_in() == 429, "the known browser's success does not reset the strangers' failures"


def test_known_browser_signs_in_while_its_shared_address_is_blocked() -> None:
    account()
    known = Browser()
    assert known.signs_in() == 200
    for number in range(20):
        Browser().signs_in(f"nobody{number}", "x")
    assert Browser().signs_in() == 429
    assert known.signs_in() == 200


def test_known_browser_has_five_attempts_of_its_own() -> None:
    account()
    known, other = Browser(), Browser()
    assert known.signs_in() == other.signs_in() == 200
    assert [known.signs_in(password="x") for _ in range(6)] == [401] * 5 + [429]
    assert known.signs_in() == 429
    assert other.signs_in() == 200, "each browser has its own count"
    with clock.at(NOON + timedelta(minutes=15)):
        assert known.signs_in() == 200


def test_browser_is_known_only_to_the_account_that_signed_in() -> None:
    account()
    account("eva")
    known = Browser()
    assert known.signs_in("eva") == 200
    flood("dora")
    assert known.signs_in("dora") == 429


def test_new_password_makes_every_browser_unknown(shop: Shop) -> None:
    user = account()
    known = Browser()
    assert known.signs_in() == 200
    assert shop.ana.put(f"/identity/users/{user.pk}", {"password": NEW}).status == 200
    flood()
    assert known.signs_in(password=NEW) == 429


def test_browser_in_which_users_change_their_password_stays_known() -> None:
    user = account()
    here, there = Browser(), Browser("10.0.0.2")
    assert here.signs_in() == there.signs_in() == 200
    body = {"currentPassword": PASSWORD, "newPassword": NEW, "confirmNewPassword": NEW}
    answer = here.client.put(
        f"/identity/users/{user.pk}/change-password/by-user",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {Caller(user).bearer}"},
    )
    assert answer.status_code == 200
    flood()
    assert here.signs_in(password=NEW) == 200
    assert there.signs_in(password=NEW) == 429


def test_forged_cookie_makes_no_known_browser() -> None:
    user = account()
    known = Browser()
    assert known.signs_in() == 200
    cookie = known.client.cookies[known_browsers.COOKIE]
    flood()
    for forged in ("", "x", cookie.value[:-2], f"{user.pk}", "W10:1:x"):
        stranger = Browser()
        stranger.client.cookies[known_browsers.COOKIE] = forged
        assert stranger.signs_in() == 429


def test_cookie_is_http_only_and_same_site_strict(settings: LazySettings) -> None:
    account()
    for https in (False, True):
        settings.HTTPS = https
        known = Browser()
        assert known.signs_in() == 200
        cookie = known.client.cookies[known_browsers.COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/identity/")
        assert bool(cookie["secure"]) == https
        assert PASSWORD not in cookie.value


def test_failed_sign_in_gets_the_same_answer_with_and_without_a_cookie() -> None:
    account()
    known = Browser()
    known.signs_in()
    body = {"username": "dora@obrador.test", "password": "x", "rememberLogin": True}
    answers = [
        browser.client.post(f"{AUTHENTICATION}/sign-in", body, content_type="application/json")
        for browser in (known, Browser())
    ]
    assert answers[0].content == answers[1].content
    assert not any(answer.cookies for answer in answers)


def test_shared_browser_remembers_the_last_accounts_in_a_small_cookie() -> None:
    known = Browser()
    for number in range(12):
        account(f"d{number}")
        assert known.signs_in(f"d{number}") == 200
    assert len(known.client.cookies[known_browsers.COOKIE].value) < 1_500
    for name, status in (("d11", 200), ("d0", 429)):
        flood(name)
        assert known.signs_in(name) == status


def test_known_browser_gets_recovery_links_after_strangers_used_up_theirs(settings: LazySettings) -> None:
    settings.MAIL_SERVER = True
    account()
    known = Browser()
    assert known.signs_in() == 200
    for number in range(6):
        Browser(f"10.1.0.{number}").recovers()
    passwords._post_office.submit(lambda: None).result()
    assert len(mail.outbox) == 5
    for _ in range(6):
        known.recovers()
    passwords._post_office.submit(lambda: None).result()
    assert len(mail.outbox) == 10
