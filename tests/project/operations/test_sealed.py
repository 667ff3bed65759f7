"""A sealed stream opens with the operator's key, and only as it was written."""

import gc
import io
import secrets
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from project.operations import archive, sealed
from project.operations.archive import ArchiveWriter, Manifest, Nowhere
from project.operations.sealed import (
    HEADER_BYTES,
    PIECE,
    TAG_BYTES,
    BackupError,
    BrokenBackup,
    SealedReader,
    SealedWriter,
)

NEW, OLD, STRANGE = (secrets.token_urlsafe(48) for _ in range(3))
SEALED_PIECE = PIECE + TAG_BYTES


def sealed_by(key: str, plain: bytes) -> bytes:
    target = io.BytesIO()
    writer = SealedWriter(target, key)
    for start in range(0, len(plain), 300_000):
        writer.write(plain[start : start + 300_000])
    writer.finish()
    return target.getvalue()


def opened(data: bytes, *keys: str) -> bytes:
    reader, parts = SealedReader(io.BytesIO(data), [*keys]), []
    while part := reader.read(700_001):
        parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("size", [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])
def test_what_was_sealed_opens_whatever_its_size(size: int) -> None:
    plain = secrets.token_bytes(size)
    data = sealed_by(NEW, plain)
    assert opened(data, NEW) == plain
    assert plain[:32] not in data or size < 32


def test_any_of_the_keys_opens_and_another_does_not() -> None:
    data = sealed_by(OLD, b"plain")
    assert opened(data, NEW, OLD) == b"plain"
    with pytest.raises(BackupError, match="None of the keys"):
        opened(data, NEW, STRANGE)


@pytest.mark.parametrize(
    "place", [0, len(sealed.MAGIC), HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + SEALED_PIECE + 5, -1]
)
def test_a_flipped_byte_anywhere_is_noticed(place: int) -> None:
    data = bytearray(sealed_by(NEW, bytes(2 * PIECE + 100)))
    data[place] ^= 1
    with pytest.raises(BackupError):
        opened(bytes(data), NEW)


@pytest.mark.parametrize(
    "size", [0, 5, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 7, HEADER_BYTES + SEALED_PIECE, -TAG_BYTES - 100, -1]
)
def test_what_was_cut_off_is_noticed_even_between_two_pieces(size: int) -> None:
    data = sealed_by(NEW, bytes(2 * PIECE + 100))
    with pytest.raises(BrokenBackup):
        opened(data[:size], NEW)


def test_pieces_that_changed_places_or_came_from_elsewhere_are_noticed() -> None:
    one, other = (sealed_by(NEW, secrets.token_bytes(3 * PIECE)) for _ in range(2))
    first, second = HEADER_BYTES, HEADER_BYTES + SEALED_PIECE
    swapped = one[:first] + one[second : second + SEALED_PIECE] + one[first:second] + one[second + SEALED_PIECE :]
    foreign = one[:first] + other[first:second] + one[second:]
    for data in (swapped, foreign, one + b"more"):
        with pytest.raises(BrokenBackup):
            opened(data, NEW)


def test_what_was_never_finished_opens_for_nobody() -> None:
    target = io.BytesIO()
    SealedWriter(target, NEW).write(bytes(2 * PIECE + 1))
    with pytest.raises(BrokenBackup):
        opened(target.getvalue(), NEW)


def test_keys_come_from_the_setting_first_and_then_from_the_file(settings: object, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"# newest first\n{OLD}\n\n{STRANGE}\n")
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = [NEW], str(file)  # type: ignore[attr-defined]
    assert sealed.keys() == [NEW, OLD, STRANGE]


@pytest.mark.parametrize(("given", "file"), [([], ""), (["short"], ""), ([], "/nowhere/keys")])
def test_without_a_good_key_there_is_no_backup(given: list[str], file: str, settings: object) -> None:
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = given, file  # type: ignore[attr-defined]
    with pytest.raises(BackupError) as refusal:
        sealed.keys()
    assert "short" not in str(refusal.value)


def manifest() -> Manifest:
    return Manifest("2", "2026", "sqlite", "e", 0, [], {}, "s", [])


def test_a_manifest_that_says_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    target = io.BytesIO()
    writer = SealedWriter(target, NEW)
    whole = ArchiveWriter(writer)
    whole.database(iter([b"abc"]))
    monkeypatch.setattr(archive.Sums, "said", lambda self: {"database_bytes": 4})
    whole.finish(manifest())
    writer.finish()
    monkeypatch.undo()
    with pytest.raises(BrokenBackup, match="manifest says"):
        archive.read(io.BytesIO(target.getvalue()), [NEW], Nowhere())


def most_memory(work: Callable[[], object]) -> int:
    """Bytes that Python's objects took at the most."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_hang_on_the_size(tmp_path: Path) -> None:
    chunk = secrets.token_bytes(1 << 20)

    def written_and_read() -> None:
        with open(tmp_path / "backup", "wb") as file:
            writer = SealedWriter(file, NEW)
            whole = ArchiveWriter(writer)
            whole.database(chunk for _ in range(40))
            written = whole.finish(manifest())
            writer.finish()
        with open(tmp_path / "backup", "rb") as file:
            assert archive.read(file, [NEW], Nowhere()) == written

    assert most_memory(written_and_read) < 24 << 20


def entries_remembered() -> int:
    return sum(type(one) is tarfile.TarInfo for one in gc.get_objects())  # asking a lazy object would make it


def test_memory_does_not_hang_on_the_number_of_files() -> None:
    """Tar files of the standard library remember every entry: it is made to forget them."""

    class Watching(Nowhere):
        most = 0

        def file(self, name: str, data: bytes) -> None:
            if name == "29.jpeg":
                self.most = entries_remembered()

    target, sink = io.BytesIO(), Watching()
    writer = SealedWriter(target, NEW)
    whole = ArchiveWriter(writer)
    for number in range(30):
        whole.file(f"{number}.jpeg", b"picture")
    assert entries_remembered() < 5
    whole.finish(manifest())
    writer.finish()
    archive.read(io.BytesIO(target.getvalue()), [NEW], sink)
    assert 0 < sink.most < 5
