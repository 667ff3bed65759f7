"""The hub of a process: polls the outbox for new events and hands the same bytes to every socket that may receive them.

The hub runs on one event loop. It does not await while it changes the position of a socket, so no event is sent twice
or skipped. Database queries wait in threads of their own.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from realtime import sockets, wakeup
from realtime.application import Principal, application
from realtime.outbox import poll_outbox
from realtime.presence import Presence
from realtime.registry import PERMISSIONS_CHANGED, SESSION_ENDED
from realtime.sockets import LiveSocket, Reason
from realtime.subscribers import SubscriberIndex
from realtime.waiting import Database, Rest, WaitingTime
from realtime.window import Chunk, Entry, Window, broadcast, parts

POLL_SECONDS = 1.0
POLL_ALONE_SECONDS = 0.25
"""The longest delay of an event after a lost wake-up. Without Redis, other processes cannot wake the hub, so it polls
more often."""
STALL_SECONDS = 20.0
"""A socket that takes nothing for this long is closed as too slow."""
RIGHTS_RETRY_SECONDS = 1.0
NOTE_CONNECTED_SECONDS = 20.0

logger = logging.getLogger(__name__)


class Hub:
    """The sockets of one process, and the window of events that they read from."""

    _of_loop: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, "Hub"]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._window = Window()
        self._epoch: str | None = None
        self._subscribers = SubscriberIndex()
        self._feed = Database(1, "live-feed")
        self._rights = Database(4, "live-rights")
        self.presence = Presence(self.ask)
        self._wanted = asyncio.Event()
        self._asking: list[asyncio.Future[None]] = []
        self._watcher: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._reachable = True
        self._opened: Counter[int] = Counter()
        """Number of connections by user id, counted from the ticket to the end of the connection."""
        self._noted = time.monotonic()
        self._waiting_time, self._rest = WaitingTime(), Rest(application().calls_wait)
        self._passed_over: list[LiveSocket] = []  # could not take the last part of events

    @classmethod
    def here(cls) -> "Hub":
        """The hub of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in cls._of_loop:
            cls._of_loop[loop] = cls()
        return cls._of_loop[loop]

    @classmethod
    def of_this_process(cls) -> list["Hub"]:
        """The hubs of this process, one for each event loop."""
        return [*cls._of_loop.values()]

    @property
    def newest(self) -> int:
        return self._window.newest

    @property
    def connected(self) -> int:
        return len(self._subscribers)

    async def ask[T](self, work: Callable[[], T]) -> T:
        """Run `work` in a thread, where it may wait for the database. Returns the result of `work`."""
        return await self._rights.run(work)

    async def stop(self) -> None:
        """Forget all sockets, end the polling and close the database connections."""
        self._subscribers = SubscriberIndex()
        tasks = [task for task in (self._watcher, *self._background) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.presence.stop()
        await self._feed.close()
        await self._rights.close()
        type(self)._of_loop.pop(self._loop, None)

    # Joining and leaving.

    def count_in(self, user_id: int) -> int:
        """Count a connection of a user until `count_out`. Returns how many other connections the user has here."""
        self._opened[user_id] += 1
        return self._opened[user_id] - 1

    def count_out(self, user_id: int) -> None:
        self._opened[user_id] -= 1
        if not self._opened[user_id]:
            del self._opened[user_id]

    async def catch_up(self, since: int | None) -> None:
        """Poll if the window is too old to serve a client that has seen `since`. Raises the database's errors."""
        if self.idle or self._epoch is None or (since is not None and since > self._window.newest):
            asked: asyncio.Future[None] = self._loop.create_future()
            self._asking.append(asked)
            self._wanted.set()
            self._go_on_watching()
            await asked

    @property
    def idle(self) -> bool:
        """Whether the hub does not poll, because no socket is connected."""
        return self._watcher is None or self._watcher.done()

    def _go_on_watching(self) -> None:
        if self.idle:
            self._watcher = asyncio.create_task(self._watch())

    def join(self, socket: LiveSocket, *, since: int | None, epoch: str | None, rights_as_of: int) -> None:
        """Add `socket`. Send it the hello, a reset if `since` cannot be served, the missed events, then live events.

        `rights_as_of`: the newest id that was known before the rights of the socket were read. If a later event changed
        the rights, they are read again. This method does not await, so no event is lost or sent twice between the
        missed and the live events.
        """
        window = self._window
        principal = socket.principal
        if principal.page is not None:
            since = None  # a page loads its data when it connects, and must not learn the number of events
        known = since is not None and epoch in (None, self._epoch) and window.holds_all_after(since)
        socket.position = since if known and since is not None else window.newest
        self._subscribers.add(socket)
        self._go_on_watching()
        # Only staff learn how many screens the plant has. Displays have user ids below 0.
        of_staff = not principal.is_customer and principal.user_id > 0
        screens = self._subscribers.most_lately if of_staff else 1
        # A page by link must not learn the number of events.
        newest = 0 if principal.page is not None else window.newest
        socket.say({"type": "hello", "id": newest, "epoch": self._epoch, "screens": screens})
        if since is not None and not known:
            socket.say({"type": "reset"})
        if window.may_have_changed(socket.principal.user_id, since=rights_as_of):
            self._hold(socket)
        self._pump(socket)

    def leave(self, socket: LiveSocket) -> None:
        """Forget `socket`. No-op if it has left."""
        self._subscribers.remove(socket)
        self.presence.leave(socket)
        if not self._subscribers:
            self._wanted.set()  # wakes `_watch`, which then ends

    def end(self, socket: LiveSocket, reason: Reason) -> None:
        """Forget `socket` and close it with `reason`."""
        self.leave(socket)
        socket.close(reason)

    def end_all(self, reason: Reason) -> list[LiveSocket]:
        """Forget and close every socket. Returns the closed sockets."""
        for socket in (ended := list(self._subscribers)):
            self.end(socket, reason)
        return ended

    def drained(self, socket: LiveSocket) -> None:
        """Send `socket` the events and viewers that it missed. Called when the socket can take data again."""
        if socket in self._subscribers:
            self._pump(socket)
            self.presence.catch_up(socket)

    def take_message(self, socket: LiveSocket, text: str) -> None:
        """Pass a client's message to presence. No-op if the socket has left."""
        if socket in self._subscribers:
            self.presence.take_message(socket, text)

    # Polling the outbox.

    def look(self) -> None:
        """Poll now: there are new events."""
        self._wanted.set()

    def _wake_from_any_thread(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.look)

    async def _watch(self) -> None:
        """Poll at each wake-up and at a fixed interval, while a socket is connected or `catch_up` waits."""
        wakeup.register(self._wake_from_any_thread)
        between = wakeup.between_processes()
        listener = asyncio.create_task(wakeup.listen(self.look, self.presence.receive)) if between else None
        tending = asyncio.create_task(self._tend())
        try:
            while self._subscribers or self._asking:
                self._wanted.clear()
                asking, self._asking = self._asking, []
                await self._poll(asking)
                await self._rest.take()
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS if between else POLL_ALONE_SECONDS):
                        await self._wanted.wait()
        finally:
            wakeup.unregister(self._wake_from_any_thread)
            tending.cancel()
            if listener is not None:
                listener.cancel()

    async def _poll(self, asking: list[asyncio.Future[None]]) -> None:
        try:
            while True:
                known = partial(poll_outbox, self._epoch, self._window.newest, self._window.last)
                batch = await self._feed.run_and_keep(known)
                if batch.replaces:
                    self._restart_window(batch.epoch, batch.newest, batch.entries)
                else:
                    await self._hand_out(batch.entries)
                if self._window.newest >= batch.newest:
                    break
        except Exception as error:
            if self._reachable:
                logger.warning("live events cannot be read, trying on: %s", error)
            self._reachable = False
            for asked in asking:
                if not asked.done():
                    asked.set_exception(error)
        else:
            self._reachable = True
            for asked in asking:
                if not asked.done():
                    asked.set_result(None)

    def _restart_window(self, epoch: str, newest: int, entries: list[Entry]) -> None:
        """Replace the window by `entries` and close all sockets (1012). Each client reconnects with its `since`."""
        self._epoch = epoch
        self._window.restart(newest, entries)
        self.end_all(sockets.RESTART)

    def _leaves_behind(self) -> bool:
        """Whether newer events would soon replace events that a slow socket still needs, if it still takes data."""
        floor, middle = self._window.floor, self._window.middle
        behind = (socket for socket in self._passed_over if floor <= socket.position < middle)
        return any(socket.follows and socket in self._subscribers for socket in behind)

    async def _hand_out(self, entries: list[Entry]) -> None:
        """Send `entries` in parts. Other tasks of the event loop run between two parts."""
        for part in parts(entries):
            await self._waiting_time.wait_while(self._leaves_behind)
            with self._rest.after():
                self._hand_out_part(part)
            await asyncio.sleep(0)

    def _hand_out_part(self, part: list[Entry]) -> None:
        before = self._window.newest
        self._window.append(part)
        self._passed_over = []
        personal = {entry.to_user for entry in part if entry.to_user is not None}
        behind: list[LiveSocket] = []
        for reader, alike in self._subscribers.by_reader():
            chunk = broadcast(part, reader)
            behind += self._hand_to_alike(alike, chunk, before, personal)
        for socket in behind:
            self._pump(socket)
        for entry in part:
            if entry.type == SESSION_ENDED:
                self._end_session(entry)

    def _hand_to_alike(self, alike: set[LiveSocket], chunk: Chunk, before: int, personal: set[int]) -> list[LiveSocket]:
        """Send `chunk` to each ready socket at position `before`. Returns the ready sockets that need other bytes."""
        newest, silent = self._window.newest, not chunk.entries
        others: list[LiveSocket] = []
        for socket in alike:
            if not socket.ready:
                self._passed_over.append(socket)
                continue
            if socket.position != before or socket.principal.user_id in personal:
                others.append(socket)
                continue
            socket.position = newest
            if not silent:
                socket.push(chunk)
        return others

    def _pump(self, socket: LiveSocket) -> None:
        """Send `socket` the events after its position, as long as it takes them."""
        window = self._window
        while socket.ready and socket.position < window.newest and socket in self._subscribers:
            if not window.holds_all_after(socket.position):
                self.end(socket, sockets.TOO_SLOW)
                return
            chunk, socket.position = window.compose(socket.position, socket.reader, socket.principal.user_id)
            if chunk.entries:
                socket.push(chunk)
                if chunk.entries[-1].type == PERMISSIONS_CHANGED:
                    self._hold(socket)

    # Rights and endings.

    def _hold(self, socket: LiveSocket) -> None:
        """Send `socket` no more events until its rights have been read again."""
        socket.stale = True
        if not socket.held:
            socket.held = True
            self._in_background(self._read_rights_again(socket))

    async def _read_rights_again(self, socket: LiveSocket) -> None:
        """Read the rights of `socket`. Repeat if they changed during the read, or if the read failed.

        Stops if the socket leaves. Ends the socket if its session is over.
        """
        found: Principal | None = socket.principal
        while found is not None and socket.stale and socket in self._subscribers:
            socket.stale = False
            try:
                found = await self.ask(partial(_current_rights, found))
            except Exception as error:
                logger.warning("rights cannot be read, trying again: %s", error)
                socket.stale = True
                await asyncio.sleep(RIGHTS_RETRY_SECONDS)
        if socket not in self._subscribers:
            return
        if found is None:
            self.end(socket, sockets.SESSION_OVER)
        else:
            self._subscribers.move(socket, found)
            socket.held = False
            self._pump(socket)
            self.presence.check_again(socket)
            self.presence.catch_up(socket)

    def _end_session(self, entry: Entry) -> None:
        for socket in self._subscribers.of(entry.to_user or 0):
            if entry.session in (None, socket.principal.jti):
                if socket.ready:
                    socket.push(Chunk([entry], socket.reader))
                self.end(socket, sockets.SESSION_OVER)

    async def _tend(self) -> None:
        """Close expired and slow sockets each second. This task also runs while the database does not answer."""
        while True:
            self._end_the_expired_and_the_slow()
            self._note_connected()
            self.presence.tend()
            await asyncio.sleep(POLL_SECONDS)

    def _note_connected(self) -> None:
        """Tell the application every 20 s which users have open sockets, because displays send no requests."""
        if time.monotonic() - self._noted < NOTE_CONNECTED_SECONDS:
            return
        self._noted = time.monotonic()
        connected = frozenset(socket.principal.user_id for socket in self._subscribers)
        self._in_background(self._ask_or_log(partial(application().note_connected, connected)))

    async def _ask_or_log(self, work: Callable[[], object]) -> None:
        try:
            await self.ask(work)
        except Exception as error:
            logger.warning("connected displays cannot be noted, trying again: %s", error)

    def _end_the_expired_and_the_slow(self) -> None:
        now, ticks = application().now(), time.monotonic()
        for socket in self._subscribers:
            socket.notice()
            if socket.principal.expires_at <= now:
                self.end(socket, sockets.SESSION_OVER)
            elif socket.blocked_since is not None and ticks - socket.blocked_since > STALL_SECONDS:
                self.end(socket, sockets.TOO_SLOW)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)  # the loop keeps only a weak reference to a task
        task.add_done_callback(self._background.discard)


def _current_rights(principal: Principal) -> Principal | None:
    """The same caller with their current rights. None if their session is over. Waits for the database."""
    return application().current_principal(
        user_id=principal.user_id,
        jti=principal.jti,
        expires_at=principal.expires_at,
        version=principal.token_version,
    )
