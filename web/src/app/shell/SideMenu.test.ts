import { describe, expect, it } from "vitest";
import type { Permission } from "@/contract";
import { PERMISSIONS_OF, type PartKey } from "@/entities/parts";
import { ROUTES } from "../routes";
import { ICONS, menuOf } from "./SideMenu";

const links = (permissions: Permission[], off: PartKey[] = []) =>
  menuOf(ROUTES, permissions, new Set(off)).map(({ group, entries }) => [
    group,
    entries.map(({ path }) => path),
  ]);
const HOME = ["main", ["/home"]];
const ALL = ROUTES.flatMap(({ access }) =>
  access === "public" || access === "signed-in" ? [] : access,
) as Permission[];
const PARTS = Object.keys(PERMISSIONS_OF) as PartKey[];

describe("the menu", () => {
  it("has no empty group", () => {
    expect(links([])).toEqual([HOME]);
  });

  it("of a new workshop has at most 20 entries at once, and all that were specified", () => {
    const shown = links(ALL, PARTS);
    const atOnce = shown.flatMap(([group, paths]) => (group === "more" ? [] : paths));
    expect(atOnce.length).toBeLessThanOrEqual(20);
    expect(atOnce).toEqual(
      expect.arrayContaining([
        "/dashboard",
        ...["permissions", "roles", "users"].map((name) => `/administration/${name}`),
        ...["customers", "components", "export-tax-items", "companies", "materials"].map(
          (name) => `/catalogs/${name}`,
        ),
        "/catalogs/production-process",
        "/catalogs/products",
        "/operations/sales-orders",
        "/operations/orders",
        ...["sales-orders", "bills", "pay-orders", "paid-orders"].map((name) => `/reports/${name}`),
      ]),
    );
  });

  it.each(PARTS)("has nothing of the part %s while it is off", (part) => {
    const paths = (off: PartKey[]) => new Set(links(ALL, off).flatMap(([, found]) => found));
    const missing = [...paths([])].filter((path) => !paths([part]).has(path));
    const ofPart = ROUTES.filter((route) => route.part === part).map(({ path }) => path);
    expect(missing.toSorted()).toEqual(ofPart.toSorted());
  });

  it("shows a link to a user who holds only its permission", () => {
    expect(links(["ShopFloor"])).toEqual([HOME, ["operations", ["/shop-floor"]]]);
    expect(links(["ListSalesOrders"])).toEqual([
      HOME,
      ["operations", ["/operations/sales-orders"]],
    ]);
  });

  it("has a sign of its own for each page", () => {
    const signs = ROUTES.filter(({ menu }) => menu !== undefined).map(({ title }) => ICONS[title]);
    expect(signs).not.toContain(undefined);
    expect(new Set(signs).size).toBe(signs.length);
  });

  it("puts daily work before catalogs and administration", () => {
    const held: Permission[] = ["ListUsers", "ListCustomers", "Dashboard", "ListOrders"];
    expect(links([...held, "ReportListBills"]).map(([group]) => group)).toEqual([
      "main",
      "operations",
      "reports",
      "catalogs",
      "administration",
      "more",
    ]);
  });

  it("links only to pages in the route table", () => {
    const paths = new Set(ROUTES.map(({ path }) => path));
    const shown = links(["ListSalesOrders", "ShopFloor", "Dashboard", "ListUsers"]);
    expect(
      shown.flatMap(([, entries]) => entries).filter((path) => !paths.has(String(path))),
    ).toEqual([]);
  });
});
