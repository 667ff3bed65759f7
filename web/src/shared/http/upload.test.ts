import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendFile } from "./upload";

/** A request whose progress and answer the test decides. */
class FakeRequest extends EventTarget {
  static last: FakeRequest;
  readonly upload = new EventTarget();
  status = 0;
  response: unknown = null;
  responseType = "";

  constructor() {
    super();
    FakeRequest.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}

  progress(loaded: number, total: number) {
    const lengthComputable = total > 0;
    this.upload.dispatchEvent(new ProgressEvent("progress", { lengthComputable, loaded, total }));
  }

  answer(status: number, response: unknown) {
    Object.assign(this, { status, response });
    this.dispatchEvent(new Event("load"));
  }
}

beforeEach(() => void vi.stubGlobal("XMLHttpRequest", FakeRequest));
afterEach(() => void vi.unstubAllGlobals());

function sending(): { parts: number[]; answered: Promise<unknown> } {
  const parts: number[] = [];
  const onProgress = (part: number) => void parts.push(part);
  const answered = sendFile("/api/imports/items", new Blob(["a"]), { onProgress, headers: {} });
  return { parts, answered };
}

it("reports the share that is sent, and resolves with the answer", async () => {
  const { parts, answered } = sending();
  FakeRequest.last.progress(25, 100);
  FakeRequest.last.progress(100, 100);
  FakeRequest.last.answer(201, { id: 1 });
  expect(await answered).toEqual({ id: 1 });
  expect(parts).toEqual([0.25, 1]);
});

it("reports no share while the size is unknown or zero", async () => {
  const { parts, answered } = sending();
  FakeRequest.last.progress(0, 0);
  FakeRequest.last.progress(512, 0);
  FakeRequest.last.answer(200, { id: 1 });
  await answered;
  expect(parts).toEqual([]);
});
