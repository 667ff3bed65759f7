// @vitest-environment node
import { afterEach, expect, it } from "vitest";
import { formatMoment, plantTimeElsewhere, setPlantZone, startOf } from "./plant";

afterEach(() => setPlantZone(undefined));

it("adds the day to a time that is not on the plant's current day", () => {
  // Mexico is six hours behind UTC.
  expect(formatMoment("2026-03-14T16:41:00Z", "2026-03-14")).toBe("10:41");
  expect(formatMoment("2026-03-14T05:49:00Z", "2026-03-14")).toBe("2026-03-13 23:49");
  expect(formatMoment("2026-03-15T00:06:00Z", "2026-03-14")).toBe("18:06");
});

it.each([
  ["America/Mexico_City", "2026-03-14", "2026-03-14T06:00:00.000Z"],
  // The clocks go forward at two in the morning of this day, and back at two of the next one.
  ["America/New_York", "2026-03-08", "2026-03-08T05:00:00.000Z"],
  ["America/New_York", "2026-03-09", "2026-03-09T04:00:00.000Z"],
  ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z"],
  ["America/New_York", "2026-11-02", "2026-11-02T05:00:00.000Z"],
  ["Pacific/Kiritimati", "2026-03-14", "2026-03-13T10:00:00.000Z"],
])("finds the instant at which a day begins in %s: %s", (zone, day, instant) => {
  setPlantZone(zone);
  expect(startOf(day)).toBe(instant);
});

it("gives the plant's time if the browser's clock differs", () => {
  const now = new Date("2026-03-14T12:30:00Z");
  setPlantZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(plantTimeElsewhere(now)).toBe("");
  setPlantZone("Pacific/Kiritimati");
  expect(plantTimeElsewhere(now)).toBe("2026-03-15 02:30");
});
