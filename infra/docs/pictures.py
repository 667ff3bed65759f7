"""Makes the README's pictures small, and its film out of frames. Run by `make pictures`: pictures.py FOLDER."""

import json
import sys
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
COLOURS = 128
WIDTH = 1_200
"""The width of the film in pixels."""


def shrink(picture: Path) -> None:
    """Write a copy of a picture, reduced to a palette of COLOURS, beside this script."""
    Image.open(picture).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        HERE / picture.name, optimize=True
    )


def frame_of(folder: Path, place: int) -> Image.Image:
    """Return one frame of the film: the pictures of the station and of the wall, side by side."""
    station, wall = (
        Image.open(folder / f"film-{place:02}-{which}.png").convert("RGB") for which in ("station", "wall")
    )
    wall = wall.resize((wall.width * station.height // wall.height, station.height), Image.Resampling.LANCZOS)
    joined = Image.new("RGB", (station.width + wall.width, station.height))
    joined.paste(station, (0, 0))
    joined.paste(wall, (station.width, 0))
    return joined.resize((WIDTH, joined.height * WIDTH // joined.width), Image.Resampling.LANCZOS)


def main(folder: Path) -> None:
    for picture in folder.glob("[!f]*.png"):
        shrink(picture)
    durations = json.loads((folder / "film.json").read_text())
    first, *others = [frame_of(folder, place) for place in range(len(durations))]
    first.save(
        HERE / "film.webp", save_all=True, append_images=others, duration=durations, loop=0, quality=70, method=6
    )


main(Path(sys.argv[1]))
