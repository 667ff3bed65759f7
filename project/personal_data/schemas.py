"""Bodies of the erasure, and the retention periods."""

from typing import Annotated

from pydantic import Field

from project.core.schemas import In, Out


class ErasureIn(In):
    """The erasure of a person. `name` is their full name, typed as a confirmation: erasure cannot be undone."""

    name: Annotated[str, Field(max_length=700)]


class PrivacyOut(Out):
    """Retention periods in days, from the settings; `auditDays` is null if the audit is kept forever."""

    audit_days: int | None
    events_days: int
    uploads_days: int
