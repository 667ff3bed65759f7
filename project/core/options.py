"""The reduced lists of select boxes: `?fields=options` (contract, section 2)."""

from typing import Literal

from project.core.pagination import ListQuery
from project.core.schemas import Out


class OptionOut(Out):
    """One choice of a select box."""

    id: int
    name: str


class OptionsQuery(ListQuery):
    """A list that can also be asked for reduced rows, by anyone signed in."""

    fields: Literal["options"] | None = None
