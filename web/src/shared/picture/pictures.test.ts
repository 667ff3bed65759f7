import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { jpegOf } from "./pictures";

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
  convertToBlob = async ({ type }: { type: string }) => new Blob([new Uint8Array(JPEG)], { type });
}

beforeEach(() => {
  drawn.length = 0;
  bitmap = { width: 40, height: 30, close: vi.fn<() => void>() };
  vi.stubGlobal("createImageBitmap", async () => bitmap);
  vi.stubGlobal("OffscreenCanvas", Canvas);
});
afterEach(() => vi.unstubAllGlobals());

const bytesOf = async (sent: Blob) => [...new Uint8Array(await sent.arrayBuffer())];

it.each([
  ["image/png", "named so"],
  ["image/jpeg", "whatever it is named"],
])("draws a PNG on white ground and sends it as JPEG (%s, %s)", async (type) => {
  const sent = (await jpegOf(file(PNG, type))) as File;
  expect([sent.type, sent.name, await bytesOf(sent)]).toEqual(["image/jpeg", "uno", JPEG]);
  expect(drawn).toEqual([["#fff", 0, 0, 40, 30], bitmap]);
  expect(bitmap.close).toHaveBeenCalledOnce();
});

it.each(["image/jpeg", "image/png"])("sends a JPEG as it is, as JPEG (%s)", async (type) => {
  const sent = (await jpegOf(file(JPEG, type))) as File;
  expect([sent.type, await bytesOf(sent)]).toEqual(["image/jpeg", JPEG]);
  expect(drawn).toEqual([]);
});

it("refuses what is neither, what cannot be drawn and what is too large", async () => {
  expect(await jpegOf(file(GIF, "image/gif"))).toBe("notAccepted");
  expect(await jpegOf(file(GIF, "image/png"))).toBe("notAccepted");
  bitmap = { ...bitmap, width: 10_000, height: 5_001 };
  expect(await jpegOf(file(PNG, "image/png"))).toBe("tooLarge");
  expect(bitmap.close).toHaveBeenCalledOnce();
  vi.stubGlobal("createImageBitmap", async () => Promise.reject(new Error("No image.")));
  expect(await jpegOf(file(PNG, "image/png"))).toBe("notAccepted");
});
