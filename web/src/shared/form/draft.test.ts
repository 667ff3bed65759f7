import { beforeEach, expect, it, vi } from "vitest";
import { toast } from "@/shared/ui/toast";
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

it("tells the person to save where the browser has no room left, and keeps what it had", () => {
  const shown = vi.spyOn(toast, "error");
  keepDraft("order", 7, typed);
  vi.spyOn(Storage.prototype, "setItem").mockImplementationOnce(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keepDraft("order", 7, { ...typed, name: "Dije" });
  expect(shown).toHaveBeenCalledOnce();
  expect(readDraft("order", 7)).toEqual(typed);
});
