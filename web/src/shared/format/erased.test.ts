// @vitest-environment node
import { expect, it } from "vitest";
import { namedErased } from "./erased";

const json = JSON.stringify({ by: "Persona borrada #12", notes: "de Persona borrada #3" });

it("translates the names of erased people anywhere in a document", () => {
  expect(JSON.parse(namedErased(json, "en"))).toEqual({
    by: "Erased person #12",
    notes: "de Erased person #3",
  });
  expect(namedErased(json, "es")).toBe(json);
  expect(namedErased('{"notes":"Persona borrada"}', "en")).toBe('{"notes":"Persona borrada"}');
});
