// @vitest-environment node
import { expect, it } from "vitest";
import type { PermissionRow } from "@/contract";
import { branches, describe as inWords, toggleGroup } from "./tree";

const row = (action: string, group: string, es: string, en: string) =>
  ({ id: 1, action, group, descriptionEs: es, descriptionEn: en }) as PermissionRow;
const ROWS = [
  row("ListOrders", "Operations", "Ver todas las líneas", "See the lines of all orders"),
  row("ListUsers", "Administration", "Ver usuarios", "See users"),
  row("CreateUser", "Administration", "Crear usuarios", "Create users"),
];

it("groups permissions in menu order", () => {
  expect(branches(ROWS).map(({ group, rows }) => [group, rows.length])).toEqual([
    ["Administration", 2],
    ["Operations", 1],
  ]);
});

it("searches names and both descriptions, ignoring accents", () => {
  const found = (search: string) => branches(ROWS, search).flatMap(({ rows }) => rows);
  expect(found(" lineas ")).toEqual([ROWS[0]]);
  expect(found("create")).toEqual([ROWS[2]]);
  expect(found("ListUsers")).toEqual([ROWS[1]]);
  expect(found("nothing")).toEqual([]);
});

it("describes a permission in the given language", () => {
  expect(inWords(ROWS[1]!, "es")).toBe("Ver usuarios");
  expect(inWords(ROWS[1]!, "en")).toBe("See users");
});

it("toggles a whole group and leaves the other permissions as they are", () => {
  expect(toggleGroup(["ListOrders"], ["ListUsers", "CreateUser"])).toEqual([
    "ListOrders",
    "ListUsers",
    "CreateUser",
  ]);
  expect(toggleGroup(["ListUsers", "ListOrders"], ["ListUsers"])).toEqual(["ListOrders"]);
});
