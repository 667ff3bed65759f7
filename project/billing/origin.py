"""The origin of goods: what a bill can certify, and certificates for a period (infra/docs/rules.md#origin)."""

from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import F, Func, IntegerField, QuerySet
from django.db.models.fields.json import KT

from project.access.principal import Principal
from project.audit import services as audit
from project.billing import customs_rules as rules
from project.billing.customs_rules import At, Certifier, Gap, OriginGoods
from project.billing.issued import BillTexts, LineTexts
from project.billing.models import Bill, OriginCertificate
from project.billing.schemas import CertificateIn
from project.catalogs.models import Company, Customer, Item, OriginCriterion
from project.core import clock
from project.core.errors import FieldError, InvalidFields, NotFound
from project.core.idempotency import unit_of_work
from project.core.money import rounded
from project.core.pagination import Orderings
from project.events import record_and_publish

CERTIFICATE_ORDERINGS = Orderings(columns={"id": "id", "begins": "begins", "ends": "ends"}, default="-id")


@dataclass(frozen=True)
class Origin:
    """What a bill says about origin. `abroad`: the customer is in another country. `treaty`: in one of T-MEC.

    `certified`: the number of lines that the commercial invoice certifies. `duty`: what the other lines pay at
    `duty_percent`. `duty` and `duty_percent` are None outside T-MEC, and if no rate is known for the bill's day.
    """

    abroad: bool
    treaty: bool
    gaps: tuple[Gap, ...]
    certified: int
    lines: int
    duty_percent: Decimal | None
    duty: Decimal | None


def origin_of(bill: Bill) -> Origin:
    """Return what a bill loaded by the selectors says about origin. No query."""
    country = country_of(bill.texts)
    abroad, treaty = country not in ("", rules.HOME), country in rules.TREATY
    goods, certifier = goods_of(bill), certifier_of(bill.texts, bill.company_id)
    certified = rules.certified(certifier, goods)
    rate = rules.duty_rate(settings.DUTY_WITHOUT_ORIGIN, bill.date) if treaty else None
    dutiable = sum((one.amount for one in goods), Decimal(0)) - sum((one.amount for one in certified), Decimal(0))
    return Origin(
        abroad=abroad,
        treaty=treaty,
        gaps=(*rules.certifier_gaps(certifier), *rules.goods_gaps(goods)) if treaty else (),
        certified=len(certified) if treaty else 0,
        lines=len(goods),
        duty_percent=rate,
        duty=None if rate is None else rounded(dutiable * rate / 100, bill.currency),
    )


def country_of(texts: BillTexts) -> str:
    """Return the country of the customer's commercial address; empty if it is not known."""
    found = (one.get("country", "") for one in texts.customer_addresses if one.get("kind") == "Commercial")
    return next(found, "")


def certifier_of(texts: BillTexts, company_id: int) -> Certifier:
    """Return the person who certifies origin for the company, with the company's contact data."""
    return Certifier(
        company_id=company_id,
        company_name=texts.company_name,
        name=texts.company_certifier_name,
        title=texts.company_certifier_title,
        role=texts.company_certifier_role,
        email=texts.company_email,
        phone=texts.company_phone,
        has_address=bool((texts.company_address or {}).get("street", "").strip()),
    )


def goods_of(bill: Bill) -> list[OriginGoods]:
    """Return the goods of each line of a bill loaded by the selectors. No query."""
    return [
        OriginGoods(row.line.item_id, texts.item_name, texts.origin_criterion, texts.tariff_item, row.amount)
        for row, texts in ((row, row.texts) for row in bill.lines.all())
    ]


class _Goods(Func):
    """The number of products in the texts of a certificate."""

    output_field = IntegerField()
    template = "JSONB_ARRAY_LENGTH(%(expressions)s -> 'goods')"

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "JSON_ARRAY_LENGTH(%(expressions)s, '$.goods')"
        return self.as_sql(compiler, connection, template=template, **context)


def certificates() -> QuerySet[OriginCertificate]:
    """Return certificates with their maker, and of their texts only both names and the number of products. 1 query."""
    return (
        OriginCertificate.objects.select_related("created_by")
        .defer("issued")
        .annotate(
            named_customer=KT("issued__parties__customer_name"),
            named_company=KT("issued__parties__company_name"),
            goods_count=_Goods("issued"),
        )
    )


def certificate_get(certificate_id: int) -> OriginCertificate:
    """Return the certificate with all its texts. Raises `NotFound`."""
    found = certificates().defer(None).filter(pk=certificate_id).first()
    if found is None:
        raise NotFound
    return found


@unit_of_work
def certificate_create(*, body: CertificateIn, by: Principal) -> OriginCertificate:
    """Make a certificate for all originating products that the customer has ordered. It never changes.

    Raises `InvalidFields`, `PeriodTooLong`, and `OriginRequired` if the company's data are incomplete or no product of
    the customer originates.
    """
    rules.check_period(body.begins, body.ends)
    customer, company = _parties(body)
    texts = BillTexts.of(customer, company)
    rows = _originating(customer.pk)
    goods = [OriginGoods(row.pk, row.name, row.origin_criterion, row.tax_item.code) for row in rows if row.tax_item]
    gaps = rules.certifier_gaps(certifier_of(texts, company.pk))
    if gaps or not goods:
        raise origin_required(gaps)
    made = OriginCertificate.objects.create(
        customer=customer,
        company=company,
        begins=body.begins,
        ends=body.ends,
        issued={"parties": asdict(texts), "goods": [asdict(LineTexts.of(row)) for row in rows]},
        logo=company.image,
        created_at=clock.now(),
        created_by_id=by.user_id,
    )
    certificate = certificate_get(made.pk)
    after = audit.snapshot(certificate, goods=[row.key for row in rows])
    record_and_publish("certificates", certificate, "created", by, before=None, after=after)
    return certificate


def origin_required(gaps: list[Gap]) -> rules.OriginRequired:
    """Return the refusal of a certificate with `gaps`. Without gaps, it says that no product originates."""
    fields = {At.company: "companyId", At.product: "lines"}
    errors = [FieldError(fields[gap.at], gap.code) for gap in gaps] or [FieldError("lines", "nothing_originates")]
    return rules.OriginRequired(errors=errors)


def _parties(body: CertificateIn) -> tuple[Customer, Company]:
    customer = Customer.objects.filter(pk=body.customer_id).first()
    company = Company.objects.filter(pk=body.company_id).first()
    errors = [
        FieldError(field, "unknown") for field, row in (("customerId", customer), ("companyId", company)) if row is None
    ]
    if customer is None or company is None:
        raise InvalidFields(errors=errors)
    return customer, company


def _originating(customer_id: int) -> list[Item]:
    """Return the active products with a tariff item that originate and that the customer has ordered. 1 query."""
    known = Item.objects.filter(lines__order__customer=customer_id, status=True, tax_item__isnull=False)
    originating = known.exclude(origin_criterion__in=("", OriginCriterion.none)).select_related("tax_item", "alloy")
    return list(originating.distinct().order_by("tax_item__code", "key", "id"))


def valid_on(customer_id: int, day: date) -> QuerySet[OriginCertificate]:
    """Return the certificates for a customer that cover a day, the one that ends last first. 1 query."""
    return certificates().filter(customer=customer_id, begins__lte=day, ends__gte=day).order_by(F("ends").desc(), "-id")
