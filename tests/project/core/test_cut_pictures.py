"""A truncated picture file is refused, whatever libraries its process has loaded."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFile

from project.core.decoding import UnsupportedImage, decoded
from tests.builders import Shop
from tests.project.catalogs.test_pictures import of_item
from tests.project.pictures import upload

SWITCHES = """
import csv, decimal, importlib, json, locale, os, random, socket, sys, warnings
from PIL import Image, ImageFile, PngImagePlugin

def switches():
    context = decimal.getcontext()
    return {
        "Pillow: cut files": ImageFile.LOAD_TRUNCATED_IMAGES,
        "Pillow: most pixels": Image.MAX_IMAGE_PIXELS,
        "Pillow: texts in PNG": [PngImagePlugin.MAX_TEXT_CHUNK, PngImagePlugin.MAX_TEXT_MEMORY],
        "decimal": [context.prec, context.rounding, sorted(str(one) for one, on in context.traps.items() if on)],
        "locale": locale.setlocale(locale.LC_ALL),
        "csv": [csv.field_size_limit(), csv.list_dialects()],
        "socket": socket.getdefaulttimeout(),
        "warnings": len(warnings.filters),
        "recursion": sys.getrecursionlimit(),
        "digits": sys.get_int_max_str_digits(),
        "umask": os.umask(0o022),
    }

before = switches()
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import project.asgi
from project.core.bounded import Processes
for name in Processes._modules:
    importlib.import_module(name)
after = switches()
print(json.dumps([name for name in before if before[name] != after[name]]))
"""


def noisy(kind: str, **saved: object) -> bytes:
    """A picture with noise, so that every part of the file holds pixels."""
    out = io.BytesIO()
    Image.effect_noise((600, 400), 60).convert("RGB").save(out, kind, **saved)
    return out.getvalue()


FILES = {
    "JPEG": noisy("JPEG"),
    "progressive JPEG": noisy("JPEG", progressive=True),
    "PNG": noisy("PNG"),
}


@pytest.fixture(params=[True, False], ids=["with WeasyPrint", "alone"])
def _what_was_loaded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageFile, "LOAD_TRUNCATED_IMAGES", request.param)


@pytest.mark.usefixtures("_what_was_loaded")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("raw", FILES.values(), ids=FILES.keys())
def test_truncated_file_is_refused(raw: bytes, share: float) -> None:
    assert decoded(raw)
    with pytest.raises(UnsupportedImage):
        decoded(raw[: int(len(raw) * share)])


@pytest.mark.parametrize("kind", ["jpeg", "png"])
def test_truncated_upload_keeps_the_former_picture(shop: Shop, settings: Any, tmp_path: Path, kind: str) -> None:
    """The product's processes are forked from one that has loaded WeasyPrint."""
    settings.MEDIA_ROOT = tmp_path
    raw, path = noisy(kind.upper()), of_item(shop)
    former = upload(shop.ana, path, raw, f"image/{kind}").json["url"]
    answer = upload(shop.ana, path, raw[: len(raw) // 2], f"image/{kind}")
    assert (answer.status, answer.code) == (415, "unsupported_image")
    assert shop.nobody.raw(former)


def test_no_other_global_switch_of_a_library_is_changed() -> None:
    """Such a switch changes the library for every use in the process."""
    made = subprocess.run([sys.executable, "-c", SWITCHES], capture_output=True, check=True, text=True)
    assert json.loads(made.stdout.splitlines()[-1]) == ["Pillow: cut files"]
