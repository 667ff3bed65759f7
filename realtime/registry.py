"""The registry of live event types, and of the class that describes what a user views.

Each domain declares its own event types. The engine itself reacts to two event types, which are declared here.
"""

import inspect
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, TypeAdapter, create_model
from pydantic.alias_generators import to_camel

from realtime.application import Principal
from realtime.privacy import Private, Scoped


def _in_utc(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Instant = Annotated[datetime, PlainSerializer(_in_utc, return_type=str)]
"""An instant as ISO 8601 text in UTC that ends in Z, to the millisecond."""


class Frame(BaseModel):
    """A message to a client, in camelCase. Every field is always present; null if it has no value."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )


class Actor(Frame):
    """A user, by id and full name: the author of a change, or a viewer."""

    id: int
    full_name: str

    @classmethod
    def of(cls, principal: Principal) -> "Actor":
        return cls(id=principal.user_id, full_name=principal.full_name)


class Event(Frame):
    """The base of all events. A subclass names its `type`, gives `data` its shape, and says who may receive the event.

    `audience`: holding any one of these permissions is enough. Without any, the event is personal and goes to the one
    user who is named when it is published. `private`: fields that need a permission of their own, or are for staff
    only. `scoped`: parts that are reduced for a reader with a scope. `for_every_account`: customers' accounts receive
    this personal event too. `webhook`: what the page of webhooks calls the event, in Spanish and English; if empty, no
    webhook receives the event. `followed`: the path in `data` to the ids of the subjects that changed; if empty, no
    page follows the event. A page that shows one of these subjects learns that the subject changed, and nothing else.
    """

    audience: ClassVar[frozenset[str]] = frozenset()
    private: ClassVar[tuple[Private, ...]] = ()
    scoped: ClassVar[tuple[Scoped, ...]] = ()
    for_every_account: ClassVar[bool] = False
    webhook: ClassVar[tuple[()] | tuple[str, str]] = ()
    followed: ClassVar[str] = ""

    type: str
    data: BaseModel

    def readers(self) -> frozenset[str]:
        """The permissions for this event: any one is enough to receive it. Empty for a personal event."""
        return self.audience

    def customer(self) -> int | None:
        """The id of the customer whose accounts receive the event too. None: no customer's account receives it."""
        return None

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register a class that names its type.

        Raises ValueError if another class has the same type, or if the class does not say when its event comes.
        """
        name = cls.model_fields["type"].default
        if not isinstance(name, str):
            return
        if not cls.__doc__:
            raise ValueError(f"{cls.__name__} needs a docstring that says when the event comes")
        if name in _TYPES:
            raise ValueError(f"{name} is declared twice")
        _TYPES[name] = cls
        _FRAMES[cls] = _frame_of(cls)


_TYPES: dict[str, type[Event]] = {}
_FRAMES: dict[type[Event], Any] = {}


def _frame_of(event: type[Event]) -> type[Frame]:
    fields: dict[str, Any] = {
        "id": (int, ...),
        "type": (event.model_fields["type"].annotation, ...),
        "at": (Instant, ...),
        "by": (Actor | None, ...),
        "data": (event.model_fields["data"].annotation, ...),
    }
    made: type[Frame] = create_model(f"{event.__name__}Frame", __base__=Frame, **fields)
    return made


def webhook_types() -> dict[str, type[Event]]:
    """The event types that a webhook may receive, by name, sorted by name."""
    return {name: event for name, event in event_types().items() if event.webhook}


def event_types() -> dict[str, type[Event]]:
    """Every event type by its name, sorted by name."""
    return dict(sorted(_TYPES.items()))


def frame_of(event: type[Event]) -> Any:
    """The frame class of this event type: `Frame` with `id`, `type`, `at`, `by` and `data`."""
    return _FRAMES[event]


def private_fields(type: str) -> tuple[Private, ...]:
    """The fields of events of this type that not every receiver may read. Empty for an unknown type."""
    return _TYPES[type].private if type in _TYPES else ()


def scoped_parts(type: str) -> tuple[Scoped, ...]:
    """The parts of events of this type that are reduced for a reader with a scope. Empty for an unknown type."""
    return _TYPES[type].scoped if type in _TYPES else ()


def is_for_every_account(type: str) -> bool:
    """Whether customers' accounts receive personal events of this type too."""
    return type in _TYPES and _TYPES[type].for_every_account


def is_followed(type: str) -> bool:
    """Whether pages follow events of this type."""
    return type in _TYPES and _TYPES[type].followed != ""


def subjects_of(type: str, data: Any) -> frozenset[int]:
    """The ids of the subjects that an event changed: the values in `data` at the type's `followed` path."""
    found = [data]
    for name in _TYPES[type].followed.split("."):
        found = [one for part in found for one in _all_at(part, name)]
    return frozenset(found)


def _all_at(part: Any, name: str) -> list[Any]:
    """The values at `name` in a part of an event's data: the entries of a list, no value for null."""
    value = part.get(name)
    return value if isinstance(value, list) else [] if value is None else [value]


def permissions() -> frozenset[str]:
    """The permissions that decide what a socket receives. Without any of them it still receives personal events."""
    return frozenset(
        str(name)
        for event in _TYPES.values()
        for names in (event.audience, *(field.needs for field in event.private))
        for name in names
    )


class Viewed(Frame):
    """A subject that a user may view, such as a line. The application declares exactly one subclass."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @abstractmethod
    def may_be_viewed_by(self, by: Principal) -> bool:
        """Whether this user may read the subject and see who else views it. May wait for the database."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register the class. Build two models from it: the client's message, and the frame that lists the viewers."""
        message: dict[str, Any] = {"viewing": (cls | None, ...)}
        fields: dict[str, Any] = {
            "type": (Literal["presence"], "presence"),
            **{name: (field.annotation, ...) for name, field in cls.model_fields.items()},
            "people": (list[Actor], ...),
        }
        said = create_model("Said", __base__=Frame, **message)
        _VIEWING[:] = [_Viewing(cls, said, create_model("Presence", __base__=Frame, **fields))]


class _Viewing(NamedTuple):
    viewed: type[Viewed]
    said: Any
    presence: Any


_VIEWING: list[_Viewing] = []


def viewing_of(text: str) -> Viewed | None:
    """Read from a client's message which subject its user views. None if the user views nothing any more.

    Raises pydantic's ValidationError for any other message.
    """
    found: Viewed | None = _VIEWING[0].said.model_validate_json(text).viewing
    return found


def viewed_of(fields: dict[str, Any]) -> Viewed:
    """Build a viewed subject from `fields`, the `model_dump` that another process published."""
    return _VIEWING[0].viewed.model_validate(fields, by_name=True)


def presence_frame(viewed: Viewed, people: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """The frame that lists the viewers of a subject. It is not an event, and is never stored."""
    actors = [Actor(id=user_id, full_name=full_name) for user_id, full_name in people]
    frame: dict[str, Any] = _VIEWING[0].presence(**viewed.model_dump(by_alias=False), people=actors).model_dump()
    return frame


class Hello(Frame):
    """The first frame. `id`: the id of the newest event, 0 for a page. `epoch`: the epoch to which the ids belong.

    `screens`: the most sockets that this process served at once, today or yesterday. Some events make all screens load
    data: the more screens, the longer the time over which clients spread their calls. Customers' accounts and displays
    always get 1.
    """

    type: Literal["hello"] = "hello"
    id: int
    epoch: str
    screens: int


class Reset(Frame):
    """The frame after the hello if `since` cannot be served: the client must load everything again."""

    type: Literal["reset"] = "reset"


def schema() -> dict[str, Any]:
    """Return the JSON schema of every frame that a client may receive.

    The schema of an event's frame says when the event comes (`description`). `x-audience`: holders of any of these
    permissions receive the event; if empty, only the person concerned does. `x-customers`: whether customers' accounts
    receive it. `x-private`: fields that only holders of one of `needs` receive, and customers' accounts never if
    `staff` is true. Other receivers get `instead`.
    """
    union: Any = Hello | Reset
    for viewing in _VIEWING:
        union = union | viewing.presence
    for event in event_types().values():
        union = union | frame_of(event)
    described = TypeAdapter(Annotated[union, Field(discriminator="type")]).json_schema(
        mode="serialization", by_alias=True
    )
    for event in event_types().values():
        described["$defs"][frame_of(event).__name__] |= {
            "description": inspect.cleandoc(event.__doc__ or "").replace("\n", " "),
            "x-audience": sorted(str(permission) for permission in event.audience),
            "x-customers": event.for_every_account or event.customer is not Event.customer,
            "x-private": [asdict(field) | {"needs": sorted(map(str, field.needs))} for field in event.private],
        }
    return described


# The two events to which the engine reacts: it reads the user's rights again, or closes the sockets of a session.


class UserData(Frame):
    """The user with the changed rights."""

    id: int


class SessionData(Frame):
    """The user, and the session that ended: `jti` is the id of its token, null means all sessions of the user."""

    id: int
    jti: str | None


class PermissionsChanged(Event):
    """A user's permissions or processes changed. Their browsers load them again."""

    for_every_account: ClassVar[bool] = True
    type: Literal["permissions.changed"] = "permissions.changed"
    data: UserData


class SessionEnded(Event):
    """A user signed out, or all their sessions ended. Their sockets close."""

    for_every_account: ClassVar[bool] = True
    type: Literal["session.ended"] = "session.ended"
    data: SessionData


PAGE_CHANGED = "page.changed"
"""The type of the frame that a page receives instead of an event that is not personal. No event has this type."""
PERMISSIONS_CHANGED: str = PermissionsChanged.model_fields["type"].default
SESSION_ENDED: str = SessionEnded.model_fields["type"].default
