"""Split the web client's typeface into two files: the characters of Spanish and English, and the rest of Latin.

`python infra/setup/typeface.py web/src/shared/theme/typeface` loads the package from npm and writes both files.
"""

import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

PACKAGE = "@fontsource-variable/figtree@5.3.0"
FONT = "package/files/figtree-latin-wght-normal.woff2"
LICENCE = "package/LICENSE"
WEIGHTS = (400, 700)
FEATURES = ["kern", "tnum", "liga", "ccmp", "locl", "mark"]
CORE = {*range(0x20, 0x7F), *map(ord, "\u00a0áéíóúüñÁÉÍÓÚÜÑ¿¡·×½¼¾€\u2013\u2014\u2018\u2019…«»°º“”ª©")}
"""The characters of pages in Spanish and English. The unicode-range in typeface.css must match."""


def main(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asked = ["npm", "pack", "--silent", "--pack-destination", folder, PACKAGE]
        subprocess.run(asked, check=True)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as packed:
            raw, licence = (_member(packed, name) for name in (FONT, LICENCE))
    (target / "LICENSE.txt").write_bytes(licence)
    rest = set(TTFont(io.BytesIO(raw)).getBestCmap()) - CORE
    for name, characters in (("figtree.woff2", CORE), ("figtree-more.woff2", rest)):
        _cut(raw, characters, target / name)
        print(f"{name}: {(target / name).stat().st_size:,} bytes, {len(characters)} characters")
    print("unicode-range of the rest:", _ranges(rest))


def _member(packed: tarfile.TarFile, name: str) -> bytes:
    file = packed.extractfile(name)
    if file is None:
        raise FileNotFoundError(name)
    return file.read()


def _cut(raw: bytes, characters: set[int], path: Path) -> None:
    narrowed = io.BytesIO()
    font = instancer.instantiateVariableFont(TTFont(io.BytesIO(raw)), {"wght": WEIGHTS})
    font.flavor = None
    font.save(narrowed)  # the subsetter needs tables loaded from a file, not the instancer's
    narrowed.seek(0)
    options = subset.Options(
        flavor="woff2", layout_features=FEATURES, hinting=False, name_IDs=[0, 1, 2, 3, 4, 5, 6, 13]
    )
    font = TTFont(narrowed, recalcTimestamp=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    font.flavor = "woff2"
    font.save(path)


def _ranges(characters: set[int]) -> str:
    runs: list[list[int]] = []
    for each in sorted(characters):
        if runs and each == runs[-1][1] + 1:
            runs[-1][1] = each
        else:
            runs.append([each, each])
    return ", ".join(f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in runs)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
