"""The demo workshop: complete data, loaded once, with the published password only on this machine."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.db.models import F, Q, Sum

from project.access.permissions import ALL
from project.batches.models import Batch, BatchLine
from project.batches.rules import BatchState
from project.billing.models import Bill
from project.catalogs.models import Company, Customer, ExportTaxItem, Item, ProcessItemPrice, ProductionProcess
from project.catalogs.terms import shared_catalogs
from project.core import clock
from project.demo.customers import CUSTOMERS
from project.demo.goods import products
from project.demo.management.commands import demo
from project.demo.metal import BENCH
from project.demo.people import ADMINISTRATOR, PASSWORD, PEOPLE, Somebody
from project.demo.stories import order_stories, working_hours
from project.demo.workshop import SETTING_OF_ANTIQUES
from project.identity import pins
from project.identity.models import Role, RolePermission, User
from project.metal.models import Balance, MetalDay, MetalEntry
from project.metal.selectors import differing_balances, sums_by_alloy
from project.orders.models import CLOSED, LEFT_TO_PAY, OPEN, Line, Movement, ProcessRecord, SalesOrder
from project.orders.rules import Status
from project.piecework.models import Payment
from tests.builders import Caller

PLANT = clock.plant()


@pytest.mark.django_db
def test_demo_fills_an_empty_workshop_once(
    capsys: pytest.CaptureFixture[str], settings: LazySettings, tmp_path: Path, quick_passwords: None
) -> None:
    settings.MEDIA_ROOT = tmp_path
    call_command("demo", "--if-empty")
    made = (ProductionProcess, User, Role, Customer, Item, SalesOrder, Company, ExportTaxItem)
    counts = {model: model._default_manager.count() for model in made}
    assert list(counts.values()) == [12, 8, 5, 6, 40, 30, 2, 5]
    assert not Item.objects.filter(Q(components=None) | Q(tax_item=None) | Q(image="")).exists()
    # The product has its own mark: a company of the same name would bring a second one.
    assert not Company.objects.filter(name__icontains="Obrador").exists()
    assert len(list(tmp_path.rglob("*.jpeg"))) == 2 * (counts[Item] + counts[Customer] + counts[Company])
    known = {term.code for key in ("countries", "callingCodes") for term in shared_catalogs()[key]}
    for customer in Customer.objects.all():
        assert {address["country"] for address in customer.addresses} <= known
        assert {phone["countryCode"] for phone in customer.phones} <= known

    reached = set(SalesOrder.objects.values_list("status", flat=True))
    assert reached == set(Status)
    assert {(row.status, row.number_text) for row in Bill.objects.all()} == {
        ("Billed", "F-0001"),
        ("Billed", "F-0002"),
        ("Canceled", "F-0003"),
        ("PreBill", "P-0001"),
    }
    assert not Customer.objects.filter(Q(customer_type=None) | Q(tax_section=None) | Q(tax_id="")).exists()
    for customer in Customer.objects.all():
        assert {address["kind"] for address in customer.addresses} == {"Commercial", "Shipping"}
    assert set(Customer.objects.values_list("currency", flat=True)) == {"MXN", "USD"}
    assert set(Bill.objects.filter(status="Billed").values_list("currency", flat=True)) == {"MXN", "USD"}
    assert set(Item.objects.values_list("currency", flat=True)) == {"MXN", "USD"}
    assert not Bill.objects.exclude(currency=F("customer__currency")).exists()

    inside = ProcessRecord.objects.filter(output_at=None, released_at=None)
    assert inside.values("process").distinct().count() >= 8
    assert inside.exclude(quantity=0).filter(line__quantity_inside__gt=0).count() == inside.count()
    assert ProcessRecord.objects.exclude(released_at=None).exists()
    lines = list(Line.objects.prefetch_related("records"))
    assert any(record.quantity < line.quantity for line in lines for record in line.records.all())
    assert any(
        line.status == Status.InProcess and line.delivery_date and line.delivery_date < clock.today() for line in lines
    )

    now = clock.now()
    late = inside.filter(line__delivery_date__lt=clock.today())
    assert late.exists(), "late pieces are inside processes"
    assert inside.filter(input_at__lt=now - timedelta(days=2)).exists()
    assert inside.filter(input_at__gt=now - timedelta(hours=8)).exists()
    assert Movement.objects.exclude(release_reason=None).exclude(notes="").exists()
    assert Movement.objects.filter(side="out").exclude(notes="").exists()
    assert SalesOrder.objects.filter(notes__startswith="Atrasada").count() == 3

    assert set(Payment.objects.values_list("status", flat=True)) == {"Paid", "Canceled"}
    payday = Payment.objects.latest("created_at").created_at
    owed = ProcessRecord.objects.filter(LEFT_TO_PAY)
    assert owed.filter(output_at__lt=payday).exists(), "pieces of people who were not paid on the last payday"
    assert owed.filter(output_at__gt=payday).exists(), "pieces since the last payday"
    assert not ProcessRecord.objects.filter(CLOSED, price=0).exists()
    antique = ProcessRecord.objects.filter(CLOSED, process__name="Engaste", line__item__antique=True, scrapped=False)
    assert set(antique.values_list("price", flat=True)) <= {SETTING_OF_ANTIQUES}
    priced = ProcessItemPrice.objects.filter(price=SETTING_OF_ANTIQUES, process__name="Engaste")
    assert priced.count() == Item.objects.filter(antique=True).count() > 0

    assert not Item.objects.filter(Q(alloy=None) | Q(net_mg=None)).exists()
    bench = ProcessRecord.objects.filter(CLOSED, process__name=BENCH, mg_out__isnull=False)
    entered, left = bench.aggregate(entered=Sum("mg_in"), left=Sum("mg_out")).values()
    assert 13 <= 1_000 * (entered - left) / entered <= 15
    assert set(sums_by_alloy().values()) == {0}
    assert differing_balances() == []
    assert not MetalEntry.objects.filter(kind="reweigh").exists(), "the vault has all that was cast"

    days = list(MetalDay.objects.prefetch_related("alloys").order_by("day"))
    assert len(days) >= 4
    assert {(day.process_name, day.person_name) for day in days} == {(BENCH, "Guadalupe Nava Ortiz")}
    assert days[-1].day >= clock.today() - timedelta(days=7)
    weighed = [count for day in days for count in day.alloys.all()]
    received = sum(count.received_mg for count in weighed)
    lost = sum(count.dust_mg + count.difference_mg for count in weighed)
    assert 11 <= 1_000 * lost / received <= 15
    assert all(count.dust_mg >= count.difference_mg >= 0 for count in weighed)
    held = sum(Balance.objects.filter(account__kind="person").values_list("mg", flat=True))
    inside_mg = ProcessRecord.objects.filter(OPEN).aggregate(mg=Sum("mg_in"))["mg"]
    assert 0 <= held - inside_mg < 50_000, "nobody holds the losses of weeks"

    tree = Batch.objects.get()
    assert (tree.number, tree.process.name, tree.state) == (1, "Fundición", BatchState.open)
    assert BatchLine.objects.filter(batch=tree, line__item__alloy=tree.alloy, line__status=Status.Approved).count() == 5
    scrapped = ProcessRecord.objects.filter(scrapped=True)
    assert 50 <= sum(scrapped.values_list("quantity", flat=True)) <= 90
    assert scrapped.values("exit__scrap_reason").distinct().count() >= 4
    months = Caller(User.objects.get(email=ADMINISTRATOR)).get("/api/reports/promises").json
    assert len(months) >= 2
    for month in months[:2]:
        assert month["forecasts"] >= 20
        assert month["promised"] >= 3
        assert 30 <= month["kept50"] < month["kept80"] <= month["kept90"]
        assert 65 <= month["kept80"] <= 95
    assert not Item.objects.filter(description_english="").exists()
    assert not ProductionProcess.objects.filter(name_english="").exists()

    call_command("demo")
    assert SalesOrder.objects.count() == counts[SalesOrder]
    printed = capsys.readouterr().out
    assert all(somebody.email in printed for somebody in PEOPLE)
    assert PASSWORD in printed


@pytest.mark.django_db
def test_published_password_is_replaced_once_others_can_reach_the_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, quick_passwords: None
) -> None:
    """Also in a database that was filled while only this machine could reach it."""
    monkeypatch.setattr(demo, "build", _hire_two)
    call_command("demo", "--if-empty")
    assert f"published password {PASSWORD}" in capsys.readouterr().out

    for host in ("0.0.0.0", "::", "192.168.1.7", "taller.example.mx"):  # noqa: S104
        monkeypatch.setenv("HOST", host)
        call_command("demo", "--if-empty")
        assert not any(user.check_password(PASSWORD) for user in User.objects.all())
    shown = capsys.readouterr().out
    assert PASSWORD not in shown
    for user in User.objects.all():
        last_words = [line.split()[-1] for line in shown.splitlines() if user.email in line]
        assert sum(map(user.check_password, last_words)) == 1, "shown once"
        assert user.token_version == 2
    assert "createadmin admin@obrador.test" in shown


@pytest.mark.django_db
def test_published_pins_are_removed_once_others_can_reach_the_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, quick_passwords: None
) -> None:
    worker = next(somebody for somebody in PEOPLE if somebody.pin)
    monkeypatch.setattr(demo, "build", lambda: (_hire_two(), _hire(worker)))
    call_command("demo", "--if-empty")
    assert f"PIN {worker.pin}" in capsys.readouterr().out
    assert pins.holder(pin=worker.pin) is not None
    monkeypatch.setenv("HOST", "0.0.0.0")  # noqa: S104
    call_command("demo", "--if-empty")
    assert worker.pin not in capsys.readouterr().out
    assert pins.holder(pin=worker.pin) is None


def _hire(somebody: Somebody) -> None:
    user = User(email=somebody.email, first_name=somebody.first_name, pin_hash=pins.hash_of_pin(somebody.pin))
    user.set_password(PASSWORD)
    user.save()


def _hire_two() -> None:
    role = Role.objects.create(name="Todo")
    RolePermission.objects.bulk_create(RolePermission(role=role, action=action) for action in ALL)
    for somebody in PEOPLE[:2]:
        user = User(email=somebody.email, first_name=somebody.first_name)
        user.set_password(PASSWORD)
        user.save()
        user.roles.add(role)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_loopback_host_cannot_be_reached_from_elsewhere(host: str) -> None:
    assert not demo.reached_from_elsewhere(host)


@pytest.mark.django_db
def test_database_with_other_users_is_left_alone(capsys: pytest.CaptureFixture[str]) -> None:
    User.objects.create(email="somebody@workshop.test", first_name="Somebody")
    call_command("demo", "--if-empty")
    assert User.objects.count() == 1
    assert PASSWORD not in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("demo")


@pytest.mark.parametrize("hour", [0, 5, 6, 12, 18, 23])
def test_stories_happen_in_order_and_never_in_the_future(hour: int) -> None:
    now = datetime(2026, 3, 2, hour, 1, tzinfo=UTC)
    for story in order_stories(products(), customers=len(CUSTOMERS), now=now, plant=PLANT):
        assert story.created.astimezone(PLANT).date() < story.delivery
        for line in story.lines:
            instants = [story.created, *(step.at for step in line.steps), now]
            assert instants == sorted(instants)


@pytest.mark.parametrize("day", range(2, 9))
def test_some_moving_lines_are_due_this_week_and_some_are_late(day: int) -> None:
    now = datetime(2026, 3, day, 9, tzinfo=PLANT)
    sunday = date(2026, 3, 8)
    stories = order_stories(products(), customers=len(CUSTOMERS), now=now, plant=PLANT)
    moving = [story for story in stories if any(line.kind == "moving" for line in story.lines)]
    assert sum(date(2026, 3, day) <= story.delivery <= sunday for story in moving) >= 2
    assert sum(story.delivery < date(2026, 3, day) for story in moving) >= 3


def test_steps_of_earlier_days_happen_in_working_hours() -> None:
    now = datetime(2026, 3, 2, 18, tzinfo=UTC)
    night = datetime(2026, 2, 20, 3, tzinfo=PLANT)
    moved = working_hours(night, now, PLANT).astimezone(PLANT)
    assert moved.date() == date(2026, 2, 20)
    assert 7 <= moved.hour < 19
    assert working_hours(now, now, PLANT) == now
