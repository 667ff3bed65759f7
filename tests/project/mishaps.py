"""What can go wrong in a bounded process. It is imported there: nothing of Django comes along."""

import os
import signal
import stat
import struct
import sys
import time
from pathlib import Path


def never_ends(*_: object) -> bytes:
    """As a file that nobody can get to the end of."""
    while True:
        time.sleep(60)  # killed long before


def works_without_end(*_: object) -> bytes:
    """As a page that cannot be laid out."""
    while True:
        pass


def takes_too_much(*_: object) -> bytes:
    """More than any of them may have."""
    return bytes(900 * 1024 * 1024)


def ends_itself(*_: object) -> bytes:
    """As a crash in a library would."""
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def leaves(*_: object) -> bytes:
    """As a library that ends the program."""
    sys.exit(0)


def answers_what_nobody_can_send(*_: object) -> object:
    return lambda: None


def answers_more_than_it_may_copy(*_: object) -> bytes:
    """What fits into its memory once, and not twice."""
    return bytes(160 * 1024 * 1024)


def ends_in_the_middle_of_its_answer(*_: object) -> bytes:
    """As a crash while the answer is sent: the first bytes of a message are on the way."""
    for name in os.listdir("/proc/self/fd"):
        if Path("/proc/self/fd", name).exists() and stat.S_ISSOCK(os.fstat(int(name)).st_mode):
            os.write(int(name), struct.pack("!i", 1_000) + b"x")
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def its_limits() -> bytes:
    return f"{os.nice(0)} {os.getpid()}".encode()
