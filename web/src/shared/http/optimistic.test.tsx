/** What a write will change is shown from the press on, confirmed by its answer, and taken back with the reason. */
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { ApiError } from "./ApiError";
import { forgetRefusal, notingRefusal, optimistically, useRefusal } from "./optimistic";
import { forgetDocuments, put, view } from "./store";

interface Ring {
  kind: string;
  id: number;
  version: number;
  notes: string;
  status: string;
}

const RING: Ring = { kind: "ring", id: 1, version: 1, notes: "a", status: "New" };
const refused = new ApiError(409, {
  code: "no",
  message: "No se puede",
  params: {},
  errors: [],
});
const shown = () => view(RING);

/** A write that is answered when the test says so. */
function writing() {
  const given: { now?: Ring } = {};
  let accept = (_answer: Ring) => {};
  let refuse = () => {};
  const send = (now: Ring) => {
    given.now = now;
    return new Promise<Ring>((resolve, reject) => {
      accept = (answer) => {
        put([answer]); // as the client does with every answer
        resolve(answer);
      };
      refuse = () => reject(refused);
    });
  };
  return {
    given,
    send,
    accept: (answer: Partial<Ring>) => accept({ ...RING, ...answer }),
    refuse: () => refuse(),
  };
}
const settle = () => new Promise((done) => setTimeout(done));

beforeEach(() => {
  forgetDocuments();
  forgetRefusal(RING);
  put([RING]);
});

it("shows a change at the press and keeps it once it is answered", async () => {
  const write = writing();
  const done = optimistically(RING, { notes: "b" }, write.send);
  expect(shown().notes).toBe("b");
  expect(write.given.now).toBe(RING);
  write.accept({ version: 2, notes: "b", status: "Approved" });
  await done;
  expect(shown()).toMatchObject({ version: 2, notes: "b", status: "Approved" });
});

it("goes back to what was, with the reason at its row, until the row is written again", async () => {
  const reason = renderHook(() => useRefusal(RING));
  const write = writing();
  const done = notingRefusal(RING, () => optimistically(RING, { notes: "b" }, write.send));
  expect(shown().notes).toBe("b");
  write.refuse();
  await expect(done).rejects.toBe(refused);
  expect(shown()).toEqual(RING);
  reason.rerender();
  expect(reason.result.current?.message).toBe("No se puede");
  const again = writing();
  const next = notingRefusal(RING, () => optimistically(RING, { notes: "c" }, again.send));
  reason.rerender();
  expect(reason.result.current).toBeUndefined();
  again.accept({ version: 2, notes: "c" });
  await next;
});

it("shows a newer version that comes in between, also after the refusal", async () => {
  const write = writing();
  const done = optimistically(RING, { notes: "b" }, write.send);
  put([{ ...RING, version: 2, notes: "of somebody else" } as Ring]);
  expect(shown().notes).toBe("of somebody else");
  write.refuse();
  await expect(done).rejects.toBe(refused);
  expect(shown()).toMatchObject({ version: 2, notes: "of somebody else" });
});

it("keeps showing a change when an event of the same version comes in between", async () => {
  const write = writing();
  const done = optimistically(RING, { notes: "b" }, write.send);
  put([{ kind: "ring", id: 1, version: 1, status: "New", forecast: 3 } as never]);
  expect(shown().notes).toBe("b");
  write.accept({ version: 2, notes: "b" });
  await done;
});

it("sends the second of two presses after the first, over the version that the first made", async () => {
  const [first, second] = [writing(), writing()];
  const one = optimistically(RING, { status: "Approved" }, first.send);
  const two = optimistically(RING, { notes: "b" }, second.send);
  expect(shown()).toMatchObject({ status: "Approved", notes: "b" });
  await settle();
  expect(second.given.now).toBeUndefined();
  first.accept({ version: 2, status: "Approved" });
  await one;
  await settle();
  expect(shown()).toMatchObject({ version: 2, status: "Approved", notes: "b" });
  expect(second.given.now?.version).toBe(2);
  second.accept({ version: 3, status: "Approved", notes: "b" });
  await two;
  expect(shown().version).toBe(3);
});

it("sends the second press as it was made if the first was refused, and takes back the first alone", async () => {
  const [first, second] = [writing(), writing()];
  const one = optimistically(RING, { status: "Approved" }, first.send);
  const two = optimistically(RING, { notes: "b" }, second.send);
  first.refuse();
  await expect(one).rejects.toBe(refused);
  await settle();
  expect(second.given.now).toBe(RING);
  expect(shown()).toMatchObject({ status: "New", notes: "b" });
  second.accept({ version: 2, notes: "b" });
  await two;
});
