import { expect, it } from "vitest";
import type { Role, RoleTemplate } from "@/contract";
import { madeFrom } from "./Templates";

const template = {
  key: "floor",
  name: "Taller",
  description: "",
  permissions: ["ShopFloor", "Station"],
} satisfies RoleTemplate;
const role = (name: string, permissions: Role["permissions"]) => ({ name, permissions }) as Role;

it("recognises a role by the template's name, as people read it", () => {
  expect(madeFrom(template, [role("Ventas", []), role("  TALLER ", [])])?.name).toBe("  TALLER ");
});

it("recognises a role with another name by exactly the same permissions", () => {
  expect(madeFrom(template, [role("Piso", ["Station", "ShopFloor"])])?.name).toBe("Piso");
  expect(madeFrom(template, [role("Piso", ["Station"])])).toBeUndefined();
});
