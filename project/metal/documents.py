"""Turn accounts, entries and the papers of metal into answers, rows of files, and documents of events. No query."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import Any

from project.catalogs.models import Alloy
from project.core.exporting import Column
from project.core.grams import grams_or_none, per_mille, to_grams
from project.core.texts import text
from project.metal import schemas
from project.metal.lists import Expected
from project.metal.models import (
    Account,
    AccountKind,
    Balance,
    EntryKind,
    Lot,
    Melting,
    MetalCount,
    MetalDay,
    MetalEntry,
    Refining,
)
from project.metal.rules import fine_mg, loss_per_mille, shared


def weighed(alloy: Alloy, mg: int, fineness: int | None = None) -> schemas.MetalGrams:
    """Return the weight of an alloy, and the fine metal in it. `fineness`: by default that of the alloy."""
    return schemas.MetalGrams(
        alloy_id=alloy.pk,
        alloy_name=alloy.name,
        grams=to_grams(mg),
        fine_grams=to_grams(fine_mg([(mg, alloy.fineness if fineness is None else fineness)])),
    )


def fine_grams(rows: Iterable[Balance]) -> Decimal:
    """Sum the fine metal of balances of several alloys. Only the sum is rounded."""
    return to_grams(fine_mg([(row.mg, row.alloy.fineness) for row in rows]))


def _named(row: Account) -> dict[str, Any]:
    return {
        "id": row.pk,
        "kind": AccountKind(row.kind),
        "name": row.name,
        "user_id": row.user_id,
        "user_name": row.user.full_name if row.user else None,
        "production_process_id": row.process_id,
        "production_process_name": row.process.name if row.process else None,
        "sales_order_id": row.sales_order_id,
        "position": row.position,
        "batch_id": row.batch_id,
    }


def account(row: Account, balances: Iterable[Balance] | None = None) -> schemas.MetalAccountDocument:
    """Return the answer for an account. `balances`: those of `lists.holding`; None: `lists.accounts` loaded them."""
    held = row.balances.all() if balances is None else balances
    return schemas.MetalAccountDocument(**_named(row), balances=[weighed(one.alloy, one.mg) for one in held])


def open_day(row: Account) -> schemas.MetalOpenDayOut:
    """Return the answer for a person whose day is open. `row`: an account loaded by `open_days.open_days`."""
    named = account(row)
    return schemas.MetalOpenDayOut(
        user_id=row.user_id or 0,
        user_name=named.user_name or "",
        production_process_id=row.process_id or 0,
        production_process_name=named.production_process_name or "",
        closed_day=row.closed_day,  # type: ignore[attr-defined]
        closed_at=row.closed_at,  # type: ignore[attr-defined]
        balances=named.balances,
    )


def total(kind: AccountKind, balances: Sequence[Balance]) -> schemas.MetalTotalOut:
    return schemas.MetalTotalOut(
        kind=kind, balances=[weighed(one.alloy, one.mg) for one in balances], fine_grams=fine_grams(balances)
    )


def account_text(row: Account) -> str:
    """Return the name of an account for people to read, in the active language."""
    named = [
        text(f"metal_account_{row.kind}"),
        row.name,
        str(row.position) if row.position else "",
        f"#{row.batch_id}" if row.batch_id else "",
        row.user.full_name if row.user else "",
        row.process.name if row.process else "",
    ]
    return " · ".join(part for part in named if part)


def entry(row: MetalEntry) -> schemas.MetalEntryOut:
    """Return the answer for an entry loaded by `lists.entries`."""
    metal = weighed(row.alloy, row.mg, row.fineness)
    return schemas.MetalEntryOut(
        id=row.pk,
        at=row.at,
        made_at=row.made_at,
        **{"from": schemas.MetalAccountReference(**_named(row.source))},
        to=schemas.MetalAccountReference(**_named(row.target)),
        alloy_id=metal.alloy_id,
        alloy_name=metal.alloy_name,
        lot_id=row.lot_id,
        lot_name=str(row.lot) if row.lot else None,
        grams=metal.grams,
        fine_grams=metal.fine_grams,
        kind=EntryKind(row.kind),
        record_id=row.record_id,
        batch_id=row.batch_id,
        person_id=row.person_id,
        person_name=row.person.full_name if row.person else None,
        by_id=row.by_id,
        by_name=row.by.full_name,
        reason=row.reason,
        notes=row.notes,
        reverses_id=row.reverses_id,
        reversed=row.is_reversed,  # type: ignore[attr-defined]
    )


ENTRY_COLUMNS: Sequence[Column[MetalEntry]] = [
    Column("at", lambda row: row.at),
    Column("madeAt", lambda row: row.made_at),
    Column("metalKind", lambda row: text(f"metal_entry_{row.kind}")),
    Column("from", lambda row: account_text(row.source)),
    Column("to", lambda row: account_text(row.target)),
    Column("alloyName", lambda row: row.alloy.name),
    Column("grams", lambda row: to_grams(row.mg)),
    Column("fineGrams", lambda row: to_grams(fine_mg([(row.mg, row.fineness)]))),
    Column("metalLot", lambda row: str(row.lot) if row.lot else ""),
    Column("personName", lambda row: row.person.full_name if row.person else ""),
    Column("writtenBy", lambda row: row.by.full_name),
    Column("reason", lambda row: row.reason),
    Column("notes", lambda row: row.notes),
]


def lot(row: Lot) -> schemas.MetalLotOut:
    """Return the answer for a lot loaded by `lists.lots`."""
    return schemas.MetalLotOut(
        id=row.pk,
        alloy_id=row.alloy_id,
        alloy_name=row.alloy.name,
        received_grams=to_grams(row.received_mg),
        left_grams=to_grams(row.left_mg),
        supplier=row.supplier,
        document=row.document,
        assay=_per_mille(row.assay),
        day=row.day,
        created_at=row.created_at,
        created_by=row.by.full_name,
    )


def _per_mille(tenths: int | None) -> Decimal | None:
    return None if tenths is None else per_mille(tenths)


def day(row: MetalDay) -> schemas.MetalDayOut:
    """Return the answer for a closed day with its alloys. Later changes of names and catalogs do not show."""
    alloys = []
    for one in row.alloys.all():
        lost, given = one.dust_mg + one.difference_mg, one.received_mg
        alloys.append(
            schemas.MetalDayAlloyOut(
                alloy_id=one.alloy_id,
                alloy_name=one.alloy_name,
                expected_grams=to_grams(one.expected_mg),
                counted_grams=to_grams(one.counted_mg),
                dust_grams=to_grams(one.dust_mg),
                difference_grams=to_grams(one.difference_mg),
                received_grams=to_grams(given),
                loss_grams=to_grams(lost),
                fine_loss_grams=to_grams(fine_mg([(lost, one.fineness)])),
                loss_per_mille=loss_per_mille(lost, given) if given else None,
            )
        )
    return schemas.MetalDayOut(
        id=row.pk,
        slip_number=row.slip_number,
        user_id=row.person_id,
        user_name=row.person_name,
        production_process_id=row.process_id,
        production_process_name=row.process_name,
        day=row.day,
        number=row.closing,
        closed_at=row.closed_at,
        closed_by_id=row.closed_by_id,
        closed_by=row.closed_by_name,
        reopened=row.reopened,
        reopened_at=row.reopened_at,
        reopened_by=row.reopened_by.full_name if row.reopened_by else None,
        recovers=row.recovers,
        allowed_loss=row.allowed_loss,
        notes=row.notes,
        reason=row.reason,
        alloys=alloys,
    )


def expected(found: Expected, closings: list[schemas.MetalDayOut]) -> schemas.MetalDayExpectedOut:
    """Return the metal to count before a day is closed, with the closings of that day so far."""
    return schemas.MetalDayExpectedOut(
        user_id=found.person.pk,
        user_name=found.person.full_name,
        production_process_id=found.process.pk,
        production_process_name=found.process.name,
        day=found.day,
        recovers=found.process.recovers,
        allowed_loss=found.process.allowed_loss,
        reopened=found.reopened,
        alloys=[
            schemas.MetalExpectedGrams(
                alloy_id=alloy.pk, alloy_name=alloy.name, expected_grams=to_grams(mg), received_grams=to_grams(given)
            )
            for alloy, mg, given in found.alloys
        ],
        closings=closings,
    )


def in_vault(alloy: Alloy, of: Lot | None, mg: int) -> schemas.MetalCountExpectedOut:
    """Return the metal of an alloy and lot that should be in the vault. `of`: the lot; None: metal without a lot."""
    return schemas.MetalCountExpectedOut(
        alloy_id=alloy.pk,
        alloy_name=alloy.name,
        lot_id=of.pk if of else None,
        supplier=of.supplier if of else "",
        document=of.document if of else "",
        day=of.day if of else None,
        expected_grams=to_grams(mg),
    )


def count(row: MetalCount) -> schemas.MetalCountOut:
    """Return the answer for a count of the vault loaded by `counts.counts`."""
    alloys = [(key, list(rows)) for key, rows in groupby(row.rows.all(), key=attrgetter("alloy_id"))]
    return schemas.MetalCountOut(
        id=row.pk,
        slip_number=row.pk,
        at=row.at,
        counted_by_id=row.counted_by_id,
        counted_by=row.counted_by.full_name,
        witness_id=row.witness_id,
        witness=row.witness.full_name,
        written_by=row.by.full_name,
        notes=row.notes,
        alloys=[
            schemas.MetalCountAlloyOut(
                alloy_id=alloy_id,
                alloy_name=rows[0].alloy_name,
                expected_grams=to_grams(sum(one.expected_mg for one in rows)),
                counted_grams=to_grams(sum(one.counted_mg for one in rows)),
                difference_grams=to_grams(sum(one.difference_mg for one in rows)),
                fine_difference_grams=to_grams(fine_mg([(one.difference_mg, one.fineness) for one in rows])),
                reason=rows[0].reason,
                lots=[
                    schemas.MetalCountLotOut(
                        lot_id=one.lot_id,
                        supplier=one.lot.supplier if one.lot else "",
                        document=one.lot.document if one.lot else "",
                        expected_grams=to_grams(one.expected_mg),
                        counted_grams=to_grams(one.counted_mg),
                        difference_grams=to_grams(one.difference_mg),
                    )
                    for one in rows
                ],
            )
            for alloy_id, rows in alloys
        ],
    )


def refining(row: Refining) -> schemas.MetalRefiningOut:
    """Return the answer for a refining loaded by `lists.refinings`, with the share of each process by weight."""
    returned = returned_fine_mg(row)
    difference = None if returned is None else row.expected_fine_mg - returned
    return schemas.MetalRefiningOut(
        id=row.pk,
        partner=row.partner,
        sent_at=row.sent_at,
        sent_by=row.by.full_name,
        alloy_id=row.alloy_id,
        alloy_name=row.alloy.name,
        sent_grams=to_grams(row.sent_mg),
        expected_fine_grams=to_grams(row.expected_fine_mg),
        returned_at=row.returned_at,
        returned_alloy_id=row.returned_alloy_id,
        returned_alloy_name=row.returned_alloy.name if row.returned_alloy else None,
        returned_grams=grams_or_none(row.returned_mg),
        assay=_per_mille(row.assay),
        returned_fine_grams=grams_or_none(returned),
        difference_fine_grams=grams_or_none(difference),
        shares=shares(row),
    )


def returned_fine_mg(row: Refining) -> int | None:
    """Return the fine metal that came back, computed from the assay. None if nothing has come back yet."""
    if row.returned_mg is None or row.assay is None:
        return None
    return fine_mg([(row.returned_mg, row.assay)])


def shares(row: Refining) -> list[schemas.MetalShareOut]:
    """Return, for each process that put metal into a refining, its share by weight.

    The expected metal and the difference are each shared by largest remainder. The returned metal of a process is its
    expected metal minus its difference.
    """
    rows = list(row.shares.all())
    weights = [one.mg for one in rows]
    expected_mg = shared(row.expected_fine_mg, weights)
    whole = returned_fine_mg(row)
    differing = [None] * len(rows) if whole is None else _shared_difference(row.expected_fine_mg - whole, weights)
    return [
        schemas.MetalShareOut(
            production_process_id=one.process_id,
            production_process_name=one.process.name if one.process else None,
            sent_grams=to_grams(one.mg),
            expected_fine_grams=to_grams(due),
            returned_fine_grams=grams_or_none(None if differs is None else due - differs),
            difference_fine_grams=grams_or_none(differs),
        )
        for one, due, differs in zip(rows, expected_mg, differing, strict=True)
    ]


def _shared_difference(mg: int, weights: Sequence[int]) -> list[int]:
    """Share a difference by weights. It is negative if more came back than expected."""
    return [share if mg > 0 else -share for share in shared(abs(mg), weights)]


def melting(row: Melting, inputs: Sequence[MetalEntry]) -> schemas.MetalMeltingOut:
    """Return the answer for a melting. `inputs`: the entries of the metal that went in, from `lists.melted`."""
    fine_in = fine_mg([(one.mg, one.fineness) for one in inputs])
    fine_out = fine_mg([(row.mg, row.alloy.fineness)])
    return schemas.MetalMeltingOut(
        id=row.pk,
        at=row.at,
        by=row.by.full_name,
        inputs=_melted(inputs),
        alloy_id=row.alloy_id,
        alloy_name=row.alloy.name,
        grams=to_grams(row.mg),
        fine_grams=to_grams(fine_out),
        difference_fine_grams=to_grams(fine_in - fine_out),
        reason=row.reason,
    )


def _melted(inputs: Iterable[MetalEntry]) -> list[schemas.MetalGrams]:
    """Return the metal that was melted, by alloy and account: entries of several lots are one weight."""
    weights: dict[tuple[int, int], list[MetalEntry]] = {}
    for one in inputs:
        weights.setdefault((one.source_id, one.alloy_id), []).append(one)
    return [
        schemas.MetalGrams(
            alloy_id=rows[0].alloy_id,
            alloy_name=rows[0].alloy.name,
            grams=to_grams(sum(one.mg for one in rows)),
            fine_grams=to_grams(fine_mg([(one.mg, one.fineness) for one in rows])),
        )
        for rows in weights.values()
    ]
