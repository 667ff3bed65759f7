"""What can go wrong in a printing process. It is imported there: nothing of Django comes along."""

import os
import signal
import time


def never_ends() -> bytes:
    """As a page that cannot be laid out."""
    while True:
        time.sleep(60)  # killed long before


def takes_too_much() -> bytes:
    """More than a printing process may have."""
    return bytes(600 * 1024 * 1024)


def ends_itself() -> bytes:
    """As a crash in a library would."""
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def its_limits() -> bytes:
    return f"{os.nice(0)} {os.getpid()}".encode()
