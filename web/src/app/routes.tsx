/** The one table of pages: path, permission, menu entry and title. Guard, menu and titles come from it. */
import { lazy, type ComponentType, type LazyExoticComponent } from "react";
import type { Permission } from "@/contract";

export type MenuGroup = "main" | "administration" | "catalogs" | "operations" | "reports";

export type PageTitleKey =
  | "dashboard"
  | "home"
  | "login"
  | "privacy"
  | "salesOrders"
  | "newOrder"
  | "order"
  | "line"
  | "orders"
  | "shopFloor"
  | "permissions"
  | "roles"
  | "users";

export interface AppRoute {
  path: string;
  page: LazyExoticComponent<ComponentType>;
  /** "public": anybody; "signed-in": everybody who is; else who holds the permission. */
  access: Permission | "public" | "signed-in";
  /** A key of shell.json `pages`. */
  title: PageTitleKey;
  /** The group its menu link stands in; without one there is no link. */
  menu?: MenuGroup;
}

/** In the order of the menu. */
export const ROUTES: readonly AppRoute[] = [
  {
    path: "/login",
    page: lazy(() => import("@/features/login/LoginPage")),
    access: "public",
    title: "login",
  },
  {
    path: "/privacy",
    page: lazy(() => import("@/features/privacy/PrivacyPage")),
    access: "public",
    title: "privacy",
  },
  {
    path: "/home",
    page: lazy(() => import("@/features/home/HomePage")),
    access: "signed-in",
    title: "home",
  },
  {
    path: "/administration/permissions",
    page: lazy(() => import("@/features/administration/PermissionsPage")),
    access: "ListPermissions",
    title: "permissions",
    menu: "administration",
  },
  {
    path: "/administration/roles",
    page: lazy(() => import("@/features/administration/RolesPage")),
    access: "ListRoles",
    title: "roles",
    menu: "administration",
  },
  {
    path: "/administration/users",
    page: lazy(() => import("@/features/administration/UsersPage")),
    access: "ListUsers",
    title: "users",
    menu: "administration",
  },
  {
    path: "/operations/sales-orders",
    page: lazy(() => import("@/features/orders/SalesOrdersPage")),
    access: "ListSalesOrders",
    title: "salesOrders",
    menu: "operations",
  },
  {
    path: "/operations/sales-orders/new",
    page: lazy(() => import("@/features/orders/NewOrderPage")),
    access: "ListSalesOrders",
    title: "newOrder",
  },
  {
    path: "/operations/sales-orders/:id",
    page: lazy(() => import("@/features/orders/OrderPage")),
    access: "ListSalesOrders",
    title: "order",
  },
  {
    path: "/operations/sales-orders/:id/position/:position/:configuration?",
    page: lazy(() => import("@/features/orders/LinePage")),
    access: "ListSalesOrders",
    title: "line",
  },
  {
    path: "/shop-floor",
    page: lazy(() => import("@/features/shop-floor/ShopFloorPage")),
    access: "ShopFloor",
    title: "shopFloor",
    menu: "operations",
  },
];
