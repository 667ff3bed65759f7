// @vitest-environment node
import { beforeEach, expect, it } from "vitest";
import { sayDay, sayMoment } from "./days";
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
