"""Bodies, answers and documents of metal: grams outside, milligrams inside (infra/docs/rules.md#metal-office)."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from project.core.exporting import ExportQuery
from project.core.pagination import ListQuery
from project.core.schemas import (
    UNSET,
    Day,
    DaysQuery,
    Document,
    Flag,
    Grams,
    GramsFromZero,
    GramsOut,
    Id,
    In,
    Instant,
    Name,
    Notes,
    OneLine,
    Out,
    PerMille,
    PerMilleOut,
    QueryId,
)
from project.metal.models import AccountKind, EntryKind

PEOPLE = 200
"""Maximum number of people whose days one call closes, and of sources of a refining."""
ALLOYS = 50
"""Maximum number of alloys in one body."""
LOTS = 500
"""Maximum number of lots of an alloy in one count."""
TransferFrom = Literal["vault", "person", "outside", "scrap", "dust", "bath", "finished", "lost"]
TransferTo = Literal["vault", "person", "outside", "scrap", "dust", "bath", "finished", "lost", "supplier"]


class MetalAccountQuery(ListQuery):
    """Filters of accounts. `empty`: also the accounts that hold nothing. `search` matches names of partners and PO#."""

    kind: AccountKind | None = None
    user_id: QueryId | None = None
    production_process_id: QueryId | None = None
    empty: bool = False


class MetalEntryQuery(ExportQuery, DaysQuery):
    """Filters of the ledger. `accountId`: the account at either end. `from` and `to`: days, both included."""

    account_id: QueryId | None = None
    alloy_id: QueryId | None = None
    person_id: QueryId | None = None
    kind: EntryKind | None = None


class MetalDayQuery(BaseModel):
    """The day of a person at a process. `userId`: by default the caller. `day`: by default today in the plant."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    production_process_id: QueryId
    user_id: QueryId | None = None
    day: Day | None = None


class MetalDayListQuery(ListQuery, DaysQuery):
    """Filters of closed days. `from` and `to`: days, both included."""

    user_id: QueryId | None = None
    production_process_id: QueryId | None = None
    reopened: bool | None = None


class MetalOpenDayQuery(ListQuery):
    """Filters of the people whose day is open."""

    production_process_id: QueryId | None = None


class MetalRefiningQuery(ListQuery):
    """Filters of refinings. `pending`: true for those that have not come back."""

    pending: bool | None = None


class MetalReceiptIn(In):
    """Metal that was bought: a new lot in the vault. `assay`: the fineness found. `day`: by default today.

    `confirm`: the user confirms a document that the supplier's lots already have, or a receipt that is far larger than
    earlier ones.
    """

    alloy_id: Id
    grams: Grams
    supplier: Name
    document: OneLine = ""
    assay: PerMille | None = None
    day: Day = UNSET
    confirm: Flag = False


class MetalTransferIn(In):
    """Metal to move between two accounts. Each account is named by its id, or by its kind and other fields.

    A person also needs `…UserId` and `…ProductionProcessId`; dust and a bath need `…ProductionProcessId`; a partner and
    a supplier need `…Name`. `lotId`: the lot that gives the metal in the vault, or gets it back. `reason` is required
    for a transfer from or to `lost`.
    """

    from_account_id: Id | None = None
    from_kind: TransferFrom | None = None
    from_user_id: Id | None = None
    from_production_process_id: Id | None = None
    from_name: Name | None = None
    to_account_id: Id | None = None
    to_kind: TransferTo | None = None
    to_user_id: Id | None = None
    to_production_process_id: Id | None = None
    to_name: Name | None = None
    alloy_id: Id
    grams: Grams
    lot_id: Id | None = None
    reason: OneLine = ""
    notes: Notes = ""


class MetalCountIn(In):
    """The weights of an alloy at the end of a day: the metal, and the dust that was swept.

    `expectedGrams`: what `days/expected` said. If it is sent and no longer true, the day is not closed.
    """

    alloy_id: Id
    counted_grams: GramsFromZero
    dust_grams: GramsFromZero = Decimal(0)
    expected_grams: GramsFromZero | None = None


class MetalPersonDayIn(In):
    """The count of a person's day at a process. `confirm` and `reason`: as in `MetalDayIn`."""

    user_id: Id
    production_process_id: Id
    alloys: Annotated[list[MetalCountIn], Field(max_length=ALLOYS)]
    notes: Notes = ""
    confirm: Annotated[bool, Field(strict=True)] = False
    reason: OneLine = ""


class MetalDayIn(In):
    """The count of a person's day. The person is named by PIN or badge; without both it is the caller.

    `userId`: the person that the PIN or badge must belong to. A holder of `ManageMetal` may name a person who is not
    there by `userId` alone. `day`: by default today in the plant. A count far from the books is refused unless
    `confirm` is true and `reason` says why it is right.
    """

    production_process_id: Id
    user_id: Id | None = None
    pin: Annotated[str, Field(max_length=20)] | None = None
    badge: Annotated[str, Field(max_length=200)] | None = None
    day: Day = UNSET
    alloys: Annotated[list[MetalCountIn], Field(max_length=ALLOYS)]
    notes: Notes = ""
    confirm: Annotated[bool, Field(strict=True)] = False
    reason: OneLine = ""


class MetalDaysIn(In):
    """The counts of several people's days. Either all of them are closed or none. `day`: by default today."""

    day: Day = UNSET
    people: Annotated[list[MetalPersonDayIn], Field(max_length=PEOPLE)]


class MetalCountLotIn(In):
    """The count of a lot in the vault. Without `lotId`: the count of metal that belongs to no lot.

    `expectedGrams`: what `counts/expected` said; 0 if the lot was not in that answer.
    """

    lot_id: Id | None = None
    expected_grams: GramsFromZero
    counted_grams: GramsFromZero


class MetalCountAlloyIn(In):
    """The count of an alloy in the vault. `reason` is required if a lot differs."""

    alloy_id: Id
    reason: OneLine = ""
    lots: Annotated[list[MetalCountLotIn], Field(max_length=LOTS)]


class MetalVaultCountIn(In):
    """A count of the vault by two people. If an alloy is counted, all of its lots with metal must be counted.

    409 `count_far` without `confirm` if a lot weighs five times more or less than the books say.
    """

    counted_by_id: Id
    witness_id: Id
    alloys: Annotated[list[MetalCountAlloyIn], Field(max_length=ALLOYS)]
    notes: Notes = ""
    confirm: Flag = False


class MetalSourceIn(In):
    """Metal for the refinery: the dust of a process, or without a process the metal of the scrap box."""

    production_process_id: Id | None = None
    grams: Grams


class MetalRefiningIn(In):
    """Metal that is sent to be refined. `expectedFineGrams`: by default computed from the alloy's fineness."""

    partner: Name
    alloy_id: Id
    sources: Annotated[list[MetalSourceIn], Field(max_length=PEOPLE)]
    expected_fine_grams: Grams | None = None
    notes: Notes = ""


class MetalReturnIn(In):
    """Metal that came back from the refinery. `assay`: its fineness, by default that of the alloy."""

    alloy_id: Id
    grams: Grams
    assay: PerMille | None = None
    notes: Notes = ""


class MetalMeltIn(In):
    """Metal that is melted: an alloy from the vault, or with `scrap` from the scrap box."""

    alloy_id: Id
    grams: Grams
    scrap: Annotated[bool, Field(strict=True)] = False


class MetalMeltingIn(In):
    """Several alloys become one. `reason` is required if the fine metal differs by more than the scale's steps."""

    inputs: Annotated[list[MetalMeltIn], Field(max_length=ALLOYS)]
    alloy_id: Id
    grams: Grams
    reason: OneLine = ""


class MetalGrams(Document):
    """Metal of one alloy. `fineGrams`: the pure metal in it."""

    alloy_id: int
    alloy_name: str
    grams: GramsOut
    fine_grams: GramsOut


class MetalAccountReference(Document):
    """Where metal is. `kind` says which of the other fields identify the account; the others are null or empty."""

    id: int
    kind: AccountKind
    name: str
    user_id: int | None
    user_name: str | None
    production_process_id: int | None
    production_process_name: str | None
    sales_order_id: int | None
    position: int | None
    batch_id: int | None


class MetalAccountDocument(MetalAccountReference):
    """An account and its balances. Alloys with a balance of 0 are left out."""

    balances: list[MetalGrams]


class MetalTotalOut(Out):
    """What all accounts of a kind hold. Across alloys, only fine grams are summed."""

    kind: AccountKind
    balances: list[MetalGrams]
    fine_grams: GramsOut


class MetalEntryOut(Out):
    """An entry of the ledger: metal that moved `from` one account `to` another one.

    `reversesId`: the earlier entry that this entry takes back. `reversed`: whether a later entry takes this one back.
    `lotName`: the supplier and document of the lot, if there is one. `fineGrams`: computed with the lot's assay.
    """

    id: int
    at: Instant
    made_at: Instant | None
    source: MetalAccountReference = Field(alias="from")
    target: MetalAccountReference = Field(alias="to")
    alloy_id: int
    alloy_name: str
    lot_id: int | None
    lot_name: str | None
    grams: GramsOut
    fine_grams: GramsOut
    kind: EntryKind
    record_id: int | None
    batch_id: int | None
    person_id: int | None
    person_name: str | None
    by_id: int
    by_name: str
    reason: str
    notes: str
    reverses_id: int | None
    reversed: bool


class MetalLotOut(Out):
    """Metal that was bought, and what is left of it in the vault. `assay`: the fineness found, in per mille."""

    id: int
    alloy_id: int
    alloy_name: str
    received_grams: GramsOut
    left_grams: GramsOut
    supplier: str
    document: str
    assay: PerMilleOut | None
    day: date
    created_at: Instant
    created_by: str


class MetalDayAlloyOut(Out):
    """The count of an alloy. `differenceGrams` = expected − counted − dust; negative if more was there than expected.

    `receivedGrams`: what the person was given since the previous closing. `lossGrams` = dust + difference.
    `lossPerMille`: `lossGrams` in per mille of `receivedGrams`, null if nothing was received.
    """

    alloy_id: int
    alloy_name: str
    expected_grams: GramsOut
    counted_grams: GramsOut
    dust_grams: GramsOut
    difference_grams: GramsOut
    received_grams: GramsOut
    loss_grams: GramsOut
    fine_loss_grams: GramsOut
    loss_per_mille: PerMilleOut | None


class MetalDayOut(Out):
    """The closed day of a person at a process, with the number of its slip.

    `number`: 2 for the second closing of that day. `reopened`: the closing is open again, because somebody took it
    back, or because a movement was reported later; then its difference stays open until the next closing. `reopenedAt`,
    `reopenedBy`: when and by whom it was taken back; else null. `allowedLoss`: in per mille. `reason`: why a count far
    from the books is right.
    """

    id: int
    slip_number: int
    user_id: int
    user_name: str
    production_process_id: int
    production_process_name: str
    day: date
    number: int
    closed_at: Instant
    closed_by_id: int
    closed_by: str
    reopened: bool
    reopened_at: Instant | None
    reopened_by: str | None
    recovers: bool
    allowed_loss: PerMilleOut | None
    notes: str
    reason: str
    alloys: list[MetalDayAlloyOut]


class MetalOpenDayOut(Out):
    """A person whose day at a process is open: they hold metal that has moved since their last closing.

    `closedDay`, `closedAt`: the day and the time of that closing; null if there is none.
    """

    user_id: int
    user_name: str
    production_process_id: int
    production_process_name: str
    closed_day: date | None
    closed_at: Instant | None
    balances: list[MetalGrams]


class MetalExpectedGrams(Out):
    """The grams of an alloy that a person should have, and the grams that they were given since their last closing."""

    alloy_id: int
    alloy_name: str
    expected_grams: GramsOut
    received_grams: GramsOut


class MetalDayExpectedOut(Out):
    """The metal to count before a day is closed. `closings`: the closings of that day so far, the newest first.

    `reopened`: a movement made before the last closing was reported after it. If it opened that closing again, the
    expected grams include the closing's difference.
    """

    user_id: int
    user_name: str
    production_process_id: int
    production_process_name: str
    day: date
    recovers: bool
    allowed_loss: PerMilleOut | None
    reopened: bool
    alloys: list[MetalExpectedGrams]
    closings: list[MetalDayOut]


class MetalMineOut(Out):
    """The metal that the caller holds at each process, and their last closed days with what was lost."""

    accounts: list[MetalAccountDocument]
    days: list[MetalDayOut]


class MetalCountLotOut(Out):
    """The count of one lot. `lotId` null: metal that belongs to no lot. `differenceGrams` = expected − counted."""

    lot_id: int | None
    supplier: str
    document: str
    expected_grams: GramsOut
    counted_grams: GramsOut
    difference_grams: GramsOut


class MetalCountAlloyOut(Out):
    """The count of an alloy: its sums, why it differs, and its lots. Name and fineness are those of that time."""

    alloy_id: int
    alloy_name: str
    expected_grams: GramsOut
    counted_grams: GramsOut
    difference_grams: GramsOut
    fine_difference_grams: GramsOut
    reason: str
    lots: list[MetalCountLotOut]


class MetalCountOut(Out):
    """A count of the vault, with the number of its slip. `countedBy` and `witness` counted, `writtenBy` stored it."""

    id: int
    slip_number: int
    at: Instant
    counted_by_id: int
    counted_by: str
    witness_id: int
    witness: str
    written_by: str
    notes: str
    alloys: list[MetalCountAlloyOut]


class MetalCountExpectedOut(Out):
    """The metal of an alloy and lot that should be in the vault. `lotId` null: metal that belongs to no lot."""

    alloy_id: int
    alloy_name: str
    lot_id: int | None
    supplier: str
    document: str
    day: date | None
    expected_grams: GramsOut


class MetalShareOut(Out):
    """What a process put into a refining, and its share of the difference. Without a process: the scrap box."""

    production_process_id: int | None
    production_process_name: str | None
    sent_grams: GramsOut
    expected_fine_grams: GramsOut
    returned_fine_grams: GramsOut | None
    difference_fine_grams: GramsOut | None


class MetalRefiningOut(Out):
    """Metal that was sent to be refined. The fields about the returned metal are null until it comes back.

    `differenceFineGrams` = expected − returned; negative if more came back than expected.
    """

    id: int
    partner: str
    sent_at: Instant
    sent_by: str
    alloy_id: int
    alloy_name: str
    sent_grams: GramsOut
    expected_fine_grams: GramsOut
    returned_at: Instant | None
    returned_alloy_id: int | None
    returned_alloy_name: str | None
    returned_grams: GramsOut | None
    assay: PerMilleOut | None
    returned_fine_grams: GramsOut | None
    difference_fine_grams: GramsOut | None
    shares: list[MetalShareOut]


class MetalMeltingOut(Out):
    """Several alloys that became one. `differenceFineGrams` = fine metal in − fine metal out."""

    id: int
    at: Instant
    by: str
    inputs: list[MetalGrams]
    alloy_id: int
    alloy_name: str
    grams: GramsOut
    fine_grams: GramsOut
    difference_fine_grams: GramsOut
    reason: str
