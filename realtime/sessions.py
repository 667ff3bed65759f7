"""The two events that the engine itself obeys: rights are read again, and a session's sockets are closed."""

from typing import ClassVar, Literal

from realtime.registry import Event, Frame


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
