// @vitest-environment node
import { afterEach, expect, it } from "vitest";
import { formatMoment, plantTimeElsewhere, setPlantZone } from "./plant";

afterEach(() => setPlantZone(undefined));

it("says of what day a time is where it is not today's, by the plant's calendar", () => {
  // In Mexico it is six hours earlier.
  expect(formatMoment("2026-03-14T16:41:00Z", "2026-03-14")).toBe("10:41");
  expect(formatMoment("2026-03-14T05:49:00Z", "2026-03-14")).toBe("2026-03-13 23:49");
  expect(formatMoment("2026-03-15T00:06:00Z", "2026-03-14")).toBe("18:06");
});

it("adds the plant's time to a clock that shows another one", () => {
  const now = new Date("2026-03-14T12:30:00Z");
  setPlantZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(plantTimeElsewhere(now)).toBe("");
  setPlantZone("Pacific/Kiritimati");
  expect(plantTimeElsewhere(now)).toBe("2026-03-15 02:30");
});
