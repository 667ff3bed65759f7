// @vitest-environment node
import { expect, it } from "vitest";
import { formatMoment } from "./plant";

it("says of what day a time is where it is not today's, by the plant's calendar", () => {
  // In Mexico it is six hours earlier.
  expect(formatMoment("2026-03-14T16:41:00Z", "2026-03-14")).toBe("10:41");
  expect(formatMoment("2026-03-14T05:49:00Z", "2026-03-14")).toBe("2026-03-13 23:49");
  expect(formatMoment("2026-03-15T00:06:00Z", "2026-03-14")).toBe("18:06");
});
