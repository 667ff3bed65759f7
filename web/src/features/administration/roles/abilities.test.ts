// @vitest-environment node
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Permission, PermissionRow } from "@/contract";
import words from "@/locales/es/administration.json";
import { abilitiesOf, missingOf, othersOf } from "./abilities";

const contract = JSON.parse(readFileSync("../infra/docs/contract.json", "utf8")) as {
  components: { schemas: { Permission: { enum: readonly Permission[] } } };
};
const every = contract.components.schemas.Permission.enum;
const OF_THE_SESSION = ["NoAutoLogoutInactivity", "ChangePassword"];

it("finds the permissions of the server", () => expect(every.length).toBeGreaterThan(60));

it.each(every)("%s allows exactly one thing, unless it is of the session", (permission) => {
  const said = [...abilitiesOf([permission]), ...othersOf([permission])];
  expect(said).toHaveLength(OF_THE_SESSION.includes(permission) ? 0 : 1);
});

it("has words for everything that permissions allow, and no others", () => {
  expect(abilitiesOf(every).toSorted()).toEqual(Object.keys(words.role.can).toSorted());
});

it("names what a station needs, once, and nothing that is there", () => {
  const row = (action: Permission, ...needs: Permission[]) => ({ action, needs }) as PermissionRow;
  const rows = [
    row("SalesOrderPositionProcessIn"),
    row("NoAutoLogoutInactivity"),
    row("PrintWorkSheet", "NoAutoLogoutInactivity"),
    row("Station", "SalesOrderPositionProcessIn", "NoAutoLogoutInactivity"),
  ];
  const missing = missingOf(["Station", "PrintWorkSheet", "SalesOrderPositionProcessIn"], rows);
  expect(missing.map(({ action }) => action)).toEqual(["NoAutoLogoutInactivity"]);
  expect(missingOf(["NoAutoLogoutInactivity"], rows)).toEqual([]);
});
