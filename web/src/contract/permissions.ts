// Generated from project/access/permissions.py by `make contract`.
export type Permission =
  | "Dashboard"
  | "ListUsers"
  | "ListPermissions"
  | "ListRoles"
  | "ListCustomers"
  | "ListComponents"
  | "ListExportTax"
  | "ListCompanies"
  | "ListMaterials"
  | "ListProductionProcesses"
  | "ListItems"
  | "ListSalesOrders"
  | "ListOrders"
  | "ReportListSalesOrders"
  | "ReportListBills"
  | "ReportPayOrders"
  | "ReportPaidOrders"
  | "NoAutoLogoutInactivity"
  | "ChangePassword"
  | "UpdateSalesOrderPositionStatus"
  | "SalesOrderPositionProcessIn"
  | "SalesOrderPositionProcessOut"
  | "SalesOrderPositionRecord"
  | "ReleaseProductionProccess"
  | "CreateUser"
  | "UpdateUser"
  | "DeleteUser"
  | "CreateRole"
  | "UpdateRole"
  | "DeleteRole"
  | "CreateCompany"
  | "UpdateCompany"
  | "DeleteCompany"
  | "CreateCustomer"
  | "UpdateCustomer"
  | "DeleteCustomer"
  | "CreateComponent"
  | "UpdateComponent"
  | "DeleteComponent"
  | "CreateMaterial"
  | "UpdateMaterial"
  | "DeleteMaterial"
  | "CreateExportTax"
  | "UpdateExportTax"
  | "DeleteExportTax"
  | "CreateProductionProcess"
  | "UpdateProductionProcess"
  | "DeleteProductionProcess"
  | "CreateItem"
  | "UpdateItem"
  | "DeleteItem"
  | "CreateSalesOrder"
  | "UpdateSalesOrder"
  | "DeleteSalesOrder"
  | "UpdateSalesOrderPosition"
  | "CreateDelivery"
  | "UpdateDelivery"
  | "CancelDelivery"
  | "CreatePay"
  | "CancelPay"
  | "PrintWorkSheet"
  | "ShopFloor"
  | "ManageDisplays"
  | "ViewAudit"
  | "Station"
  | "ManageIntegrations"
  | "ManagePersonalData"
  | "ScrapPieces"
  | "ListAlloys"
  | "CreateAlloy"
  | "UpdateAlloy"
  | "DeleteAlloy"
  | "ViewMetal"
  | "ManageMetal"
  | "CloseMetalDay"
  | "ManageBatches"
  | "ListPiecePrices"
  | "UpdatePiecePrices"
  | "ReportPromises"
  | "ManageCustomerLinks";

/** Who holds one of these is of the office. */
export const OF_THE_OFFICE: readonly Permission[] = [
  "Dashboard",
  "UpdateSalesOrderPositionStatus",
  "CreateSalesOrder",
  "UpdateSalesOrder",
  "UpdateSalesOrderPosition",
  "CreateDelivery",
];

/** What a service account may be given. */
export const OF_SERVICES: readonly Permission[] = [
  "Dashboard",
  "ListCustomers",
  "ListComponents",
  "ListExportTax",
  "ListCompanies",
  "ListMaterials",
  "ListProductionProcesses",
  "ListItems",
  "ListSalesOrders",
  "ListOrders",
  "ReportListSalesOrders",
  "ReportListBills",
  "ReportPayOrders",
  "ReportPaidOrders",
  "UpdateSalesOrderPositionStatus",
  "SalesOrderPositionProcessIn",
  "SalesOrderPositionProcessOut",
  "SalesOrderPositionRecord",
  "ReleaseProductionProccess",
  "CreateCompany",
  "UpdateCompany",
  "DeleteCompany",
  "CreateCustomer",
  "UpdateCustomer",
  "DeleteCustomer",
  "CreateComponent",
  "UpdateComponent",
  "DeleteComponent",
  "CreateMaterial",
  "UpdateMaterial",
  "DeleteMaterial",
  "CreateExportTax",
  "UpdateExportTax",
  "DeleteExportTax",
  "CreateProductionProcess",
  "UpdateProductionProcess",
  "DeleteProductionProcess",
  "CreateItem",
  "UpdateItem",
  "DeleteItem",
  "CreateSalesOrder",
  "UpdateSalesOrder",
  "DeleteSalesOrder",
  "UpdateSalesOrderPosition",
  "CreateDelivery",
  "UpdateDelivery",
  "CancelDelivery",
  "CreatePay",
  "CancelPay",
  "PrintWorkSheet",
  "ShopFloor",
  "ViewAudit",
  "ScrapPieces",
  "ListAlloys",
  "CreateAlloy",
  "UpdateAlloy",
  "DeleteAlloy",
  "ViewMetal",
  "ManageMetal",
  "CloseMetalDay",
  "ManageBatches",
  "ListPiecePrices",
  "UpdatePiecePrices",
  "ReportPromises",
];

/** The events that a webhook may be sent, and the permissions of which its account needs one. */
export const EVENT_READERS = {
  "batch.changed": ["ShopFloor", "ManageBatches"],
  "board.changed": ["ShopFloor"],
  "catalog.changed": ["ListCustomers", "ListComponents", "ListExportTax", "ListCompanies", "ListMaterials", "ListProductionProcesses", "ListItems", "ReleaseProductionProccess", "CreateCustomer", "UpdateCustomer", "UpdateProductionProcess", "ScrapPieces", "ListAlloys", "ListPiecePrices"],
  "delivery.changed": ["ReportListBills"],
  "line.changed": ["ListSalesOrders", "ListOrders", "ShopFloor"],
  "line.forecast": ["ListSalesOrders", "ListOrders", "ShopFloor"],
  "line.moved": ["ListSalesOrders", "ListOrders", "ShopFloor"],
  "line.released": ["ListSalesOrders", "ListOrders", "ShopFloor"],
  "line.status-changed": ["ListSalesOrders", "ListOrders", "ShopFloor"],
  "metal.changed": ["ViewMetal", "ManageMetal"],
  "notification.changed": ["ListOrders"],
  "notification.created": ["ListOrders"],
  "notification.ended": ["ListOrders"],
  "order.changed": ["ListSalesOrders", "ListOrders"],
  "order.created": ["ListSalesOrders", "ListOrders"],
  "order.deleted": ["ListSalesOrders", "ListOrders"],
  "payment.changed": ["ReportPayOrders", "ReportPaidOrders"],
} as const satisfies Record<string, readonly Permission[]>;
