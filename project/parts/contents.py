"""The parts, the audited records that belong to each, and what keeps it on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import QuerySet

from project.batches.models import Batch
from project.billing.models import Bill, Cfdi, Csd, OriginCertificate, Settlement
from project.catalogs.models import ProcessItemPrice, Tray
from project.customer_links.models import CustomerLink
from project.displays.models import Display
from project.integrations.models import ServiceAccount, Webhook
from project.metal.models import MetalEntry


class PartKey(StrEnum):
    metal = "metal"
    piece_prices = "piecePrices"
    export = "export"
    customer_links = "customerLinks"
    displays = "displays"
    integrations = "integrations"
    forecasts = "forecasts"


@dataclass(frozen=True)
class Contents:
    """What belongs to a part.

    `entities`: the first write of one of these audited records turns the part on. `records`: while one of these
    exists, the part cannot be switched off.
    """

    entities: frozenset[str] = frozenset()
    records: tuple[Callable[[], QuerySet], ...] = ()


PARTS: Mapping[PartKey, Contents] = {
    PartKey.metal: Contents(
        frozenset(
            {
                *("alloys", "metal/trays", "batch", "metal-count", "metal-day", "metal-entry", "metal-lot"),
                *("metal-melting", "metal-refining"),
            }
        ),
        (MetalEntry.objects.all, Batch.objects.all, Tray.objects.all),
    ),
    PartKey.piece_prices: Contents(frozenset({"process-item-prices"}), (ProcessItemPrice.objects.all,)),
    PartKey.export: Contents(
        frozenset({"certificates"}),
        (
            *(OriginCertificate.objects.all, Csd.objects.all, Cfdi.objects.all, Settlement.objects.all),
            lambda: Bill.objects.filter(export__isnull=False),
        ),
    ),
    PartKey.customer_links: Contents(frozenset({"customer-links"}), (CustomerLink.objects.all,)),
    PartKey.displays: Contents(frozenset({"displays"}), (lambda: Display.objects.filter(active=True),)),
    PartKey.integrations: Contents(
        frozenset({"service-accounts", "webhooks"}), (ServiceAccount.objects.all, Webhook.objects.all)
    ),
    PartKey.forecasts: Contents(),
}
