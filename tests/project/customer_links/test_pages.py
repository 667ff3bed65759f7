"""Pages by link: wrong tokens, ends, counters, limits, and what browsers and messengers are told."""

from datetime import timedelta

import pytest

from project.access import pace
from project.access.models import SignInAttempt
from project.access.pace import Pace
from project.audit.models import AuditEntry
from project.core import clock
from project.core.errors import TooManyCalls
from project.customer_links import services
from project.customer_links.models import CustomerAnswer, CustomerLink
from tests.builders import Caller, Shop
from tests.project.customer_links.linking import LINKS, address, opened, page_of, said, shared


def test_a_guessed_or_cut_token_is_not_found(shop: Shop) -> None:
    token = shared(shop, shop.approved(5))["token"]
    for wrong in ("x" * 43, token[:-1], token[1:], token.swapcase(), f"{token}=", "%00", "..", "é" * 20, "x" * 500):
        answer = Caller().get(f"/api/c/{wrong}")
        assert (answer.status, answer.code) == (404, "not_found"), wrong
    assert Caller().get("/api/c/").status == 404


def test_unknown_tokens_of_an_address_are_limited_and_a_known_one_still_opens(shop: Shop) -> None:
    made = shared(shop, shop.approved(5))
    answers = [Caller().get(f"/api/c/{number:043}") for number in range(21)]
    assert [one.status for one in answers] == [404] * 20 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert opened(made).status == 200, "a guesser beside a customer does not lock them out"
    assert AuditEntry.objects.filter(entity="customer-links", action="guessed").count() == 1
    assert SignInAttempt.objects.filter(purpose=SignInAttempt.PAGE).count() == 20


def test_an_expired_link_says_that_it_is_over_and_counts_as_no_guess(shop: Shop) -> None:
    made = shared(shop, shop.approved(5), days=1)
    with clock.at(clock.now() + timedelta(days=1, seconds=-5)):
        assert opened(made).status == 200
    with clock.at(clock.now() + timedelta(days=1)):
        for _ in range(25):
            answer = opened(made)
            assert (answer.status, answer.code) == (404, "link_over")
        assert Caller().post(f"{address(made)}/ticket").code == "link_over"
        english = Caller(accept_language="en").get(address(made))
    assert english.json["message"] == "This link is no longer valid: ask the workshop for a new one"


def test_openings_are_counted_if_a_person_opens_and_not_while_they_follow(shop: Shop) -> None:
    made = shared(shop, shop.approved(5))
    for query in ("?first=true", "", "", "?first=true"):
        assert opened(made, query).status == 200
    row = shop.ana.get(f"{LINKS}/{made['id']}").json
    assert row["openedCount"] == 2
    assert row["openedAt"] is not None


def test_a_preview_by_a_messenger_writes_nothing(shop: Shop) -> None:
    order = shop.approved(5)
    made = shared(shop, order)
    before = CustomerLink.objects.values().get()
    bot = Caller(user_agent="WhatsApp/2.24")
    assert bot.get(address(made)).status == 200
    assert bot.call("HEAD", address(made)).status in (200, 405)
    assert bot.get(f"{address(made)}/answers").status == 405
    assert bot.get(f"{address(made)}/ticket").status == 405
    assert CustomerLink.objects.values().get() == before
    assert not CustomerAnswer.objects.exists()


def test_calls_are_limited_for_each_link_and_not_for_their_address(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "reads", Pace(3))
    order = shop.approved(5)
    links = [shared(shop, order) for _ in range(25)]
    assert {opened(one).status for one in links} == {200}, "more than an address may guess"
    assert [opened(links[0]).status for _ in range(2)] == [200, 200]
    answer = opened(links[0])
    assert (answer.status, answer.code) == (429, "too_many_calls")
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    assert opened(links[1]).status == 200


def test_calls_are_counted_anew_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = [100.0]
    monkeypatch.setattr(pace, "monotonic", lambda: ticks[0])
    calls = Pace(2)
    calls.take(1)
    calls.take(1)
    calls.take(2)
    with pytest.raises(TooManyCalls) as refused:
        calls.take(1)
    assert refused.value.params == {"retryAfter": 60}
    ticks[0] += 60
    calls.take(1)


def test_answers_of_a_page_are_kept_by_nobody(shop: Shop) -> None:
    made = shared(shop, shop.approved(5))
    answers = [opened(made), Caller().get("/api/c/unknown"), Caller().post(f"{address(made)}/answers", {})]
    for one in answers:
        assert one.headers["Cache-Control"] == "no-store"
        assert one.headers["X-Robots-Tag"] == "noindex"
        assert one.headers["Referrer-Policy"] == "no-referrer"
    assert [one.status for one in answers] == [200, 404, 422]
    assert "X-Robots-Tag" not in shop.ana.get("/api/materials").headers


def test_a_page_speaks_of_the_plant_and_of_its_end(shop: Shop) -> None:
    page = page_of(shared(shop, shop.approved(5), days=30))
    assert page["customerName"] == "Platería del Sur"
    assert page["zone"]
    assert page["expiresAt"].endswith("Z")
    assert page["more"] is False


def test_another_order_is_not_answered_behind_a_link(shop: Shop) -> None:
    first, second = shop.approved(5), shop.approved(4)
    made = shared(shop, first)
    answer = said(made, second)
    assert (answer.status, answer.fields) == (422, {"salesOrderId": "unknown"})
    assert said(made, 999_999).fields == {"salesOrderId": "unknown"}
    assert said(made, first, position=9).fields == {"position": "unknown"}
    assert Caller().get(f"{address(made)}/orders/{second}").status == 404
    assert not CustomerAnswer.objects.exists()
