import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendPicture } from "./sendPicture";

const JPEG = new Uint8Array([0xff, 0xd8, 0xff, 1]);
const sent: string[] = [];
let status = 200;
const entry = { id: 7, version: 1, nameImage: "vieja" };
const chosen = { file: new File([JPEG], "nueva.png", { type: "image/png" }), preview: "blob:1" };

beforeEach(() => {
  sent.length = 0;
  status = 200;
  vi.stubGlobal("fetch", async ({ method, url }: Request) => {
    sent.push(`${method} ${new URL(url).pathname}`);
    return new Response('{"code": "unavailable", "message": ""}', {
      status,
      headers: { "Content-Type": "application/json" },
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

it("replaces the old picture in one call", async () => {
  await sendPicture("items", entry, chosen);
  expect(sent).toEqual(["POST /api/items/7/document/nueva.jpeg"]);
});

it("removes nothing if the upload fails", async () => {
  status = 503;
  await expect(sendPicture("items", entry, chosen)).rejects.toMatchObject({ status: 503 });
  expect(sent).toEqual(["POST /api/items/7/document/nueva.jpeg"]);
});

it("deletes a picture only if it was removed without a new one", async () => {
  await sendPicture("items", entry, { removed: true });
  await sendPicture("items", entry, null);
  expect(sent).toEqual(["DELETE /api/items/7/document/vieja"]);
});
