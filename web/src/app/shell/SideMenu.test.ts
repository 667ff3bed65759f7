import { describe, expect, it } from "vitest";
import type { Permission } from "@/contract";
import { ROUTES } from "../routes";
import { ICONS, menuOf } from "./SideMenu";

const links = (permissions: Permission[]) =>
  menuOf(ROUTES, permissions).map(({ group, entries }) => [group, entries.map(({ path }) => path)]);

describe("the menu", () => {
  it("has no empty group", () => {
    expect(links([])).toEqual([]);
  });

  it("shows a link to a user who holds only its permission", () => {
    expect(links(["ShopFloor"])).toEqual([["operations", ["/shop-floor"]]]);
    expect(links(["ListSalesOrders"])).toEqual([["operations", ["/operations/sales-orders"]]]);
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
