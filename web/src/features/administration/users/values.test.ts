import { expect, it } from "vitest";
import { BLANK_USER, isWeakPin, PIN, proposedPin, userBody } from "./values";

const juan = { ...BLANK_USER, firstName: " Juan ", password: "Taller.2026", pin: "314159" };

it("sends no e-mail and no password for a person who has only a PIN", () => {
  const body = userBody({ ...juan, email: "  " });
  expect(body).toMatchObject({ firstName: "Juan", email: null, pin: "314159" });
  expect(body).not.toHaveProperty("password");
});

it("sends no PIN that is empty or of a customer's account", () => {
  const email = "juan@obrador.test";
  expect(userBody({ ...juan, email, pin: "" })).not.toHaveProperty("pin");
  expect(userBody({ ...juan, email, userType: "Customer" })).not.toHaveProperty("pin");
  expect(userBody({ ...juan, email })).toMatchObject({ email, password: "Taller.2026" });
});

it.each(["000000", "123456", "987654", "012345"])("knows the weak PIN %s", (pin) => {
  expect(isWeakPin(pin)).toBe(true);
});

it("proposes PINs of six digits that are not weak", () => {
  const proposed = Array.from({ length: 200 }, proposedPin);
  expect(proposed.filter((pin) => !PIN.test(pin) || isWeakPin(pin))).toEqual([]);
  expect(new Set(proposed).size).toBeGreaterThan(190);
});
