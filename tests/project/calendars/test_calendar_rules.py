"""Addresses and ids of calendars, without a database."""

from datetime import date

from project.calendars import rules


def test_an_address_ends_as_calendars_expect() -> None:
    assert rules.address_of("s3cret", site="https://taller.mx:8443") == "https://taller.mx:8443/api/calendar/s3cret.ics"


def test_an_id_names_order_day_and_installation_alone() -> None:
    found = rules.uid_of(7, date(2026, 3, 5), site="https://taller.mx:8443/obrador")
    assert found == "order-7-20260305@taller.mx"
