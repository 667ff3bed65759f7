"""Bodies of the erasure, and for how long what is kept."""

from typing import Annotated

from pydantic import Field

from project.core.schemas import In, Out


class ErasureIn(In):
    """`name` is the person's full name, typed by whoever erases him: it cannot be undone."""

    name: Annotated[str, Field(max_length=700)]


class PrivacyOut(Out):
    """In days, from the settings; `auditDays` is null where the audit is kept for ever."""

    audit_days: int | None
    events_days: int
    uploads_days: int
