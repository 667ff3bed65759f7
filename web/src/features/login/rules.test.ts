// @vitest-environment node
import { expect, it } from "vitest";
import { emailProblem, submitProblem } from "./rules";

it.each([
  ["", "emailRequired", "emailMissing"],
  ["ana", "emailInvalid", "emailFormat"],
  ["ana@taller", null, "emailFormat"],
  ["ana@taller.x", null, "emailFormat"],
  ["ana@joyería.mx", null, "emailFormat"],
  ["ana@obrador.test", null, null],
  ["ana.ruiz-2@ventas.taller.com.mx", null, null],
])("checks %j beside the field and on submit", (email, beside, onSubmit) => {
  expect(emailProblem(email)).toBe(beside);
  expect(submitProblem(email)).toBe(onSubmit);
});
