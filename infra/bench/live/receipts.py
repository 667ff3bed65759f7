"""What the clients received, held against what was sent."""

import array
from dataclasses import dataclass
from pathlib import Path

COLUMNS = (("p50 ms", 8), ("p99 ms", 8), ("max ms", 8), ("lost", 6), ("double", 7), ("disorder", 9))
HEADINGS = " ".join(
    [
        " " * 14,
        *(f"{name:>{width}}" for name, width in (*COLUMNS, ("µs/delivery", 12), ("KB/socket", 10), ("opened s", 9))),
    ]
)


@dataclass(frozen=True)
class Outcome:
    """Of one run. Times in milliseconds; `cpu` is the server's microseconds a delivery, `opened` the seconds
    until every socket was open."""

    expected: int
    lost: int
    double: int
    disorder: int
    p50: float
    p99: float
    worst: float
    cpu: float
    kb_per_socket: float
    opened: float

    def row(self, name: str) -> str:
        return (
            f"{name:14} {self.p50:8.1f} {self.p99:8.1f} {self.worst:8.1f} {self.lost:6} {self.double:7} "
            f"{self.disorder:9} {self.cpu:12.1f} {self.kb_per_socket:10.1f} {self.opened:9.1f}"
        )


def compare(
    file: Path, sent: dict[int, int], sockets: int, *, cpu_seconds: float, bytes_grown: int, opened: float
) -> Outcome:
    """`sent`: the instant of each id, in monotonic nanoseconds; `file`: the receipts of sockets.mjs."""
    values = array.array("d", file.read_bytes())
    newest = [0] * sockets
    seen: set[tuple[int, int]] = set()
    times: list[float] = []
    double = disorder = 0
    for at in range(0, len(values), 3):
        socket, number, received = int(values[at]), int(values[at + 1]), values[at + 2]
        if number not in sent:
            continue  # somebody else's, before or after
        if (socket, number) in seen:
            double += 1
            continue
        seen.add((socket, number))
        disorder += number < newest[socket]
        newest[socket] = max(newest[socket], number)
        times.append((received - sent[number]) / 1e6)
    times.sort()
    expected = len(sent) * sockets
    return Outcome(
        expected=expected,
        lost=expected - len(seen),
        double=double,
        disorder=disorder,
        p50=times[len(times) // 2],
        p99=times[len(times) * 99 // 100],
        worst=times[-1],
        cpu=cpu_seconds * 1e6 / expected,
        kb_per_socket=bytes_grown / sockets / 1_024,
        opened=opened,
    )
