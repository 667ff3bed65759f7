"""What is asked and answered of products where they are chosen for an order."""

from typing import Annotated

from pydantic import BaseModel, Field

from project.core.pictures import PictureAddress
from project.core.schemas import In, Out, ShortText


class OfferedProductQuery(BaseModel):
    """`search`: words of the key and the name, in any order."""

    search: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class OfferedProductOut(Out):
    """A product where one is chosen for an order."""

    id: int
    key: str
    name: str
    thumbnail: PictureAddress | None


class CalledIn(In):
    """What a customer's sheet calls products: keys or names."""

    texts: Annotated[list[ShortText], Field(max_length=5_000)]


class CalledOut(Out):
    """The active products that a text means: none where nothing is called so, several where nobody can tell."""

    text: str
    products: list[OfferedProductOut]
