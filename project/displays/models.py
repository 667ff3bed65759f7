"""Displays, the lanes that they show, and the screens that wait for an administrator to name them."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from project.catalogs.models import ProductionProcess
from project.core.spanish import COLLATION, NameKey
from project.core.versions import Versioned


class Display(Versioned):
    """A wall screen. `token_digest`: null until the screen fetches its token, and after the display is revoked."""

    name = models.CharField(max_length=200, db_collation=COLLATION)
    active = models.BooleanField(default=True)
    token_digest = models.CharField(max_length=64, null=True, blank=True, unique=True)
    last_seen = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(NameKey("name"), condition=Q(active=True), name="display_name_once"),
            models.CheckConstraint(
                condition=Q(active=True) | Q(token_digest__isnull=True), name="display_revoked_has_no_token"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class DisplayLane(models.Model):
    """A production process that a display shows. A display without lanes shows all.

    A shown process cannot be deleted: a display that lost its last lane would show all processes.
    """

    display = models.ForeignKey(Display, on_delete=models.CASCADE, related_name="lanes")
    process = models.ForeignKey(ProductionProcess, on_delete=models.PROTECT, related_name="displays")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["display", "process"], name="display_lane_once"),
        ]

    def __str__(self) -> str:
        return f"{self.display_id}: {self.process_id}"


class Pairing(models.Model):
    """A screen that shows a code. `display`: set once an administrator has typed the code.

    The row is deleted when the screen first uses its token. Secret and code are stored as digests.
    """

    secret_digest = models.CharField(max_length=64, unique=True)
    code_digest = models.CharField(max_length=64, unique=True)
    address = models.CharField(max_length=64)
    expires_at = models.DateTimeField(db_index=True)
    display = models.OneToOneField(Display, on_delete=models.CASCADE, null=True, blank=True, related_name="pairing")

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["address", "expires_at"], name="pairing_by_address")
        ]

    def __str__(self) -> str:
        return f"from {self.address}"
