"""The window of events: frames by RFC 6455, reading from a position, and dropping the oldest."""

import json

import pytest

from realtime.audience import Reader
from realtime.window import BYTES, CHUNK_BYTES, SIZE, Chunk, Entry, Window, text_frame, text_of

READER = Reader(frozenset({"ListOrders"}))


def entry(
    id: int,
    *,
    audience: str = "ListOrders",
    to_user: int | None = None,
    type: str = "line.moved",
    size: int = 10,
) -> Entry:
    payload = json.dumps({"id": id, "data": {"jti": None, "filler": "ñ" * size}}, ensure_ascii=False)
    return Entry.of(id=id, type=type, audience="" if to_user else audience, to_user=to_user, payload=payload)


def filled(*entries: Entry) -> Window:
    window = Window()
    window.append(entries)
    return window


def ids(chunk: Chunk) -> list[int]:
    return [one.id for one in chunk.entries]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 200_000])
def test_a_frame_is_whole_unmasked_text_with_the_shortest_length(size: int) -> None:
    payload = b"x" * size
    frame = text_frame(payload)
    assert frame[0] == 0x81
    assert not frame[1] & 0x80
    if size < 126:
        assert (frame[1], frame[2:]) == (size, payload)
    elif size < 65_536:
        assert (frame[1], int.from_bytes(frame[2:4]), frame[4:]) == (126, size, payload)
    else:
        assert (frame[1], int.from_bytes(frame[2:10]), frame[10:]) == (127, size, payload)


@pytest.mark.parametrize("size", [0, 50, 200, 40_000])
def test_text_of_returns_the_payload_of_an_entry(size: int) -> None:
    assert json.loads(text_of(entry(1, size=size).frame))["data"]["filler"] == "ñ" * size


def test_a_reader_gets_the_events_after_their_position_that_they_may_read() -> None:
    window = filled(entry(1), entry(2, audience="ListCustomers"), entry(3, to_user=9), entry(4, to_user=8), entry(5))
    chunk, position = window.compose(1, READER, 9)
    assert ids(chunk) == [3, 5]
    assert position == 5


def test_events_that_the_reader_may_not_read_advance_their_position() -> None:
    chunk, position = filled(entry(1, audience="ListCustomers")).compose(0, READER, 9)
    assert (ids(chunk), position) == ([], 1)


def test_a_chunk_is_bounded_in_size_and_the_next_one_continues() -> None:
    window = filled(*(entry(id, size=1_000) for id in range(1, 101)))
    position, seen = 0, []
    while position < window.newest:
        chunk, position = window.compose(position, READER, 9)
        assert len(chunk.data) < CHUNK_BYTES + 3_000
        seen += ids(chunk)
    assert seen == list(range(1, 101))


def test_a_chunk_ends_where_the_reader_s_permissions_change() -> None:
    window = filled(entry(1), entry(2, to_user=9, type="permissions.changed"), entry(3))
    chunk, position = window.compose(0, READER, 9)
    assert (ids(chunk), position) == ([1, 2], 2)
    chunk, _ = window.compose(0, READER, 8)
    assert ids(chunk) == [1, 3]


def test_the_end_of_an_earlier_session_is_not_replayed() -> None:
    window = filled(entry(1, to_user=9, type="session.ended"), entry(2))
    assert ids(window.compose(0, READER, 9)[0]) == [2]


def test_the_oldest_events_are_dropped_and_a_reader_who_missed_them_cannot_resume() -> None:
    window = filled(*(entry(id) for id in range(1, 2 * SIZE)))
    assert window.newest == 2 * SIZE - 1
    assert window.floor == window.newest - SIZE
    assert window.holds_all_after(window.floor)
    assert not window.holds_all_after(window.floor - 1)
    assert not window.holds_all_after(window.newest + 1)
    assert [one.id for one in window.after(window.newest - 2)] == [window.newest - 1, window.newest]


def test_the_window_is_bounded_by_bytes_as_well() -> None:
    window = Window()
    for id in range(1, 101):
        window.append([entry(id, size=BYTES // 40)])  # two bytes a letter: about a twentieth of the window
        assert sum(len(one.frame) for one in window.after(0)) <= BYTES + BYTES // 4 + BYTES // 20
    assert window.newest == 100
    assert not window.holds_all_after(50)
    window.append([entry(101, size=BYTES)])
    assert [one.id for one in window.after(100)] == [101], "an entry larger than the window is kept"


def test_missing_events_advance_the_reader_to_the_newest() -> None:
    window = Window()
    window.restart(9, [entry(4)])
    assert (window.newest, window.floor, window.last) == (9, 3, None)
    chunk, position = window.compose(3, READER, 9)
    assert (ids(chunk), position) == ([4], 9)


def test_a_customer_account_receives_only_events_of_its_customer() -> None:
    row = {"type": "line.moved", "to_user": None, "payload": "{}"}
    window = filled(
        Entry.of(id=1, audience="ListOrders", customer=4, **row),  # type: ignore[arg-type]
        Entry.of(id=2, audience="ListOrders", customer=5, **row),  # type: ignore[arg-type]
        Entry.of(id=3, audience="ListOrders", customer=None, **row),  # type: ignore[arg-type]
        Entry.of(id=4, audience="", customer=4, **row),  # type: ignore[arg-type]
        entry(5, to_user=9),
        entry(6, to_user=9, type="permissions.changed"),
    )

    def received(reader: Reader) -> list[int]:
        return ids(window.compose(0, reader, 9)[0])

    assert received(Reader(frozenset(), is_customer=True, customer=4)) == [1, 4, 6]
    assert received(Reader(frozenset(), is_customer=True)) == [6], "of no customer yet"
    assert received(READER) == [1, 2, 3, 5, 6]
