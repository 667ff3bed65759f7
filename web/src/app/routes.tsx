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
  | "users"
  | "audit"
  | "recover"
  | "reset"
  | "customers"
  | "components"
  | "exportTaxItems"
  | "companies"
  | "materials"
  | "productionProcess"
  | "products"
  | "import";

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

const importPage = lazy(() => import("@/features/catalogs/importing/ImportPage"));

/** In the order of the menu. */
export const ROUTES: readonly AppRoute[] = [
  {
    path: "/login",
    page: lazy(() => import("@/features/login/LoginPage")),
    access: "public",
    title: "login",
  },
  {
    path: "/Recuperar/:email",
    page: lazy(() => import("@/features/login/RecoverPage")),
    access: "public",
    title: "recover",
  },
  {
    path: "/Restablecer/:token",
    page: lazy(() => import("@/features/login/ResetPage")),
    access: "public",
    title: "reset",
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
    path: "/administration/audit",
    page: lazy(() => import("@/features/audit/AuditPage")),
    access: "ViewAudit",
    title: "audit",
    menu: "administration",
  },
  {
    path: "/catalogs/customers",
    page: lazy(() => import("@/features/catalogs/CustomersPage")),
    access: "ListCustomers",
    title: "customers",
    menu: "catalogs",
  },
  {
    path: "/catalogs/components",
    page: lazy(() => import("@/features/catalogs/ComponentsPage")),
    access: "ListComponents",
    title: "components",
    menu: "catalogs",
  },
  {
    path: "/catalogs/export-tax-items",
    page: lazy(() => import("@/features/catalogs/ExportTaxItemsPage")),
    access: "ListExportTax",
    title: "exportTaxItems",
    menu: "catalogs",
  },
  {
    path: "/catalogs/companies",
    page: lazy(() => import("@/features/catalogs/CompaniesPage")),
    access: "ListCompanies",
    title: "companies",
    menu: "catalogs",
  },
  {
    path: "/catalogs/materials",
    page: lazy(() => import("@/features/catalogs/MaterialsPage")),
    access: "ListMaterials",
    title: "materials",
    menu: "catalogs",
  },
  {
    path: "/catalogs/production-process",
    page: lazy(() => import("@/features/catalogs/ProductionProcessPage")),
    access: "ListProductionProcesses",
    title: "productionProcess",
    menu: "catalogs",
  },
  {
    path: "/catalogs/products",
    page: lazy(() => import("@/features/catalogs/ProductsPage")),
    access: "ListItems",
    title: "products",
    menu: "catalogs",
  },
  {
    path: "/catalogs/customers/import",
    page: importPage,
    access: "CreateCustomer",
    title: "import",
  },
  {
    path: "/catalogs/components/import",
    page: importPage,
    access: "CreateComponent",
    title: "import",
  },
  {
    path: "/catalogs/export-tax-items/import",
    page: importPage,
    access: "CreateExportTax",
    title: "import",
  },
  {
    path: "/catalogs/materials/import",
    page: importPage,
    access: "CreateMaterial",
    title: "import",
  },
  {
    path: "/catalogs/products/import",
    page: importPage,
    access: "CreateItem",
    title: "import",
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
