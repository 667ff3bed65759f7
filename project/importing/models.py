"""An uploaded spreadsheet, and the rows read so far with their outcomes."""

from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from project.core.errors import FieldError

READING, READY, APPLYING, APPLIED, FAILED = "reading", "ready", "applying", "applied", "failed"
UNDER_WAY = (READING, APPLYING)
HELD = timedelta(seconds=30)
"""How long a process holds an import without renewing its lease. A working process renews it every few seconds."""

NEW, CHANGED, UNCHANGED, REFUSED, DOUBTFUL = "new", "changed", "unchanged", "refused", "doubtful"
OUTCOMES = (NEW, CHANGED, UNCHANGED, REFUSED, DOUBTFUL)


def error_kept(error: FieldError) -> dict[str, Any]:
    """Return an error as `ImportRow.errors` stores it."""
    return {"field": error.field, "code": error.code, "params": error.params}


class Import(models.Model):
    """One upload, which only its uploader sees.

    `runner`: the process at work, with a lease until `held_until`. `doubts`: the open doubts. `choices`: the uploader's
    answers. `doubtful`: the number of rows that wait for an answer. `heads`: the file's columns.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    catalog = models.CharField(max_length=40)
    file_name = models.CharField(max_length=200, default="", blank=True)
    state = models.CharField(max_length=10, default=READING)
    rows_total = models.PositiveIntegerField(null=True)
    rows_done = models.PositiveIntegerField(default=0)
    new = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    doubtful = models.PositiveIntegerField(default=0, db_default=0)
    encoding = models.CharField(max_length=20, default="", db_default="", blank=True)
    sheet = models.CharField(max_length=200, default="", db_default="", blank=True)
    sheets = models.JSONField(default=list, db_default=[])
    doubts = models.JSONField(default=list, db_default=[])
    choices = models.JSONField(default=dict, db_default={})
    heads = models.JSONField(default=list, db_default=[])
    error_code = models.CharField(max_length=40, default="", blank=True)
    error_params = models.JSONField(default=dict)
    runner = models.CharField(max_length=40, default="", blank=True)
    held_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(state__in=[READING, READY, APPLYING, APPLIED, FAILED]), name="import_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog} {self.file_name}"


class ImportFile(models.Model):
    """The uploaded file, kept to read it again when a doubt is answered. It is deleted when the import is applied."""

    upload = models.OneToOneField(Import, on_delete=models.CASCADE, related_name="file", primary_key=True)
    raw = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.upload_id}"


class ImportRow(models.Model):
    """A row of the file: its cells as read, and what applying it would do.

    `number`: its number in the spreadsheet. `marks`: the codes of its doubts, answered or not. `mended`: the cells that
    the uploader typed in the preview, which are also in `cells`.
    """

    upload = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="rows")
    number = models.PositiveIntegerField()
    outcome = models.CharField(max_length=10)
    key = models.CharField(max_length=200, default="", blank=True)
    label = models.CharField(max_length=200, default="", blank=True)
    cells = models.JSONField(default=dict)
    mended = models.JSONField(default=dict, db_default={})
    marks = models.JSONField(default=list, db_default=[])
    record_id = models.BigIntegerField(null=True)
    version = models.PositiveIntegerField(null=True)
    changes = models.JSONField(default=list)
    errors = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["upload", "number"], name="import_row_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["upload", "outcome", "number", "id"], name="import_rows_by_outcome"),
        ]

    def __str__(self) -> str:
        return f"{self.upload_id}/{self.number}"

    def refuse(self, error: FieldError) -> None:
        """Refuse a row that was accepted. The caller saves."""
        self.outcome, self.changes, self.errors = REFUSED, [], [error_kept(error)]
