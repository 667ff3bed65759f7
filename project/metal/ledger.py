"""Move metal between accounts (infra/docs/rules.md#metal). Entries are added, never changed.

Every function joins the caller's transaction. If a transaction posts more than once, lock all of its balances first,
with `lock`. Else two transactions that lock the same balances in different orders deadlock.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from project.access.principal import Principal
from project.core.queries import prepared
from project.metal import lots
from project.metal.models import NAMED, OF_RECORDS, Account, AccountKind, EntryKind, MetalEntry
from project.metal.rules import NotEnoughMetal, shared, to_grams

Held = dict[tuple[int, int], int]
"""The milligrams that accounts hold, by the ids of account and alloy."""


@dataclass(frozen=True)
class Posting:
    """Metal to move from one account to another. `line_id`: the id of the account of the order line concerned.

    `oldest`: if `lot_id` is None, metal from the vault is taken from the oldest lots; a reversal ignores this.
    """

    source: Account
    target: Account
    alloy_id: int
    mg: int
    kind: EntryKind
    record_id: int | None = None
    movement_id: int | None = None
    batch_id: int | None = None
    person_id: int | None = None
    lot_id: int | None = None
    line_id: int | None = None
    reason: str = ""
    notes: str = ""
    reverses: MetalEntry | None = None
    oldest: bool = True

    def columns(self) -> dict[str, Any]:
        """Return the columns of the posting's entry."""
        return {name: getattr(self, name) for name in _COLUMNS} | {"kind": self.kind.value}


_COLUMNS = [one.name for one in fields(Posting) if one.name != "oldest"]


def account(kind: AccountKind, *, name: str = "", **identity: int) -> Account:
    """Return the account with this identity. Creates a missing account. 1 query; 3 if the account is created.

    Only suppliers and partners are identified by `name`. Concurrent calls return the same account.
    """
    found = _of(kind, name, identity).first()
    return _made(kind, name=name, **identity) if found is None else found


def _of(kind: AccountKind, name: str, identity: Mapping[str, int]) -> QuerySet[Account]:
    named = {"name__name_key": name} if kind in NAMED else {}
    return Account.objects.filter(kind=kind.value, **identity, **named)


def _made(kind: AccountKind, *, name: str = "", **identity: int) -> Account:
    """Create an account, or return the one that a concurrent call has created. 2 queries."""
    Account.objects.bulk_create([Account(kind=kind.value, name=name, **identity)], ignore_conflicts=True)
    return _of(kind, name, identity).get()


def vault() -> Account:
    return account(AccountKind.vault)


def scrap_box() -> Account:
    return account(AccountKind.scrap)


def lost() -> Account:
    return account(AccountKind.lost)


def finished() -> Account:
    return account(AccountKind.finished)


def shipped() -> Account:
    return account(AccountKind.shipped)


def refinery() -> Account:
    return account(AccountKind.refinery)


def dust(process_id: int) -> Account:
    return account(AccountKind.dust, process_id=process_id)


def supplier(name: str) -> Account:
    return account(AccountKind.supplier, name=name)


def bath(process_id: int) -> Account:
    return account(AccountKind.bath, process_id=process_id)


def outside(name: str) -> Account:
    return account(AccountKind.outside, name=name)


def batch_account(batch_id: int) -> Account:
    return account(AccountKind.batch, batch_id=batch_id)


def person_account(user_id: int, process_id: int) -> Account:
    return account(AccountKind.person, user_id=user_id, process_id=process_id)


def line_account(order_id: int, position: int, name: str) -> Account:
    """Return the account of an order's line. `name`: the order's PO#, stored when the account is created."""
    return account(AccountKind.line, name=name, sales_order_id=order_id, position=position)


@dataclass(frozen=True)
class Accounts:
    """The accounts that a movement of a line may concern. `people`: people's accounts, by (user id, process id)."""

    vault: Account
    lost: Account
    scrap: Account
    line: Account
    people: dict[tuple[int, int], Account]

    @property
    def all(self) -> list[Account]:
        return [self.vault, self.lost, self.scrap, self.line, *self.people.values()]


_of_movements = prepared(
    lambda *ids: Account.objects.filter(
        Q(kind__in=[AccountKind.vault.value, AccountKind.lost.value, AccountKind.scrap.value])
        | Q(kind=AccountKind.line.value, sales_order_id__in=ids[0::4], position__in=ids[1::4])
        | Q(kind=AccountKind.person.value, user__in=ids[2::4], process__in=ids[3::4])
    )
)
_Identity = tuple[str, int | None, int | None, int | None, int | None]


def accounts_of_lines(lines: Mapping[tuple[int, int], str], people: Sequence[tuple[int, int]]) -> list[Accounts]:
    """Return, for each line in this order, the accounts that movements of the line by these people may concern.

    `lines`: the PO# of each line, by (order id, position). `people`: (user id, process id); at least one. The results
    share the objects of the vault, the lost metal, the scrap box and the people. 1 query; 3 if accounts are created.
    """
    places = list(lines)
    single: list[_Identity] = [
        (kind.value, None, None, None, None) for kind in (AccountKind.vault, AccountKind.lost, AccountKind.scrap)
    ]
    own: list[_Identity] = [(AccountKind.line.value, None, None, *place) for place in places]
    whose: list[_Identity] = [(AccountKind.person.value, *one, None, None) for one in people]
    # As many places as people, so that the number of ids says what each of them is.
    pairs = [(places[n % len(places)], people[n % len(people)]) for n in range(max(len(places), len(people)))]
    ids = [one for place, person in pairs for one in (*place, *person)]
    found = {_identity(one): one for one in _of_movements(*ids)}
    if missing := [one for one in (*single, *own, *whose) if one not in found]:
        Account.objects.bulk_create(
            [
                Account(
                    kind=kind,
                    user_id=user,
                    process_id=process,
                    sales_order_id=order,
                    position=position,
                    name=lines[order, position] if order is not None and position is not None else "",
                )
                for kind, user, process, order, position in missing
            ],
            ignore_conflicts=True,
        )
        found = {_identity(one): one for one in _of_movements(*ids)}
    vault_, lost_, scrap_ = (found[one] for one in single)
    holders = {one: found[identity] for one, identity in zip(people, whose, strict=True)}
    return [Accounts(vault=vault_, lost=lost_, scrap=scrap_, line=found[one], people=holders) for one in own]


def _identity(one: Account) -> _Identity:
    """Return the values that identify an account of a kind without names."""
    return one.kind, one.user_id, one.process_id, one.sales_order_id, one.position


def post(
    postings: Sequence[Posting],
    *,
    by: Principal,
    at: datetime,
    made_at: datetime | None = None,
    cover: Account | None = None,
    held: Held | None = None,
) -> list[MetalEntry]:
    """Lock the balances in a fixed order, write the entries, and store the new balances. Returns the entries.

    `cover`: the account `lost`. With `cover`, an account that lacks metal gets it from `lost`, by an entry of kind
    `reweigh`, because work on the floor never waits for the books. Without `cover`, raises `NotEnoughMetal`. `held`:
    the result of `lock` for all balances concerned, also those of `cover`. Raises `LotUsedUp` if a named lot has too
    little left.

    A posting from the vault that names no lot takes from the oldest lots, first in, first out. It becomes one entry for
    each lot, and one without a lot for the rest. 3 queries; 2 with `held`; 1 more if the vault gives metal, and 1 more
    if a posting names its lot; none without postings.
    """
    if not postings:
        return []
    pairs = {(end.pk, one.alloy_id): end for one in postings for end in (one.source, one.target)}
    if cover is not None:
        pairs |= {(cover.pk, one.alloy_id): cover for one in postings}
    held = _lock(pairs) if held is None else held
    wanted = _covered(postings, pairs, held, cover)
    changes = {key: mg for key, mg in _changes(wanted).items() if mg}
    for key, mg in changes.items():
        held[key] += mg
        if held[key] < 0 and not pairs[key].below_zero:
            raise _not_enough(wanted, pairs[key], key, held[key])
    wanted = _from_lots(wanted)
    entries = [MetalEntry(at=at, made_at=made_at, by_id=by.user_id, **one.columns()) for one in wanted]
    MetalEntry.objects.bulk_create(entries)
    if changes:
        _keep({key: held[key] for key in changes}, pairs)
    return entries


def reverse(
    entries: Iterable[MetalEntry], *, by: Principal, at: datetime, reason: str = "", cover: Account | None = None
) -> list[MetalEntry]:
    """Reverse entries, each by a new entry in the opposite direction. Returns the new entries.

    The entries must not be reversed yet: load them with `unreversed` or `unreversed_of`, with their accounts. Locks,
    queries and errors are those of `post`.
    """
    return post([reversal(one, reason) for one in entries], by=by, at=at, cover=cover)


def unreversed_of(record_ids: Collection[int], movement_ids: Collection[int] = ()) -> list[MetalEntry]:
    """Return the entries of these process records and movements that are neither reversed nor a reversal.

    Oldest first. 1 query.
    """
    kinds = [kind.value for kind in OF_RECORDS]  # in entries of other kinds, `record_id` is no record's id
    named = Q(record_id__in=record_ids) | Q(movement_id__in=movement_ids)
    rows = MetalEntry.objects.filter(named, kind__in=kinds, reversed_by__isnull=True)
    return list(rows.select_related("source", "target").order_by("pk"))


def split(entries: Iterable[MetalEntry], parts: Sequence[tuple[int, int]]) -> list[Posting]:
    """Return the postings that divide a record's entries among the parts of the record.

    `parts`: the record id and the pieces of each part; the last one is the new record. Each entry is reversed and
    written again in parts, so that each part can be taken back alone. Balances do not change.
    """
    made: list[Posting] = []
    for entry in entries:
        made.append(reversal(entry))
        again = replace(
            reversal(entry),
            source=entry.source,
            target=entry.target,
            kind=EntryKind(entry.kind),
            reverses=None,
            oldest=False,
        )
        shares = shared(entry.mg, [pieces for _, pieces in parts])
        made += [
            replace(again, record_id=record_id, mg=mg) for (record_id, _), mg in zip(parts, shares, strict=True) if mg
        ]
    return made


def lock(accounts: Iterable[Account], alloy_ids: Collection[int]) -> Held:
    """Lock the balances of these accounts and alloys until the transaction ends, and return them. 1 query."""
    return _lock({(one.pk, alloy_id): one for one in accounts for alloy_id in alloy_ids})


def reversal(entry: MetalEntry, reason: str = "", *, movement_id: int | None = None) -> Posting:
    """Return the posting that reverses an entry.

    `movement_id`: the movement that takes the entry back; None: the entry's own movement.
    """
    return Posting(
        source=entry.target,
        target=entry.source,
        alloy_id=entry.alloy_id,
        mg=entry.mg,
        kind=EntryKind.reversal,
        record_id=entry.record_id,
        movement_id=movement_id or entry.movement_id,
        batch_id=entry.batch_id,
        person_id=entry.person_id,
        lot_id=entry.lot_id,
        line_id=entry.line_id,
        reason=reason,
        reverses=entry,
    )


def _changes(postings: Iterable[Posting]) -> dict[tuple[int, int], int]:
    """Return by how much each balance changes."""
    changes: defaultdict[tuple[int, int], int] = defaultdict(int)
    for one in postings:
        changes[one.source.pk, one.alloy_id] -= one.mg
        changes[one.target.pk, one.alloy_id] += one.mg
    return changes


def _covered(
    postings: Sequence[Posting], pairs: dict[tuple[int, int], Account], held: Held, cover: Account | None
) -> list[Posting]:
    """Return the postings, with added postings from `cover` to accounts that lack metal.

    Each is inserted before the last posting that takes metal from the account.
    """
    wanted = list(postings)
    for key, mg in _changes(postings).items() if cover is not None else ():
        lacks = -(held[key] + mg)
        if cover is not None and lacks > 0 and not pairs[key].below_zero:
            needs = max(place for place, one in enumerate(wanted) if (one.source.pk, one.alloy_id) == key)
            needing = wanted[needs]
            given = replace(
                needing,
                # An entry that covers a reversal does not belong to the record, and stays if the record is taken back.
                record_id=needing.record_id if needing.reverses is None else None,
                movement_id=needing.movement_id if needing.reverses is None else None,
                source=cover,
                target=pairs[key],
                mg=lacks,
                kind=EntryKind.reweigh,
                lot_id=None,
                reverses=None,
            )
            wanted.insert(needs, given)
    return wanted


def _from_lots(postings: Sequence[Posting]) -> list[Posting]:
    """Change what is left of the lots, and return the postings, divided where one takes metal from several lots."""
    lots.change(_left(postings))
    wanted: Counter[int] = Counter()
    for one in postings:
        if _takes_oldest(one):
            wanted[one.alloy_id] += one.mg
    taken = lots.take_oldest(wanted) if wanted else {}
    if not taken:
        return list(postings)
    queues = {alloy_id: deque(of_alloy) for alloy_id, of_alloy in taken.items()}
    made: list[Posting] = []
    for one in postings:
        rest, queue = one.mg, queues.get(one.alloy_id)
        while queue and rest and _takes_oldest(one):
            lot_id, left = queue.popleft()
            mg = min(rest, left)
            made.append(replace(one, mg=mg, lot_id=lot_id))
            rest -= mg
            if left > mg:
                queue.appendleft((lot_id, left - mg))
        if rest:
            made.append(replace(one, mg=rest))
    return made


def _takes_oldest(one: Posting) -> bool:
    return one.oldest and one.reverses is None and one.lot_id is None and one.source.kind == AccountKind.vault


def _left(postings: Iterable[Posting]) -> Counter[int]:
    """Return by how much postings that name their lot change what is left of it, by lot id."""
    left: Counter[int] = Counter()
    for one in postings:
        if one.lot_id is not None:
            left[one.lot_id] += one.mg * (
                (one.target.kind == AccountKind.vault) - (one.source.kind == AccountKind.vault)
            )
    return left


def _not_enough(postings: Sequence[Posting], lacking: Account, key: tuple[int, int], left: int) -> NotEnoughMetal:
    asked = sum(one.mg for one in postings if (one.source.pk, one.alloy_id) == key)
    return NotEnoughMetal(
        account=lacking.kind,
        name=lacking.name,
        accountId=key[0],
        alloyId=key[1],
        grams=float(to_grams(asked)),
        missing=float(to_grams(-left)),
    )


def _lock(pairs: dict[tuple[int, int], Account]) -> Held:
    """Create missing balances, lock all of them, and return what they hold.

    One statement locks the balances in the order of their keys, so that two transactions cannot deadlock. It sets only
    `below_zero`, which never changes.
    """
    return _upsert("below_zero", dict.fromkeys(pairs, 0), pairs)


def _keep(held: Held, pairs: dict[tuple[int, int], Account]) -> None:
    """Store the balances. The caller has locked them."""
    _upsert("mg", held, pairs)


def _upsert(column: str, held: Held, pairs: dict[tuple[int, int], Account]) -> Held:
    """Insert missing balances, and set `column` of the existing ones. Returns what all of them hold. 1 query."""
    rows = [(*key, held[key], pairs[key].below_zero) for key in sorted(held)]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO metal_balance (account_id, alloy_id, mg, below_zero)"  # noqa: S608 - no value is within it
            f" VALUES {', '.join(['(%s, %s, %s, %s)'] * len(rows))}"
            f" ON CONFLICT (account_id, alloy_id) DO UPDATE SET {column} = excluded.{column}"
            " RETURNING account_id, alloy_id, mg",
            [value for row in rows for value in row],
        )
        return {(account_id, alloy_id): mg for account_id, alloy_id, mg in cursor.fetchall()}
