"""The ledger of metal: nothing is made or lost, and nothing is written twice or changed."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from project.audit import services as audit
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import OF_RECORDS, Account, AccountKind, Balance, EntryKind, MetalEntry
from project.metal.rules import NotEnoughMetal
from project.metal.selectors import balance_of, unreversed
from project.operations.doctor import State
from project.operations.examinations import of_metal
from tests.builders import Shop, at_once, somebody
from tests.project.metal.grams import check_books, held, principal, receive, sterling

MANY = 50


def give(shop: Shop, source: Account, target: Account, mg: int, **fields: Any) -> list[MetalEntry]:
    given = {"kind": EntryKind.adjust, "alloy_id": sterling().pk} | fields
    with transaction.atomic():
        return ledger.post([Posting(source, target, mg=mg, **given)], by=principal(shop.ana), at=clock.now())


def test_posting_moves_metal_and_keeps_the_balances(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    [entry] = give(shop, ledger.vault(), ledger.outside("Dorados"), 1_500, reason="baño", person_id=shop.ana.id)
    assert held() == {"supplier": -5_000, "vault": 3_500, "outside": 1_500}
    stored = MetalEntry.objects.get(pk=entry.pk)
    assert (stored.kind, stored.mg, stored.reason, stored.by_id) == ("adjust", 1_500, "baño", shop.ana.id)
    assert balance_of(ledger.vault(), sterling().pk) == 3_500
    check_books()


def test_each_alloy_has_its_own_balance(shop: Shop) -> None:
    fine = sterling("Plata fina 999")
    receive(shop, sterling(), 5_000)
    receive(shop, fine, 7_000)
    give(shop, ledger.vault(), ledger.scrap_box(), 100, alloy_id=fine.pk)
    assert balance_of(ledger.vault(), fine.pk) == 6_900
    assert balance_of(ledger.vault(), sterling().pk) == 5_000
    check_books()


def test_reversing_restores_the_balances_once(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    give(shop, ledger.vault(), ledger.scrap_box(), 2_000)
    before = held()
    entries = give(shop, ledger.vault(), ledger.scrap_box(), 1_500, record_id=7)
    [back] = ledger.reverse(entries, by=principal(shop.ana), at=clock.now(), reason="error")
    assert held() == before
    assert (back.kind, back.reverses_id, back.reason) == ("reversal", entries[0].pk, "error")
    assert ledger.unreversed_of([7]) == []
    assert not unreversed().filter(record_id=7).exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        ledger.reverse(entries, by=principal(shop.ana), at=clock.now())
    check_books()


def test_account_that_lacks_metal_is_named_and_nothing_is_written(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    before = held()
    with pytest.raises(NotEnoughMetal) as refused, transaction.atomic():
        give(shop, ledger.vault(), ledger.scrap_box(), 6_250)
    assert refused.value.params == {
        "account": "vault",
        "name": "",
        "accountId": ledger.vault().pk,
        "alloyId": sterling().pk,
        "grams": 6.25,
        "missing": 1.25,
    }
    assert refused.value.as_json()["message"] == "Bóveda: faltan 1.25 g de los 6.25 g pedidos"
    assert held() == before
    assert MetalEntry.objects.count() == 1


def test_what_an_account_lacks_comes_from_lost_where_work_must_go_on(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    posting = Posting(
        ledger.vault(), ledger.scrap_box(), sterling().pk, 6_250, EntryKind.issue, record_id=3, movement_id=4
    )
    entries = ledger.post([posting], by=principal(shop.ana), at=clock.now(), cover=ledger.lost())
    assert [(one.kind, one.mg, one.record_id, one.movement_id) for one in entries] == [
        ("reweigh", 1_250, 3, 4),
        ("issue", 6_250, 3, 4),
    ]
    assert held() == {"supplier": -5_000, "lost": -1_250, "scrap": 6_250}
    check_books()


def test_metal_that_passes_through_an_account_in_one_posting_is_enough(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    bench = ledger.person_account(shop.ana.id, shop.casting.pk)
    through = [
        Posting(bench, ledger.scrap_box(), sterling().pk, 5_000, EntryKind.scrap),
        Posting(ledger.vault(), bench, sterling().pk, 5_000, EntryKind.issue),
    ]
    ledger.post(through, by=principal(shop.ana), at=clock.now())
    assert held() == {"supplier": -5_000, "scrap": 5_000}


@pytest.mark.parametrize("kind", [AccountKind.vault, AccountKind.scrap, AccountKind.finished])
def test_database_refuses_a_balance_below_zero(shop: Shop, kind: AccountKind) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Balance.objects.create(account=ledger.account(kind), alloy=sterling(), mg=-1)


def test_database_refuses_an_entry_of_nothing_and_one_to_the_same_account(shop: Shop) -> None:
    for fields in ({"mg": 0, "target": ledger.scrap_box()}, {"mg": 5, "target": ledger.vault()}):
        with pytest.raises(IntegrityError), transaction.atomic():
            MetalEntry.objects.create(
                at=clock.now(), source=ledger.vault(), alloy=sterling(), kind="adjust", by_id=shop.ana.id, **fields
            )


def test_database_refuses_an_entry_of_a_record_without_its_movement(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    for kind in OF_RECORDS:
        with pytest.raises(IntegrityError, match="names_its_movement"), transaction.atomic():
            give(shop, ledger.vault(), ledger.scrap_box(), 100, record_id=1, kind=kind)


@pytest.mark.parametrize(
    "write",
    [
        lambda rows: rows.update(mg=1),
        lambda rows: rows.update(movement_id=7),
        lambda rows: rows.update(reason="otra"),
        lambda rows: rows.all().delete(),
        lambda rows: rows.bulk_update([MetalEntry(pk=rows.latest("id").pk, mg=1)], ["mg"]),
        lambda rows: rows.latest("id").save(),
        lambda rows: _sql("UPDATE metal_metalentry SET mg = 1"),
        lambda rows: _sql("DELETE FROM metal_metalentry WHERE id > 0"),
    ],
    ids=["update", "movement", "reason", "delete", "bulk", "save", "raw update", "raw delete"],
)
def test_database_refuses_to_change_or_delete_an_entry(shop: Shop, write: Callable[[Any], object]) -> None:
    receive(shop, sterling(), 5_000)
    before = list(MetalEntry.objects.order_by("id").values())
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        write(MetalEntry.objects)
    assert list(MetalEntry.objects.order_by("id").values()) == before != []


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no TRUNCATE")
def test_database_refuses_to_truncate_the_table(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    connection.check_constraints()  # those that wait for the commit would refuse it first
    with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
        _sql("TRUNCATE metal_metalentry CASCADE")
    assert MetalEntry.objects.exists()


def _sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_only_the_words_of_an_entry_can_be_erased(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    with audit.exemption(erases=True):
        MetalEntry.objects.update(reason="Persona borrada")
        with pytest.raises(IntegrityError, match="never changed or deleted"), transaction.atomic():
            MetalEntry.objects.update(mg=F("mg") + 1)
    assert MetalEntry.objects.get().reason == "Persona borrada"


def test_an_account_is_made_once(shop: Shop) -> None:
    assert ledger.vault() == ledger.vault()
    assert ledger.supplier("Casa Fina") == ledger.supplier("  casa   fina ")
    assert ledger.supplier("Casa Fina") != ledger.outside("Casa Fina")
    assert ledger.line_account(1, 2, "PO-1") == ledger.line_account(1, 2, "PO-1 otra vez")
    assert ledger.person_account(shop.ana.id, shop.casting.pk) != ledger.person_account(shop.ana.id, shop.polishing.pk)
    assert ledger.dust(shop.casting.pk) != ledger.dust(shop.polishing.pk)
    assert ledger.batch_account(1) != ledger.batch_account(2)
    assert Account.objects.count() == 10


@pytest.mark.parametrize("count", [1, 20])
def test_posting_sends_three_statements_and_one_for_the_lots_of_the_vault(
    shop: Shop, count: int, django_assert_num_queries: Any
) -> None:
    receive(shop, sterling(), 5_000)
    postings = [Posting(ledger.vault(), ledger.scrap_box(), sterling().pk, 10, EntryKind.adjust)] * count
    with django_assert_num_queries(4):
        ledger.post(postings, by=principal(shop.ana), at=clock.now())
    assert held()["scrap"] == 10 * count
    postings = [Posting(ledger.scrap_box(), ledger.finished(), sterling().pk, 10, EntryKind.adjust)] * count
    with django_assert_num_queries(3):
        ledger.post(postings, by=principal(shop.ana), at=clock.now())


def test_split_shares_an_entry_so_that_each_part_can_be_taken_back(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    entries = give(shop, ledger.vault(), ledger.scrap_box(), 100, record_id=1, movement_id=9, kind=EntryKind.enters)
    before = held()
    parts = ledger.split(entries, [(1, 1), (2, 2)])
    ledger.post(parts, by=principal(shop.ana), at=clock.now())
    assert held() == before
    standing_now = ledger.unreversed_of([1, 2])
    assert [(one.record_id, one.movement_id, one.mg) for one in standing_now] == [(1, 9, 33), (2, 9, 67)]
    ledger.reverse(ledger.unreversed_of([2]), by=principal(shop.ana), at=clock.now())
    assert held()["scrap"] == 33
    check_books()


def test_entries_of_other_things_with_the_id_of_a_record_are_not_the_record_s(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    [issued] = give(shop, ledger.vault(), ledger.scrap_box(), 100, record_id=1, movement_id=9, kind=EntryKind.issue)
    give(shop, ledger.vault(), ledger.lost(), 10, record_id=1, kind=EntryKind.close)
    give(shop, ledger.vault(), ledger.refinery(), 10, record_id=1, kind=EntryKind.refine)
    assert ledger.unreversed_of([1]) == [issued]


def test_fifty_at_once_on_two_accounts_lose_no_milligram(busy_shop: Shop) -> None:
    shop, alloy = busy_shop, sterling()
    receive(shop, alloy, 5_000)
    vault, box = ledger.vault(), ledger.scrap_box()
    give(shop, vault, box, 2_500)
    calls = [
        partial(give, shop, *ends, 7 + number) for number in range(MANY // 2) for ends in ((vault, box), (box, vault))
    ]
    at_once(calls)
    assert held() == {"supplier": -5_000, "vault": 2_500, "scrap": 2_500}
    assert MetalEntry.objects.count() == 2 + MANY
    check_books()


def test_ten_of_fifty_get_what_the_vault_has(busy_shop: Shop) -> None:
    shop = busy_shop
    receive(shop, sterling(), 100)
    vault, box = ledger.vault(), ledger.scrap_box()

    def take() -> str:
        try:
            give(shop, vault, box, 10)
        except NotEnoughMetal:
            return "refused"
        return "taken"

    assert sorted(at_once([take] * MANY)) == ["refused"] * (MANY - 10) + ["taken"] * 10
    assert held() == {"supplier": -100, "scrap": 100}
    check_books()


def test_fifty_that_need_a_new_account_at_once_make_it_once(busy_shop: Shop) -> None:
    shop = busy_shop
    receive(shop, sterling(), 5_000)
    vault = ledger.vault()
    at_once([lambda: give(shop, vault, ledger.person_account(shop.ana.id, shop.casting.pk), 2)] * MANY)
    assert held() == {"supplier": -5_000, "vault": 4_900, "Ana Fundición": 100}
    assert Account.objects.filter(kind="person").count() == 1
    check_books()


def test_doctor_finds_a_balance_that_is_not_the_sum_of_its_entries(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    assert [remark.state for remark in of_metal()] == [State.OK]
    Balance.objects.filter(account=ledger.vault()).update(mg=5_003)
    says = [remark.says for remark in of_metal() if remark.state is State.BROKEN]
    assert len(says) == 2
    assert "3 mg" in says[0]
    assert "5003 mg" in says[1]
    assert "5000 mg" in says[1]


def test_a_person_who_holds_metal_and_an_alloy_in_use_cannot_be_deleted(shop: Shop) -> None:
    receive(shop, sterling(), 5_000)
    dora = somebody()
    give(shop, ledger.vault(), ledger.person_account(dora.id, shop.casting.pk), 10)
    assert shop.ana.delete(f"/identity/users/{dora.id}").code == "in_use"
    answer = shop.ana.delete(f"/api/alloys/{sterling().pk}")
    assert (answer.status, answer.code) == (409, "in_use")
