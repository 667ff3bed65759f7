"""Links that open a customer's page without an account, and the answers that customers gave."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from project.catalogs.models import Customer
from project.core.spanish import COLLATION
from project.core.versions import Versioned
from project.customer_links.rules import AnswerKind, RequestStatus
from project.orders.models import Line, SalesOrder

LONGEST_TEXT = 2_000
LONGEST_OF_STAFF = 1_000
"""The longest text of a request for an approval, and of a reply."""


class CustomerLink(Versioned):
    """A link to the page of an order, or of all orders of a customer if `order` is null.

    If the order is deleted, the link is revoked and its `order` becomes null.
    Only the digest of its token is stored, so only people who were given the address know it. `shows_…`: the parts that
    the page shows besides orders, lines and shipments.
    """

    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, related_name="links")
    order = models.ForeignKey(SalesOrder, null=True, blank=True, on_delete=models.SET_NULL, related_name="links")
    name = models.CharField(max_length=200, db_collation=COLLATION)
    token_digest = models.CharField(max_length=64, unique=True)
    shows_prices = models.BooleanField(default=False, db_default=False)
    shows_photos = models.BooleanField(default=True, db_default=True)
    shows_papers = models.BooleanField(default=False, db_default=False)
    shows_processes = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="links_made")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    revoked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="links_revoked"
    )
    opened_count = models.PositiveIntegerField(default=0, db_default=0)
    opened_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(revoked_by__isnull=True) | Q(revoked_at__isnull=False),
                name="customer_link_revoked_by_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(opened_count=0) | Q(opened_at__isnull=False), name="customer_link_opened_has_a_time"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class ApprovalRequest(models.Model):
    """The staff ask the reader of a link to approve a line, with a text and perhaps a picture of the line.

    Only its `status` changes. A line has at most one open request of a link: a new one withdraws the former one.
    `photo`: the stored name of the picture.
    """

    link = models.ForeignKey(CustomerLink, on_delete=models.CASCADE, related_name="requests")
    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="approval_requests")
    text = models.TextField()
    photo = models.CharField(max_length=200, default="", db_default="", blank=True)
    status = models.CharField(
        max_length=20, choices=[(one.value, one.value) for one in RequestStatus], default=RequestStatus.open
    )
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="approval_requests")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["link", "line"], condition=Q(status=RequestStatus.open), name="approval_request_open_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=[one.value for one in RequestStatus]), name="approval_request_status_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.line_id}"


class CustomerAnswer(models.Model):
    """What a customer said about a line, through a link or signed in to an account. The database refuses to change it.

    Only an erasure of a person's names may change its `text`. `key`: chosen by the page, so that an answer that is sent
    again is stored once. `request`: the request that an approval or a change answers; null without a request, and in
    approvals of former releases.
    """

    link = models.ForeignKey(CustomerLink, null=True, blank=True, on_delete=models.CASCADE, related_name="answers")
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="customer_answers"
    )
    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="customer_answers")
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in AnswerKind])
    text = models.TextField(default="", blank=True)
    quantity = models.PositiveIntegerField(null=True, blank=True)
    key = models.CharField(max_length=64)
    at = models.DateTimeField(db_index=True)
    request = models.ForeignKey(
        ApprovalRequest, null=True, blank=True, on_delete=models.CASCADE, related_name="answers"
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["link", "key"], name="customer_answer_of_link_once"),
            models.UniqueConstraint(fields=["account", "key"], name="customer_answer_of_account_once"),
            models.CheckConstraint(
                condition=Q(link__isnull=False, account__isnull=True) | Q(link__isnull=True, account__isnull=False),
                name="customer_answer_has_one_author",
            ),
            models.CheckConstraint(
                condition=Q(quantity__isnull=True) | Q(kind=AnswerKind.again, quantity__gte=1),
                name="customer_answer_quantity_is_of_an_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.line_id}"


class AnswerReply(models.Model):
    """What a person of the staff replied to a customer's answer. The customer's page shows it without their name."""

    answer = models.ForeignKey(CustomerAnswer, on_delete=models.CASCADE, related_name="replies")
    text = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="customer_replies")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"reply to {self.answer_id}"


class HandledAnswer(models.Model):
    """Marks a customer's answer as handled by a person, for all of the office."""

    answer = models.OneToOneField(CustomerAnswer, on_delete=models.CASCADE, related_name="handled")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="answers_handled")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.answer_id} is handled"
