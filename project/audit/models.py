"""The audit's rows. They are written once: the database refuses to change or delete them (migration 0002)."""

from typing import ClassVar

from django.db import models


class AuditEntry(models.Model):
    """One change. The person's name is kept as it was; `changes` is {field: {before, after}}."""

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
