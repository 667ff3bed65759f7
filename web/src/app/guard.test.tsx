import { lazy } from "react";
import { describe, expect, it } from "vitest";
import type { Permission } from "@/contract";
import { landing, mayOpen, wayBack } from "./guard";
import { ROUTES, type AppRoute } from "./routes";

const load = async () => ({ default: () => null });
const code = { page: lazy(load), load };
const TABLE: readonly AppRoute[] = [
  { path: "/login", ...code, access: "public", title: "login" },
  { path: "/home", ...code, access: "signed-in", title: "home" },
  { path: "/dashboard", ...code, access: "Dashboard", title: "dashboard" },
  { path: "/operations/sales-orders", ...code, access: "ListSalesOrders", title: "salesOrders" },
  { path: "/operations/sales-orders/:id", ...code, access: "ListSalesOrders", title: "order" },
  { path: "/operations/orders", ...code, access: "ListOrders", title: "orders" },
];

describe("the guard", () => {
  const cases: [string, Permission[] | null, boolean][] = [
    ["/login", null, true],
    ["/home", null, false],
    ["/home", [], true],
    ["/operations/sales-orders", [], false],
    ["/operations/sales-orders", ["ListSalesOrders"], true],
    ["/operations/sales-orders/3", ["ListSalesOrders"], true],
    ["/operations/sales-orders/3/position/2/a", ["ListSalesOrders"], true],
    ["/operations/sales-orders/3", ["ListOrders"], false],
    ["/operations/sales-orders-of-others", ["ListSalesOrders"], false],
    ["/operations/orders", ["ListOrders"], true],
    ["/operations/orders", ["ListSalesOrders"], false],
    ["/operations/orders/3", ["ListOrders"], false],
    ["/nowhere", ["ListSalesOrders"], false],
  ];
  it.each(cases)("%s with %j: %s", (path, permissions, allowed) => {
    expect(mayOpen(path, permissions, TABLE)).toBe(allowed);
  });

  it("lands at the station of a user who works in one process", () => {
    const station = { path: "/shop-floor/station/:id", ...code, title: "station" } as const;
    const table: readonly AppRoute[] = [...TABLE, { ...station, access: "Station" }];
    expect(landing(["Station"], table, [4])).toBe("/shop-floor/station/4");
    expect(landing(["Station"], table, [4, 5])).toBe("/home");
    expect(landing(["Station"], table, [])).toBe("/home");
    expect(landing([], table, [4])).toBe("/home");
    expect(landing(["Station", "Dashboard"], table, [4])).toBe("/dashboard");
  });

  it("lands on the dashboard only with its permission and if its route exists", () => {
    expect(landing(["Dashboard"], TABLE)).toBe("/dashboard");
    expect(landing([], TABLE)).toBe("/home");
    expect(landing(["Dashboard"], TABLE.slice(0, 2))).toBe("/home");
  });
});

describe("the way back after signing in", () => {
  const may: Permission[] = ["ListSalesOrders"];
  it.each([
    ["/operations/sales-orders/3?line=2", "/operations/sales-orders/3?line=2"],
    [null, "/home"],
    ["/operations/orders", "/home"],
    ["/login?x=1", "/home"],
    ["/nowhere", "/home"],
    ["//evil.test/home", "/home"],
    ["https://evil.test/home", "/home"],
    ["javascript:alert(1)", "/home"],
    ["/\\evil.test", "/home"],
  ])("%s leads to %s", (page, to) => {
    expect(wayBack(page, may, TABLE)).toBe(to);
  });
});

describe("the route table", () => {
  it("has every path once", () => {
    const paths = ROUTES.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("guards every page but login, recovery, the way back from the company, stopping mails, privacy and the wall screen", () => {
    const open = ROUTES.filter(({ access }) => access === "public").map(({ path }) => path);
    expect(open).toEqual([
      "/login",
      "/Recuperar/:email",
      "/Restablecer/:token",
      "/unsubscribe/:token",
      "/company",
      "/privacy",
      "/display",
    ]);
  });
});
