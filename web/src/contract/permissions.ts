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
  | "ManagePersonalData";

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
];
