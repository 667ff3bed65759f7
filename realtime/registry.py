"""The event types that this engine carries, and what may be viewed. Each is declared in its own domain, but for the two
that the engine itself obeys."""

from abc import abstractmethod
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, TypeAdapter, create_model
from pydantic.alias_generators import to_camel

from realtime.application import Principal
from realtime.privacy import Private, Scoped


def _in_utc(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Instant = Annotated[datetime, PlainSerializer(_in_utc, return_type=str)]
"""ISO 8601 in UTC ending in Z, to the millisecond."""


class Frame(BaseModel):
    """What travels to a client, in camelCase: every field is always there, null where there is nothing."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )


class Actor(Frame):
    """Who did it."""

    id: int
    full_name: str

    @classmethod
    def of(cls, principal: Principal) -> "Actor":
        return cls(id=principal.user_id, full_name=principal.full_name)


class Event(Frame):
    """The base of all events. A type of event gives `type` its name, `data` its shape, and says who may receive it.

    `audience`: holding any one of these permissions is enough; without one the event is personal and goes to the one
    user who is named when it is published. `private`: fields of its data that take a permission of their own, or are
    the staff's. `scoped`: parts that are cut down to the scope of a reader who has one. `for_every_account`: a personal
    event that a customer's account receives as everybody does.
    """

    audience: ClassVar[frozenset[str]] = frozenset()
    private: ClassVar[tuple[Private, ...]] = ()
    scoped: ClassVar[tuple[Scoped, ...]] = ()
    for_every_account: ClassVar[bool] = False

    type: str
    data: BaseModel

    def readers(self) -> frozenset[str]:
        """The permissions that read this event's data over HTTP; empty for a personal event."""
        return self.audience

    def customer(self) -> int | None:
        """The customer whose accounts receive it as well."""
        return None

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register a class that names its type. Raises ValueError where the name is another's already."""
        name = cls.model_fields["type"].default
        if not isinstance(name, str):
            return
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


def event_types() -> dict[str, type[Event]]:
    """Every event type by its name, in the order of the names."""
    return dict(sorted(_TYPES.items()))


def frame_of(event: type[Event]) -> Any:
    """The class of the frames in which events of this type travel: `Frame` with `id`, `type`, `at`, `by` and `data`."""
    return _FRAMES[event]


def private_fields(type: str) -> tuple[Private, ...]:
    """The fields of an event of this type that not everybody who receives it may read. None of an unknown type."""
    return _TYPES[type].private if type in _TYPES else ()


def scoped_parts(type: str) -> tuple[Scoped, ...]:
    """The parts of an event of this type that are cut down to the scope of a reader who has one."""
    return _TYPES[type].scoped if type in _TYPES else ()


def is_for_every_account(type: str) -> bool:
    """Whether a customer's account receives this personal event, too."""
    return type in _TYPES and _TYPES[type].for_every_account


def permissions() -> frozenset[str]:
    """The permissions that matter to a socket; holding none of them, it still receives its user's own events."""
    return frozenset(
        str(name)
        for event in _TYPES.values()
        for names in (event.audience, *(field.needs for field in event.private))
        for name in names
    )


class Viewed(Frame):
    """What a client may say that its person looks at; one class, declared in its own domain."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @abstractmethod
    def may_be_viewed_by(self, by: Principal) -> bool:
        """Whether this person may read it, and see who else views it. May wait for the database."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Register what is viewed, with the message that says so and the frame that answers."""
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
    """What a client's message says that its person views; None: nothing more. Raises pydantic's ValidationError for
    what is no such message."""
    found: Viewed | None = _VIEWING[0].said.model_validate_json(text).viewing
    return found


def viewed_of(fields: dict[str, Any]) -> Viewed:
    """What another process says that somebody views, from its `model_dump`."""
    return _VIEWING[0].viewed.model_validate(fields, by_name=True)


def presence_frame(viewed: Viewed, people: Iterable[tuple[int, str]]) -> dict[str, Any]:
    """The frame with the people who view it, for each of them: no event, and never stored."""
    actors = [Actor(id=user_id, full_name=full_name) for user_id, full_name in people]
    frame: dict[str, Any] = _VIEWING[0].presence(**viewed.model_dump(by_alias=False), people=actors).model_dump()
    return frame


class Hello(Frame):
    """The first frame: the newest id, the epoch it belongs to, and how many screens this process served at once lately.

    The more screens there are, the longer a time they spread over what all of them load after one event. Customers'
    accounts and displays are told 1.
    """

    type: Literal["hello"] = "hello"
    id: int
    epoch: str
    screens: int


class Reset(Frame):
    """Follows the hello where `since` cannot be served: load afresh."""

    type: Literal["reset"] = "reset"


def schema() -> dict[str, Any]:
    """JSON schema of every frame a client may receive, and `x-audience`: each type's permissions.

    A type whose list is empty is personal. Feeds web/src/contract.
    """
    union: Any = Hello | Reset
    for viewing in _VIEWING:
        union = union | viewing.presence
    for event in event_types().values():
        union = union | frame_of(event)
    described = TypeAdapter(Annotated[union, Field(discriminator="type")]).json_schema(
        mode="serialization", by_alias=True
    )
    described["title"] = "LiveFrame"
    described["x-audience"] = {
        name: sorted(str(permission) for permission in event.audience) for name, event in event_types().items()
    }
    return described


# The two events that the engine itself obeys: it reads rights again, and closes the sockets of a session.


class UserData(Frame):
    """The user whose rights changed."""

    id: int


class SessionData(Frame):
    """The user whose session ended; `jti` names the one token, null means all of them."""

    id: int
    jti: str | None


class PermissionsChanged(Event):
    """What a person may do, or where he works, is another: his browsers ask for it anew."""

    for_every_account: ClassVar[bool] = True
    type: Literal["permissions.changed"] = "permissions.changed"
    data: UserData


class SessionEnded(Event):
    """A person signed out, or all of his sessions ended: his sockets close."""

    for_every_account: ClassVar[bool] = True
    type: Literal["session.ended"] = "session.ended"
    data: SessionData


PERMISSIONS_CHANGED: str = PermissionsChanged.model_fields["type"].default
SESSION_ENDED: str = SessionEnded.model_fields["type"].default
