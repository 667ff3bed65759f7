// @vitest-environment node
import { afterEach, expect, it } from "vitest";
import { formatMoment, plantTimeElsewhere, setPlantZone } from "./plant";

afterEach(() => setPlantZone(undefined));

it("adds the day to a time that is not on the plant's current day", () => {
  // Mexico is six hours behind UTC.
  expect(formatMoment("2026-03-14T16:41:00Z", "2026-03-14")).toBe("10:41");
  expect(formatMoment("2026-03-14T05:49:00Z", "2026-03-14")).toBe("2026-03-13 23:49");
  expect(formatMoment("2026-03-15T00:06:00Z", "2026-03-14")).toBe("18:06");
});

it("gives the plant's time if the browser's clock differs", () => {
  const now = new Date("2026-03-14T12:30:00Z");
  setPlantZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(plantTimeElsewhere(now)).toBe("");
  setPlantZone("Pacific/Kiritimati");
  expect(plantTimeElsewhere(now)).toBe("2026-03-15 02:30");
});
