"""The audit's rows. They are written once: the database refuses to change or delete them (migration 0001).

The exceptions are the erasure of a person, and the deletion of rows that are older than the operator wants to keep.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q


class AuditEntry(models.Model):
    """One change of a record. `user_name` is the name at the time; `changes` is `{field: {before, after}}`."""

    at = models.DateTimeField()
    user_id = models.BigIntegerField(null=True)
    user_name = models.CharField(max_length=700, default="", blank=True)
    address = models.CharField(max_length=64, default="", blank=True)
    entity = models.CharField(max_length=40)
    entity_id = models.BigIntegerField()
    label = models.CharField(max_length=400, default="", blank=True)
    action = models.CharField(max_length=40)
    changes = models.JSONField(default=dict)

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["entity", "entity_id", "-id"], name="audit_by_record"),
            models.Index(fields=["user_id", "-id"], name="audit_by_person"),
            models.Index(fields=["at", "id"], name="audit_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.entity} {self.entity_id} {self.action}"


class Exemption(models.Model):
    """Lets the transaction that inserts this row change audit rows, until it deletes this row again.

    `erases`: it may erase a person's names. `forgets_before`: it may delete audit rows from before this instant. This
    row is deleted in the same transaction, so no other transaction ever sees it.
    """

    id = models.SmallIntegerField(primary_key=True, default=1)
    erases = models.BooleanField(default=False)
    forgets_before = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(id=1), name="audit_has_one_exemption"),
        ]

    def __str__(self) -> str:
        return "erases" if self.erases else f"forgets before {self.forgets_before}"
