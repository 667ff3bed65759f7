"""The base of request and answer bodies: camelCase, strict numbers, no undeclared fields.

Values that JSON allows and the product does not are refused with a code for the field: a boolean or text instead of a
number, a number instead of a date, and (in `validation.py`) text that cannot be stored.
"""

import unicodedata
from contextlib import suppress
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    create_model,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from project.core import clock
from project.core.folding import BLANKS, ZERO_WIDTH, visible
from project.core.money import (
    DIGITS,
    MORE_IN_PRICES,
    MOST_MINOR_UNITS,
    currency_codes,
    decimals_of,
    plant_currency,
    price_decimals,
)


class In(BaseModel):
    """A request body. Undeclared fields are refused."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True, extra="forbid")


class Out(BaseModel):
    """An answer body. `leaves_out`: whether the presenter leaves out what the reader may not see."""

    leaves_out: ClassVar[bool] = False

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True)


class Document(Out):
    """A body of HTTP answers and live events. Every field is always present, null if it has no value."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


def _plain_date(value: Any) -> Any:
    day = value
    if isinstance(value, str) and len(value) == 10:
        try:
            day = date.fromisoformat(value)
        except ValueError:
            day = None
    if not isinstance(day, date) or isinstance(day, datetime):
        raise PydanticCustomError("invalid_date", "YYYY-MM-DD")
    if not clock.FIRST_DAY <= day <= clock.LAST_DAY:
        raise PydanticCustomError(
            "date_out_of_range", "a day of these years", {"first": str(clock.FIRST_DAY), "last": str(clock.LAST_DAY)}
        )
    return day


def plain_number(value: Any) -> Any:
    """Convert a JSON number to a decimal; refuse booleans and texts."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise PydanticCustomError("invalid_type", "a number")
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _refuse_decimals(number: Decimal, limit: int) -> None:
    if decimals_of(number) > limit:
        raise PydanticCustomError("too_many_decimals", "fewer decimals", {"limit": limit})


def _exact(number: Decimal) -> Decimal:
    """Return the number. Refuse it if a JSON number cannot carry all of its digits."""
    _refuse_decimals(number, DIGITS - max(1, number.adjusted() + 1))
    return number


def number_up_to(most: int, *, decimals: int, above_zero: bool = False) -> tuple[Any, ...]:
    """Return annotations of a decimal from 0 to `most`, sent as a JSON number and documented as one.

    `above_zero` refuses 0.
    """
    least = "exclusiveMinimum" if above_zero else "minimum"
    documented = {"type": "number", least: 0, "maximum": most, "multipleOf": float(Decimal(1).scaleb(-decimals))}
    return (
        BeforeValidator(plain_number),
        Field(gt=0, le=most, decimal_places=decimals) if above_zero else Field(ge=0, le=most, decimal_places=decimals),
        AfterValidator(_exact),
        WithJsonSchema(documented),
    )


def is_seen(letter: str) -> bool:
    """Return whether a letter is visible alone: no control character, space, mark or filler."""
    return unicodedata.category(letter)[0] not in "CZM" and letter not in ZERO_WIDTH + BLANKS


def _seen(value: str) -> str:
    """Return the text without invisible characters; refuse it if nothing visible is left or it is too long."""
    shown = visible(value)
    if not any(map(is_seen, shown)):
        raise PydanticCustomError("required", "text")
    if len(shown) > LONGEST_NAME:  # composing makes some letters longer
        raise PydanticCustomError("too_long", "text", {"max_length": LONGEST_NAME})
    return shown


def one_line(value: str) -> str:
    """Return the text. Refuse control characters, line breaks and noncharacters such as U+FFFE.

    Mail subjects, papers and workbooks need names on one line.
    """
    if any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") or ord(letter) & 0xFFFE == 0xFFFE for letter in value):
        raise PydanticCustomError("invalid_text", "text on one line")
    return value


def _known_currency(code: str) -> str:
    if code not in currency_codes():
        raise PydanticCustomError("unknown", "a currency of ISO 4217")
    return code


def _price_in_the_plant(price: Decimal) -> Decimal:
    _refuse_decimals(price, price_decimals(plant_currency()))
    return price


def utc_z(value: datetime) -> str:
    """Format as ISO 8601 in UTC ending in Z, to the millisecond."""
    return value.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _plain_instant(value: Any) -> Any:
    with suppress(TypeError, ValueError, OverflowError):  # refused below
        instant = datetime.fromisoformat(value)
        if instant.tzinfo is not None:
            return clock.to_millisecond(instant.astimezone(UTC))
    raise PydanticCustomError("invalid_instant", "an instant with its time zone")


Day = Annotated[date, BeforeValidator(_plain_date)]
"""A day from 1900 to 2200. Adding days or weeks to it cannot overflow in any time zone."""
InstantIn = Annotated[datetime, BeforeValidator(_plain_instant)]
"""An instant in a request: ISO 8601 with its time zone."""
Instant = Annotated[datetime, PlainSerializer(utc_z, return_type=str)]
"""ISO 8601 in UTC ending in Z, to the millisecond."""

MOST_ID = 2**63 - 1
Id = Annotated[int, Field(strict=True, ge=1, le=MOST_ID)]
QueryId = Annotated[int, Field(ge=1, le=MOST_ID)]
"""An id in a query string or path, where numbers arrive as text."""
Pieces = Annotated[int, Field(strict=True, ge=1, le=10_000_000)]
Flag = Annotated[bool, Field(strict=True)]

Money = Annotated[Decimal, PlainSerializer(float, return_type=float)]
PriceIn = Annotated[Decimal, *number_up_to(9_999_999_999, decimals=MOST_MINOR_UNITS + MORE_IN_PRICES)]
"""The price of one piece: a JSON number, not negative. Its currency limits its decimals."""
PlantPriceIn = Annotated[PriceIn, AfterValidator(_price_in_the_plant)]
"""The price of one piece in the plant's currency. It may have at most the decimals of a price in this currency."""
AmountIn = Annotated[Decimal, *number_up_to(9_999_999_999, decimals=MOST_MINOR_UNITS)]
"""An amount of money to pay: a JSON number, not negative. Its currency limits its decimals."""
Currency = Annotated[
    str,
    AfterValidator(_known_currency),
    WithJsonSchema({"type": "string", "format": "currency", "pattern": "^[A-Z]{3}$"}),
]
"""A code of the shared catalog `currencies`."""
Percentage = Annotated[Decimal, *number_up_to(100, decimals=4)]

MOST_GRAMS = 1_000_000
Grams = Annotated[Decimal, *number_up_to(MOST_GRAMS, decimals=3, above_zero=True)]
"""A weight in a request: a JSON number of grams above 0, with at most three decimals."""
GramsFromZero = Annotated[Decimal, *number_up_to(MOST_GRAMS, decimals=3)]
"""A weight in a request that may be 0."""
GramsOut = Annotated[Decimal, PlainSerializer(float, return_type=float)]
"""A weight in an answer: a JSON number of grams. A loss may be negative."""
PerMille = Annotated[Decimal, *number_up_to(1_000, decimals=1)]
"""A fineness or a share of metal in per mille, with at most one decimal."""
PerMilleOut = Annotated[Decimal, PlainSerializer(float, return_type=float)]

LONGEST_NAME = 200
SeenText = Annotated[
    str,
    Field(max_length=LONGEST_NAME),
    AfterValidator(_seen),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}),
]
"""A text that must contain something visible."""
Name = Annotated[SeenText, AfterValidator(one_line)]
"""A text that identifies a record: a name, a key, a customer's PO#."""
OneLine = Annotated[str, Field(max_length=LONGEST_NAME), AfterValidator(visible), AfterValidator(one_line)]
"""A short text of one line; it may be empty."""
ShortText = Annotated[str, Field(max_length=200)]
LongText = Annotated[str, Field(max_length=4_000)]
Notes = Annotated[str, Field(max_length=200)]


class DaysQuery(BaseModel):
    """A filter by days, both inclusive: `from` and `to`."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_alias=True)

    date_from: Day | None = Field(default=None, alias="from")
    date_to: Day | None = Field(default=None, alias="to")


UNSET: Any = None
"""The default of an optional field that does not accept null."""


def changes[T: In](model: type[T]) -> type[T]:
    """Return `model` with every field optional: a PUT keeps omitted fields (infra/docs/rules.md#http)."""
    fields: dict[str, Any] = {
        name: (Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation, UNSET)
        for name, info in model.model_fields.items()
    }
    made: type[T] = create_model(model.__name__.removesuffix("In") + "Change", __base__=In, **fields)  # type: ignore[arg-type]
    return made


def given(body: In) -> dict[str, Any]:
    """Return the fields that the caller sent, by their Python names; nested bodies stay models."""
    return {name: getattr(body, name) for name in body.model_fields_set}
