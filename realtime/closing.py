"""Why a live socket is closed (infra/docs/rules.md#live-events)."""

from typing import NamedTuple


class Reason(NamedTuple):
    code: int
    text: str


SESSION_OVER = Reason(4401, "session over")
TOO_SLOW = Reason(4408, "too slow")
TOO_MANY_SOCKETS = Reason(4429, "too many sockets")
TOO_TALKATIVE = Reason(1008, "too many messages")
TOO_BIG = Reason(1009, "message too big")
RESTART = Reason(1012, "restart")
TRY_AGAIN_LATER = Reason(1013, "try again later")
