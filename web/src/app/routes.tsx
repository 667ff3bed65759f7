/**
 * The table of all pages: path, access, menu group and title. The guard, the menu and the titles
 * use it.
 */
import type { ComponentType } from "react";
import { matchPath } from "react-router";
import { CATALOGS, type Permission } from "@/contract";
import type shell from "@/locales/es/shell.json";
import { catalogPath, importPath, listPath } from "@/shared/catalogPaths";
import type { PartKey } from "@/entities/parts";
import { CATALOG_NAMES } from "@/shared/http/keys";
import { lazyPart } from "@/shared/ui/lazyPart";

export type MenuGroup = "main" | "administration" | "catalogs" | "operations" | "reports" | "more";

/**
 * The title of a page. Titles and help of catalogs and reports are in the locale files of their
 * features.
 */
export type PageTitle = keyof (typeof shell)["pages"] | PagedCatalog | ReportTitle;
type PagedCatalog = (typeof CATALOG_PAGES)[number][0] | "metal/trays";
export type ReportTitle = (typeof REPORTS)[number][3];

export function isPagedCatalog(title: PageTitle): title is PagedCatalog {
  return title in CATALOGS;
}

export function isReport(title: PageTitle): title is ReportTitle {
  return REPORTS.some(([, , , report]) => report === title);
}

/** The locale key of a page's title. */
export function titleKey(title: PageTitle) {
  if (isPagedCatalog(title)) return `catalogs:${title}.title` as const;
  return isReport(title) ? (`reports:${title}.title` as const) : (`shell:pages.${title}` as const);
}

export interface AppRoute {
  path: string;
  page: ComponentType;
  /** Loads the page's code ahead of its first render. */
  load: () => Promise<unknown>;
  /** Who may open the page: "public", "signed-in", or holders of the permission or of one of several. */
  access: Permission | readonly Permission[] | "public" | "signed-in";
  /** Shown without the shell, even to a signed-in user: a wall screen belongs to no user. */
  bare?: true;
  title: PageTitle;
  /** The menu group of its link; without one there is no link. */
  menu?: MenuGroup;
  /** A second group with the link. */
  menuToo?: MenuGroup;
  /** The part of the product that it belongs to. While the part is off, there is no link. */
  part?: PartKey;
}

function page(load: () => Promise<{ default: ComponentType }>): Pick<AppRoute, "page" | "load"> {
  return { page: lazyPart(load, "page"), load };
}

const importPage = page(() => import("@/features/catalogs/importing/ImportPage"));

const METAL = { part: "metal" } as const;
const SELDOM = { menu: "more" } as const;

/** The catalogs with their own page, in the order of the menu. */
const CATALOG_PAGES = [
  ["customers", page(() => import("@/features/catalogs/CustomersPage"))],
  ["components", page(() => import("@/features/catalogs/ComponentsPage"))],
  ["export-tax-items", page(() => import("@/features/catalogs/ExportTaxItemsPage"))],
  ["companies", page(() => import("@/features/catalogs/CompaniesPage"))],
  ["materials", page(() => import("@/features/catalogs/MaterialsPage"))],
  ["alloys", page(() => import("@/features/catalogs/AlloysPage")), METAL],
  ["production-processes", page(() => import("@/features/catalogs/ProductionProcessPage"))],
  ["items", page(() => import("@/features/catalogs/ProductsPage"))],
] as const;

/** Pages below the list of sales orders, with the same access. */
const ORDER_PAGES = [
  ["new", page(() => import("@/features/orders/NewOrderPage")), "newOrder"],
  [":id", page(() => import("@/features/orders/OrderPage")), "order"],
  [":id/lines", page(() => import("@/features/orders/EditLinesPage")), "order"],
  [
    ":id/position/:position/:configuration?",
    page(() => import("@/features/orders/LinePage")),
    "line",
  ],
] as const;

type Row = readonly [
  string,
  Pick<AppRoute, "page" | "load">,
  AppRoute["access"],
  PageTitle,
  Pick<AppRoute, "menu" | "part">?,
];

/**
 * Return a function that turns a row into a route, with a path below `base` and a link in `menu`.
 */
const below =
  (base: string, menu?: MenuGroup) =>
  ([path, parts, access, title, more]: Row): AppRoute => ({
    path: `${base}/${path}`,
    ...parts,
    access,
    title,
    ...(menu && { menu }),
    ...more,
  });

const PUBLIC: readonly Row[] = [
  ["login", page(() => import("@/features/login/LoginPage")), "public", "login"],
  ["Recuperar/:email", page(() => import("@/features/login/RecoverPage")), "public", "recover"],
  ["Restablecer/:token", page(() => import("@/features/login/ResetPage")), "public", "reset"],
  [
    "unsubscribe/:token",
    page(() => import("@/features/login/StopMailsPage")),
    "public",
    "unsubscribe",
  ],
  ["company", page(() => import("@/features/login/CompanyPage")), "public", "company"],
  ["privacy", page(() => import("@/features/privacy/PrivacyPage")), "public", "privacy"],
];

const MOVERS = [
  "ManageBatches",
  "SalesOrderPositionProcessIn",
  "SalesOrderPositionProcessOut",
] as const;
const FIGURES = ["ReportListSalesOrders", "Dashboard"] as const;

const METAL_AND_BATCHES: readonly Row[] = [
  ["batches", page(() => import("@/features/batches/BatchesPage")), MOVERS, "batches", METAL],
  ["metal", page(() => import("@/features/metal/MetalPage")), "ViewMetal", "metal", METAL],
];

/** Pages that are opened from the pages of `METAL_AND_BATCHES`. */
const BELOW_THEM: readonly Row[] = [
  ["batches/:id", page(() => import("@/features/batches/BatchPage")), MOVERS, "batch"],
  ["metal/day", page(() => import("@/features/metal/DayPage")), "CloseMetalDay", "metalDay"],
  ["metal/counts", page(() => import("@/features/metal/CountsPage")), "ViewMetal", "metalCounts"],
  ["metal/ledger", page(() => import("@/features/metal/LedgerPage")), "ViewMetal", "metalLedger"],
  ["metal/lots", page(() => import("@/features/metal/LotsPage")), "ViewMetal", "metalLots"],
  ["metal/trays", page(() => import("@/features/catalogs/TraysPage")), "ViewMetal", "metal/trays"],
  [
    "metal/refining",
    page(() => import("@/features/metal/RefiningPage")),
    "ViewMetal",
    "metalRefining",
  ],
];

const REPORTS = [
  [
    "sales-orders",
    page(() => import("@/features/reports/SalesOrdersReportPage")),
    "ReportListSalesOrders",
    "salesOrdersReport",
  ],
  ["flow", page(() => import("@/features/reports/FlowPage")), FIGURES, "flow", SELDOM],
  [
    "metal",
    page(() => import("@/features/reports/MetalReportPage")),
    "ViewMetal",
    "metalReport",
    METAL,
  ],
  ["scrap", page(() => import("@/features/reports/ScrapPage")), FIGURES, "scrap", SELDOM],
  [
    "promises",
    page(() => import("@/features/reports/PromisesPage")),
    "ReportPromises",
    "promises",
    { part: "forecasts" },
  ],
] as const;

const ADMINISTRATION = [
  [
    "permissions",
    page(() => import("@/features/administration/PermissionsPage")),
    "ListPermissions",
  ],
  ["roles", page(() => import("@/features/administration/RolesPage")), "ListRoles"],
  ["users", page(() => import("@/features/administration/UsersPage")), "ListUsers"],
  [
    "displays",
    page(() => import("@/features/administration/DisplaysPage")),
    "ManageDisplays",
    { part: "displays" },
  ],
  [
    "integrations",
    page(() => import("@/features/administration/IntegrationsPage")),
    "ManageIntegrations",
    { part: "integrations" },
  ],
  [
    "webhooks",
    page(() => import("@/features/administration/WebhooksPage")),
    "ManageIntegrations",
    { part: "integrations" },
  ],
  ["audit", page(() => import("@/features/audit/AuditPage")), "ViewAudit", SELDOM],
] as const;

/** All pages. The pages of one menu group are in the order of the menu. */
export const ROUTES: readonly AppRoute[] = [
  ...PUBLIC.map(below("")),
  {
    path: "/display",
    ...page(() => import("@/features/shop-floor/DisplayPage")),
    access: "public",
    bare: true,
    title: "display",
  },
  {
    path: "/home",
    ...page(() => import("@/features/home/HomePage")),
    access: "signed-in",
    title: "home",
    menu: "main",
  },
  {
    path: "/account/ways",
    ...page(() => import("@/features/account/WaysPage")),
    access: "signed-in",
    title: "ways",
  },
  {
    path: "/account/calendar",
    ...page(() => import("@/features/account/CalendarPage")),
    access: ["ListSalesOrders", "ListOrders"],
    title: "calendar",
  },
  {
    path: "/account/notices",
    ...page(() => import("@/features/notices/NoticesPage")),
    access: "signed-in",
    title: "notices",
  },
  {
    path: "/dashboard",
    ...page(() => import("@/features/reports/DashboardPage")),
    access: "Dashboard",
    title: "dashboard",
    menu: "main",
  },
  ...ADMINISTRATION.map(([title, at, access, more]): AppRoute => ({
    path: `/administration/${title}`,
    ...at,
    access,
    title,
    menu: "administration",
    ...more,
  })),
  {
    path: "/administration/webhooks/:id/deliveries",
    ...page(() => import("@/features/administration/WebhookDeliveriesPage")),
    access: "ManageIntegrations",
    title: "webhookDeliveries",
  },
  {
    path: importPath("users"),
    ...importPage,
    access: "CreateUser",
    title: "import",
  },
  ...CATALOG_PAGES.map(([name, at, more]) => ({
    path: catalogPath(name),
    ...at,
    access: CATALOGS[name].reads,
    title: name,
    menu: "catalogs" as const,
    ...more,
  })),
  {
    path: "/catalogs/lists",
    ...page(() => import("@/features/catalogs/ShortListsPage")),
    access: ["CreateCustomer", "UpdateCustomer", "UpdateProductionProcess"],
    title: "lists",
    ...SELDOM,
  },
  {
    path: listPath("process-item-prices"),
    ...page(() => import("@/features/catalogs/prices/PiecePricesPage")),
    access: "ListPiecePrices",
    title: "piecePrices",
    menu: "catalogs",
    part: "piecePrices",
  },
  {
    path: importPath("process-item-prices"),
    ...importPage,
    access: "UpdatePiecePrices",
    title: "import",
  },
  ...CATALOG_NAMES.filter((name) => CATALOGS[name].importable).map((name) => ({
    path: importPath(name),
    ...importPage,
    access: CATALOGS[name].Create,
    title: "import" as const,
  })),
  {
    path: "/operations/sales-orders",
    ...page(() => import("@/features/orders/SalesOrdersPage")),
    access: "ListSalesOrders",
    title: "salesOrders",
    menu: "operations",
  },
  ...ORDER_PAGES.map(([path, parts, title]) => ({
    path: `/operations/sales-orders/${path}`,
    ...parts,
    access: "ListSalesOrders" as const,
    title,
  })),
  {
    path: "/operations/orders",
    ...page(() => import("@/features/orders/LinesPage")),
    access: "ListOrders",
    title: "orders",
    menu: "operations",
  },
  {
    // The path in the code of a work sheet.
    path: "/operations/sales-order/:id/position/:position",
    ...page(() => import("@/features/orders/LinePage")),
    access: ["ListOrders", "ListSalesOrders"],
    title: "line",
  },
  ...METAL_AND_BATCHES.map(below("/operations", "operations")),
  ...BELOW_THEM.map(below("/operations")),
  {
    path: "/shop-floor",
    ...page(() => import("@/features/shop-floor/ShopFloorPage")),
    access: "ShopFloor",
    title: "shopFloor",
    menu: "operations",
  },
  {
    path: "/shop-floor/station/:processId",
    ...page(() => import("@/features/station/StationPage")),
    access: "Station",
    title: "station",
  },
  {
    path: "/shop-floor/replay",
    ...page(() => import("@/features/shop-floor/ReplayPage")),
    access: "ShopFloor",
    title: "replay",
  },
  ...REPORTS.map(below("/reports", "reports")),
  {
    path: "/reports/bills",
    ...page(() => import("@/features/billing/BillsPage")),
    access: "ReportListBills",
    title: "bills",
    menu: "reports",
    menuToo: "operations",
  },
  {
    path: "/reports/bills/new",
    ...page(() => import("@/features/billing/NewBillPage")),
    access: "CreateDelivery",
    title: "newBill",
  },
  {
    path: "/reports/bills/:id",
    ...page(() => import("@/features/billing/BillPage")),
    access: "ReportListBills",
    title: "bill",
  },
  {
    path: "/reports/bills/:id/edit",
    ...page(() => import("@/features/billing/EditBillPage")),
    access: "UpdateDelivery",
    title: "editBill",
  },
  {
    path: "/reports/pay-orders",
    ...page(() => import("@/features/piecework/PayOrdersPage")),
    access: "ReportPayOrders",
    title: "payOrders",
    menu: "reports",
  },
  {
    path: "/reports/paid-orders",
    ...page(() => import("@/features/piecework/PaidOrdersPage")),
    access: "ReportPaidOrders",
    title: "paidOrders",
    menu: "reports",
  },
];

export const routeOf = (pathname: string): AppRoute | undefined =>
  ROUTES.find(({ path }) => matchPath(path, pathname) !== null);
