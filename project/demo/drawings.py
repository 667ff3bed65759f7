"""Draws the pictures of the demo: products in silver, and the logos of companies and customers."""

import io

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from project.demo.goods import Product

SIDE = 1_280
"""The side of a drawing in pixels: twice the stored size, because scaling down smooths the edges."""

_SILVER, _SHADE, _SHINE, _INK = "#b9c0c9", "#7f8894", "#eef1f4", "#2b3340"
_GROUNDS = ("#eef0f3", "#eceae6", "#e9eef0", "#f0ecee")
_STONES = {
    "Turquesa": "#2aa6a0",
    "Amatista": "#7d4fa8",
    "Ópalo de fuego": "#e2622b",
    "Obsidiana dorada": "#3a3329",
    "Ámbar": "#d7952a",
    "Esmalte": "#c23a5b",
}

type Point = tuple[float, float]


def picture_of(product: Product, number: int) -> bytes:
    """Draw a product as PNG. `number` varies the ground and some sizes among similar products."""
    image = Image.new("RGB", (SIDE, SIDE), _GROUNDS[number % len(_GROUNDS)])
    _shadow(image)
    draw = ImageDraw.Draw(image)
    stone = next((_STONES[material] for _, material in product.components if material in _STONES), None)
    match product.key.partition("-")[0]:
        case "AN" | "AL":
            _ring(draw, (640, 700), 330, 46 if stone else 70)
            if stone:
                _stone(draw, (640, 330), 120, stone)
        case "DI" | "DE":
            draw.arc((140, -620, 1_140, 420), 20, 160, fill=_SHADE, width=12)
            _ring(draw, (640, 430), 56, 18)
            _disc(draw, (640, 760), 290)
            _stone(draw, (640, 760), 215 if product.key.startswith("DE") else 120, stone or _SHINE)
        case "AR":
            for x in (420, 860):
                _ring(draw, (x, 640), 190 + 20 * (number % 3), 34 + 6 * (number % 2))
                draw.line((x, 300, x, 450), fill=_SHADE, width=14)
        case _:
            for x in (430, 850):
                draw.arc((x - 70, 180, x + 70, 420), 150, 400, fill=_SHADE, width=16)
                _disc(draw, (x, 500), 90)
                _stone(draw, (x, 760), 150, stone or _SHINE)
    return _png(image.resize((SIDE // 2, SIDE // 2), Image.Resampling.BOX))


def _box(middle: Point, radius: float) -> tuple[float, float, float, float]:
    return (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius)


def _shadow(image: Image.Image) -> None:
    strip = (240, 980, 1_040, 1_180)
    under = image.crop(strip)
    ImageDraw.Draw(under).ellipse((60, 60, 740, 140), fill="#d3d6da")
    image.paste(under.filter(ImageFilter.BoxBlur(20)), strip)


def _ring(draw: ImageDraw.ImageDraw, middle: Point, radius: int, width: int) -> None:
    draw.ellipse(_box(middle, radius), outline=_SHADE, width=width)
    draw.ellipse(_box(middle, radius - width * 0.12), outline=_SILVER, width=int(width * 0.7))
    draw.arc(_box(middle, radius - width * 0.25), 200, 300, fill=_SHINE, width=max(6, width // 4))


def _disc(draw: ImageDraw.ImageDraw, middle: Point, radius: int) -> None:
    draw.ellipse(_box(middle, radius), fill=_SHADE)
    draw.ellipse(_box((middle[0] - radius * 0.03, middle[1] - radius * 0.03), radius * 0.94), fill=_SILVER)
    draw.arc(_box(middle, radius * 0.84), 190, 280, fill=_SHINE, width=max(6, radius // 16))


def _stone(draw: ImageDraw.ImageDraw, middle: Point, radius: int, colour: str) -> None:
    draw.ellipse(_box(middle, radius), fill=_SHADE)
    draw.ellipse(_box(middle, radius * 0.9), fill=colour)
    draw.chord(
        _box((middle[0] - radius * 0.1, middle[1] - radius * 0.12), radius * 0.66), 170, 300, fill=_lighter(colour)
    )


def _lighter(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return f"#{(red + 255) // 2:02x}{(green + 255) // 2:02x}{(blue + 255) // 2:02x}"


def logo_of(name: str) -> bytes:
    """Draw a company's logo as PNG: the moon over two hills, and its name."""
    image = Image.new("RGB", (2_000, 800), "white")
    draw = ImageDraw.Draw(image)
    draw.ellipse(_box((500, 260), 112), fill=_STONES["Turquesa"])
    draw.polygon(((300, 660), (530, 340), (700, 660)), fill=_SILVER)
    draw.polygon(((80, 660), (320, 180), (560, 660)), fill=_INK)
    draw.polygon(((320, 180), (260, 300), (320, 276), (380, 300)), fill=_SHINE)
    draw.text((760, 400), name, fill=_INK, font=_letters(name, 1_160, 300), anchor="lm")
    return _png(image.resize((1_000, 400), Image.Resampling.BOX))


def mark_of(name: str, number: int) -> bytes:
    """Draw a customer's logo as PNG: its initials on a coloured ground."""
    colour = list(_STONES.values())[number % len(_STONES)]
    image = Image.new("RGB", (480, 480), "white")
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((20, 20, 460, 460), 60, fill=colour)
    initials = "".join(word[0] for word in name.split()[:2]).upper()
    draw.text((240, 240), initials, fill="white", font=_letters(initials, 340, 220), anchor="mm")
    return _png(image)


def _letters(text: str, width: int, size: int) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    """Load Pillow's default font, as large as fits `width`, but at most `size`."""
    font = ImageFont.load_default(size)
    return ImageFont.load_default(size * min(1.0, width / font.getlength(text)))


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()
