// @vitest-environment node
import { beforeEach, expect, it } from "vitest";
import { sayDay, sayDays, sayMoment } from "./days";
import { setPlantZone } from "./plant";

beforeEach(() => setPlantZone("America/Mexico_City"));

it("says a day with its weekday and month, and its year only if it is another one", () => {
  expect(sayDay("2026-11-27", "es", "2026-03-14")).toBe("vie 27 nov");
  expect(sayDay("2026-11-27", "en", "2026-03-14")).toBe("Fri 27 Nov");
  expect(sayDay("2027-01-04", "es", "2026-12-30")).toBe("lun 4 ene 2027");
});

it("says the day of a time only if it is another day at the plant", () => {
  const at = "2026-03-15T03:30:00Z";
  expect(sayMoment(at, "es", "2026-03-14")).toBe("21:30");
  expect(sayMoment(at, "es", "2026-03-15")).toBe("sáb 14 mar 21:30");
});

it.each([
  ["2026-03-12", "2026-03-19", "12–19 mar", "12–19 Mar"],
  ["2026-03-12", "2026-03-12", "12 mar", "12 Mar"],
  ["2026-02-28", "2026-03-03", "28 feb–3 mar", "28 Feb–3 Mar"],
  ["2026-12-30", "2027-01-04", "30 dic–4 ene 2027", "30 Dec–4 Jan 2027"],
  ["2027-03-12", "2027-03-19", "12–19 mar 2027", "12–19 Mar 2027"],
])("says the days from %s to %s with their month once", (first, last, es, en) => {
  expect(sayDays(first, last, "es", "2026-03-01")).toBe(es);
  expect(sayDays(first, last, "en", "2026-03-01")).toBe(en);
});
