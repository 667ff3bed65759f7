"""The keys of writes that may be repeated."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class IdempotentAnswer(models.Model):
    """The `Idempotency-Key` of a write, stored in the transaction of the write and kept 24 hours, or for ever.

    `kind`: the id of the operation. `ids`: the ids of the record that the write created or changed. `status`: the
    status of the write's answer. `lasting`: the key is kept for ever. `once`: the key as a UUID, if it is lasting and a
    UUID; no other user may use it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="+")
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=80)
    ids = models.JSONField(default=dict)
    created_at = models.DateTimeField(db_index=True)
    lasting = models.BooleanField(default=False, db_default=False)
    once = models.UUIDField(null=True, blank=True, unique=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once_per_user"),
        ]

    def __str__(self) -> str:
        return self.key
