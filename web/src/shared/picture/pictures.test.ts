// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { asJpeg, asPhoto, refusalOf } from "./pictures";

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a];
const JPEG = [0xff, 0xd8, 0xff, 0xe0, 1, 2];
const GIF = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61];
const file = (bytes: number[], type: string) => new File([new Uint8Array(bytes)], "uno", { type });

const drawn: unknown[] = [];
let bitmap = { width: 40, height: 30, close: vi.fn<() => void>() };

class Canvas {
  readonly #context = {
    fillStyle: "",
    fillRect: (...area: number[]) => drawn.push([this.#context.fillStyle, ...area]),
    drawImage: (image: unknown) => drawn.push(image),
  };
  getContext = () => this.#context;
  async convertToBlob({ type }: { type: string }) {
    return new Blob([new Uint8Array(JPEG)], { type });
  }
}

beforeEach(() => {
  drawn.length = 0;
  bitmap = { width: 40, height: 30, close: vi.fn<() => void>() };
  vi.stubGlobal("createImageBitmap", async () => bitmap);
  vi.stubGlobal("OffscreenCanvas", Canvas);
});
afterEach(() => vi.unstubAllGlobals());

const bytesOf = async (sent: Blob) => [...new Uint8Array(await sent.arrayBuffer())];

it.each(["image/png", "image/jpeg"])(
  "draws a PNG on white and sends it as JPEG, whatever its declared type (%s)",
  async (type) => {
    const sent = await asJpeg(file(PNG, type));
    expect([sent.type, sent.name, await bytesOf(sent)]).toEqual(["image/jpeg", "uno", JPEG]);
    expect(drawn).toEqual([["#fff", 0, 0, 40, 30], bitmap]);
    expect(bitmap.close).toHaveBeenCalledOnce();
  },
);

it.each(["image/jpeg", "image/png"])("sends a JPEG unchanged, as JPEG (%s)", async (type) => {
  const sent = await asJpeg(file(JPEG, type));
  expect([sent.type, await bytesOf(sent)]).toEqual(["image/jpeg", JPEG]);
  expect(drawn).toEqual([]);
});

it("rejects a picture that the browser cannot encode as too large", async () => {
  vi.spyOn(Canvas.prototype, "convertToBlob").mockRejectedValue(new Error("Too large."));
  await expect(asJpeg(file(PNG, "image/png"))).rejects.toMatchObject({ status: 413 });
});

it("reduces a photo to 1600 px a side, in base 64, and enlarges none", async () => {
  bitmap = { ...bitmap, width: 4_000, height: 3_000 };
  expect(atob(await asPhoto(file(JPEG, "image/jpeg")))).toBe(String.fromCodePoint(...JPEG));
  bitmap = { ...bitmap, width: 40, height: 30 };
  await asPhoto(file(JPEG, "image/jpeg"));
  expect(drawn.filter((one) => Array.isArray(one))).toEqual([
    ["#fff", 0, 0, 1_600, 1_200],
    ["#fff", 0, 0, 40, 30],
  ]);
});

it("refuses other types, unreadable files and pictures that are too large", async () => {
  expect(await refusalOf(file(PNG, "image/png"))).toBeNull();
  expect(await refusalOf(file(GIF, "image/gif"))).toBe("notAccepted");
  expect(await refusalOf(file(GIF, "image/png"))).toBe("notAccepted");
  bitmap = { ...bitmap, width: 10_000, height: 5_001 };
  expect(await refusalOf(file(PNG, "image/png"))).toBe("tooLarge");
  vi.stubGlobal("createImageBitmap", async () => Promise.reject(new Error("No image.")));
  expect(await refusalOf(file(PNG, "image/png"))).toBe("notAccepted");
});
