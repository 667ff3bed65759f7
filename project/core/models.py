"""What the whole site keeps: answers to repeated writes."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class IdempotentAnswer(models.Model):
    """What a write with an `Idempotency-Key` answered, stored in the transaction of its effect. Kept 24 hours."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.TextField(default="")
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once_per_user"),
        ]

    def __str__(self) -> str:
        return self.key
