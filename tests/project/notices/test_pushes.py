"""Pushes: one for each person and crowd, not in quiet hours, to who may know, sent again or given up."""

from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project.access.permissions import Permission
from project.core import clock
from project.identity.models import RolePermission, User
from project.notices import composing, raising
from project.notices.models import Device, Gathered, Position, PushMessage, Raised
from project.notices.push import MOST_FAILURES, RETRIES, Pushes
from project.orders.models import Forecast, Line
from project.sending.loop import Result
from realtime import outbox
from tests.builders import Caller, Shop, move, somebody
from tests.project.notices.browsers import DEVICES, PREFERENCES, Browser, PushService, prefer
from tests.project.notices.mornings import DAY, at, begin, instant, late_lines, likely_late, notify, push_due, work

pytestmark = pytest.mark.usefixtures("in_mexico_city")
MINUTE = timedelta(minutes=1)
TRIAL = '{"title": "Obrador", "body": "x", "tag": "trial", "path": "/home", "urgency": "high"}'


def morning(hour: int, minute: int = 0) -> None:
    """Let the worker work at a time of the day."""
    with at(hour, minute):
        raising.raise_late()
        work()


def registered(by: Caller, service: PushService) -> Browser:
    browser = service.browser()
    browser.register(by)
    return browser


def test_a_morning_with_forty_late_lines_is_one_push_for_each_person(shop: Shop, service: PushService) -> None:
    order = late_lines(shop, 40)
    ana, beto = registered(shop.ana, service), registered(shop.beto, service)
    second = registered(shop.ana, service)
    for hour, minute in ((0, 1), (6, 59), (7, 0), (7, 1), (7, 2), (8, 0), (9, 30), (11, 0), (12, 59)):
        morning(hour, minute)
    told = {"title": "Obrador", "body": "Líneas atrasadas: 40", "tag": "late", "path": "/operations/orders?late=true"}
    assert service.shown(ana) == service.shown(second) == service.shown(beto) == [told]
    po = shop.line(order)["customerSalesOrderId"]
    names = (po, shop.item.name, shop.customer.name, "Torres")
    assert not [name for name in names if name in str(service.shown(ana))], "a locked screen shows counts alone"


def test_lines_that_become_late_in_the_morning_wait_for_the_afternoon(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    late_lines(shop, 2)
    morning(7)
    morning(7, 5)
    late_lines(shop, 1)
    for hour in (8, 10, 12, 13):
        morning(hour)
        morning(hour, 10)
    assert [one["body"] for one in service.shown(browser)] == ["Líneas atrasadas: 2", "Líneas atrasadas: 1"]


def test_late_and_likely_late_lines_are_one_push(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    late_lines(shop, 3)
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    begin()
    with at(6):
        likely_late(order)
        work()
    morning(7)
    morning(7, 2)
    (shown,) = service.shown(browser)
    assert shown["body"] == "Líneas con probable retraso: 1\nLíneas atrasadas: 3"
    assert (shown["tag"], shown["path"]) == ("late-likelyLate", "/home")


def test_one_late_line_opens_its_page(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    order = late_lines(shop, 1)
    morning(7)
    morning(7, 2)
    assert [one["path"] for one in service.shown(browser)] == [f"/operations/sales-order/{order}/position/1"]


def test_a_line_that_was_done_before_the_push_is_not_counted(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    order = late_lines(shop, 2)
    shop.ana.put(PREFERENCES, {"quietFrom": "06:00", "quietUntil": "09:00"})
    morning(7)
    shop.status(order, 1, "Canceled")
    morning(9)
    assert [one["body"] for one in service.shown(browser)] == ["Líneas atrasadas: 1"]
    shop.status(order, 2, "Canceled")
    morning(10)
    assert not Raised.objects.exists(), "a line that is late again would be told again"
    assert len(service.received) == 1


def test_likely_late_is_taken_back_when_the_forecast_is_better(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    begin()
    with at(3):
        likely_late(order)
        work()
    assert [row.kind for row in Gathered.objects.exclude(since=None)] == ["likelyLate"]
    with at(4):
        Forecast.objects.update(likely_late=False)
        work()
    morning(8)
    assert service.shown(browser) == []


def test_quiet_hours_hold_a_push_back_until_they_end(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    shop.ana.put(PREFERENCES, {"quietFrom": "21:00", "quietUntil": "08:30"})
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    begin()
    with at(22):
        notify("customerAnswer", shop.line(order))
    for hour, minute, shown in ((22, 5, 0), (23, 59, 0)):
        with at(hour, minute):
            work()
            assert len(service.shown(browser)) == shown
    for hour, minute, shown in ((0, 0, 0), (8, 29, 0), (8, 30, 1), (9, 0, 1)):
        with at(hour, minute, day=DAY + timedelta(days=1)):
            work()
            assert len(service.shown(browser)) == shown, (hour, minute)


def test_an_answer_of_a_customer_is_pushed_within_seconds_to_who_reads_the_order(
    shop: Shop, service: PushService
) -> None:
    ana, carla = registered(shop.ana, service), registered(shop.carla, service)
    caster = registered(somebody(Permission.ListOrders, Permission.Station, processes=[shop.casting]), service)
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    begin()
    start = instant(DAY, 12)
    for seconds, type, number in ((0, "customerAnswer", 1), (1, "customerAnswer", 2)):
        with clock.at(start + timedelta(seconds=seconds)):
            notify(type, shop.line(order), number=number)
            work()
    with clock.at(start + timedelta(seconds=6)):
        work()
    assert [one["body"] for one in service.shown(ana)] == ["Respuestas de clientes: 2"]
    assert service.shown(carla) == [], "Carla may not read orders"
    assert service.shown(caster) == [], "the bell of people of one process does not ring either"
    (pushed,) = service.received
    assert (pushed.headers["urgency"], pushed.headers["ttl"]) == ("high", "14400")
    assert pushed.headers["content-encoding"] == "aes128gcm"
    assert len(pushed.headers["topic"]) == 32
    assert pushed.signed_for(service.url)["aud"] == service.url


def test_pieces_that_wait_for_a_process_are_pushed_to_its_other_workers(shop: Shop, service: PushService) -> None:
    with at(11):
        order = shop.approved(10)
        shop.enter(order, shop.casting)
    polisher = somebody(Permission.Station, processes=[shop.polishing])
    caster = somebody(Permission.Station, processes=[shop.casting])
    browsers = [registered(one, service) for one in (polisher, caster, shop.ana)]
    begin()
    with at(12):
        assert move(Caller(shop.ana.user), "out", order, shop.casting).status == 200
        work()
    with at(12, 1):
        work()
    told = {
        "title": "Obrador",
        "body": "Líneas con piezas para su proceso: 1",
        "tag": "assigned",
        "path": f"/shop-floor/station/{shop.polishing.pk}",
    }
    assert [service.shown(browser) for browser in browsers] == [[told], [], []], "Ana did it herself"


def test_a_kind_that_is_off_is_not_pushed(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    prefer(shop.ana, late=["bell"])
    late_lines(shop, 1)
    morning(7)
    morning(8)
    assert service.shown(browser) == []
    assert not Gathered.objects.exists()


def test_a_kind_that_is_turned_off_in_the_meantime_is_not_pushed(shop: Shop, service: PushService) -> None:
    registered(shop.ana, service)
    late_lines(shop, 1)
    morning(7)
    prefer(shop.ana, late=[])
    morning(8)
    assert service.received == []


def test_who_may_no_longer_read_orders_is_told_nothing(shop: Shop, service: PushService) -> None:
    eva = somebody(Permission.ListOrders)
    registered(eva, service)
    late_lines(shop, 1)
    morning(7)
    RolePermission.objects.filter(role__users=eva.id).delete()
    morning(8)
    assert service.received == []


@pytest.mark.parametrize("state", [{"active": False}, {"locked": True}, {"email": "", "pin_hash": "x"}], ids=str)
def test_who_may_not_sign_in_any_more_is_told_nothing(
    shop: Shop, service: PushService, state: dict[str, object]
) -> None:
    registered(shop.beto, service)
    late_lines(shop, 1)
    morning(7)
    User.objects.filter(pk=shop.beto.id).update(**state)
    morning(8)
    assert service.received == []
    assert not Gathered.objects.exists()


def test_a_browser_that_is_gone_is_forgotten(shop: Shop, service: PushService) -> None:
    first = registered(shop.ana, service)
    second = registered(shop.ana, service)
    service.answers = [410]
    late_lines(shop, 1)
    morning(7)
    morning(7, 2)
    assert len(service.received) == 2
    (left,) = shop.ana.get(DEVICES).json
    assert left["fingerprint"] in {first.fingerprint, second.fingerprint}
    assert not PushMessage.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_both_answers_of_a_push_service_mean_gone(service: PushService, status: int) -> None:
    browser = service.browser()
    service.answers = [status]
    assert Pushes().send(PushMessage(device=device_of(browser), payload=TRIAL)).result is Result.gone


def device_of(browser: Browser) -> Device:
    """A device that is not stored."""
    return Device(endpoint=browser.endpoint, **browser.subscription["keys"])


def test_a_push_that_did_not_arrive_is_sent_again_later_and_arrives_once(shop: Shop, service: PushService) -> None:
    browser = registered(shop.ana, service)
    service.answers = [503, 429]
    device = shop.ana.get(DEVICES).json[0]["id"]
    start = instant(DAY, 12)
    with clock.at(start):
        trial(device)
        push_due()
    assert shop.ana.get(DEVICES).json[0]["failing"] is True
    for seconds, sent in (
        (RETRIES.first.seconds - 1, 1),
        (RETRIES.first.seconds, 2),
        (4 * RETRIES.first.seconds, 3),
        (900, 3),
    ):
        with clock.at(start + timedelta(seconds=seconds)):
            push_due()
        assert len(service.received) == sent
    assert len({one["tag"] for one in service.shown(browser)}) == 1
    assert Device.objects.get(pk=device).failures == 0


def trial(device: int) -> None:
    """Store a push to a device, which is due now."""
    now = clock.now()
    PushMessage.objects.create(device_id=device, payload=TRIAL, created_at=now, next_at=now)


def test_a_push_service_says_when_to_try_again(shop: Shop, service: PushService) -> None:
    registered(shop.ana, service)
    service.answers, service.retry_after = [429], "600"
    device = Device.objects.get()
    start = instant(DAY, 12)
    for seconds, sent in ((0, 1), (599, 1), (600, 2)):
        with clock.at(start + timedelta(seconds=seconds)):
            if seconds == 0:
                trial(device.pk)
            push_due()
        assert len(service.received) == sent


def test_a_push_is_given_up_when_it_is_no_longer_news(shop: Shop, service: PushService) -> None:
    registered(shop.ana, service)
    start = instant(DAY, 12)
    with clock.at(start):
        trial(Device.objects.get().pk)
    with clock.at(start + RETRIES.given_up_after + MINUTE):
        assert push_due() == 0
    assert (service.received, PushMessage.objects.count()) == ([], 0)


@pytest.mark.parametrize("status", [400, 401, 403, 413, 302])
def test_a_push_that_is_refused_is_not_repeated(shop: Shop, service: PushService, status: int) -> None:
    registered(shop.ana, service)
    service.answers = [status]
    trial(Device.objects.get().pk)
    push_due()
    push_due()
    assert (len(service.received), PushMessage.objects.count()) == (1, 0)
    assert Device.objects.get().failures == 1


def test_a_browser_that_fails_again_and_again_is_forgotten(shop: Shop, service: PushService) -> None:
    registered(shop.ana, service)
    Device.objects.update(failures=MOST_FAILURES - 1)
    service.answers = [400]
    trial(Device.objects.get().pk)
    push_due()
    assert not Device.objects.exists()


def test_a_push_service_that_is_away_is_tried_again(shop: Shop, service: PushService) -> None:
    browser = Browser("http://127.0.0.1:9")
    browser.register(shop.ana)
    trial(Device.objects.get().pk)
    push_due()
    message = PushMessage.objects.get()
    assert (message.attempts, message.next_at > clock.now()) == (1, True)


@pytest.mark.parametrize("address", ["https://10.0.0.7/1", "https://localhost/1", "https://[::1]/1"])
def test_no_push_is_sent_to_a_private_address(settings: LazySettings, service: PushService, address: str) -> None:
    """A name may resolve to one later. Networks that webhooks may reach are no exception."""
    settings.DEBUG = False
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8"), ip_network("127.0.0.0/8"), ip_network("::1/128")]
    device = device_of(Browser())
    device.endpoint = address
    answered = Pushes().send(PushMessage(device=device, payload=TRIAL))
    assert (answered.result, answered.says) == (Result.refused, "address refused: a private network")


def test_a_push_of_an_earlier_key_is_dropped(shop: Shop, service: PushService, settings: LazySettings) -> None:
    registered(shop.ana, service)
    trial(Device.objects.get().pk)
    settings.VAPID_KEY = bytes(range(2, 34))
    assert push_due() == 0
    assert (service.received, PushMessage.objects.count(), Device.objects.count()) == ([], 0, 1)


def test_without_a_key_nothing_is_gathered_and_nothing_fails(
    shop: Shop, service: PushService, settings: LazySettings
) -> None:
    registered(shop.ana, service)
    settings.VAPID_KEY = b""
    late_lines(shop, 1)
    morning(7)
    morning(8)
    assert (service.received, Gathered.objects.count()) == ([], 0)


def test_the_first_start_tells_nothing_of_the_past(shop: Shop, service: PushService) -> None:
    registered(shop.ana, service)
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    with at(12):
        notify("customerAnswer", shop.line(order))
        work()
    with at(12, 5):
        work()
    assert service.received == []


def test_an_event_is_raised_once_however_often_the_worker_looks(shop: Shop, service: PushService) -> None:
    registered(shop.ana, service)
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    begin()
    with at(12):
        notify("customerAnswer", shop.line(order))
        for _ in range(3):
            raising.raise_by_events()
        assert [row.causes for row in Gathered.objects.all()] == [[1]]
    with at(12, 5):
        work()
    with at(12, 10):
        work()
    assert len(service.received) == 1


def test_an_event_that_comes_while_the_worker_reads_is_raised_once(
    shop: Shop, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(shop.ana, service)
    order = late_lines(shop, 1, due=DAY + timedelta(days=2))
    begin()
    seen = outbox.newest_id()
    with at(12), monkeypatch.context() as patch:
        notify("customerAnswer", shop.line(order))
        Position.objects.update(event_id=seen - 1)
        patch.setattr(outbox, "newest_id", lambda: seen)
        raising.raise_by_events()
        assert not Gathered.objects.exists(), "it is raised by the next look"
    with at(12, 1):
        raising.raise_by_events()
    assert [row.causes for row in Gathered.objects.all()] == [[1]]
    Gathered.objects.update(causes=[])
    with at(12, 2):
        raising.raise_by_events()
    assert [row.causes for row in Gathered.objects.all()] == [[]]


def test_queries_do_not_grow_with_people_and_lines(shop: Shop, service: PushService) -> None:
    def queries(lines: int) -> int:
        late_lines(shop, lines)
        with at(7), CaptureQueriesContext(connection) as sent:
            raising.raise_late()
        return len(sent)

    registered(shop.ana, service)
    few = queries(1)
    for _ in range(5):
        registered(somebody(Permission.ListOrders), service)
    Gathered.objects.all().delete()
    assert queries(60) <= few + 1
    assert Gathered.objects.count() == 6
    assert Line.objects.count() == 61


def test_idle_costs_three_queries(shop: Shop) -> None:
    begin()
    with CaptureQueriesContext(connection) as sent:
        raising.raise_by_events()
        assert not list(composing.mails_due())
    assert len(sent) == 3
