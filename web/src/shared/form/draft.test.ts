import { beforeEach, expect, it } from "vitest";
import { dropDraft, keepDraft, readDraft } from "./draft";

const typed = { name: "Anillo", rows: [{ quantity: 4 }] };

beforeEach(() => sessionStorage.clear());

it("comes back to the person who typed it, and to nobody else", () => {
  keepDraft("order", 7, typed);
  expect(readDraft("order", 7)).toEqual(typed);
  expect(readDraft("order", 8)).toBeNull();
  expect(readDraft("order/3", 7)).toBeNull();
});

it("is gone once it was sent or thrown away", () => {
  keepDraft("order", 7, typed);
  dropDraft("order");
  expect(readDraft("order", 7)).toBeNull();
});
