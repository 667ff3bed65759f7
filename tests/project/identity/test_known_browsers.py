"""Strangers' failures keep nobody out of the browser that he signs in from."""

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
    """A browser with a cookie jar, behind an address that many may share."""

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


def test_a_known_browser_is_not_kept_out_by_failures_elsewhere() -> None:
    account()
    known, stranger = Browser(), Browser("10.0.0.2")
    assert known.signs_in() == 200
    flood()
    assert stranger.signs_in() == 429
    assert known.signs_in() == 200
    assert stranger.signs_in() == 429, "who is known forgets nothing of the strangers' failures"


def test_a_plant_behind_one_address_goes_on_from_its_known_browsers() -> None:
    account()
    known = Browser()
    assert known.signs_in() == 200
    for number in range(20):
        Browser().signs_in(f"nobody{number}", "x")
    assert Browser().signs_in() == 429
    assert known.signs_in() == 200


def test_a_known_browser_has_five_tries_of_its_own() -> None:
    account()
    known, other = Browser(), Browser()
    assert known.signs_in() == other.signs_in() == 200
    assert [known.signs_in(password="x") for _ in range(6)] == [401] * 5 + [429]
    assert known.signs_in() == 429
    assert other.signs_in() == 200, "each browser is counted by itself"
    with clock.at(NOON + timedelta(minutes=15)):
        assert known.signs_in() == 200


def test_it_is_known_to_the_account_that_was_signed_in_to_and_to_no_other() -> None:
    account()
    account("eva")
    known = Browser()
    assert known.signs_in("eva") == 200
    flood("dora")
    assert known.signs_in("dora") == 429


def test_a_new_password_makes_every_browser_unknown(shop: Shop) -> None:
    user = account()
    known = Browser()
    assert known.signs_in() == 200
    assert shop.ana.put(f"/identity/users/{user.pk}", {"password": NEW}).status == 200
    flood()
    assert known.signs_in(password=NEW) == 429


def test_who_changes_his_own_password_stays_known_where_he_did_it() -> None:
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


def test_a_cookie_of_ones_own_making_is_no_browser() -> None:
    user = account()
    known = Browser()
    assert known.signs_in() == 200
    cookie = known.client.cookies[known_browsers.COOKIE]
    flood()
    for forged in ("", "x", cookie.value[:-2], f"{user.pk}", "W10:1:x"):
        stranger = Browser()
        stranger.client.cookies[known_browsers.COOKIE] = forged
        assert stranger.signs_in() == 429


def test_no_script_reads_the_cookie_and_no_other_site_sends_it(settings: LazySettings) -> None:
    account()
    for https in (False, True):
        settings.HTTPS = https
        known = Browser()
        assert known.signs_in() == 200
        cookie = known.client.cookies[known_browsers.COOKIE]
        assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/identity/")
        assert bool(cookie["secure"]) == https
        assert PASSWORD not in cookie.value


def test_a_failure_is_answered_alike_with_and_without_a_cookie() -> None:
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


def test_a_station_remembers_the_last_accounts_and_its_cookie_stays_small() -> None:
    known = Browser()
    for number in range(12):
        account(f"d{number}")
        assert known.signs_in(f"d{number}") == 200
    assert len(known.client.cookies[known_browsers.COOKIE].value) < 1_500
    for name, status in (("d11", 200), ("d0", 429)):
        flood(name)
        assert known.signs_in(name) == status


def test_a_known_browser_asks_for_a_link_although_strangers_asked_too_often(settings: LazySettings) -> None:
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
