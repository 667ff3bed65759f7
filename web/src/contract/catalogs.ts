// Generated from the catalogs' definitions by `make contract`.
/** The permissions of each catalog (null: any of the staff), and the field that says whether an entry can be chosen. */
export const CATALOGS = {
  "companies": { reads: "ListCompanies", Create: "CreateCompany", Update: "UpdateCompany", Delete: "DeleteCompany", flag: "status", importable: true },
  "export-tax-items": { reads: "ListExportTax", Create: "CreateExportTax", Update: "UpdateExportTax", Delete: "DeleteExportTax", flag: null, importable: true },
  "materials": { reads: "ListMaterials", Create: "CreateMaterial", Update: "UpdateMaterial", Delete: "DeleteMaterial", flag: "status", importable: true },
  "alloys": { reads: "ListAlloys", Create: "CreateAlloy", Update: "UpdateAlloy", Delete: "DeleteAlloy", flag: "status", importable: true },
  "components": { reads: "ListComponents", Create: "CreateComponent", Update: "UpdateComponent", Delete: "DeleteComponent", flag: "status", importable: true },
  "customer-types": { reads: null, Create: "CreateCustomer", Update: "UpdateCustomer", Delete: "UpdateCustomer", flag: "active", importable: false },
  "tax-sections": { reads: null, Create: "CreateCustomer", Update: "UpdateCustomer", Delete: "UpdateCustomer", flag: "active", importable: false },
  "release-reasons": { reads: null, Create: "UpdateProductionProcess", Update: "UpdateProductionProcess", Delete: "UpdateProductionProcess", flag: "active", importable: false },
  "scrap-reasons": { reads: null, Create: "UpdateProductionProcess", Update: "UpdateProductionProcess", Delete: "UpdateProductionProcess", flag: "active", importable: false },
  "customers": { reads: "ListCustomers", Create: "CreateCustomer", Update: "UpdateCustomer", Delete: "DeleteCustomer", flag: "status", importable: true },
  "items": { reads: "ListItems", Create: "CreateItem", Update: "UpdateItem", Delete: "DeleteItem", flag: "status", importable: true },
  "production-processes": { reads: "ListProductionProcesses", Create: "CreateProductionProcess", Update: "UpdateProductionProcess", Delete: "DeleteProductionProcess", flag: "status", importable: true },
} as const;
