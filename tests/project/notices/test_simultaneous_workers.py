"""Several workers send at the same time: each push and each mail is sent by one of them, once."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import transaction

from project.core import clock
from project.notices import composing, digests
from project.notices.models import Device, PushMessage
from tests.builders import Shop, at_once
from tests.project.notices.browsers import PREFERENCES, PushService, prefer
from tests.project.notices.mornings import DAY, begin, instant, late_lines, notify, push_due, send_mails, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("in_mexico_city", "mail_server")]


def test_each_push_is_sent_once(busy_shop: Shop, service: PushService) -> None:
    service.browser().register(busy_shop.ana)
    device, now = Device.objects.get(), clock.now()
    payload = '{"title": "Obrador", "body": "x", "tag": "trial", "path": "/home", "urgency": "high"}'
    PushMessage.objects.bulk_create(
        PushMessage(device=device, payload=payload, created_at=now, next_at=now) for _ in range(8)
    )
    arrived = at_once([push_due] * 4)
    assert (sum(arrived), len(service.received), PushMessage.objects.count()) == (8, 8, 0)


def test_each_digest_is_mailed_once(busy_shop: Shop) -> None:
    late_lines(busy_shop, 1)
    for one in (busy_shop.ana, busy_shop.beto):
        one.put(PREFERENCES, {"digest": True})

    def morning() -> int:
        with clock.at(instant(DAY, 7)):
            return send_mails(digests.mails_due)

    assert sum(at_once([morning] * 4)) == 2
    assert sorted(one.to[0] for one in mail.outbox) == ["ana@obrador.test", "beto@obrador.test"]


def test_each_mail_of_a_kind_is_sent_once(busy_shop: Shop) -> None:
    for one in (busy_shop.ana, busy_shop.beto):
        prefer(one, customerAnswer=["mail"])
    order = late_lines(busy_shop, 1, due=DAY + timedelta(days=2))
    begin()
    with clock.at(instant(DAY, 12)):
        line = busy_shop.line(order)
        with transaction.atomic():
            notify("customerAnswer", line)
        work()

    def later() -> int:
        with clock.at(instant(DAY, 13)):
            return send_mails(composing.mails_due)

    assert sum(at_once([later] * 4)) == len(mail.outbox) == 2
