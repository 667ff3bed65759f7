import { beforeEach, expect, it, vi } from "vitest";
import { toast } from "@/shared/ui/toast";
import { dropDraft, keepDraft, readDraft } from "./draft";

const typed = { name: "Anillo", rows: [{ quantity: 4 }] };

beforeEach(() => sessionStorage.clear());

it("is restored only for the user who typed it", () => {
  keepDraft("order", 7, typed);
  expect(readDraft("order", 7)).toEqual(typed);
  expect(readDraft("order", 8)).toBeNull();
  expect(readDraft("order/3", 7)).toBeNull();
});

it("is removed once it is sent or dropped", () => {
  keepDraft("order", 7, typed);
  dropDraft("order");
  expect(readDraft("order", 7)).toBeNull();
});

it("warns the user if storage is full, and keeps the draft until the page is left", () => {
  const shown = vi.spyOn(toast, "error");
  keepDraft("order", 7, typed);
  vi.spyOn(Storage.prototype, "setItem").mockImplementationOnce(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keepDraft("order", 7, { ...typed, name: "Dije" });
  expect(shown).toHaveBeenCalledOnce();
  expect(readDraft("order", 7)).toEqual({ ...typed, name: "Dije" });
});
