"""Functions that misbehave in a bounded process.

The child process imports this module, so it must import nothing from Django.
"""

import os
import signal
import stat
import struct
import sys
import time
from pathlib import Path


def never_ends(*_: object) -> bytes:
    """Like a file that takes forever to read."""
    while True:
        time.sleep(60)  # the child is killed long before


def works_without_end(*_: object) -> bytes:
    """Like a page with an endless layout: uses the CPU without end."""
    while True:
        pass


def takes_too_much(*_: object) -> bytes:
    """Exceed the memory limit of every bounded process."""
    return bytes(900 * 1024 * 1024)


def ends_itself(*_: object) -> bytes:
    """Like a crash in a library."""
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def leaves(*_: object) -> bytes:
    """Like a library that ends the program."""
    sys.exit(0)


def answers_what_nobody_can_send(*_: object) -> object:
    return lambda: None


def answers_more_than_it_may_copy(*_: object) -> bytes:
    """Fits once into the memory limit, but not twice."""
    return bytes(160 * 1024 * 1024)


def ends_in_the_middle_of_its_answer(*_: object) -> bytes:
    """Crash while the answer is being sent: only the first bytes of the message are written."""
    for name in os.listdir("/proc/self/fd"):
        if Path("/proc/self/fd", name).exists() and stat.S_ISSOCK(os.fstat(int(name)).st_mode):
            os.write(int(name), struct.pack("!i", 1_000) + b"x")
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def its_limits() -> bytes:
    return f"{os.nice(0)} {os.getpid()}".encode()
